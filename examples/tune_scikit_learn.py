"""Tune a model of scikit-learn: a mixed space, cross-validation, and noise.

A support vector machine is to recognise hand-written digits (a data set that comes with
scikit-learn). Its settings are of every sort: two numbers that range over powers of ten, a whole
number, and two choices. Each setting is judged by cross-validation, and the judgement is noisy: cut
the data into other folds, and it comes out a little different.

Three things are worth copying.

* What is told is the *logarithm* of the error. On that scale 1 per cent and 2 are as far apart as
  40 and 80, and there is no ceiling that good settings are squeezed against.
* The noise is measured before the search, by judging one setting again and again, and then told
  with every result. It would be learnt otherwise, but what is known need not be learnt.
* Two answers are told apart at the end. The best error *seen* belongs to a setting that was good
  and lucky. `study.recommend()` weighs all the results and names the setting it expects to be best.

    python examples/tune_scikit_learn.py [trials]
"""

import sys

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

import pathmax

images, digits = load_digits(return_X_y=True)
images, digits = images[:600], digits[:600]  # a third of them, to keep the example quick

space = {
    "C": pathmax.Float(1e-2, 1e3, log=True),  # log: 0.01 to 0.1 is as wide as 100 to 1000
    "gamma": pathmax.Float(1e-4, 1e1, log=True),
    "kernel": pathmax.Categorical(["rbf", "poly"]),
    "degree": pathmax.Int(2, 5),  # of the polynomial
    "scale": pathmax.Categorical(["min-max", "standard"]),
    "class_weight": "balanced",  # not searched, but part of every setting
}
SCALERS = {"min-max": MinMaxScaler, "standard": StandardScaler}


def error(params, seed):
    """Per cent of the digits taken for others, by cross-validation in three folds drawn anew."""
    settings = {name: value for name, value in params.items() if name != "scale"}
    model = make_pipeline(SCALERS[params["scale"]](), SVC(**settings))
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    return 100 - 100 * cross_val_score(model, images, digits, cv=folds).mean()


def log_error(params, seed):
    """No mistake at all would be minus infinity, so a tenth of a per cent is added."""
    return np.log10(error(params, seed) + 0.1)


# A sensible setting, judged eight times: how much do the results differ by themselves?
sensible = {"C": 10, "gamma": 0.1, "kernel": "rbf", "degree": 3, "scale": "min-max"}
variance = np.var([log_error(sensible, seed=20_000 + i) for i in range(8)], ddof=1)
print(
    f"noise of one result  {np.sqrt(variance):.2f} (standard deviation of the log10 of the error)"
)

trials = int(sys.argv[1]) if len(sys.argv) > 1 else 30
study = pathmax.Study(space, direction="minimize", seed=0)

# Ask, measure, tell. Each setting is judged twice: the mean has half the variance.
for _ in range(trials):
    trial = study.ask()
    twice = [log_error(trial.params, seed=2 * trial.number + i) for i in (0, 1)]
    study.tell(trial, np.mean(twice), noise=variance / 2)

best, recommended = study.best_trial, study.recommend()
print(f"settings tried       {trials}")
print(f"best seen            {best.params}")
print(f"recommended          {recommended}")

# Folds that the search has never seen say what the settings are worth. The best seen was chosen for
# its low error, so it tends to have looked better than it is.
for name, params in [("best seen", best.params), ("recommended", recommended)]:
    fresh = [error(params, seed=10_000 + i) for i in range(10)]
    print(f"error, {name:12}  {np.mean(fresh):.2f} % on fresh folds")
print(f"the best seen had    {10**best.value - 0.1:.2f} % when it was seen")
