"""Does the search find what joint paths promise? Misses against twenty times the effort.

    python -m benchmarks.targets [--draws 20]

Models with 10 d observations of functions drawn from their own prior, paths of every outcome, and
the targets of these paths (`acquisition.joint_optima`): how long the search takes, how often it
falls short of the search with twenty times the looks and starts by more than 1 % of the objective's
spread (one objective) or of the front's spans (several), by how much on average, and how often only
one of the two finds the paths feasible.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from pathmax import gp
from pathmax.acquisition.joint_optima import promise
from pathmax.acquisition.surfaces.path_score import PathScore
from pathmax.acquisition.targets import Targets, feasible_rows, gaps_of
from pathmax.search.box import Box

CASES = (
    # d, objectives, constraints, length scale, bound
    (2, 1, 1, 0.3, 0.0),
    (4, 1, 2, 0.5, 0.0),
    (6, 1, 4, 0.7, 0.0),
    (6, 1, 2, 0.7, 1.2),
    (2, 2, 0, 0.3, 0.0),
    (4, 2, 0, 0.5, 0.0),
    (6, 2, 0, 0.7, 0.0),
    (6, 2, 2, 0.7, 0.0),
    (6, 3, 0, 0.7, 0.0),
    (6, 3, 1, 0.7, 0.0),
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--cases", type=int, nargs="*", default=range(len(CASES)))
    arguments = parser.parse_args()
    print("| d | objectives | constraints | bound | ms | missed | mean shortfall | one empty |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for case in arguments.cases:
        d, K, J, lengthscale, bound = CASES[case]
        times, short, odd = [], [], 0
        for seed in range(arguments.draws):
            took, gap = one(d, K, J, lengthscale, bound, seed)
            times.append(took)
            if gap is None:
                odd += 1
            else:
                short.append(gap)
        missed = sum(gap > 0.01 for gap in short)
        print(
            f"| {d} | {K} | {J} | {bound:g} | {1e3 * float(np.median(times)):.0f} | "
            f"{missed} of {len(short)} | {np.mean(short):.4f} | {odd} |",
            flush=True,
        )


def one(
    d: int, K: int, J: int, lengthscale: float, bound: float, seed: int
) -> tuple[float, float | None]:
    rng = np.random.default_rng([seed, d, K, J])
    X = rng.random((10 * d, d))
    models = []
    for _ in range(K + J):
        prior = gp.GaussianProcess(gp.Matern52(lengthscale), 1e-4)
        models.append(prior.condition(X, prior.sample(X, rng)[0]))
    paths = [PathScore(gp.draw_path(model, rng), d) for model in models]
    known = {"bounds": np.full(J, bound), "scales": np.full(d, lengthscale)}

    def search(effort: float) -> Targets:
        return promise(
            paths[:K], paths[K:], Box(d), X, np.random.default_rng(seed), **known, effort=effort
        )

    start = time.process_time()
    found = search(1.0)
    took = time.process_time() - start
    best = search(20.0)
    if found.feasible != best.feasible:
        return took, None
    if not best.feasible:
        return took, float(max(0.0, (best.values - found.values)[K:].max()))
    if K == 1:
        return took, float(best.values[0] - found.values[0])
    at_data = np.stack([path(X) for path in paths], axis=1)
    data = at_data[feasible_rows(at_data, known["bounds"]), :K]
    if not len(data):
        return took, 0.0
    # one scale for both: the front that was searched harder, with the other's target among it
    front = np.concatenate([best.front, found.values[None, :K]])
    gaps = gaps_of(front, data)
    return took, float(gaps[:-1].max() - gaps[-1])


if __name__ == "__main__":
    main()
