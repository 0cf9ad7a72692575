"""Does the search inside known constraints find the maximum, and what does it cost?

    python -m benchmarks.constrained_search                all three parts
    python -m benchmarks.constrained_search misses         against 10^6 random points that obey
    python -m benchmarks.constrained_search misses 12 100000      in 12 cases, against 10^5
    python -m benchmarks.constrained_search cost           a suggestion with and without sentences
    python -m benchmarks.constrained_search mixture        20 components, 4 of them present

A miss is a maximum that is lower than the best of the random points by more than 1 % of the score:
of what is between the median of the points and the best, or of 1 + |best| if that is less. Beside
them stands the same search with four times the looks and starts. Scores are sample paths of a
Matern-5/2 process, and what PIMS maximises: with g* as a study has it, which is the mean where the
path promises less, and with g* a little above the highest mean. Costs are medians of processor
time, measured in turns in one process.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathmax import Categorical, Float, Int, Mixture, Space, Study
from pathmax.acquisition.improvement_rules import ProbabilityOfImprovement
from pathmax.acquisition.pims import improve
from pathmax.acquisition.scores import MeanScore, PosteriorScore, Rule
from pathmax.acquisition.step import Step
from pathmax.acquisition.surfaces.searched_surface import PathSample, Searched, length_scales
from pathmax.arrays import Array
from pathmax.gp import GaussianProcess, Matern52, draw_paths
from pathmax.search.constrained_domain import Constrained
from pathmax.search.domains import Maximum
from pathmax.search.perturbation import perturbed
from pathmax.search.random_walks import known_points, walk
from pathmax.search.scores import Score
from pathmax.suggestion.algorithm import PATH_LOOKS

POINTS = 1_000_000
BLOCK = 20_000
MORE = 4.0  # times the looks and starts
ABOVE = 0.3  # prior standard deviations


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


@dataclass(frozen=True)
class Case:
    """A domain, and a model of a study within it."""

    domain: Constrained
    model: GaussianProcess
    sentences: int


def make_case(number: int) -> tuple[Case, np.random.Generator]:
    """Every third is mixed. Results are noise all over the region or, each second time, a smooth
    function's, half of them about its best ones, as those of a study that has gone on for a while.
    """
    rng = np.random.default_rng([17, number])
    d, sentences = int(rng.integers(2, 21)), int(rng.integers(1, 11))
    space = linear_space(d, sentences, number % 3 == 2, rng)
    domain, D = Constrained(space.axes, space.limits), space.dimension
    kernel = Matern52(lengthscale=np.full(D, 0.3 * np.sqrt(D / 2)))
    prior = GaussianProcess(kernel, noise=1e-4)
    X, y = domain.spread(30, rng), rng.normal(size=30)
    if number % 2:
        truth = draw_paths(prior, rng, 1)[0]
        best = X[np.argsort(-truth(X))[:3]]
        X = np.concatenate([X, perturbed(domain, best, 30, length_scales(kernel, D), rng)])
        y = truth(X)
    return Case(domain, prior.condition(X, y), sentences), rng


Searches = dict[str, tuple[Score, Maximum, Maximum]]  # what is sought, found, found with more


def searches_of(case: Case, rng: np.random.Generator) -> Searches:
    """The highest point of a path, and what PIMS chooses, each found as a study finds it."""
    model, domain = case.model, case.domain
    usual, harder = Searched(model, domain, rng), Searched(model, domain, rng, effort=MORE)
    path = usual.samples(1)[0]
    score = path.path
    searches: Searches = {"path": (score, path.top(), PathSample(harder, score).top())}
    # as a study has it: g* among some points, or the highest mean where that is above it
    choice = improve(Step(model, domain, rng), usual, path, PATH_LOOKS)
    g_star, u = choice.info["g_star"], choice.u
    if choice.info["xi"]:
        searches["PIMS"] = best_score(harder, ProbabilityOfImprovement(g_star), u)
    else:
        mean = MeanScore(model)
        again = harder.search(mean, hints=u[None])
        searches["highest mean"] = (mean, Maximum(u, g_star), again)
    # and just above the highest mean, where a score has the most maxima
    top = usual.search(MeanScore(model))
    rule = ProbabilityOfImprovement(top.value + ABOVE)
    searches["g* above the mean"] = best_score(harder, rule, usual.top(rule, hints=top.u[None]).u)
    return searches


def best_score(harder: Searched, rule: Rule, u: Array) -> tuple[Score, Maximum, Maximum]:
    score = PosteriorScore(harder.model, rule)
    found = Maximum(u, float(score(u[None])[0]))
    return score, found, max((harder.top(rule) for _ in range(2)), key=lambda one: one.value)


def best_of_random(
    scores: Sequence[Score], domain: Constrained, rng: np.random.Generator, points: int
) -> tuple[Array, Array]:
    """The best and the median of each score at many points that obey."""
    best, medians = np.full(len(scores), -np.inf), []
    known = known_points(domain.region)
    U = known.points[rng.integers(len(known.points), size=BLOCK)]
    for _ in range(max(1, points // BLOCK)):
        U = walk(domain.region, U, 2, rng, known.points)
        parts = [U[i : i + 2000] for i in range(0, BLOCK, 2000)]
        values = np.array([np.concatenate([score(part) for part in parts]) for score in scores])
        best, medians = np.maximum(best, values.max(axis=1)), [*medians, np.median(values, axis=1)]
    return best, np.median(medians, axis=0)


def misses(cases: int = 40, points: int = POINTS) -> None:
    """How often a maximum is missed, beside random points and beside a search with more effort."""
    gaps: dict[str, list[tuple[float, float]]] = {}
    outside = 0
    for number in range(cases):
        case, rng = make_case(number)
        searches = searches_of(case, rng)
        bests, medians = best_of_random(
            [score for score, _, _ in searches.values()], case.domain, rng, points
        )
        line = []
        for (kind, (_, found, more)), best, median in zip(
            searches.items(), bests, medians, strict=True
        ):
            outside += not case.domain.limits.holds(found.u[None])[0]
            highest = max(found.value, more.value, best)
            unit = min(highest - median, 1.0 + abs(highest))
            pair = (float(best - found.value) / unit, (more.value - found.value) / unit)
            gaps.setdefault(kind, []).append(pair)
            line.append(f"{kind} {pair[0]:+.3f} {pair[1]:+.4f}")
        D = case.domain.dimension
        print(f"{number}: d = {D}, {case.sentences} sentences: {'; '.join(line)}", flush=True)
    for kind, pairs in gaps.items():
        by = np.array(pairs)
        missed, worst = (by > 0.01).sum(axis=0), by.max(axis=0)
        print(
            f"{kind}: of {len(by)} searches {missed[0]} missed by more than 1 % what {points} "
            f"random points reach (worst {worst[0]:+.3f}), {missed[1]} what more effort does "
            f"(worst {worst[1]:+.3f})"
        )
    print(f"{outside} outside")


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
