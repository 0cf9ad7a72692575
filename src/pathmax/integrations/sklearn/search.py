"""PathmaxSearchCV: GridSearchCV with suggestions in place of a grid.

scikit-learn's own machinery evaluates candidates on the folds, makes `cv_results_`, refits and
predicts; a study says which candidates. Everything that was found is in `study_` afterwards.
"""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import check_random_state, get_tags
from sklearn.utils._param_validation import Interval

from pathmax.errors import ExhaustedError, SettingsError
from pathmax.integrations.sklearn.estimator_space import EstimatorSpace, searchable
from pathmax.integrations.sklearn.fold_scores import FoldScores, metrics_of
from pathmax.study import Study
from pathmax.trials.goals import VALUE
from pathmax.trials.trial import INTERRUPTED, Trial

Evaluate = Callable[[Sequence[dict[str, Any]]], dict[str, Any]]

ALL_FAILED = "fits failed"  # of scikit-learn's message when no fold of a batch could be fitted
GIVE_UP = 5  # candidates in a row from the first on that all fail: the estimator is to blame


class PathmaxSearchCV(BaseSearchCV):  # type: ignore[misc]
    """Search for the hyper-parameters of an estimator with the best score in cross-validation.

        search = PathmaxSearchCV(SVC(), {"C": Float(1e-3, 1e3, log=True)}, n_trials=30, cv=5)
        search.fit(X, y)
        search.best_params_, search.best_score_, search.predict(X)

    Parameters of steps of a pipeline are called `svc__C`. After `fit` it has what GridSearchCV has:
    `cv_results_`, `best_params_`, `best_score_`, `best_index_`, `best_estimator_`; and `study_`,
    which knows more: `study_.importances()`, `study_.plot()`. A pickle is without the study.

    Args:
        estimator: what to tune, an estimator or a pipeline.
        space: a dict of `Float`, `Int` and `Categorical`; a list of values is a choice, and may
            hold objects such as estimators. A `Space`, a `Grid` and `Candidates` are taken too.
        n_trials: how many candidates to evaluate, each on all folds; fewer if there are no more.
        scoring: one metric, or several as a list or dict. With several, `refit` names the one to be
            maximised; where it names none, all of them are: see `study_.front`.
        n_jobs: how many fits run at once.
        refit: whether, or by which metric, the best candidate is fitted to all data.
        cv: the number of folds, or a splitter.
        storage: where the study is kept, such as "sqlite:///search.db"; None for memory.
        study_name: a study of that name in the storage goes on, with `n_trials` more.
        method: how candidates are chosen; see `Study`.
        batch_size: how many candidates are chosen at once; when left out as many as keep `n_jobs`
            busy.
        random_state: makes the choice of candidates reproducible.
        verbose, pre_dispatch, error_score, return_train_score: as in GridSearchCV. A candidate that
            cannot be fitted in some fold is a failed trial when error_score is NaN.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **BaseSearchCV._parameter_constraints,
        "n_trials": [Interval(numbers.Integral, 1, None, closed="left")],
        "batch_size": [Interval(numbers.Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any,
        space: Any,
        *,
        n_trials: int = 50,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = None,
        storage: Any = None,
        study_name: str | None = None,
        method: Any = None,
        batch_size: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        pre_dispatch: Any = "2*n_jobs",
        error_score: Any = np.nan,
        return_train_score: bool = False,
    ) -> None:
        super().__init__(
            estimator=estimator, scoring=scoring, n_jobs=n_jobs, refit=refit, cv=cv,
            verbose=verbose, pre_dispatch=pre_dispatch, error_score=error_score,
            return_train_score=return_train_score,
        )  # fmt: skip
        self.space = space
        self.n_trials = n_trials
        self.storage = storage
        self.study_name = study_name
        self.method = method
        self.batch_size = batch_size
        self.random_state = random_state

    def __getstate__(self) -> dict[str, Any]:
        """Without the study: `cv_results_` has the scores, and a stored study can be loaded."""
        return {name: what for name, what in super().__getstate__().items() if name != "study_"}

    def __sklearn_tags__(self) -> Any:
        """As GridSearchCV's, and several targets where the estimator takes them."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = get_tags(self.estimator).target_tags.multi_output
        return tags

    def fit(self, X: Any, y: Any = None, **params: Any) -> PathmaxSearchCV:
        """Evaluate candidates, and fit the best one to all data; arguments as in GridSearchCV."""
        super().fit(X, y, **params)
        # candidates that failed after the last one that did not are in their places only now
        self.cv_results_ = self._format_results(*self._formatted)
        del self._formatted, self._failed, self._evaluated
        return self

    def _run_search(self, evaluate_candidates: Evaluate) -> None:
        candidates = EstimatorSpace.of(self.space)
        self._failed: dict[int, dict[str, Any]] = {}  # place among the candidates -> params
        self._evaluated = 0
        self.study_: Study | None = None
        size = self.batch_size
        if size is None:
            size = max(1, -(-effective_n_jobs(self.n_jobs) // self.n_splits_))
        done = 0
        while done < self.n_trials:
            study = self._study(candidates.space)
            try:
                batch = study.ask(min(size, self.n_trials - done))
            except ExhaustedError:
                break
            self._evaluate(study, batch, candidates, evaluate_candidates)
            done += len(batch)
        if done and not self._evaluated:
            raise self._last_error

    def _study(self, space: Any) -> Study:
        """The study, made when it is first needed."""
        if self.study_ is None:
            seed = None
            if self.random_state is not None:
                seed = int(check_random_state(self.random_state).randint(2**31 - 1))
            wanted = self._objectives()
            stated: dict[str, Any] = {"objectives": wanted} if wanted else {"direction": "maximize"}
            self.study_ = Study(
                searchable(space), name=self.study_name, storage=self.storage, method=self.method,
                seed=seed, **stated,
            )  # fmt: skip
        return self.study_

    def _objectives(self) -> dict[str, str] | None:
        """What to maximise, by metric; None for the one metric of most searches."""
        if isinstance(self.refit, str):
            return {self.refit: "maximize"}
        if isinstance(self.scoring, list | tuple | set | dict):
            return {str(metric): "maximize" for metric in self.scoring}
        return None

    def _evaluate(
        self, study: Study, batch: list[Trial], candidates: EstimatorSpace, evaluate: Evaluate
    ) -> None:
        """Fit and score a batch, and tell the study what came out."""
        params = [candidates.of_estimator(trial.params) for trial in batch]
        try:
            results = self._fitted(evaluate, params)
        except BaseException:
            for trial in batch:
                study.fail(trial, INTERRUPTED)
            raise
        if results is None:
            for trial, tried in zip(batch, params, strict=True):
                self._failed[self._evaluated + len(self._failed)] = tried
                study.fail(trial, f"none of {self.n_splits_} folds could be fitted")
            if not self._evaluated and len(self._failed) >= GIVE_UP:
                raise self._last_error
            return
        self._evaluated += len(batch)
        start = self._evaluated + len(self._failed) - len(batch)
        for i, trial in enumerate(batch, start=start):
            self._tell(study, trial, results, i)

    def _fitted(self, evaluate: Evaluate, params: list[dict[str, Any]]) -> dict[str, Any] | None:
        """`cv_results_` with a further batch, or None when none of it could be fitted."""
        try:
            with warnings.catch_warnings():
                # said once for each failed fit already, and again for all of them in every batch
                warnings.filterwarnings("ignore", message=".*scores are non-finite")
                return evaluate(params)
        except ValueError as error:
            if ALL_FAILED not in str(error) or isinstance(self.error_score, str):
                raise
            self._last_error = error
            warnings.warn(str(error), FitFailedWarning, stacklevel=2)
            return None

    def _tell(self, study: Study, trial: Trial, results: dict[str, Any], i: int) -> None:
        """The scores of candidate i as the result of a trial."""
        metrics = list(study.goals.names)
        if metrics == [VALUE]:  # nobody named a metric
            metrics = metrics_of(results)
            if len(metrics) > 1:
                raise SettingsError(
                    f"scoring returns several metrics ({', '.join(metrics)}); say which one is to "
                    f"be maximised: refit={metrics[0]!r}"
                )
        found = FoldScores.read(results, i, metrics)
        if found.failed:
            study.fail(trial, f"{found.failed} of {self.n_splits_} folds have no score")
        elif len(metrics) == 1:
            study.tell(trial, found.means[metrics[0]], noise=found.noises.get(metrics[0]))
        else:
            study.tell(trial, found.means, noise=found.noises)

    def _format_results(
        self, candidate_params: list[Any], n_splits: int, out: list[Any], more_results: Any = None
    ) -> dict[str, Any]:
        """`cv_results_`, with the candidates of which no fold could be fitted in their places."""
        self._formatted = candidate_params, n_splits, out, more_results
        params, folds = list(candidate_params), list(out)
        for place, tried in sorted(self._failed.items()):
            params.insert(place, tried)
            empty = [self._without_score(fold) for fold in out[:n_splits]]
            folds[place * n_splits : place * n_splits] = empty
        results: dict[str, Any] = super()._format_results(params, n_splits, folds, more_results)
        return results

    def _without_score(self, fold: dict[str, Any]) -> dict[str, Any]:
        """A fold that could not be fitted, in the form of one that could."""

        def nothing(scores: Any) -> Any:
            if isinstance(scores, dict):
                return {metric: self.error_score for metric in scores}
            return self.error_score

        empty = {**fold, "fit_time": np.nan, "score_time": np.nan}
        for key in ("test_scores", "train_scores"):
            if key in fold:
                empty[key] = nothing(fold[key])
        return empty
