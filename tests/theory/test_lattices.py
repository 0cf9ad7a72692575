"""The finite sets of the proofs: their sizes by hand, and that they are fine enough."""

import math

import numpy as np
import pytest

from pathmax import gp, theory
from pathmax.errors import ModelError

KNOWN = {"dimension": 2, "r": 2.0, "a": 3.0, "b": 1.5}
SLOPE = 1.5 * (math.sqrt(math.log(6)) + math.sqrt(math.pi) / 2)


def test_the_sizes_by_hand():
    t = np.array([1, 3])
    plain = np.ceil(2 * 2.0 * SLOPE * t**2)
    for theorem in ("4.3", "B.1", "C.1"):
        assert theory.lattice_points(theorem, t, **KNOWN).tolist() == plain.tolist()
    steep = np.ceil(2 * 2.0 * 50.0 * t**2)
    assert theory.lattice_points("3.2", t, **KNOWN, lipschitz=50.0).tolist() == steep.tolist()
    flat = theory.lattice_points("3.2", t, **KNOWN, lipschitz=0.1)
    assert flat.tolist() == plain.tolist()
    noisy = np.ceil(2 * 2.0 * SLOPE * t**2 * np.sqrt((0.1 + 5 + t) / 0.1))
    found = theory.lattice_points("4.2", t, **KNOWN, noise=0.1, initial=5)
    assert found.tolist() == noisy.tolist()


def test_the_constants_of_the_theorems_are_those_of_their_lattices():
    t = np.arange(1, 6)
    for theorem, constant in (
        ("3.2", theory.s_t(t, **KNOWN, lipschitz=9.0)),
        ("B.1", theory.s_t(t, **KNOWN)),
        ("4.2", theory.m_t(t, **KNOWN, noise=0.01, initial=3)),
        ("4.3", theory.m_t(t, **KNOWN)),
    ):
        more = {"3.2": {"lipschitz": 9.0}, "4.2": {"noise": 0.01, "initial": 3}}.get(theorem, {})
        size = theory.lattice_points(theorem, t, **KNOWN, **more) ** 2
        assert constant == pytest.approx(2 + 2 * np.log(size / 2))


def test_what_is_lost_between_the_points_is_a_sum_over_one_over_t_squared():
    t = np.arange(1, 50)
    lost = theory.path_error(theory.lattice_points("4.3", t, **KNOWN), **KNOWN)
    assert np.all(lost * t**2 <= 1 + 1e-12)
    tau = theory.lattice_points("3.2", t, **KNOWN, lipschitz=7.0)
    lost = theory.deviation_error(tau, dimension=2, r=2.0, lipschitz=7.0)
    assert np.all(lost * t**2 <= 1 + 1e-12)


def test_paths_and_deviations_change_by_less_than_the_lemmas_say(rng):
    kernel, tau = gp.RBF(0.3), 12
    tail = theory.derivative_tail(kernel, 1, rng, n_paths=64, n_points=256)
    middles = theory.lattice_set(tau, 1)
    X = np.linspace(0, 1, 601)[:, None]
    nearest = np.abs(X - middles.T).argmin(axis=1)
    prior = gp.GaussianProcess(kernel, noise=1e-2)
    lost = []
    for _ in range(100):
        path = gp.draw_path(prior, rng)
        lost.append(np.abs(path(X) - path(middles)[nearest]).max())
    assert np.mean(lost) < theory.path_error(tau, dimension=1, a=tail.a, b=tail.b)  # Lemma D.3
    posterior = prior.condition([[0.2], [0.21], [0.8]], [0.0, 1.0, 0.5])
    std, at = posterior.predict(X)[1], posterior.predict(middles)[1]
    bound = theory.deviation_error(tau, dimension=1, lipschitz=theory.lipschitz_std(kernel))
    assert np.abs(std - at[nearest]).max() < bound  # Lemma D.4


def test_a_lattice_covers_the_box_and_one_that_is_too_large_is_refused():
    points = theory.lattice_set(4, 2, r=2.0)
    assert points.shape == (16, 2)
    assert (points.min(), points.max()) == (0.25, 1.75)
    with pytest.raises(ModelError, match="too large to list"):
        theory.lattice_set(1000, 3)


@pytest.mark.parametrize(
    ("theorem", "message"),
    [("5.1", "theorem must be one of"), ("3.2", "needs lipschitz="), ("4.2", "give noise=")],
)
def test_what_is_missing_is_named(theorem, message):
    with pytest.raises(ModelError, match=message):
        theory.lattice_points(theorem, 1, **KNOWN)
