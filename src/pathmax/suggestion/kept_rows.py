"""Which results a model keeps when there are too many for an exact one.

Up to MOST results the model has them all. Beyond, it is the exact posterior of MOST of them:

    a quarter: those most correlated with the best one | others, evenly over the order they came in

So nothing is approximated but what the model knows: it says what these results say, and is less
sure where some are left out, never more. Nothing jumps at the limit, in quality or in time: of
MOST + 1 results one is missing. Inducing points take longer, are farther off in the worst cases and
claim to be surer than all results make one; conjugate gradients take too long. To keep the highest
values as well is worse: under noise they are those that luck has raised
(benchmarks/many_results.md).
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.parameter_density import spread_rows

MOST = 2000  # results
EXTENSION_BLOCK = 64  # results, after which those to keep are chosen anew
MOST_FAILED = 1000  # points that failed: they enter the model of an objective besides
NEAR = 0.25  # of them

RESULTS = (
    f"with more than {MOST} results the model has {MOST} of them: those nearest to the best, and "
    "others evenly over time; where it leaves some out it is less sure than all would make it"
)
FAILURES = (
    f"of more than {MOST_FAILED} points that failed the model is kept away from {MOST_FAILED}: "
    "those nearest to the best result, and others evenly over time"
)


def kept_rows(kernel: Kernel, X: Array, best: Array, most: int) -> Index:  # (n, d), (d,) ->
    """The rows to keep, in order: all, if they are few enough."""
    if len(X) <= most:
        return np.arange(len(X))
    alike = kernel(X, best[None])[:, 0]
    kept = np.zeros(len(X), dtype=bool)
    kept[np.argsort(-alike, kind="stable")[: int(NEAR * most)]] = True
    others = np.flatnonzero(~kept)
    kept[others[spread_rows(len(others), most - int(kept.sum()))]] = True
    return np.flatnonzero(kept)


def cuts(start: int, n: int, *, one_by_one: bool = True) -> list[int]:
    """Where the steps end in which n observations are added, `start` of them at first.

    Too many are chosen from at the last block, and those since come in one step unless they shall
    come `one_by_one`, as on a grid: what a process has to do that kept nothing is then the same.
    """
    blocks = list(range(start, n + 1, EXTENSION_BLOCK))
    last = blocks[-1]
    if last > MOST:
        return [last, *(range(last + 1, n + 1) if one_by_one else [n][: n - last])]
    return [cut for cut in [*blocks, *range(last + 1, n + 1)] if cut > 0]
