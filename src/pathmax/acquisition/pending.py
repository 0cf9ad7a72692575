"""Points that are running: believe in a posterior draw there (randomised kriging believer).

The values of running trials are unknown, so they are drawn, jointly, as observations: f + noise. A
model conditioned on such a draw has the variance that it will have when the values come in, and a
sample path of it is a sample path of the posterior without the draw, since

    p(g | data) = integral of p(g | data, y) p(y | data) over y.

Any acquisition then runs on that model as if the trials were finished. Each suggestion draws anew.
"""

from __future__ import annotations

import numpy as np

from pathmax.arrays import Array
from pathmax.gp import GaussianProcess


def believe(model: GaussianProcess, U: Array, rng: np.random.Generator) -> GaussianProcess:
    """`model` conditioned on a joint draw of observations at U (m, d)."""
    if not len(U):
        return model
    f = model.sample(U, rng, 1)[0]
    return model.condition(U, f + np.sqrt(model.noise) * rng.standard_normal(len(f)))
