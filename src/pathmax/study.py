"""Study: ask what to try, tell what came out. The one object that changes.

    study = Study({"temperature": Float(20, 120)}, direction="maximize", seed=0)
    trial = study.ask()
    study.tell(trial, measure(trial.params))

A study reads its trials from storage before every answer, so any number of processes may hold the
same study. What it keeps in memory is in its `Session`. How results get into it is in
`session.study_results`, what it can be asked in `analysis.study_questions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Self, overload

from pathmax.analysis.study_questions import StudyQuestions
from pathmax.arguments import whole_number
from pathmax.session import opening, space_change
from pathmax.session.opening import SpaceLike, StorageLike
from pathmax.session.session import Session
from pathmax.suggestion.settings import AUTO, RefitEvery
from pathmax.trials import html
from pathmax.trials.notebook_summary import of_trials
from pathmax.trials.stated_goals import read_goals, restated

if TYPE_CHECKING:
    from pathmax.acquisition import Method
    from pathmax.gp import Kernel
    from pathmax.running.evaluation import Objective
    from pathmax.running.result import Result
    from pathmax.running.run_options import Callback, OnError, Stop
    from pathmax.session.space_change import SpaceChange
    from pathmax.space.context import Context
    from pathmax.space.known_constraints import Rule
    from pathmax.trials.trial import Trial


class Study(StudyQuestions):
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
        noise: variance of the noise in your units squared; learnt when left out. Of several
            outcomes by name, {"yield": 0.25}, as far as it is known; one number is for each of
            them.
        initial: how many trials are spread over the space before the model chooses.
        refit_every: after how many results the kernel's parameters are learnt again; None keeps the
            given kernel and noise for ever, and takes values as they are.
        replicates: whether a point may be suggested again, to average out noise.
        warp: whether values may be bent towards a normal shape (the default) or only standardised.
        model: "pathmax" (default), the most probable parameters under our priors; "paper", those of
            largest likelihood with variance 1, mean 0, noise 1e-6 and no priors; or "drawn",
            parameters drawn from their posterior before each path.
        options: those of the method of that name, such as {"confidence": 2.0} for "gp-ucb".
        stopping: what `should_stop` goes by when trials report on their way: "posterior" (default),
            "asha", "hyperband" or "never"; or a dict, {"rule": "asha", "min_steps": 3}.
        learn_from: older studies, results of `optimize` or tables of results (data frames, lists of
            dicts) with the same parameters and outcomes, in a list, or in a dict that names them.
            How much they have in common with this study is learnt, nothing included; see
            `borrowed`. They are stored with it, and are no trials of it.
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
        noise: float | Mapping[str, float] | None = None,
        initial: int | None = None,
        refit_every: RefitEvery = AUTO,
        replicates: bool | None = None,
        warp: bool | None = None,
        model: str | None = None,
        options: Mapping[str, Any] | None = None,
        stopping: str | Mapping[str, Any] | None = None,
        learn_from: Any = None,
    ) -> None:
        given = dict(
            method=method, seed=seed, kernel=kernel, noise=noise, initial=initial,
            refit_every=refit_every, replicates=replicates, warp=warp, model=model, options=options,
            stopping=stopping,
        )  # fmt: skip
        stated = (direction, objectives, constraints, reference)
        goals = None if all(part is None for part in stated) else read_goals(*stated)
        self._hold(opening.begin(space, storage, name, goals, given, where, learn_from))

    def _hold(self, session: Session) -> Self:
        self._session = session
        # `study.load(...)` would return another study, which nobody keeps: it is for the class
        self.__dict__["load"] = opening.refuse_to_load
        return self

    @classmethod
    def load(
        cls,
        name: str,
        *,
        storage: StorageLike,
        space: SpaceLike | None = None,
        change_space: bool = False,
    ) -> Study:
        """A stored study, to go on with.

        Args:
            name: its name.
            storage: where it is stored.
            space: needed for pools too large to be stored; one that differs is an error that says
                what changed.
            change_space: go on in `space` all the same, as the method `change_space` does for a
                study that can be opened as it was.
        """
        if change_space:
            return cls.__new__(cls)._hold(space_change.load_changed(name, storage, space))
        return cls.__new__(cls)._hold(opening.resume(name, storage, space))

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

        An objective that raises, or returns NaN, fails its trial and the study goes on, unless all
        of the first trials fail (see `on_error`). Ctrl-C ends the run and keeps what was told.

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
        from pathmax.running.optimization import optimize
        from pathmax.running.run_options import Terms

        terms = Terms(
            n_trials=n_trials, budget=budget, timeout=timeout, executor=executor, workers=workers,
            on_error=on_error, progress=progress, ordered=ordered, stop=stop, prefetch=prefetch,
            callbacks=callbacks, context=context,
        )  # fmt: skip
        return optimize(self._session, objective, terms, facade=self)

    def change_space(
        self,
        space: SpaceLike | None = None,
        *,
        direction: str | None = None,
        where: Sequence[Rule] | None = None,
        objectives: Mapping[str, str] | Sequence[str] | None = None,
        constraints: Mapping[str, Any] | None = None,
        reference: Mapping[str, float] | None = None,
    ) -> SpaceChange:
        """Go on with this study in another space, or with other goals; says what changed.

        Trials keep their numbers. Those that do not fit the new space stay in the study, are listed
        by `left_out`, and are left out of the model and of `best_trial`. Trials suggested before
        are explained and replayed in the space of their time. Other processes that hold the study
        have to load it again before they ask. For a study of its own see `with_space`.

        Args:
            space: the space as it should be; the present one when left out.
            direction: "maximize" or "minimize"; the present one when left out.
            where: the known constraints as they should be; those of the space when left out.
            objectives, constraints, reference: as for a new study; the present ones when left out,
                and none for `{}`.
        """
        wanted = self.space if space is None else space
        if where is not None:
            wanted = opening.as_domain(wanted).knowing(where)
        goals = restated(
            self.goals, objectives=objectives, constraints=constraints, reference=reference
        )
        if direction is not None:
            goals = opening.turned(goals or self.goals, direction)
        session, change = space_change.change_space(self.storage, self._session.key, wanted, goals)
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
        counted, target = self._session.fitting(), self.space.target_words
        return html.page(title, *of_trials(self.trials, counted, self.goals, target))

    def __repr__(self) -> str:
        return f"<Study {self.name!r}: {self.goals.words} over {self.space!r} in {self.storage!r}>"
