"""Does the search inside known constraints find the maximum, and what does it cost?

    python -m benchmarks.constrained_search                all three parts
    python -m benchmarks.constrained_search misses         against 10^6 random points that obey
    python -m benchmarks.constrained_search misses 12 100000      in 12 cases, against 10^5
    python -m benchmarks.constrained_search cost           a suggestion with and without sentences
    python -m benchmarks.constrained_search mixture        20 components, 4 of them present

A miss is a maximum that is lower than the best of the random points by more than 1 % of the score,
counted from the median of the points to their best. The scores are sample paths of a Matern-5/2
process. Costs are medians of processor time, measured in turns in one process.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from pathmax import Categorical, Float, Int, Mixture, Space, Study
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.surfaces.searched_surface import length_scales, path_starts
from pathmax.gp import GaussianProcess, Matern52, draw_paths
from pathmax.search.constrained_domain import Constrained
from pathmax.search.maximization import maximize
from pathmax.search.random_walks import known_points, walk

POINTS = 1_000_000
BLOCK = 50_000


def linear_space(d: int, constraints: int, mixed: bool, rng: np.random.Generator) -> Space:
    """A space with random linear sentences that leave its middle inside."""
    parameters: dict[str, object] = {f"x{i}": Float(0, 1) for i in range(d)}
    if mixed:
        parameters["n"] = Int(0, 20)
        parameters["kind"] = Categorical(["a", "b", "c"])
    names = [f"x{i}" for i in range(d)]
    where = []
    for k in range(constraints):
        used = rng.choice(names, size=min(d, int(rng.integers(2, 6))), replace=False)
        weights = rng.normal(size=len(used)).round(2)
        terms = " + ".join(f"{w} * {name}" for w, name in zip(weights, used, strict=True))
        bound = 0.5 * weights.sum() + 0.15 * np.abs(weights).sum() * rng.random()
        if mixed and k == 0:
            where.append(f"kind == 'a' or {terms} + 0.05 * n <= {bound + 0.5:.4f}")
        else:
            where.append(f"{terms} <= {bound:.4f}")
    return Space(parameters, where)


def best_of_random(
    score: PathScore, domain: Constrained, rng: np.random.Generator, points: int
) -> tuple[float, float]:
    """The best and the median of many points that obey."""
    best, medians = -np.inf, []
    known = known_points(domain.region)
    U = known.points[rng.integers(len(known.points), size=BLOCK)]
    for _ in range(max(1, points // BLOCK)):
        U = walk(domain.region, U, 2, rng, known.points)
        values = np.concatenate([score(U[i : i + 5000]) for i in range(0, BLOCK, 5000)])
        best, medians = max(best, float(values.max())), [*medians, float(np.median(values))]
    return best, float(np.median(medians))


def misses(cases: int = 40, points: int = POINTS) -> None:
    """How often the maximum is missed."""
    worst, missed, outside = 0.0, 0, 0
    for case in range(cases):
        rng = np.random.default_rng([17, case])
        d, constraints = int(rng.integers(2, 21)), int(rng.integers(1, 11))
        space = linear_space(d, constraints, case % 3 == 2, rng)
        domain = Constrained(space.axes, space.limits)
        D = space.dimension
        kernel = Matern52(lengthscale=np.full(D, 0.3 * np.sqrt(D / 2)))
        X = domain.spread(30, rng)
        model = GaussianProcess(kernel, noise=1e-4).condition(X, rng.normal(size=30))
        score = PathScore(draw_paths(model, rng, 1)[0], D)
        scales = length_scales(kernel, D)
        found = maximize(score, domain, rng, hints=X, scales=scales, starts=path_starts(D))
        outside += not space.where.hold(space.decode(found.u))
        best, median = best_of_random(score, domain, rng, points)
        gap = (best - found.value) / (best - median)
        worst, missed = max(worst, gap), missed + (gap > 0.01)
        print(f"d = {D:2d}, {constraints:2d} sentences: gap {gap:+.4f}", flush=True)
    print(f"{missed} of {cases} missed by more than 1 %, worst {worst:.4f}, {outside} outside")


def suggestion_seconds(study: Study, repeats: int) -> list[float]:
    """How long asking computes, with the same results each time; other processes do not count."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        trial = study.ask()
        seconds.append(time.process_time() - start)
        study.fail(trial)
    return seconds


def filled(space: Space, n: int, f) -> Study:  # type: ignore[no-untyped-def]
    """A study with n random results."""
    study = Study(space, direction="maximize", seed=0, method="random")
    trials = study.ask(n)
    results = Study(space, direction="maximize", seed=0, initial=1)
    for trial in trials:
        results.add(trial.params, f(trial.params))
    results.tell(results.ask(), 0.0)
    results.fail(results.ask())  # the model is learnt
    return results


def cost(n: int = 100, d: int = 10, repeats: int = 9) -> None:
    """The price of sentences and of mixtures."""

    def f(params: dict[str, object]) -> float:
        x = np.array([v if isinstance(v, float) else 0.1 for v in params.values()])
        return float(np.sin(5 * x).sum() - ((x - 0.4) ** 2).sum())

    box: dict[str, object] = {f"x{i}": Float(0, 1) for i in range(d)}
    plain = Space(box)
    mixed = Space(box | {"n": Int(0, 20), "kind": Categorical(["a", "b", "c"])})
    blend = Mixture({f"x{i}": (0, 0.6) for i in range(d)}, total=1)
    cases: list[tuple[str, Space, Space]] = []
    for kind, without in (("", plain), (", mixed", mixed)):
        for sentences in (1, 3, 10):
            space = linear_space(d, sentences, bool(kind), np.random.default_rng(sentences))
            cases.append((f"{sentences:2d} linear sentences{kind}", without, space))
    cases.append((f"a mixture of {d}", plain, Space({"blend": blend})))
    curved = ["x0 ** 2 + x1 ** 2 <= 0.8", "x2 * x3 >= 0.1"]
    cases.append(("two sentences that are not linear", plain, Space(box, curved)))
    for words, without, space in cases:
        known, free = filled(space, n, f), filled(without, n, f)
        outside: list[float] = []
        within: list[float] = []
        for _ in range(repeats):
            outside += suggestion_seconds(free, 1)
            within += suggestion_seconds(known, 1)
        ratio = np.median(within) / np.median(outside)
        print(
            f"{words}, n = {n}, d = {d}: {1e3 * np.median(within):.0f} ms "
            f"against {1e3 * np.median(outside):.0f} ms, ratio {ratio:.2f}",
            flush=True,
        )


def mixture(n: int = 100, components: int = 20, at_most: int = 4) -> None:
    """Many components of which few are present."""
    parts = {f"c{i}": (0, 100) for i in range(components)}
    space = Space({"blend": Mixture(parts, total=100, at_most=at_most)})

    def f(params: dict[str, float]) -> float:
        x = np.array(list(params.values())) / 100
        return float(x[3] * x[7] * 8 + x[11] * x[2] * 6 - x[0])

    study = filled(space, n, f)
    seconds = suggestion_seconds(study, 7)
    print(f"{components} components, {at_most} present, n = {n}: {np.median(seconds):.2f} s")


if __name__ == "__main__":
    wanted, numbers = sys.argv[1:2], [int(number) for number in sys.argv[2:]]
    parts = {"misses": misses, "cost": cost, "mixture": mixture}
    for part in wanted or parts:
        parts[part](*numbers)
