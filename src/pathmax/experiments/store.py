"""Finished runs on disk: one small file each, there whole or not at all.

    <folder>/<setting>/<method>-<sampler>-<trial>.npz

A file holds what the run was beside what it gave. It is taken for a run only if they agree, so
changing the seed, an option, or the number of iterations upwards, runs anew, and so does another
engine, which suggests otherwise: a report is of one engine. A damaged file is run again.
"""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from pathmax.errors import DataFileError
from pathmax.experiments.plan import PlannedRun
from pathmax.experiments.trace import Trace
from pathmax.suggestion.explanation import ENGINE
from pathmax.tables import replace_bytes

FORMAT = 1


@dataclasses.dataclass(frozen=True)
class Store:
    """A folder of finished runs."""

    folder: Path

    def load(self, run: PlannedRun) -> Trace | None:
        """What the run gave, or None when it has not been done."""
        file = self._file(run)
        if not file.exists():
            return None
        try:
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
                kept = json.loads(str(data["run"]))
                curves = {name: data[name] for name in ("value", "regret", "std", "width")}
                trace = Trace(**curves, seconds=float(data["seconds"]))
        except Exception:  # a damaged archive can raise anything; the run is simply done again
            return None
        wanted = _description(run)
        if kept.pop("iterations", 0) < wanted.pop("iterations") or kept != wanted:
            return None
        return trace.first(run.iterations)

    def save(self, run: PlannedRun, trace: Trace) -> None:
        """Keep what the run gave; when this returns, it is on disk."""
        file, packed = self._file(run), io.BytesIO()
        described = json.dumps(_description(run))
        np.savez_compressed(packed, run=described, **dataclasses.asdict(trace))
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            replace_bytes(file, packed.getvalue())
        except (OSError, DataFileError) as error:
            reason = getattr(error, "strerror", None) or error
            raise DataFileError(
                f"{file}: cannot be written ({reason}); finished runs before it are kept, and "
                "the same command goes on from there"
            ) from error

    def _file(self, run: PlannedRun) -> Path:
        name = f"{run.method.name}-{run.sampler}-{run.trial:03d}.npz"
        return self.folder / run.setting.name / name


def _description(run: PlannedRun) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "engine": ENGINE,
        "setting": run.setting.name,
        "method": run.method.name,
        "trial": run.trial,
        "seed": run.seed,
        "initial": run.setting.initial,
        "sampler": run.sampler,
        "iterations": run.iterations,
        "options": {**run.setting.options, **run.method.options},
    }
