"""Optuna stays, the suggestions come from pathmax: one argument of `create_study`.

A small neural network is to recognise hand-written digits (a data set that comes with
scikit-learn). The objective is written for Optuna: it asks for each parameter where it needs it,
reports its accuracy after every pass over the data, and is pruned when others were better by then.
Nothing in it knows of pathmax.

A pruned trial costs a part of the time and counts as a failed one: pathmax keeps away from there.

    python examples/optuna_sampler.py [trials]
"""

import sys

import optuna
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

from pathmax.integrations.optuna import PathmaxSampler

images, digits = load_digits(return_X_y=True)
images, fresh_images, digits, fresh_digits = train_test_split(
    images[:900] / 16, digits[:900], test_size=300, random_state=0
)
PASSES = 12


def accuracy(trial):
    """Per cent of digits recognised that the network has not seen."""
    network = MLPClassifier(
        hidden_layer_sizes=trial.suggest_int("units", 8, 128, log=True),
        activation=trial.suggest_categorical("activation", ["relu", "tanh", "logistic"]),
        learning_rate_init=trial.suggest_float("rate", 1e-4, 1e-1, log=True),
        beta_1=trial.suggest_float("momentum", 0.5, 0.95, step=0.05),
        batch_size=50,
        random_state=0,
    )
    for step in range(PASSES):
        network.partial_fit(images, digits, classes=range(10))
        right = 100 * network.score(fresh_images, fresh_digits)
        trial.report(right, step)
        if trial.should_prune():
            raise optuna.TrialPruned
    return right


trials = int(sys.argv[1]) if len(sys.argv) > 1 else 30
optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(
    direction="maximize",
    sampler=PathmaxSampler(seed=0),  # the one line that changes
    pruner=optuna.pruners.MedianPruner(n_warmup_steps=2),
)
study.optimize(accuracy, n_trials=trials)

pruned = study.get_trials(states=[optuna.trial.TrialState.PRUNED])
print(f"trials               {len(study.trials)}, of which {len(pruned)} were pruned")
print(f"best accuracy        {study.best_value:.1f} %")
print(f"with                 {study.best_params}")

# What pathmax thought is kept with each trial.
info = study.trials[-1].system_attrs["pathmax"]["info"]
print(f"the last one         was suggested by {info['method']}", end="")
if "g_star" in info:
    print(f", which expected {info['mean']:.1f} % there and hoped for {info['g_star']:.1f} %")
else:
    print(", before there was a model")
