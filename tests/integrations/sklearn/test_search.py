"""PathmaxSearchCV is an estimator as scikit-learn wants it, and a study underneath."""

import pickle
import sys
import warnings
from importlib import reload

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.decomposition import PCA
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import estimator_checks_generator

import pathmax.integrations.sklearn as module
from pathmax import Categorical, Fidelity, Float, Grid, Int, Study, TrialState
from pathmax.errors import MissingExtraError, SettingsError, SpaceError
from pathmax.integrations.sklearn import PathmaxSearchCV
from pathmax.integrations.sklearn.estimator_space import EstimatorSpace, labelled
from pathmax.integrations.sklearn.fold_scores import FoldScores

X, Y = make_classification(60, 4, random_state=0)
C = {"C": Float(1e-3, 1e3, log=True)}


ESTIMATORS = [
    PathmaxSearchCV(LogisticRegression(), C, n_trials=2, cv=2, error_score="raise"),
    PathmaxSearchCV(Ridge(), {"alpha": Float(0.1, 10)}, n_trials=2, cv=2, error_score="raise"),
]
CHECKS = {  # what check_estimator runs; those on arrays of other libraries would all be skipped
    f"{type(estimator.estimator).__name__}-{check.func.__name__}-{i}": (estimator, check)
    for one in ESTIMATORS
    for i, (estimator, check) in enumerate(estimator_checks_generator(one))
    if "array_api" not in check.func.__name__
}


@pytest.mark.parametrize("name", CHECKS)
def test_it_is_an_estimator(name):
    estimator, check = CHECKS[name]
    with warnings.catch_warnings():  # those of the checks are about their own odd data
        warnings.simplefilter("ignore")
        check(estimator)


def test_a_search_has_what_a_grid_search_has():
    search = PathmaxSearchCV(SVC(), C, n_trials=6, cv=3, random_state=0, return_train_score=True)
    search.fit(X, Y)
    grid = GridSearchCV(SVC(), {"C": [1.0]}, cv=3, return_train_score=True).fit(X, Y)
    assert search.cv_results_.keys() == grid.cv_results_.keys()
    assert len(search.cv_results_["params"]) == 6 == len(search.study_.trials)
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert search.best_score_ == search.study_.best_value
    assert search.best_params_ == search.study_.best_params
    assert search.best_estimator_.C == search.best_params_["C"]
    assert search.predict(X).shape == Y.shape and search.score(X, Y) > 0.5
    again = PathmaxSearchCV(SVC(), C, n_trials=6, cv=3, random_state=0).fit(X, Y)
    assert again.cv_results_["params"] == search.cv_results_["params"]


def test_the_noise_of_a_trial_is_the_variance_of_its_mean_over_folds():
    search = PathmaxSearchCV(SVC(), C, n_trials=3, cv=5, random_state=0).fit(X, Y)
    for trial in search.study_.trials:
        folds = cross_val_score(SVC(**trial.params), X, Y, cv=5)
        assert trial.value == pytest.approx(folds.mean())
        assert trial.noise == pytest.approx(folds.var(ddof=1) / 5)
    one = PathmaxSearchCV(SVC(), C, n_trials=2, cv=[(np.arange(40), np.arange(40, 60))])
    assert one.fit(X, Y).study_.trials[0].noise is None
    assert FoldScores({"score": np.array([0.5, 0.5])}).noises == {}


def test_pipelines_and_objects_among_the_choices():
    pipeline = make_pipeline(StandardScaler(), SVC())
    space = {
        "standardscaler": ["passthrough", StandardScaler(), MinMaxScaler()],
        "svc__C": Float(1e-2, 1e2, log=True),
        "svc__degree": Int(2, 4),
        "svc__kernel": Categorical(["rbf", "poly"]),
        "svc__shrinking": True,
    }
    search = PathmaxSearchCV(pipeline, space, n_trials=6, cv=2, random_state=1).fit(X, Y)
    chosen = {type(params["standardscaler"]) for params in search.cv_results_["params"]}
    assert chosen <= {str, StandardScaler, MinMaxScaler} and len(chosen) > 1
    labels = {trial.params["standardscaler"] for trial in search.study_.trials}
    assert labels <= {"passthrough", "StandardScaler()", "MinMaxScaler()"}
    assert search.best_estimator_.named_steps["svc"].shrinking is True


def test_labels_tell_objects_apart():
    one, other = PCA(2), PCA(2)
    labels = labelled([one, other, None, 0.5, (1, 2)])
    assert list(labels) == ["PCA(n_components=2)", "PCA(n_components=2) (2)", None, 0.5, "(1, 2)"]
    assert labels["PCA(n_components=2) (2)"] is other


def test_numbers_that_are_equal_and_mean_different_things_are_choices_of_their_own():
    labels = labelled([1, 1.0, True, "1.0", 1, np.int64(1)])
    assert list(labels) == [1, "1.0", "True", "1.0 (2)"]
    assert [type(value) for value in labels.values()] == [int, float, bool, str]
    space = EstimatorSpace.of({"max_features": [1, 1.0]})
    assert [type(space.of_estimator({"max_features": v})["max_features"]) for v in (1, "1.0")] == [
        int,
        float,
    ]


def test_several_metrics_with_one_to_be_maximised():
    scoring = ["accuracy", "roc_auc"]
    search = PathmaxSearchCV(SVC(), C, n_trials=4, cv=3, scoring=scoring, refit="roc_auc",
                             random_state=0).fit(X, Y)  # fmt: skip
    assert "mean_test_accuracy" in search.cv_results_
    assert search.best_score_ == search.cv_results_["mean_test_roc_auc"].max()
    assert search.study_.goals.names == ("roc_auc",)
    assert search.study_.best_value == search.best_score_


@pytest.mark.parametrize("refit", [False, lambda results: int(results["mean_test_a"].argmax())])
def test_several_metrics_of_which_none_is_named_are_all_objectives(refit):
    scoring = {"a": "accuracy", "b": "neg_log_loss"}
    search = PathmaxSearchCV(LogisticRegression(), C, n_trials=4, cv=3, scoring=scoring,
                             refit=refit, random_state=0).fit(X, Y)  # fmt: skip
    assert search.study_.goals.names == ("a", "b") and search.study_.front
    assert set(search.study_.trials[0].noises) <= {"a", "b"}


def several(estimator, X, y):
    return {"one": 1.0, "two": estimator.score(X, y)}


def test_a_scorer_that_returns_several():
    search = PathmaxSearchCV(SVC(), C, n_trials=2, cv=2, scoring=several, refit="two")
    assert search.fit(X, Y).study_.goals.names == ("two",)
    with pytest.raises(SettingsError, match=r"several metrics.*refit='one'"):
        PathmaxSearchCV(SVC(), C, n_trials=2, cv=2, scoring=several, refit=False).fit(X, Y)


class Breaks(ClassifierMixin, BaseEstimator):
    """Cannot be fitted when x is above a half; above 0.9 in one fold alone."""

    def __init__(self, x=0.0, always=False):
        self.x, self.always = x, always

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.always or 0.5 < self.x < 0.9 or (self.x >= 0.9 and X[0, 0] == self.first):
            raise ValueError("no")
        return self

    first = X[0, 0]

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_fits_that_fail_are_failed_trials_and_keep_their_rows():
    space = Grid({"x": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]})
    search = PathmaxSearchCV(Breaks(), space, n_trials=6, cv=KFold(3), random_state=0)
    with pytest.warns(FitFailedWarning, match="fits failed"), pytest.warns(UserWarning) as said:
        search.fit(X, Y)
    assert sum("scores are non-finite" in str(one.message) for one in said) == 1
    by_x = {params["x"]: i for i, params in enumerate(search.cv_results_["params"])}
    scores = search.cv_results_["mean_test_score"]
    assert sorted(by_x) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert [bool(np.isnan(scores[by_x[x]])) for x in sorted(by_x)] == [False] * 3 + [True] * 3
    states = {trial.params["x"]: trial for trial in search.study_.trials}
    assert states[0.6].state is states[1.0].state is TrialState.FAILED
    assert "none of 3 folds" in states[0.6].error and "folds have no score" in states[1.0].error
    assert search.best_params_["x"] < 0.5
    assert [p["x"] for p in search.cv_results_["params"]] == [
        t.params["x"] for t in search.study_.trials
    ]


def test_error_score_raises_and_a_number_is_a_score():
    space = {"x": Float(0.5001, 0.8)}
    strict = PathmaxSearchCV(Breaks(), space, n_trials=2, cv=2, error_score="raise")
    with pytest.raises(ValueError, match="no"):
        strict.fit(X, Y)
    numbered = PathmaxSearchCV(Breaks(), {"x": Float(0, 1)}, n_trials=6, cv=2, error_score=-1.0,
                               batch_size=6, random_state=0)  # fmt: skip
    with pytest.warns(FitFailedWarning):
        numbered.fit(X, Y)
    assert min(trial.value for trial in numbered.study_.trials) <= -0.5


def test_an_estimator_that_is_misconfigured_ends_the_search():
    search = PathmaxSearchCV(Breaks(always=True), {"x": Float(0, 1)}, n_trials=50, cv=2)
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="misconfigured"):
        search.fit(X, Y)
    assert len(search.study_.trials) == 5


def test_a_finite_space_ends_and_jobs_share_a_batch():
    search = PathmaxSearchCV(SVC(), Grid({"C": [0.1, 1.0, 10.0]}), n_trials=9, cv=2)
    assert len(search.fit(X, Y).cv_results_["params"]) == 3
    wide = PathmaxSearchCV(SVC(), C, n_trials=4, cv=2, n_jobs=4, random_state=0)
    wide.set_params(pre_dispatch="all")
    assert len(wide.fit(X, Y).study_.trials) == 4


def test_a_stored_study_goes_on(tmp_path):
    url = f"sqlite:///{tmp_path}/search.db"
    for total in (3, 6):
        search = PathmaxSearchCV(Ridge(), {"alpha": Float(0.1, 10)}, n_trials=3, cv=2,
                                 storage=url, study_name="ridge", random_state=0)  # fmt: skip
        search.fit(*make_regression(30, 3, random_state=0))
        assert len(search.study_.trials) == total and len(search.cv_results_["params"]) == 3
    assert len(Study.load("ridge", storage=url).trials) == 6
    copy = pickle.loads(pickle.dumps(search))
    assert copy.best_params_ == search.best_params_ and not hasattr(copy, "study_")


@pytest.mark.parametrize("space", [None, [{"C": [1]}]])
def test_a_space_that_is_none(space):
    with pytest.raises(SpaceError, match="space is a dict such as"):
        PathmaxSearchCV(SVC(), space, n_trials=2).fit(X, Y)


def test_distributions_of_scipy_say_what_to_write():
    from scipy.stats import loguniform

    with pytest.raises(SpaceError, match=r"C: a distribution .* write pathmax\.Float"):
        PathmaxSearchCV(SVC(), {"C": loguniform(1, 10)}).fit(X, Y)


@pytest.mark.parametrize(
    "extra", [Fidelity(1, 50), Float(0, 1, context=True)], ids=["fidelity", "context"]
)
def test_what_candidates_cannot_be_compared_over_is_refused(extra, tmp_path):
    place = tmp_path / "search.db"
    search = PathmaxSearchCV(LogisticRegression(), {**C, "tol": extra}, storage=place, n_trials=2)
    with pytest.raises(SpaceError, match=r"tol: .* no fidelities or contexts; use pathmax\.Study"):
        search.fit(X, Y)
    assert not place.exists()


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r'pip install "pathmax\[sklearn\]"'):
        reload(module)
    monkeypatch.undo()
    reload(module)


def test_a_tuple_is_a_range_as_for_bayes_search():
    given = {
        "C": (1e-3, 1e1, "log-uniform"),
        "gamma": (0.1, 2),
        "degree": (1, 8),
        "p": (1, 8, "uniform"),
        "kernel": ("rbf", "poly"),
        "layers": [(10, 20), (5, 5)],
    }
    made = EstimatorSpace.of(given).space
    assert made["C"] == Float(1e-3, 1e1, log=True) and made["gamma"] == Float(0.1, 2)
    assert made["degree"] == made["p"] == Int(1, 8)
    assert made["kernel"] == Categorical(["rbf", "poly"]) and isinstance(
        made["layers"], Categorical
    )
    with pytest.raises(SpaceError, match='"log-uniform"'):
        EstimatorSpace.of({"C": (1.0, 2.0, "normal")})
