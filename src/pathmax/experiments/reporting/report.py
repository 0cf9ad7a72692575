"""report.md: the paper's printed numbers beside ours, what came out and what did not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pathmax.experiments.paper import PRINTED_TRIALS, SECTION_METHODS, TABLE_2, TABLE_ITERATIONS
from pathmax.experiments.plan import Setting
from pathmax.experiments.reporting import claims, figures, further_sections, two_models
from pathmax.experiments.reporting.claims import PaperClaim, name_of
from pathmax.experiments.reporting.finished_runs import Tables, save_curves
from pathmax.experiments.reporting.summary import Methods, Summary, regret_bound
from pathmax.experiments.reporting.tables import (
    bounds_table,
    claims_table,
    final_table,
    found_table,
    mean_std_cell,
    table,
)
from pathmax.experiments.time_left import clock
from pathmax.suggestion.explanation import ENGINE

CHOICES = """\
What the paper leaves open was chosen as follows.

- The default length scale is not printed, nor is the horizon: 0.2 and 200 here, a guess. What
  Table 2 would be at others, several of which fit it as well or better, is in docs/reproduce.md
  (`python -m benchmarks.table2 --scan`).
- Every method may return to a point of the grid that it has evaluated; when it may not, Table 2
  does not come out. PI improves on the largest value observed, as in the paper. The noise in that
  value drives it on; from the largest posterior mean, pathmax's default, it returns to the best
  point of its design for ever.
- Paths on grids are {sampler}.
- The first design on a grid is a Latin hypercube moved to the nearest grid points. `t` counts from
  1 after it; only with pathmax's priors GP-UCB counts the five evaluations of the design as well.
- Ackley has four dimensions. The benchmarks and emulators are modelled twice. "The paper's model"
  is what its text says, plain marginal likelihood every five evaluations, completed as in the first
  author's public sampler: RBF with a length scale per coordinate, variance 1, mean 0 and noise 1e-6
  on standardised values, no priors. "pathmax's priors" are those of pathmax, with a learnt output
  scale and mean, and one length scale for all coordinates, as the kernel is printed.
- JES is the lower bound of Hvarfner, Hutter and Nardi (2022): each sampled pair (x*, g*) is added
  to the data, and the variance of f(x) below g* gives the entropy. Which form the paper's is, it
  does not say; the other published one is the entropy itself, and `pathmax reproduce jes` runs
  both.
- Which version of the emulators the paper used, and with which noise, is not stated. Here they are
  deterministic, with mean weights.
"""

SAMPLER_WORDS = {
    "exact": "exact draws; the paper's are random Fourier features",
    "pathwise": "pathwise draws; the paper's are random Fourier features",
    "rff": "random Fourier features, as in the paper",
}
SECTION_TITLES = {
    "synthetic": "Functions drawn from the prior",
    "benchmarks": "Benchmark functions",
    "emulators": "Emulators of real experiments",
    "jes": "Beyond the paper: both published forms of JES",
    "parameters": "Beyond the paper: when the kernel's parameters are not known",
}
CAPTIONS = {
    "figure-1": "Above, simple regret: mean and standard error; less than 0.001, the std of the "
    "noise, is drawn as 0.001. Below, confidence parameters: mean, and 10 % to 90 % of the trials.",
    "cumulative": "Cumulative regret, mean and standard error, and the bound of Theorems 3.1 and "
    "4.1 for PIMS and TS.",
    "figure-2": "Simple regret: mean and standard error.",
    "figure-3": "Best value so far: mean and standard error. Dotted: the maximum of the emulator.",
}
CLAIMS: dict[str, Callable[[Mapping[str, Methods]], list[PaperClaim]]] = {
    "synthetic": lambda found: claims.synthetic(found) + claims.table_2(found),
    "benchmarks": claims.benchmarks,
    "emulators": claims.emulators,
}


@dataclass(frozen=True)
class Invocation:
    """One call of the command: what it ran, and how long that took."""

    runs: int
    seconds: float
    workers: int

    def __str__(self) -> str:
        return f"{self.runs} runs in {clock(self.seconds)} on {self.workers} workers"


@dataclass(frozen=True)
class ReproductionReport:
    """What is reported on: the runs of one sampler in one folder, and how they came about."""

    folder: Path
    tables: Tables
    sampler: str
    command: str
    others: Mapping[str, Tables]  # the same runs by another sampler, for Table 2
    sessions: Sequence[Invocation] = ()

    def write(self) -> Path:
        """Write report.md and its figures; the path of the former."""
        parts = ["# The experiments of the paper, run again\n", self._opening()]
        for section, settings in self.tables.items():
            if settings:
                parts += [f"\n## {SECTION_TITLES[section]}\n", *self._section(section, settings)]
        parts += ["\n## Time\n", *self._times()]
        file = self.folder / "report.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        save_curves(self.tables, self.folder / "curves.npz")
        file.write_text("\n".join(parts) + "\n", encoding="utf-8")
        return file

    def _opening(self) -> str:
        by_part = self._claims_by_part()
        found = [claim for claims in by_part.values() for claim in claims]
        held, failed, open_ = (
            [claim for claim in found if claim.verdict == verdict]
            for verdict in ("comes out", "does not come out", "cannot be told")
        )
        trials = sorted({s.trials for s in self._summaries()})
        number = str(trials[0]) if len(trials) == 1 else f"{trials[0]} to {trials[-1]}"
        lines = [
            'The experiments of "Posterior Sampling-Based Bayesian Optimization with Tighter '
            f'Bayesian Regret Bounds", {number} trials each. Of the statements that it makes about '
            f"them, and that are checked here, {len(held)} come out, {len(failed)} do not, and "
            f"{len(open_)} cannot be told from chance.",
            "",
        ]
        if len(trials) > 1 or trials[0] < PRINTED_TRIALS:
            lines += [f"The paper has {PRINTED_TRIALS} trials of everything; here there are:", ""]
            lines += [*self._by_setting(lambda summary: str(summary.trials)), ""]
        lines += [*two_models.counts(by_part), ""]
        if failed:
            lines += ["What does not come out:", ""]
            lines += [f"- {claim.statement}: {claim.found}." for claim in failed] + [""]
        lines += [
            CHOICES.format(sampler=SAMPLER_WORDS[self.sampler]),
            f"Made by `{self.command}` with engine {ENGINE}. The curves are in `curves.npz`: for "
            "each setting and method the simple regret of every trial, the confidence parameter, "
            "and the mean posterior std.",
        ]
        return "\n".join(lines)

    def _section(self, section: str, settings: Mapping[Setting, Methods]) -> Iterable[str]:
        by_name = {setting.name: methods for setting, methods in settings.items()}
        if section in further_sections.BEYOND_SECTIONS:
            yield from further_sections.BEYOND_SECTIONS[section](settings)
            return
        if section == "synthetic":
            yield self._picture(figures.regret_and_widths(settings), "figure-1")
            yield self._picture(figures.cumulative_regret(settings, regret_bound), "cumulative")
            yield from self._table_2(settings)
            yield from bounds_table(settings)
        elif section == "benchmarks":
            yield self._picture(figures.simple_regrets(settings), "figure-2")
        else:
            optima = {s.name: s.make(np.random.default_rng(0)).optimum for s in settings}
            yield self._picture(figures.best_values(settings, optima), "figure-3")
        yield from final_table(section, settings)
        if section != "synthetic":
            yield from found_table(settings)
            yield from two_models.side_by_side(settings)
        yield "\n### What the paper says, and what came out\n"
        yield from claims_table(CLAIMS[section](by_name))

    def _picture(self, drawn: Any, name: str) -> str:
        figures.save(drawn, self.folder, name)
        caption = CAPTIONS[name]
        return f"![{caption}]({name}.png)\n\n*{caption}* ([SVG]({name}.svg))\n"

    def _table_2(self, settings: Mapping[Setting, Methods]) -> Iterable[str]:
        yield "\n### Table 2: mean posterior standard deviation at the evaluated points\n"
        yield "Mean over trials ± standard deviation over trials, over 200 iterations.\n"
        lengths = {len(m.traces[0].std) for methods in settings.values() for m in methods.values()}
        if min(lengths) < TABLE_ITERATIONS:
            yield f"These runs had {min(lengths)} only, so the numbers cannot be compared.\n"
        names = [s.name for s in settings if s.name in TABLE_2["pims"]]
        rows = []
        for method, columns in TABLE_2.items():
            rows.append([f"{name_of(method)}, printed", *(str(columns[name]) for name in names)])
            for sampler, tables in {self.sampler: self.tables, **self.others}.items():
                found = {s.name: m for s, m in tables.get("synthetic", {}).items()}
                cells = [mean_std_cell(found.get(name, {}).get(method)) for name in names]
                if any(cells):
                    rows.append([f"{name_of(method)}, here ({sampler} paths)", *cells])
        yield from table(["", *(claims.TITLES[name] for name in names)], rows)

    def _times(self) -> Iterable[str]:
        yield (
            "Seconds of computing that the suggestions of one run took: mean over trials. On a "
            "grid the drawing of paths and the scores of all points dominate; elsewhere the search "
            "for maxima and the learning of length scales.\n"
        )
        yield from self._by_setting(lambda summary: f"{summary.seconds:.1f}")
        spent: dict[tuple[str, str], tuple[str, float]] = {}  # a run counts in one section only
        for section, settings in self.tables.items():
            for setting, methods in settings.items():
                for summary in methods.values():
                    cost = (SECTION_TITLES[section], summary.seconds * summary.trials)
                    spent.setdefault((setting.name, summary.method), cost)
        yield "\nComputing on one core, all trials together:\n"
        parts = dict.fromkeys(part for part, _ in spent.values())
        rows = [[part, clock(sum(s for p, s in spent.values() if p == part))] for part in parts]
        yield from table(
            ["section", "time"], [*rows, ["all", clock(sum(s for _, s in spent.values()))]]
        )
        if self.sessions:
            yield f"\nIt was run as {'; '.join(map(str, self.sessions))}."

    def _by_setting(self, shown: Callable[[Summary], str]) -> Iterable[str]:
        """A table of one thing about every method on every setting."""
        known = {s.method for s in self._summaries()}
        methods = [m for m in SECTION_METHODS["synthetic"] if m in known]
        methods += sorted(known - set(methods))
        found: dict[str, dict[str, Summary]] = {}  # two sections may share a setting
        for settings in self.tables.values():
            for setting, summaries in settings.items():
                found.setdefault(setting.name, {}).update(summaries)
        rows = [
            [name, *(shown(summaries[m]) if m in summaries else "" for m in methods)]
            for name, summaries in found.items()
        ]
        yield from table(["setting", *map(name_of, methods)], rows)

    def _summaries(self) -> list[Summary]:
        return [
            summary
            for settings in self.tables.values()
            for methods in settings.values()
            for summary in methods.values()
        ]

    def _claims_by_part(self) -> dict[str, list[PaperClaim]]:
        """What is claimed, by section and, where there are two, by model."""
        parts: dict[str, list[PaperClaim]] = {}
        for section in (section for section in self.tables if section in CLAIMS):
            for model in (two_models.PLAIN_MODEL, two_models.OUR_MODEL):
                found = {
                    setting.name: methods
                    for setting, methods in self.tables[section].items()
                    if section == "synthetic" or two_models.model_of(setting.name) == model
                }
                title = SECTION_TITLES[section].lower()
                title = title if section == "synthetic" else f"{title}, {model}"
                if claimed := CLAIMS[section](found):
                    parts[title] = claimed
        return parts
