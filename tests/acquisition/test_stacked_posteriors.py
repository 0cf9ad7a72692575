"""Which posteriors of a joint score are evaluated as one."""

import numpy as np

from pathmax.acquisition.joint import AllReach, JointScore
from pathmax.acquisition.mirror_images import Mirrored
from pathmax.acquisition.stacked_posteriors import stacked_parts
from tests.acquisition.test_joint import joint_moments
from tests.gp.test_stacked import processes


def test_those_at_the_same_points_are_one_part_and_the_others_parts_of_their_own(rng):
    X = rng.random((8, 2))
    one, two, three = processes(X, rng)
    later = three.condition(rng.random((1, 2)), [0.5])  # has seen one more
    models = [one, later, Mirrored(two), two]
    parts = stacked_parts(models)
    assert [columns.tolist() for columns, _ in parts] == [[0, 2, 3], [1]]
    U = rng.random((6, 2))
    score = JointScore(models, AllReach(np.array([0.1, -0.2, 0.0, 0.3])))
    for found, expected in zip(score.moments(U), joint_moments(models, U), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)
    value, gradient = score.value_and_gradient(U)
    for i in range(2):
        step = 1e-6 * (np.arange(2) == i)
        slope = (score(U + step) - score(U - step)) / 2e-6
        np.testing.assert_allclose(gradient[:, i], slope, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(value, score(U), rtol=1e-9)
