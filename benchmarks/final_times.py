"""The steps of the final run that measure time: they want cores that have nothing else to do."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.engines import SEVERAL_OUTCOMES
from benchmarks.final_steps import Step

MANY = "many_results.md, docs/parallel.md, docs/faq.md"
BOTH = "RESULTS.md, README.md"
LOAD = "server load --viewers 100 --workers 16 --seconds 20"

MEASURED = (
    Step("one suggestion", ("latency --processor",), 4, BOTH, peers=("botorch", "optuna")),
    Step("where the time goes", ("anatomy --quick",), 1, "RESULTS.md"),
    Step("the Gaussian process", ("gp",), 5, "RESULTS.md", peers=("botorch",)),
    Step("pools", ("pools",), 2, "RESULTS.md", peers=("botorch", "physbo")),
    Step("libraries", ("pools --library",), 3, "docs/pools.md, docs/faq.md"),
    Step("weight", ("weight",), 2, BOTH, peers=("botorch", "optuna", "skopt", "bayesopt")),
    Step("import", ("startup",), 1, "RESULTS.md"),
    Step("growth", ("growth", "growth --running"), 2, "RESULTS.md, docs/faq.md, docs/parallel.md"),
    Step("storage", ("storage",), 10, "RESULTS.md"),
    Step(
        "outcomes, time",
        ("outcomes_latency --asks 3",),
        2,
        "outcomes.md",
        peers=("botorch", "optuna"),
        since=SEVERAL_OUTCOMES,
    ),
    Step("fidelities, time", ("fidelities --time",), 1, "fidelities.md"),
    Step("acquisitions, time", ("acquisition --costs",), 3, "docs/how-pims-works.md"),
    Step("stopping", ("stopping",), 1.5, "calibration.md, docs/theory.md"),
    Step("long studies", ("long_studies",), 3, MANY),
    Step("crowd", ("crowd", "crowd --prefetch"), 4, MANY),
    Step("cluster", ("cluster",), 3, "many_results.md, docs/parallel.md, docs/pools.md"),
    Step("molecules, time", ("molecules --speed",), 1, "docs/molecules.md, docs/faq.md"),
    Step(
        "server",
        ("server first-view --trials 50000", "server commands --trials 10000"),
        3,
        "server.md, docs/page.md, docs/faq.md",
    ),
    Step(
        "viewers",
        (
            f"{LOAD} --rounds 3 --workers-are threads",
            f"{LOAD} --rounds 1 --workers-are processes",
        ),
        5,
        "server.md, docs/page.md",
    ),
)

TIMES = tuple(replace(step, quiet=True) for step in MEASURED)
