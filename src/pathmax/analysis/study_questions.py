"""What a study can be asked: the part of `Study` that hands over to the modules of this room.

Each is imported when it is first asked: whoever keeps and lists trials does not wait for them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pathmax import analysis
from pathmax.session import reporting
from pathmax.session.study_results import StudyResults
from pathmax.trials.trial import BY_HAND

if TYPE_CHECKING:
    from pathmax.analysis.best import Ranking
    from pathmax.analysis.cross_validation import CrossValidation
    from pathmax.analysis.figures import Names
    from pathmax.analysis.importances import Importances
    from pathmax.analysis.predictions import Forecast, Posterior
    from pathmax.analysis.regret import Regret
    from pathmax.analysis.replication import Advice
    from pathmax.analysis.stopping import Verdict
    from pathmax.analysis.study_relations import Relations
    from pathmax.analysis.trial_card import Card
    from pathmax.arrays import Array
    from pathmax.scalars import Scalar
    from pathmax.space.context import Context
    from pathmax.trials.trial import Trial


class StudyQuestions(StudyResults):
    """Predictions, recommendations, probabilities, figures, and the judgement of running trials."""

    def posterior(self, outcome: str | None = None) -> Posterior:
        """The model of all results so far, in standard units, and the way back to yours."""
        return analysis.predictions.posterior(self._session, outcome)

    def predict(
        self,
        params: Sequence[Mapping[str, object]],
        outcome: str | None = None,
        *,
        context: Context | None = None,
    ) -> Forecast:
        """Expected value and its standard deviation for each of the params, in your units.

        Args:
            params: a list of points, as `ask` gives them.
            outcome: which one, where there are several.
            context: as for `ask`, for params without their contexts.
        """
        params = analysis.asked_points.in_context(self._session, params, context)
        return analysis.predictions.predict(self._session, params, outcome)

    def feasibility(
        self, params: Sequence[Mapping[str, object]], *, context: Context | None = None
    ) -> Array:
        """The probability that every bound is kept, for each of the params.

        Args:
            params: a list of points, as `ask` gives them.
            context: as for `ask`, for params without their contexts.
        """
        params = analysis.asked_points.in_context(self._session, params, context)
        return analysis.joint_predictions.feasibility_of(self._session, params)

    def recommend(self, *, context: Context | None = None) -> dict[str, Scalar]:
        """The params with the best expected value (the paper's recommendation), tried or not.

        It is that of the most probable parameters of the model, where `predict` reports a mean over
        all that are plausible; with few results the two may differ.

        With constraints each bound is kept with a probability of 95 % there, as far as the model
        knows; if there is no such point, of one half. With several objectives see
        `recommend_front`.

        Args:
            context: as for `ask`; the best choice in this context, tried in it or not.
        """
        return analysis.predictions.recommend(self._session.at(context))

    def recommend_front(self, *, context: Context | None = None) -> list[dict[str, Scalar]]:
        """Some params, at most twenty, that stand for the front of the expected objectives."""
        return analysis.joint_predictions.recommend_front(self._session.at(context))

    def best_probabilities(
        self, n_paths: int | None = None, *, context: Context | None = None
    ) -> Ranking:
        """The probability of each row of a pool or grid, or of each region, to hold the best.

        The share of sample paths of the posterior that are highest there; `top(10)` of what it
        returns answers "which ten should I make?". With several objectives the probability is that
        of being on the front, with bounds that of being the best of what keeps them.

        Args:
            n_paths: how many paths, 1000 by default and 100 with several outcomes; the standard
                error of a probability p is sqrt(p(1-p)/n_paths).
            context: as for `ask`.
        """
        return analysis.path_questions.best_probabilities(self._session.at(context), n_paths)

    def regret(
        self,
        n_paths: int | None = None,
        *,
        context: Context | None = None,
        rough: bool = False,
        enough: Callable[[Regret], bool] | None = None,
    ) -> Regret:
        """What may be lost by stopping now: draws of max f - f(recommended), in your units.

        With bounds it is against the best measured point that keeps them. With several objectives
        a draw is the share of the front by which the results fall short of it: of its extent, or
        of its hypervolume if the study has a reference.

        Args:
            n_paths: how many draws, 400 by default and 100 with several outcomes.
            context: as for `ask`; the maximum is that over what can be chosen in it.
            rough: whether to have, in about the time of a suggestion, what is lost at least: from
                16 paths by default, of the most probable parameters, which are looked at and not
                searched. With several outcomes the paths are searched as well.
            enough: called with what 64, 128, 256, ... draws say, with several outcomes 32, 64, 96,
                ...; true ends drawing before there are `n_paths`. Paths on more than 300 rows of a
                pool are then approximate, as those of suggestions are.
        """
        session, asked = self._session.at(context), analysis.path_questions
        return asked.expected_regret(session, n_paths, rough=rough, enough=enough)

    def replicate_or_explore(
        self, n_paths: int | None = None, *, context: Context | None = None
    ) -> Advice:
        """Whether measuring a point again is worth more than measuring a new one, and which.

        With several outcomes a measurement is worth what it is expected to add to the best
        objective that keeps the bounds, or to the hypervolume of the front as a share of it.
        """
        return analysis.path_questions.replicate_or_explore(self._session.at(context), n_paths)

    def importances(self, outcome: str | None = None, n_paths: int = 200) -> Importances:
        """Which parameters matter: the share of the variance that each explains, with intervals.

        First-order and total Sobol indices of sample paths; print what it returns, or iterate over
        it.

        Args:
            outcome: which one, where there are several.
            n_paths: how many paths; the intervals are those of their indices.
        """
        return analysis.importances.importances(self._session, outcome, n_paths)

    def borrowed(self) -> Relations:
        """How much is borrowed from what the study learns from (`learn_from`), in words.

        Print what it returns, or iterate over it: it has the relation to each older study, from 0
        to 1, and how many own results its results count like.
        """
        return analysis.study_relations.borrowed(self._session)

    def cross_validate(self, outcome: str | None = None) -> CrossValidation:
        """Whether the model is any good: each result predicted from all the others.

        Args:
            outcome: which one, where there are several.
        """
        return analysis.cross_validation.cross_validate(self._session, outcome)

    def explain(self, trial: Trial | int) -> Card:
        """A short card: why this point, what was expected there, what other methods would try."""
        return analysis.replay.explain(self._session, trial)

    def replay(self, trial: Trial | int) -> dict[str, Scalar]:
        """The params of a trial, derived again from what was known when it was suggested."""
        return analysis.replay.replay(self._session, trial)

    def report(self, trial: Trial | int, step: int, value: object) -> None:
        """What a running trial has come to on its way, such as its loss after an epoch.

        Report the quantity that is told in the end, so that the curve leads to it. It is stored at
        once. What was reported first for a step stands: the same again changes nothing, another
        value is left out with a warning. NaN and infinities are taken: `should_stop` says yes then.

        Args:
            trial: what `ask` returned, or its number.
            step: counts epochs, trees or minutes: a whole number, 0 or more.
            value: a number, or a number for each outcome by name.
        """
        reporting.report(self._session, trial, step, value)

    def should_stop(self, trial: Trial | int) -> Verdict:
        """Whether a running trial is better stopped, given what it has reported; true or false.

        By the rule `stopping` of the study; printed, the answer says why. A trial that is stopped
        then is ended with `stop`.
        """
        return analysis.early_stopping.should_stop(self._session, trial)

    def stop(self, trial: Trial | int, reason: str = BY_HAND) -> Trial:
        """End a trial early, because it would hardly come out among the best.

        It is no result: never the best trial, nor on the front. The model learns what its curve
        says about the end that it would have had, as a value with a variance (`expected_end` of the
        trial); without enough curves to tell, it keeps away from there. If the value was not a
        number at its last step, the trial has failed.

        Args:
            trial: what `ask` returned, or its number.
            reason: why, in words.
        """
        return analysis.early_stopping.stop(self._session, trial, reason)

    def plot(
        self,
        kind: str = "overview",
        path: str | os.PathLike[str] | None = None,
        *,
        outcome: str | None = None,
        names: Names | None = None,
        backend: str | None = None,
    ) -> Any:
        """A figure; saved as well when `path` is given. Needs `pip install "pathmax[plot]"`.

        Args:
            kind: "overview", "progress", "slices", "parallel", "front", "importances" or
                "calibration".
            path: a file to write, whose name ends in .png, .svg or .pdf; or in .html.
            outcome: whose importances or calibration, where there are several outcomes.
            names: what parameters and outcomes are called in it.
            backend: "matplotlib", or "plotly" for an interactive figure in a notebook or a page
                (`pip install "pathmax[notebook]"`); the latter for .html when left out.
        """
        library = analysis.figures.backend_for(path, backend)
        figure = analysis.figures.draw(self._session, kind, outcome, names, library)
        if path is not None:
            from pathmax.plots import save

            save(figure, path)
        return figure
