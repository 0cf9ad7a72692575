"""What one BLAS thread saves while matrices are small, and from where two gain.

    python -m benchmarks.threads

The work is one suggestion's linear algebra: a factor, a prediction at 500 points with gradients at
10, and a path. Both settings alternate within one run; the ratio is what counts. `SMALL` in
`pathmax.gp.blas_threads` is read off this table.
"""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.clock import machine, readable, seconds, table
from pathmax import gp
from pathmax.gp import blas_threads

SIZES = (20, 50, 100, 200, 300, 500, 800, 1200, 2000)


def work(n: int, rng: np.random.Generator):
    X, at = rng.random((n, 6)), rng.random((500, 6))
    y = np.sin(X.sum(axis=1))
    prior = gp.GaussianProcess(gp.Matern52(np.full(6, 0.8)), 1e-4)

    def once() -> None:
        model = prior.condition(X, y)
        model.predict(at)
        model.predict_gradient(at[:10])
        gp.draw_path(model, np.random.default_rng(0))(at)

    return once


def main() -> None:
    print(machine())
    rng = np.random.default_rng(0)
    rows = []
    small, blas_threads.SMALL = (
        blas_threads.SMALL,
        -1,
    )  # the library's own limit is off: we set it here
    try:
        for n in SIZES:
            once = work(n, rng)
            times = {}
            for limit in (1, None):
                with threadpool_limits(limits=limit, user_api="blas"):
                    times[limit] = seconds(once)
            ratio = f"{times[None] / times[1]:.2f}"
            rows.append([str(n), readable(times[1]), readable(times[None]), ratio])
    finally:
        blas_threads.SMALL = small
    print(table(["n", "one thread", "all threads", "all / one"], rows))


if __name__ == "__main__":
    main()
