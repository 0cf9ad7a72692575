"""What a study was told, and what came of it: the part of `Study` that keeps results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from pathmax.scalars import Scalar
from pathmax.session import frame_rows, recording
from pathmax.session.recording import Noise
from pathmax.session.session import Session
from pathmax.space.any_space import AnySpace
from pathmax.storage import Storage
from pathmax.suggestion.costs import spent
from pathmax.suggestion.settings import Settings
from pathmax.trials.best_trials import best_of, front_of
from pathmax.trials.curves import TrialCurve
from pathmax.trials.frames import to_frame
from pathmax.trials.goals import Goals
from pathmax.trials.trial import Json, Trial, TrialState


class StudyResults:
    """A study's name, space, goals and trials, and how results get into it."""

    _session: Session

    @property
    def name(self) -> str:
        """The name under which the study is stored."""
        return self._session.name

    @property
    def space(self) -> AnySpace:
        """What may be tried."""
        return self._session.problem.space

    @property
    def direction(self) -> str:
        """ "maximize" or "minimize": of the objective, or of the first of several."""
        return self._session.problem.direction

    @property
    def goals(self) -> Goals:
        """What is wanted of each outcome."""
        return self._session.problem.goals

    @property
    def settings(self) -> Settings:
        """How the study suggests, defaults filled in."""
        return self._session.problem.settings

    @property
    def storage(self) -> Storage:
        """Where the study is kept."""
        return self._session.storage

    @property
    def trials(self) -> list[Trial]:
        """All trials by number."""
        return self._session.trials()

    @property
    def left_out(self) -> list[Trial]:
        """The trials that do not fit the present space, after `change_space`."""
        return [trial for trial in self.trials if not self._session.fits(trial)]

    @property
    def spent(self) -> float:
        """What all trials together cost, running ones as they are expected to; 1 each by default.

        With a `Fidelity` it is what its `cost` says, and what was told with a trial stands.
        """
        return spent(self.space, self.trials)

    @property
    def best_trial(self) -> Trial:
        """The best trial observed in the present space, of those within all bounds.

        With a `Fidelity` only trials at its target count. In a study with contexts: in whichever
        context it was. What is best in one of them, `recommend(context=...)` says.
        """
        told = sum(trial.state is TrialState.COMPLETE for trial in self.trials)
        return best_of(self._session.fitting(), self.goals, self.space.target_words, told)

    @property
    def front(self) -> list[Trial]:
        """The trials within all bounds that no other dominates: with several objectives, the best.

        One trial dominates another when it is at least as good in every objective and better in
        one. Only those of the present space count.
        """
        return front_of(self._session.fitting(), self.goals)

    @property
    def best_params(self) -> dict[str, Scalar]:
        """The parameters of the best trial."""
        return self.best_trial.params

    @property
    def best_value(self) -> float:
        """What the best trial reached in the objective."""
        return self.best_trial.outcomes[self.goals.first.name]

    def tell(
        self,
        trial: Trial | int,
        value: object,
        *,
        noise: Noise = None,
        note: str | None = None,
        attributes: Mapping[str, Json] | None = None,
        cost: float | None = None,
    ) -> Trial:
        """The value that came out, once. NaN or an infinity makes the trial a failed one.

        With several outcomes the result is a dict. What is missing in it, None or NaN may be told
        later, in the same way; what was told before stays. An infinity among them makes the trial
        a failed one as well: no model can hold it.

        Args:
            trial: what `ask` returned, or its number.
            value: a number, also as text ("71.3") or yes/no, or one for each outcome by name.
            noise: the variance of this value, if you know it; of several outcomes by name.
            note: a remark in words.
            attributes: anything JSON to keep with the trial.
            cost: what the trial cost, if you know it: budgets count it, and the fidelity of the
                next trials is chosen by it.
        """
        told = recording.ending(self._session, value, noise, note, attributes, cost)
        return recording.tell(self._session, trial, told)

    def fail(
        self, trial: Trial | int, reason: str = "the experiment failed", *, correct: bool = False
    ) -> Trial:
        """The trial broke; the study goes on and keeps away from there.

        Args:
            trial: what `ask` returned, or its number.
            reason: what went wrong.
            correct: whether to replace a result that was told by mistake, as `correct` does.
        """
        return recording.fail(self._session, trial, reason, correct)

    def curve(self, trial: Trial | int) -> dict[int, Any]:
        """What a trial reported, by step: a number, or with several outcomes a dict of them."""
        found = self._session.curves().get(self._session.number_of(trial), TrialCurve())
        if self.goals.is_single:
            name = self.goals.first.name
            return {step: seen[name] for step, seen in found.points.items()}
        return {step: dict(seen) for step, seen in found.points.items()}

    def correct(
        self,
        trial: Trial | int,
        value: object,
        *,
        noise: Noise = None,
        note: str | None = None,
        cost: float | None = None,
    ) -> Trial:
        """Put another value in the place of one that was mistyped, or of a failure.

        Apart from `tell`, so that a result is never replaced by accident; `Trial.earlier` keeps it.
        The model uses the new value; `explain` and `replay` of trials that came from the old one go
        on using that. If there should be no value at all: `fail(trial, correct=True)`.

        Args:
            trial: a trial that is complete or failed, or its number.
            value: the number that should have been told.
            noise: the variance of this value; the one that was told stays when left out.
            note: a remark in words, in place of the one that was there.
            cost: what the trial cost; the one that was told stays when left out.
        """
        told = recording.ending(self._session, value, noise, note, cost=cost)
        return recording.correct(self._session, trial, told)

    @overload
    def add(
        self,
        params: Mapping[str, object],
        value: object,
        *,
        noise: Noise = None,
        note: str | None = None,
        attributes: Mapping[str, Json] | None = None,
        cost: float | None = None,
    ) -> Trial: ...

    @overload
    def add(self, params: Any, value: object = None) -> list[Trial]: ...

    def add(
        self,
        params: Any,
        value: object = None,
        *,
        noise: Noise = None,
        note: str | None = None,
        attributes: Mapping[str, Json] | None = None,
        cost: float | None = None,
    ) -> Trial | list[Trial]:
        """A result from before, or of a point that was not suggested; points may repeat.

        Many at once come as a data frame (pandas, polars, Arrow) or a list of dicts: a row for each
        result, with the parameters and the outcomes in columns of their names. All rows are read
        before one is stored, and those that cannot be read are named.

        Args:
            params: a dict, or a table with a row for each result.
            value: a number, or one for each outcome by name; of a table the name of the column that
                holds it, if that is not called as the outcome.
            noise: the variance of this value, if you know it; of several outcomes by name.
            note: a remark in words.
            attributes: anything JSON to keep with the trial.
            cost: what it cost, if you know it.
        """
        if not frame_rows.is_table(params):
            told = recording.ending(self._session, value, noise, note, attributes, cost)
            return recording.add(self._session, params, told)
        frame_rows.check_plain(noise, note, attributes, cost)
        return frame_rows.add_rows(self._session, params, value)

    def annotate(
        self,
        trial: Trial | int,
        *,
        note: str | None = None,
        attributes: Mapping[str, Json] | None = None,
    ) -> Trial:
        """Keep a remark or attributes with a trial, at any time."""
        return recording.annotate(self._session, trial, note, attributes)

    def to_frame(self, library: str | None = None) -> Any:
        """All trials as a data frame, a row for each.

        Args:
            library: "pandas" or "polars"; when left out pandas, or polars where that is not there.
        """
        return to_frame(self.trials, self.space.names, self.goals, library)
