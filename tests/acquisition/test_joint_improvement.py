"""Once the paths see small gaps only, PIMS goes where the front is expected to grow most."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import Pool
from pathmax.acquisition.hypervolume import hypervolume
from pathmax.acquisition.joint_improvement import KNOWN_GAP, KnownResults
from pathmax.acquisition.outcome_posteriors import Outcome, OutcomePosteriors
from pathmax.acquisition.targets import Targets

NONE = np.empty(0)


def seen(gap: float, front: np.ndarray | None = None) -> Targets:
    """Targets of paths that see this gap, and this front."""
    front = np.array([[0.0, 1.0], [1.0, 0.0]]) if front is None else front
    points = np.zeros((len(front), 1))
    return Targets(front[0], points[0], None, True, gap, front, points, None, front)


def test_a_front_is_known_when_gaps_are_small():
    means = np.array([[0.0, 1.0], [1.0, 0.0]])
    results = KnownResults(means, NONE, None)
    assert results.know_front(seen(0.9 * KNOWN_GAP))
    assert not results.know_front(seen(KNOWN_GAP))
    assert not results.know_front(seen(np.inf)) and not results.know_front(seen(np.nan))
    told = KnownResults(means, NONE, np.zeros(2))
    assert told.know_front(seen(0.0)) and told.know_front(seen(np.inf))  # the user's volume
    assert not KnownResults(np.eye(5), NONE, np.zeros(5)).know_front(seen(0.0))
    assert not KnownResults(means[:, :1], NONE, None).know_front(seen(0.0))  # one objective: PIMS
    assert KnownResults(np.eye(4), NONE, None).know_front(seen(0.0))
    assert not KnownResults(np.eye(5), NONE, None).know_front(seen(0.0))
    broken = KnownResults(np.column_stack([means, [-1.0, -2.0]]), np.zeros(1), None)
    assert not broken.know_front(seen(0.0))
    assert not KnownResults(broken.means, np.zeros(1), np.zeros(2)).know_front(seen(0.0))


@pytest.mark.parametrize("given", [None, (-0.5, -0.5)], ids=["of the paths", "the user's"])
def test_the_improvement_is_that_of_many_draws(given, rng):
    """Above the nadir of the paths less a tenth, over results within bounds, times feasibility."""
    means = np.array([[0.2, 0.7, 1.0], [0.6, 0.3, 0.5], [2.0, 2.0, -1.0]])  # the last breaks it
    promised = np.array([[0.1, 1.0], [1.1, 0.0]])
    reference = np.array([0.0, -0.1]) if given is None else np.array(given)
    results = KnownResults(means, np.zeros(1), None if given is None else reference)
    rule = results.improvement(seen(0.1, promised))
    mean, std = np.array([0.5, 0.4, 0.3]), np.array([0.3, 0.2, 0.4])
    draws = mean + std * rng.standard_normal((40_000, 3))
    known = means[:2, :2]
    before = hypervolume(known, reference)
    added = [hypervolume([*known, y], reference) - before for y in draws[:4000, :2]]
    feasible = (draws[:, 2] >= 0.0).mean()
    value = float(np.exp(rule(mean[None], std[None])[0]))
    assert value == pytest.approx(np.mean(added) * feasible, rel=0.06)


def test_pims_chooses_so_where_the_front_is_known_and_else_by_targets(rng):
    points = rng.random((120, 2))
    values = np.column_stack([points[:, 0], 1.0 - points[:, 0] ** 2]) - 0.3 * points[:, 1:] ** 2
    kernel = gp.RBF(lengthscale=0.5)
    by_gap = {True: 0, False: 0}
    for n in (3, 60):
        rows = np.arange(n)
        fitted = [gp.GaussianProcess(kernel, 1e-4).condition(points[rows], y[rows])
                  for y in values.T]  # fmt: skip
        outcomes = {name: Outcome(model, True) for name, model in zip("ab", fitted, strict=True)}
        for seed in range(4):
            made = [
                OutcomePosteriors(
                    outcomes, Pool(points), np.random.default_rng(seed), points[rows], 1.0
                )
                for _ in range(3)
            ]
            targets = made[0].draw()  # the same as those of the choices, by their seeds
            results = KnownResults(made[0].means(points[rows]), NONE, None)
            known = results.know_front(targets)
            by_gap[known] += 1
            moments = [np.stack(both, axis=1) for both in zip(
                *(model.predict(points) for model in fitted), strict=True)]  # fmt: skip
            expected = results.improvement(targets)(*moments)
            chosen = made[1].follow("pims", made[1].draw()).index
            if known:
                assert expected[chosen] == pytest.approx(expected.max(), abs=1e-9)
            assert made[2].follow("ei", made[2].draw()).index == np.argmax(expected)
    assert min(by_gap.values()) >= 2
