"""A process's hold on a stored study: what it has read, the surrogate it keeps, how it asks.

Nothing here could not be read again from the storage; it only saves time. Two sessions on one study
give the same answer to the same history.
"""

from __future__ import annotations

import copy
import logging
import os
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pathmax.errors import ExhaustedError, PathmaxError, TrialError
from pathmax.logger import logger
from pathmax.scalars import Scalar
from pathmax.session.curve_ledger import CurveLedger
from pathmax.session.editions import Editions
from pathmax.session.ledger import Ledger
from pathmax.space.context import Context, at_context, context_of
from pathmax.storage import MemoryStorage, Storage, StudyKey
from pathmax.storage.forks import renew_in_child
from pathmax.storage.records import Ending
from pathmax.trials.curves import Curves
from pathmax.trials.history import History
from pathmax.trials.info import Info
from pathmax.trials.trial import INTERRUPTED, Json, Trial, TrialState
from pathmax.trials.wording import show

if TYPE_CHECKING:  # a suggestion is a far larger part than keeping trials, and imported for one
    from pathmax.suggestion.beliefs import Belief, Plausible
    from pathmax.suggestion.landscape import Landscape
    from pathmax.suggestion.problem import StudyProblem, Surrogates

GRACE = 90.0  # seconds; nine missed beats: a busy machine is late, not dead


@dataclass(slots=True)
class Memory:
    """What only saves time: the models of the last suggestion, and those drawn for a report."""

    kept: Surrogates | None = None
    plausible: Plausible | None = None


class Session:
    """One study, as this process holds it. Safe to use from several threads."""

    def __init__(
        self,
        storage: Storage,
        key: StudyKey,
        problem: StudyProblem,
        earlier: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.storage, self.key, self.problem, self.earlier = storage, key, problem, earlier
        self._editions = Editions.of(earlier, problem.space, problem.goals)
        self._looked_at = -GRACE
        self.shared = not isinstance(storage, MemoryStorage)
        self._renew()
        renew_in_child(self, Session._renew)

    def _renew(self) -> None:
        """In a forked child: what another thread was in the middle of is read again."""
        self.lock = threading.RLock()
        self._ledger = Ledger(self.storage, self.key, self._editions)
        self._curves = CurveLedger(self.storage, self.key)
        self._memory = Memory()

    @property
    def name(self) -> str:
        """The name under which the study is stored; `key` is of this study alone."""
        return self.key.name

    def trials(self) -> list[Trial]:
        """All trials by number, as they are now."""
        with self.lock:
            return self._ledger.read()

    def curves(self) -> Curves:
        """What trials reported, as it is now; of those that reported something."""
        with self.lock:
            return self._curves.read()

    def fits(self, trial: Trial) -> bool:
        """Whether a trial lies in the present space; the model leaves out those that do not."""
        with self.lock:
            return self._editions.present.place(trial) is not None

    def fitting(self) -> list[Trial]:
        """The trials that count: in the present space, obeying its constraints, at the target."""
        space = self.problem.space
        fitting = [trial for trial in self.trials() if self.fits(trial)]
        if not space.where and space.fidelity is None:
            return fitting
        return [trial for trial in fitting if space.counts(trial.params)]

    def at(self, context: Context | None) -> Session:
        """The same study where its contexts, if it has any, are as they are given."""
        space = at_context(self.problem.space.unheld, context)
        if space is self.problem.space:
            return self
        here = copy.copy(self)
        here.problem = replace(self.problem, space=space)
        renew_in_child(here, Session._renew)
        return here

    def problem_of(self, trial: Trial) -> StudyProblem:
        """The problem as it was when a trial was made, in its context, but for the settings."""
        edition = self._editions.when(trial.number)
        space = edition.domain
        if edition.place(trial) is not None:
            space = at_context(space, context_of(space, trial.params))
        return replace(self.problem, space=space, goals=edition.goals)

    def number_of(self, trial: Trial | int) -> int:
        """The number of a trial of this study; does not wait for a suggestion under way."""
        return self._ledger.number_of(trial)

    def find(self, trial: Trial | int) -> Trial:
        """A trial as it is stored now."""
        with self.lock:
            return self._ledger.find(trial)

    def history(self) -> History:
        """What is known now."""
        with self.lock:
            return self._ledger.history()

    def history_before(self, trial: Trial) -> History:
        """What was known when a trial was suggested."""
        with self.lock:
            return self._ledger.history_before(trial)

    def landscape(self) -> Landscape:
        """What the models say of all results so far, as the next suggestion would see it."""
        from pathmax.suggestion.landscape import Landscape

        with self.lock:
            past = self.history()
            known = self.problem.settings.fixed or self.problem.knows_beforehand
            if not past.n and not known:
                raise self._nothing_known()
            kept = self.problem.surrogates(past, self._memory.kept)
            self._memory.kept = kept
            return Landscape(self.problem, past, kept)

    def _nothing_known(self) -> TrialError:
        told = [trial for trial in self.trials() if trial.state is TrialState.COMPLETE]
        if not told:
            return TrialError("no trial has a value yet, so there is no model; tell one first")
        why = "is in the present space"
        if any(map(self.fits, told)):
            why = f"has {' or '.join(self.problem.goals.names)}"
        return TrialError(
            f"no result {why}, so there is no model; run what study.ask() suggests first"
        )

    def beliefs(self) -> tuple[Belief, ...]:
        """What to report from: landscapes under the parameters that the results leave open."""
        from pathmax.suggestion.beliefs import Plausible

        with self.lock:
            landscape = self.landscape()
            plausible = Plausible.of(landscape, self._memory.plausible)
            self._memory.plausible = plausible
            return plausible.beliefs(landscape)

    def start(self, *, watched: bool) -> Trial:
        """Suggest the next trial and store it as running; `watched` if it will have a heartbeat."""
        with self.lock:
            self._take_back()
            trial, proposed, began = None, -1, time.monotonic()
            while trial is None:  # as long as somebody else is faster
                trial = self._try_to_start(watched)
                if trial is None:
                    logger.debug("study %r: somebody else was faster, asking again", self.name)
                if trial is None and self._ledger.next_number == proposed:
                    # Nobody was: the storage counts trials that it does not have.
                    self._ledger.read_anew()
                proposed = self._ledger.next_number
            self._ledger.started(trial)
            self._log_start(trial, time.monotonic() - began)
            return trial

    def _log_start(self, trial: Trial, seconds: float) -> None:
        if not logger.isEnabledFor(logging.INFO):
            return
        info = Info(trial.info)
        params = " ".join(show(trial.params).split())  # on one line, whatever the names are
        logger.info("study %r: trial %d: try %s", self.name, trial.number, params)
        logger.debug(
            "study %r: trial %d: by %s from %d results and %d running, in %.3f s; models %s",
            *(self.name, trial.number, info.method, info.n_observations, len(info.pending)),
            *(seconds, dict(info.models)),
        )

    def start_batch(self, count: int) -> list[Trial]:
        """`count` trials, or fewer when a finite space ends: none that was started is lost.

        What ends it in the middle, Ctrl-C or an error, gives those that were started back.
        """
        batch: list[Trial] = []
        try:
            for _ in range(count):
                batch.append(self.start(watched=False))
        except ExhaustedError:
            if not batch:
                raise
        except BaseException:
            given_back = Ending(state=TrialState.FAILED, error=INTERRUPTED)
            with suppress(PathmaxError):  # a storage that is gone is what ended it
                for trial in batch:
                    self.storage.finish(self.key, trial.number, given_back)
            raise
        return batch

    def _try_to_start(self, watched: bool) -> Trial | None:
        worker = f"{socket.gethostname()}:{os.getpid()}"
        if self.shared and self._is_quick():
            return self.storage.start_next(
                self.key, self._ledger.revision, self._propose, worker, heartbeat=watched
            )
        if self.shared:
            self._import_models()
        # Workers of one database take turns, so that no two compute the same suggestion.
        with self.storage.turn(self.key) if self.shared else nullcontext():
            past = self.history()
            params, info = self._suggest(past)
            return self.storage.start(
                self.key, past.number, params, info, worker, heartbeat=watched
            )

    def _import_models(self) -> None:
        """What a process imports for its first suggestion, 0.2 s: not while others wait for it."""
        import scipy.linalg  # noqa: F401

        import pathmax.suggestion.surrogate  # noqa: F401

    def _suggest(self, past: History) -> tuple[dict[str, Scalar], dict[str, Json]]:
        from pathmax.suggestion.algorithm import suggest

        suggestion = suggest(self.problem, past, self._memory.kept)
        self._memory.kept = suggestion.surrogates
        return suggestion.params, suggestion.info

    def _propose(
        self, revision: int, changed: list[Trial]
    ) -> tuple[dict[str, Scalar], dict[str, Json]]:
        return self._suggest(self._ledger.history_with(revision, changed))

    def _is_quick(self) -> bool:
        """Whether a suggestion needs no model: then the other workers can wait for it."""
        from pathmax.suggestion.algorithm import starts

        settings = self.problem.settings
        return settings.method == "random" or starts(self.problem, self.history())

    def _take_back(self) -> None:
        """Free the trials whose worker has vanished; now and then is often enough."""
        now = time.monotonic()
        if self.shared and now - self._looked_at > GRACE / 4:
            self._looked_at = now
            for trial in self.storage.reclaim(self.key, GRACE):
                logger.warning(
                    "study %r: trial %s is taken back: %s", self.name, trial.number, trial.error
                )
