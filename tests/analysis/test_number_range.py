"""The ends of the range of numbers: whatever was told, what is reported is finite, with a warning
being an error. Fuzzed over 160 studies; what was found stands here, with a few drawn afresh."""

import numpy as np
import pytest

import pathmax
from pathmax import gp

ENDS = [5e-324, 0.0, 1e-323, 1e-308, 2.3e-308, 1e-160, 1.0, 1e150, 1e160, 1e300, 1.7e308]
FIXED = {"kernel": gp.RBF(0.3), "refit_every": None}

FOUND = [
    ([5e-324, 0.0, 1e-323], {"noise": 1e300, "warp": False, "initial": 0}),
    ([1.7e308, -1.7e308], {}),
    ([1.7e308, -1.0, 1e300, -1e300], {"noise": 1e300, "direction": "minimize"}),
    ([-1.7e308], {"noise": 1e308}),
    ([8.26e-161], {"noise": 1e308, "initial": 0, **FIXED}),
    ([1e-323, 1e-160, 1.7e308, -1.0, -1.0, 1e-308, 5e-324], {"noise": 1e308, **FIXED}),
]


def drawn(seed):
    rng = np.random.default_rng([seed, 21])
    values = rng.choice([*ENDS, *(-np.array(ENDS))], int(rng.integers(1, 8)))
    settings = {"warp": bool(rng.random() < 0.7)}
    if rng.random() < 0.5:
        settings["noise"] = float(rng.choice([0.0, 1e-300, 1.0, 1e300, 1e308]))
    return [float(value) for value in values], settings


@pytest.mark.parametrize(("values", "settings"), [*FOUND, *(drawn(seed) for seed in range(2))])
def test_what_is_reported_is_finite(values, settings):
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0, **settings)
    for i, value in enumerate(values):
        study.add({"x": (0.37 * i + 0.1) % 1}, value)
    trial = study.ask()
    assert 0 <= trial.params["x"] <= 1 and study.replay(trial) == trial.params
    assert np.isfinite(study.predict([{"x": 0.3}, study.recommend()])).all()
    regret = study.regret(n_paths=6)
    assert np.isfinite(regret.mean) and np.isfinite(regret.quantile(0.95))
    ranking = study.best_probabilities(n_paths=6)
    assert np.isfinite(ranking.mean).all() and np.isfinite(ranking.std).all()
    assert "expected" in repr(regret) and "inf" not in repr(regret)
