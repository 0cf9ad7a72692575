"""Hyper-parameters of scikit-learn estimators: `PathmaxSearchCV(estimator, space, n_trials=50)`.

search.py           the estimator: what GridSearchCV is, with suggestions in place of a grid
estimator_space.py  spaces as scikit-learn's users write them, and objects among their choices
fold_scores.py      what came out of the folds, as the result of a trial and its noise
"""

from pathmax.errors import MissingExtraError

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtraError(
        "PathmaxSearchCV needs scikit-learn, which is not installed; run: "
        'pip install "pathmax[sklearn]"'
    ) from error

from pathmax.integrations.sklearn.search import PathmaxSearchCV

__all__ = ["PathmaxSearchCV"]
