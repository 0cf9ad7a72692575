"""Study: ask what to try, tell what came out. The one object that changes.

    study = Study({"temperature": Float(20, 120)}, direction="maximize", seed=0)
    trial = study.ask()
    study.tell(trial, measure(trial.params))

A study reads its trials from storage before every answer, so any number of processes may hold the
same study. What it keeps in memory is in its `Session`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Self, overload

from pathmax import plots
from pathmax.acquisition import Method
from pathmax.analysis import (
    cross_validation,
    early_stopping,
    figures,
    importances,
    joint_predictions,
    path_questions,
    predictions,
    replay,
)
from pathmax.analysis.best import Ranking
from pathmax.analysis.card import Card
from pathmax.analysis.cross_validation import CrossValidation
from pathmax.analysis.figures import Names
from pathmax.analysis.importances import Importances
from pathmax.analysis.predictions import Forecast, Posterior
from pathmax.analysis.regret import Regret
from pathmax.analysis.replication import Advice
from pathmax.analysis.stopping import Verdict
from pathmax.arguments import whole_number
from pathmax.arrays import Array
from pathmax.gp import Kernel
from pathmax.running import optimization
from pathmax.running.evaluation import Objective
from pathmax.running.result import Result
from pathmax.running.run_options import Callback, OnError, Stop, Terms
from pathmax.scalars import Scalar
from pathmax.session import changing, frame_rows, opening, recording, reporting
from pathmax.session.changing import SpaceChange
from pathmax.session.opening import SpaceLike, StorageLike
from pathmax.session.recording import Noise
from pathmax.session.session import Session
from pathmax.space.any_space import AnySpace
from pathmax.space.context import Context
from pathmax.space.known_constraints import Rule
from pathmax.storage import Storage
from pathmax.suggestion.costs import spent
from pathmax.suggestion.settings import AUTO, RefitEvery, Settings
from pathmax.trials import html
from pathmax.trials.curves import TrialCurve
from pathmax.trials.frames import to_frame
from pathmax.trials.glance import of_trials
from pathmax.trials.goals import Goals
from pathmax.trials.standing import best_of, front_of
from pathmax.trials.stated_goals import read_goals
from pathmax.trials.trial import Json, Trial


class Study:
    """Which experiment next?

    Args:
        space: a dict of parameters, a `Candidates` pool or a `Grid`.
        direction: "maximize" (default) or "minimize".
        objectives: in place of a direction, what is wanted of each outcome that you name, such as
            {"yield": "maximize", "cost": "minimize"}.
        constraints: bounds of outcomes that are measured and learnt, such as
            {"impurity": "<= 0.5", "viscosity": (10, 50), "pH": "7 +- 0.2"}.
        reference: with several objectives, a value of each that is just not good enough.
        name: a study of that name in the storage is continued; without one a new study is made.
        storage: `"sqlite:///lab.db"`, `"postgresql://..."`, or None for the memory of this process.
        where: what is known beforehand about what can be tried, a list of sentences such as
            "catalyst + ligand <= 10" or of functions of params. Every suggestion obeys them.
        method: "pims" (default), "ts", "gp-ucb", "irgp-ucb", "ei", "pi", "mes", "jes", "eims",
            "gp-est" or "random", for researchers also "es", "pes" and "kg"; or an object, such as
            `acquisition.Pims(resolution=0.0)` or one of your own.
        seed: makes the suggestions reproducible; drawn and stored when left out.
        kernel: what the model believes about smoothness; by default Matern-5/2 with a `gp.Bowl`.
        noise: variance of the noise in your units squared; learnt when left out.
        initial: how many trials are spread over the space before the model chooses.
        refit_every: after how many results the kernel's parameters are learnt again; None keeps the
            given kernel and noise for ever, and takes values as they are.
        replicates: whether a point may be suggested again, to average out noise.
        warp: whether values are bent towards a normal shape (the default) or only standardised.
        model: "pathmax" (default), the most probable parameters under our priors; "paper", those of
            largest likelihood with variance 1, mean 0, noise 1e-6 and no priors; or "drawn",
            parameters drawn from their posterior before each path.
        options: those of the method of that name, such as {"confidence": 2.0} for "gp-ucb".
        stopping: what `should_stop` goes by when trials report on their way: "posterior" (default),
            "asha", "hyperband" or "never"; or a dict, {"rule": "asha", "min_steps": 3}.
    """

    def __init__(
        self,
        space: SpaceLike,
        *,
        direction: str | None = None,
        objectives: Mapping[str, str] | Sequence[str] | None = None,
        constraints: Mapping[str, Any] | None = None,
        reference: Mapping[str, float] | None = None,
        name: str | None = None,
        storage: StorageLike = None,
        where: Sequence[Rule] = (),
        method: str | Method | None = None,
        seed: int | None = None,
        kernel: Kernel | None = None,
        noise: float | None = None,
        initial: int | None = None,
        refit_every: RefitEvery = AUTO,
        replicates: bool | None = None,
        warp: bool | None = None,
        model: str | None = None,
        options: Mapping[str, Any] | None = None,
        stopping: str | Mapping[str, Any] | None = None,
    ) -> None:
        given = dict(
            method=method, seed=seed, kernel=kernel, noise=noise, initial=initial,
            refit_every=refit_every, replicates=replicates, warp=warp, model=model, options=options,
            stopping=stopping,
        )  # fmt: skip
        stated = (direction, objectives, constraints, reference)
        goals = None if all(part is None for part in stated) else read_goals(*stated)
        self._hold(opening.begin(space, storage, name, goals, given, where))

    def _hold(self, session: Session) -> Self:
        self._session = session
        self.__dict__["load"] = opening.refuse_to_load
        return self

    @classmethod
    def load(cls, name: str, *, storage: StorageLike, space: SpaceLike | None = None) -> Study:
        """A stored study, to go on with. `space` is needed for pools too large to be stored."""
        return cls.__new__(cls)._hold(opening.resume(name, storage, space))

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
        return best_of(self._session.fitting(), self.goals, self.space.target_words)

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

    @overload
    def ask(self, *, context: Context | None = None) -> Trial: ...
    @overload
    def ask(self, n: int, *, context: Context | None = None) -> list[Trial]: ...
    def ask(self, n: int | None = None, *, context: Context | None = None) -> Trial | list[Trial]:
        """The next trial to run, or the next n; fewer than n when a finite space has no more left.

        Trials that are still running are taken into account.

        Args:
            n: how many; one trial, and not a list, when left out.
            context: a value for each parameter that is given and not chosen (`context=True`).
        """
        session = self._session.at(context)
        if n is None:
            return session.start(watched=False)
        return session.start_batch(whole_number("n", n, least=0))

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
        later, in the same way; what was told before stays.

        Args:
            trial: what `ask` returned, or its number.
            value: a number, or a number for each outcome by name.
            noise: the variance of this value, if you know it; of several outcomes by name.
            note: a remark in words.
            attributes: anything JSON to keep with the trial.
            cost: what the trial cost, if you know it: budgets count it, and the fidelity of the
                next trials is chosen by it.
        """
        return recording.tell(self._session, trial, value, noise, note, attributes, cost)

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
        return early_stopping.should_stop(self._session, trial)

    def stop(self, trial: Trial | int, reason: str = early_stopping.BY_HAND) -> Trial:
        """End a trial early, because it would hardly come out among the best.

        It is no result: never the best trial, nor on the front. The model learns what its curve
        says about the end that it would have had, as a value with a variance (`expected_end` of the
        trial); without enough curves to tell, it keeps away from there. If the value was not a
        number at its last step, the trial has failed.

        Args:
            trial: what `ask` returned, or its number.
            reason: why, in words.
        """
        return early_stopping.stop(self._session, trial, reason)

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
        return recording.correct(self._session, trial, value, noise, note, cost)

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
            return recording.add(self._session, params, value, noise, note, attributes, cost)
        frame_rows.check_plain(noise, note, attributes)
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

    def posterior(self, outcome: str | None = None) -> Posterior:
        """The model of all results so far, in standard units, and the way back to yours."""
        return predictions.posterior(self._session, outcome)

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
        params = predictions.in_context(self._session, params, context)
        return predictions.predict(self._session, params, outcome)

    def feasibility(self, params: Sequence[Mapping[str, object]]) -> Array:
        """The probability that every bound is kept, for each of the params."""
        return joint_predictions.feasibility_of(self._session, params)

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
        return predictions.recommend(self._session.at(context))

    def recommend_front(self, *, context: Context | None = None) -> list[dict[str, Scalar]]:
        """Some params, at most twenty, that stand for the front of the expected objectives."""
        return joint_predictions.recommend_front(self._session.at(context))

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
        return path_questions.best_probabilities(self._session.at(context), n_paths)

    def regret(self, n_paths: int | None = None, *, context: Context | None = None) -> Regret:
        """What may be lost by stopping now: draws of max f - f(recommended), in your units.

        With bounds it is against the best measured point that keeps them. With several objectives
        a draw is the share of the front by which the results fall short of it: of its extent, or
        of its hypervolume if the study has a reference.

        Args:
            n_paths: how many draws, 400 by default and 100 with several outcomes.
            context: as for `ask`; the maximum is that over what can be chosen in it.
        """
        return path_questions.expected_regret(self._session.at(context), n_paths)

    def replicate_or_explore(
        self, n_paths: int | None = None, *, context: Context | None = None
    ) -> Advice:
        """Whether measuring a point again is worth more than measuring a new one, and which.

        With several outcomes a measurement is worth what it is expected to add to the best
        objective that keeps the bounds, or to the hypervolume of the front as a share of it.
        """
        return path_questions.replicate_or_explore(self._session.at(context), n_paths)

    def importances(self, outcome: str | None = None, n_paths: int = 200) -> Importances:
        """Which parameters matter: the share of the variance that each explains, with intervals.

        First-order and total Sobol indices of sample paths; print what it returns, or iterate over
        it.

        Args:
            outcome: which one, where there are several.
            n_paths: how many paths; the intervals are those of their indices.
        """
        return importances.importances(self._session, outcome, n_paths)

    def cross_validate(self, outcome: str | None = None) -> CrossValidation:
        """Whether the model is any good: each result predicted from all the others.

        Args:
            outcome: which one, where there are several.
        """
        return cross_validation.cross_validate(self._session, outcome)

    def to_frame(self, library: str | None = None) -> Any:
        """All trials as a data frame, a row for each.

        Args:
            library: "pandas" or "polars"; when left out pandas, or polars where that is not there.
        """
        return to_frame(self.trials, self.space.names, self.goals, library)

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
            backend: "matplotlib", or "plotly" for a figure to point at in a notebook or a page
                (`pip install "pathmax[notebook]"`); the latter for .html when left out.
        """
        library = figures.backend_for(path, backend)
        figure = figures.draw(self._session, kind, outcome, names, library)
        if path is not None:
            plots.save(figure, path)
        return figure

    def explain(self, trial: Trial | int) -> Card:
        """A short card: why this point, what was expected there, what other methods would try."""
        return replay.explain(self._session, trial)

    def replay(self, trial: Trial | int) -> dict[str, Scalar]:
        """The params of a trial, derived again from what was known when it was suggested."""
        return replay.replay(self._session, trial)

    def optimize(
        self,
        objective: Objective,
        n_trials: int | None = None,
        *,
        budget: float | None = None,
        timeout: float | None = None,
        executor: Executor | None = None,
        workers: int | None = None,
        on_error: OnError = "auto",
        progress: bool = True,
        ordered: bool = False,
        stop: Stop | None = None,
        prefetch: bool = False,
        callbacks: Iterable[Callback] = (),
        context: Context | Callable[[], Context] | None = None,
    ) -> Result:
        """Ask, evaluate and tell until `n_trials` more trials are done.

        An objective that raises, or returns NaN, fails its trial and the study goes on, unless it
        does nothing else. Ctrl-C ends the run and keeps everything that was told.

        Args:
            objective: a function of params (a dict) that returns a number; one with a second
                argument is given a handle, `run.report(step, value)` and `run.should_stop()`.
            n_trials: how many trials to add; not needed with a budget, timeout, stop or a finite
                space.
            budget: cost after which no further trial is started: 1 for each, that of its fidelity,
                or what was told with it; running trials count as they are expected to cost.
            timeout: seconds after which no further trial is started.
            executor: any `concurrent.futures.Executor`; without one trials run here, in turn.
            workers: how many trials run at once; as many as the executor has workers by default.
            on_error: "fail" marks the trial as failed and goes on, "raise" ends the run with
                `ObjectiveError`, and "auto" does so when, in a study without a result, the first
                five trials (or all, if there are fewer) fail with one and the same error.
            progress: show a bar on a terminal and plain lines elsewhere.
            ordered: take results in the order of the trials, so that a parallel run with a seed
                comes out the same every time; a slow trial then holds up the others.
            stop: called with the study after each trial; true (or a reason) ends the run.
            prefetch: with an executor, ask for the next trial while the workers are busy, so that
                one that becomes free starts at once; a suggestion then knows one result less.
            callbacks: functions that are called with the study and the trial when one has ended, in
                this process and one after the other; one that raises ends the run.
            context: as for `ask`, or a function that reads it before each trial.
        """
        terms = Terms(
            n_trials=n_trials, budget=budget, timeout=timeout, executor=executor, workers=workers,
            on_error=on_error, progress=progress, ordered=ordered, stop=stop, prefetch=prefetch,
            callbacks=callbacks, context=context,
        )  # fmt: skip
        return optimization.optimize(self._session, objective, terms, facade=self)

    def change_space(
        self,
        space: SpaceLike | None = None,
        *,
        direction: str | None = None,
        where: Sequence[Rule] | None = None,
    ) -> SpaceChange:
        """Go on with this study in another space, or in another direction; says what changed.

        Trials keep their numbers. Those that do not fit the new space stay in the study, are listed
        by `left_out`, and are left out of the model and of `best_trial`. Trials suggested before
        are explained and replayed in the space of their time. Other processes that hold the study
        have to load it again before they ask. For a study of its own see `with_space`.

        Args:
            space: the space as it should be; the present one when left out.
            direction: "maximize" or "minimize"; the present one when left out.
            where: the known constraints as they should be; those of the space when left out.
        """
        wanted = self.space if space is None else space
        if where is not None:
            wanted = opening.as_domain(wanted).knowing(where)
        goals = None if direction is None else opening.turned(self.goals, direction)
        session, change = changing.change_space(self.storage, self._session.key, wanted, goals)
        self._hold(session)
        return change

    def with_space(
        self, space: SpaceLike, *, name: str | None = None, direction: str | None = None
    ) -> Study:
        """A new study on another space that starts with the results of this one that still fit.

        It lies in the same storage, under `name` (by default this name with a number), and has the
        same direction unless another is given. Trials that are running stay with the old study.
        """
        return Study.__new__(Study)._hold(opening.branch(self._session, space, name, direction))

    def _repr_html_(self) -> str:
        title = f"Study {self.name}: {self.goals.words}"
        return html.page(title, *of_trials(self._session.fitting(), self.goals))

    def __repr__(self) -> str:
        return f"<Study {self.name!r}: {self.goals.words} over {self.space!r} in {self.storage!r}>"
