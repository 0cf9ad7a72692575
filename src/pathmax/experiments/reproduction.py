"""A reproduction of the paper: which runs it takes, and the folder that fills with them.

whole = Reproduction(sections=("synthetic",), trials=20)
with runner.processes(2) as (executor, workers):
    whole.perform(Path("reproduction"), executor, workers)
whole.report(Path("reproduction"))
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from concurrent.futures import Executor
from pathlib import Path
from typing import get_args

from pathmax.errors import SettingsError
from pathmax.experiments import paper, plan, runner, time_left
from pathmax.experiments.plan import PlannedRun, Sampler
from pathmax.experiments.reporting import finished_runs, report
from pathmax.experiments.store import Store

TRIALS, QUICK_TRIALS = 20, 4
SESSIONS = "sessions.jsonl"
SAMPLERS: tuple[Sampler, ...] = get_args(Sampler)


@dataclasses.dataclass(frozen=True)
class Reproduction:
    """What is to be run.

    sections    of "synthetic", "benchmarks", "emulators", "jes", "parameters"
    trials      per method and setting; 20 as in the paper, or 4 when quick
    iterations  evaluations after the first design; those of each setting by default
    methods     names; those of the paper by default
    sampler     "exact" (on grids; pathwise elsewhere), "pathwise" or "rff"
    seed        of everything
    quick       fewer and shorter runs
    model       of the benchmarks and emulators: "paper", "pathmax" or "both"
    """

    sections: tuple[str, ...] = paper.PAPER_SECTIONS
    trials: int | None = None
    iterations: int | None = None
    methods: tuple[str, ...] | None = None
    sampler: Sampler = "exact"
    seed: int = 0
    quick: bool = False
    model: str = "both"

    def runs(self) -> list[PlannedRun]:
        """All the runs, those of a trial together, the longest first."""
        trials = self.trials or (QUICK_TRIALS if self.quick else TRIALS)
        found: list[PlannedRun] = []
        for section in self.sections:
            if section not in paper.SETTINGS:
                known = ", ".join(paper.PAPER_SECTIONS)
                raise SettingsError(f"there is no section {section!r}; known are {known}")
            for setting in paper.paper_settings(section, self.model):
                found += plan.runs(
                    [setting],
                    paper.methods_of(section, self.methods),
                    trials=trials,
                    seed=self.seed,
                    sampler=self.sampler,
                    iterations=self.iterations or (setting.quick if self.quick else None),
                )
        found = list({run.label: run for run in found}.values())  # two sections may share some
        return sorted(found, key=lambda run: (run.trial, -time_left.planned_seconds(run)))

    def missing(self, folder: Path) -> list[PlannedRun]:
        """The runs that are not in the folder yet."""
        store = _store(folder)
        return [run for run in self.runs() if store.load(run) is None]

    def perform(self, folder: Path, executor: Executor, workers: int) -> None:
        """Do the runs that are missing; each is in the folder as soon as it is finished."""
        missing = self.missing(folder)
        if not missing:
            return
        folder.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        try:
            with time_left.open_progress(missing, workers, sys.stderr) as watcher:
                runner.perform(missing, _store(folder), executor, workers=workers, watcher=watcher)
        finally:
            done = len(missing) - len(self.missing(folder))
            session = report.Invocation(done, round(time.monotonic() - started, 1), workers)
            with (folder / SESSIONS).open("a", encoding="utf-8") as file:
                file.write(json.dumps(dataclasses.asdict(session)) + "\n")

    def report(self, folder: Path, command: str = "pathmax reproduce") -> Path:
        """Write report.md and the figures from what is in the folder."""
        store = _store(folder)
        others: dict[str, finished_runs.Tables] = {
            sampler: finished_runs.gather(store, dataclasses.replace(self, sampler=sampler).runs())
            for sampler in SAMPLERS
            if sampler != self.sampler
        }
        tables = finished_runs.gather(store, self.runs())
        return report.ReproductionReport(
            folder, tables, self.sampler, command, others, _sessions(folder)
        ).write()


def _store(folder: Path) -> Store:
    return Store(folder / "runs")


def _sessions(folder: Path) -> list[report.Invocation]:
    """How the runs came about; a session that was killed has left no line."""
    try:
        lines = (folder / SESSIONS).read_text(encoding="utf-8").splitlines()
        return [report.Invocation(**json.loads(line)) for line in lines]
    except (OSError, ValueError, TypeError):
        return []
