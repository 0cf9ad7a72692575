"""Failed trials are avoided, not just forgotten.

A failure says nothing about the value, but much about whether to come again. The model is told a
pessimistic value there, below what it expected by two of its standard deviations:

    y_failed = mean(u_failed) - 2 std(u_failed)

(imputation by a penalised prediction: Forrester, Sobester and Keane, Proc. R. Soc. A 462, 2006.)
Where nothing was known the whole neighbourhood falls behind; next to good results the model dips as
far as the data allow and no further, because a bolder value (the worst one seen, say) would make a
smooth model swing. Hyper-parameters are learnt from real values alone.
"""

from __future__ import annotations

from pathmax.gp import GaussianProcess
from pathmax.outcomes import Array

INTERRUPTED = "interrupted before there was a result"  # no fault of the point: it stays free

PESSIMISM = 2.0


def avoid(model: GaussianProcess, failed: Array) -> GaussianProcess:  # (f, d)
    """The model with a pessimistic value at every failed point."""
    if not len(failed):
        return model
    mean, std = model.predict(failed)
    return model.condition(failed, mean - PESSIMISM * std)
