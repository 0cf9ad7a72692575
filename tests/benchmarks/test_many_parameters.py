"""Functions of many coordinates have their optimum inside the cube, and miss nothing there."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.many_parameters import high_problems


def optima(seed: int) -> list[np.ndarray]:
    """Where each of `high_problems` is best, from the shifts that its seed draws."""
    rng = np.random.default_rng(seed + 1999)
    shifts = {d: rng.uniform(-0.2, 0.2, d) for d in (20, 40, 100)}
    few = {d: rng.choice(d, k, replace=False) for d, k in ((20, 2), (40, 6), (100, 4))}
    away = rng.uniform(-0.2, 0.2, 4)
    six = [0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730054]
    whole = {d: np.full(d, 0.5) for d in (20, 40, 100)}
    whole[20][few[20]] = (np.pi + 5.0) / 15.0, 2.275 / 15.0
    whole[40][few[40]] = six
    whole[100][few[100]] = 0.55 - away
    return [
        3.048 / 4.096 - 0.2 * shifts[20],
        whole[20],
        (5.0 - 2.903534027771177) / 10.0 - shifts[40] / 2,
        whole[40],
        0.5 - shifts[100],
        whole[100],
    ]


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_missing_at_the_optimum_and_something_elsewhere(
    seed: int, rng: np.random.Generator
) -> None:
    for (name, d, gap), best in zip(high_problems(seed), optima(seed), strict=True):
        assert best.shape == (d,)
        assert ((best > 0.0) & (best < 1.0)).all(), name
        assert -1e-9 < gap(best) < 1e-6, name
        assert all(gap(u) > 1e-4 for u in rng.random((100, d))), name
