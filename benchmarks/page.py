"""What RESULTS.md consists of: for each section its title, what it says above its tables, the work.

What a section says holds whatever the figures are; what the figures say is computed with them, or
stands in the last section, "Reading the tables", which no run overwrites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks import (
    anatomy,
    efficiency,
    gp,
    growth,
    latency,
    outcomes,
    outcomes_latency,
    peers,
    pools,
    startup,
    storage,
    tuning,
    weight,
)
from benchmarks.clock import machine

HERE = Path(__file__).parent
FILE = HERE / "RESULTS.md"
# minutes for a run of 60 evaluations in which the others need seconds: run by name only
TOO_SLOW = ("hebo", "smac")
# eleven searches a suggestion: two hours on the mixed problems, which they are spared
MANY_PATHS = ("pathmax mes", "pathmax jes")
QUICK_METHODS = ["pathmax", "sobol", "optuna tpe", "optuna gp", "botorch logei"]
TEXTBOOK = """\
The 28 textbook problems of `benchmarks.classics`, three of them noisy, two seeds each. The prior
mean was chosen on these among others, so that this table flatters us; the ones above do not."""


class Section(NamedTuple):
    """A part of the page; `work` is told whether to measure everything."""

    title: str
    says: str
    work: Callable[[bool], str]


def one_suggestion(full: bool) -> str:
    if not full:
        return latency.report(latency.SIZES[:-1], False, None)
    text = latency.report(latency.SIZES, True, HERE / "latency.png")
    return text + "\n\n![one suggestion](latency.png)"


def sample_efficiency(full: bool) -> str:
    if not full:
        efficiency.run("quick", ready(QUICK_METHODS), (0, 1))
        return efficiency.report("quick", ready(QUICK_METHODS))
    fast = [method for method in ready(efficiency.METHODS) if method not in TOO_SLOW]
    ours = [method for method in fast if method.startswith("pathmax")]
    theirs = ["pathmax", *(method for method in fast if method not in ours)]
    few_paths = [method for method in ours if method not in MANY_PATHS]
    mixed = [problem.name for problem in tuning.problems()]
    efficiency.run("development", [*theirs, *few_paths], (0, 1))
    efficiency.run("development", ours, (0, 1), skip=mixed)
    efficiency.run("textbook", theirs, (0, 1))
    return "\n\n".join(
        [
            efficiency.report("development", theirs, HERE / "profile.png"),
            "![share of targets reached](profile.png)",
            "Our other methods, on the same surrogate:",
            efficiency.report("development", few_paths),
            "All of them, on the problems without choices and whole numbers:",
            efficiency.report("development", ours),
            TEXTBOOK,
            efficiency.report("textbook", theirs),
            "SMAC3, on the runs that it has:",
            efficiency.report("development", [*theirs, "smac"]),
            "HEBO, on the runs that it has:",
            efficiency.report("development", [*theirs, "hebo"]),
        ]
    )


def several_outcomes(full: bool) -> str:
    """What the traces say; none is made here: a run of BoTorch takes minutes."""
    text = outcomes.report([method for method in outcomes.METHODS if outcomes.load(method)])
    return f"{outcomes_latency.report(5 if full else 3)}\n\n{text}"


def ready(methods: Iterable[str]) -> list[str]:
    """Those whose peers are installed."""
    return [method for method in methods if peers.ALL[efficiency.METHODS[method][0]].ready]


SECTIONS = (
    Section(
        "One suggestion",
        """\
`python -m benchmarks.latency`: told one result, asked for the next, all in turns; median and mean
of seven that end at n, of pathmax of more; in brackets, how many times as long as pathmax. pathmax
learns its parameters by its own schedule and, in the second column, each time. scikit-optimize and
bayesian-optimization are not given n = 1000. The 200-trial runs come one after the other.""",
        one_suggestion,
    ),
    Section(
        "Where the time goes",
        """\
`python -m benchmarks.anatomy`, one thread, the mean of fifteen. The last column is what the
LAPACK and BLAS calls of these fits and searches take alone, and how many times as long the whole
suggestion takes.""",
        lambda full: anatomy.report(anatomy.SIZES if full else anatomy.SIZES[:-1]),
    ),
    Section(
        "The Gaussian process",
        """\
`python -m benchmarks.gp`, d = 10, Matern-5/2, predictions and path values at 1000 points, processor
time on one thread. pathmax learns its parameters from at most 300 rows, as a study does; GPyTorch
has all of them. Bare calls are those of BLAS and LAPACK, timed one by one: a fit, which keeps its
matrices in the cache, can be below.""",
        lambda full: gp.report([20, 100, 300, 1000, 2000] if full else [20, 100, 300]),
    ),
    Section(
        "Pools",
        """\
`python -m benchmarks.pools`: 100 results known, d = 10, a refit included, processor time on one
thread. Megabytes are the peak of the process; the first suggestion of a fresh process is timed, for
all of them. PHYSBO is not given the largest pool: its features would be ten times those of 100,000
rows.""",
        lambda full: pools.report((10**4, 10**5, 10**6) if full else (10**4, 10**5)),
    ),
    Section(
        "Start-up and weight",
        "`python -m benchmarks.weight`, processor time. GPSampler needs torch, which is counted.",
        lambda full: weight.report(),
    ),
    Section(
        "Import",
        "`python -m benchmarks.startup`, processor time, the least of eleven.",
        lambda full: startup.report(),
    ),
    Section(
        "Growth",
        """\
`python -m benchmarks.growth`, processor time, one thread. Growth is from one size to the next,
between refits; quadratic would be 4x. Beyond 2,000 results the model has 2,000 of them
([many_results.md](many_results.md)). An ask with a refit is the first of its process, imports
included. The bars: 1 s and 1 GB at n = 10,000, 2 s and 2 GB at n = 100,000.""",
        lambda full: growth.report(
            growth.SIZES if full else growth.SIZES[:3],
            growth.DIMENSIONS if full else growth.DIMENSIONS[:3],
        ),
    ),
    Section(
        "Storage",
        """\
`python -m benchmarks.storage`: asks and tells a second through the public interface, beside
Optuna's RDBStorage, from 1, 4 and 16 processes. Both write every commit to disk.""",
        lambda full: storage.report() if full else storage.report(100, 1, 10.0),
    ),
    Section(
        "Sample efficiency",
        """\
`python -m benchmarks.efficiency run --suite development`, then `report`. BBOB f1, f8, f10, f15,
f21 and f24 in d = 2, 5, 10, five instances each, all with seed 0; Branin, Hartmann-6, Ackley-4,
Shekel, alkox and fullerenes, and three mixed tuning problems (gradient boosting, support vectors,
a network; choices, whole numbers and logarithms) with five seeds each; 60 evaluations; every
trace is in benchmarks/traces. Defaults were chosen on other functions; two of them, the form of
the prior of length scales and that settled points are left, answer what was seen in this suite
([surrogate.md](surrogate.md)).""",
        sample_efficiency,
    ),
    Section(
        "Several outcomes",
        """\
`python -m benchmarks.outcomes run`, then `report`, and `python -m benchmarks.outcomes_latency`.
Eight problems with one objective under learnt constraints and twelve with several objectives
(`pathmax.experiments.outcome_problems`), 60 evaluations; traces are in benchmarks/traces/outcomes.
Only runs that all methods of a table have are ranked. BoTorch is constrained qLogNEI or qLogNEHVI,
which is told the reference point that hypervolumes are measured from; pathmax and Optuna are not.
Optuna's NSGA-II has a population of 12. This is the suite that methods were developed on.""",
        several_outcomes,
    ),
)


def head() -> str:
    """The page down to its first section."""
    return f"""# Results

`make bench` prints a quick version of this page; `make bench FULL=1` measures everything, an hour
with the traces that are here, and writes it. Ratios are of one run; absolute times are this
machine's:
{machine()}.

Peers: {peers.versions()}.
"""


def write(title: str, text: str) -> None:
    """Put a section into the page, in its place; one with the same title goes, others stay."""
    start, *parts = FILE.read_text().split("\n## ") if FILE.exists() else [head()]
    found = dict(part.split("\n", 1) for part in parts) | {title: f"\n{text}\n"}
    places = {section.title: place for place, section in enumerate(SECTIONS)}
    titles = sorted(found, key=lambda one: places.get(one, len(places)))  # by hand: at the end
    page = [start, *(f"{one}\n\n{found[one].strip()}\n" for one in titles)]
    FILE.write_text("\n## ".join(part.rstrip() + "\n" for part in page))


def write_head() -> None:
    """Say on what machine and with which peers the sections that follow were measured."""
    _, mark, sections = FILE.read_text().partition("\n## ") if FILE.exists() else ("", "", "")
    FILE.write_text(head() + mark + sections)
