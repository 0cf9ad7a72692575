"""Failed trials are avoided, not just forgotten.

A failure says nothing about the value, but much about whether to come again. The model is told a
value there that is below what it expected and below the middle of what it has seen:

    y_failed = min(mean - 2 std, median(y))      mean and std of the model without the failures

The first bound is the penalised prediction of Forrester, Sobester and Keane (Proc. R. Soc. A 462,
2006). It makes a region that nothing is known of less attractive once a trial failed there. Next to
good results it is still a high value: a study whose values rise towards a region that fails would
go on trying the edge of that region. Hence the second bound. Hyper-parameters are learnt from real
values alone. Of too many failed points some are left out (`kept_rows`).

This steers: suggestions, recommendations and what sample paths say of the best keep away. What
is said of values (`predict`, expected values of a ranking, cross-validation) comes from results
alone: a pessimistic value beside the best result would contradict it.

Chosen among twelve rules on four problems: where a region fails there are fewer failures and less
regret than when they are forgotten; where failures are mere chance, avoiding them costs regret
(benchmarks/surrogate.md).
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import GaussianProcess
from pathmax.suggestion.kept_rows import MOST_FAILED, kept_rows


def avoid(model: GaussianProcess, failed: Array) -> GaussianProcess:  # (f, d)
    """The model with a pessimistic value at every failed point."""
    if not len(failed):
        return model
    if len(failed) > MOST_FAILED:
        best = model.X[int(np.argmax(model.fitted))] if model.n else failed[-1]
        failed = failed[kept_rows(model.kernel, failed, best, MOST_FAILED)]
    mean, std = model.predict(failed)
    middle = float(np.median(model.y)) if model.n else np.inf
    return model.condition(failed, np.minimum(mean - 2.0 * std, middle))
