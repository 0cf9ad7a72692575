"""The runs that are on disk, as tables of summaries, and the curves that are kept of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pathmax.experiments.further_experiments import VARIANTS
from pathmax.experiments.paper import OF_THE_PAPER, SECTION_METHODS, SETTINGS
from pathmax.experiments.plan import PlannedRun, Setting
from pathmax.experiments.reporting.summary import Methods, Summary, simple_regret
from pathmax.experiments.store import Store
from pathmax.experiments.trace import Trace

Tables = Mapping[str, Mapping[Setting, Methods]]  # section -> setting -> method -> summary


def gather(store: Store, runs: Sequence[PlannedRun]) -> Tables:
    """The summaries of those of the runs that are on disk."""
    traces: dict[tuple[str, str], list[Trace]] = {}
    settings: dict[str, Setting] = {}
    for run in sorted(runs, key=lambda run: run.trial):
        if (trace := store.load(run)) is not None:
            settings[run.setting.name] = run.setting
            traces.setdefault((run.setting.name, run.method.name), []).append(trace)
    tables: dict[str, dict[Setting, dict[str, Summary]]] = {}
    for section, members in SETTINGS.items():
        for name in (member.name for member in members if member.name in settings):
            order = [m for setting, m in traces if setting == name and belongs(m, section)]
            order.sort(
                key=lambda m: (
                    SECTION_METHODS[section].index(m) if m in SECTION_METHODS[section] else 99
                )
            )
            found = {method: Summary(method, traces[name, method]) for method in order}
            if found:
                tables.setdefault(section, {})[settings[name]] = found
    return tables


def belongs(method: str, section: str) -> bool:
    """Whether a section shows a method: those beyond the paper have their own and no others."""
    return method in SECTION_METHODS[section] or (
        section in OF_THE_PAPER and method not in VARIANTS
    )


def save_curves(tables: Tables, file: Path) -> None:
    """What the figures are drawn from, small enough to be kept with the report.

    <setting>/<method>/regret   (trials, T + 1) simple regret after 0..T iterations
    <setting>/<method>/width    (3, T) mean, 10 % and 90 % of the confidence parameter
    <setting>/<method>/std      (trials,) mean posterior standard deviation at evaluated points
    """
    arrays: dict[str, np.ndarray] = {}
    for settings in tables.values():
        for setting, methods in settings.items():
            for name, found in methods.items():
                place = f"{setting.name}/{name}"
                curves = np.array([simple_regret(trace) for trace in found.traces])
                arrays[f"{place}/regret"] = curves.astype(np.float32)
                arrays[f"{place}/std"] = found.mean_std.astype(np.float32)
                if np.all(np.isfinite(found.width)):
                    low, high = np.quantile(found.width, [0.1, 0.9], axis=0)
                    widths = np.stack([found.width.mean(axis=0), low, high])
                    arrays[f"{place}/width"] = widths.astype(np.float32)
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
