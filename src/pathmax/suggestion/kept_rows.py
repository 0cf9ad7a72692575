"""Which results a model keeps when there are too many for an exact one.

Up to MOST results the model has them all. Beyond, it is the exact posterior of MOST of them:

    a quarter: those most correlated with the best one | others, evenly over the order they came in

So nothing is approximated but what the model knows: it says what these results say, and is less
sure where it left some out, never more. Where it starts nothing jumps, in quality or in time: of
MOST + 1 results one is missing. Means, deviations and maxima of paths are nearer to those of all
results than with inducing points, and never surer than those; conjugate gradients take too long.
To keep the highest values as well is worse: under noise they are those that luck has raised
(benchmarks/many_results.md).
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array, Index
from pathmax.gp.kernels.base import Kernel
from pathmax.gp.parameter_posterior import spread_rows

MOST = 2000
NEAR = 0.25  # of them

REMARK = (
    f"with more than {MOST} results the model has {MOST} of them: those nearest to the best, and "
    "others evenly over time; where it leaves some out it is less sure than all would make it"
)


def kept_rows(kernel: Kernel, X: Array, y: Array, most: int = MOST) -> Index:  # (n, d), (n,) ->
    """The rows to keep, in order: all, if they are few enough. Larger y are better."""
    n = len(y)
    if n <= most:
        return np.arange(n)
    alike = kernel(X, X[int(np.argmax(y))][None])[:, 0]
    kept = np.zeros(n, dtype=bool)
    kept[np.argsort(-alike, kind="stable")[: int(NEAR * most)]] = True
    others = np.flatnonzero(~kept)
    kept[others[spread_rows(len(others), most - int(kept.sum()))]] = True
    return np.flatnonzero(kept)
