"""Paths of several outcomes as one function: the same as one by one."""

import numpy as np

from pathmax import gp
from pathmax.acquisition.mirror_images import MirroredPath
from pathmax.acquisition.path_columns import JointPaths
from pathmax.acquisition.surfaces.path_score import PathScore
from tests.gp.test_stacked import processes


def test_values_and_gradients_are_those_of_each(rng):
    X = rng.random((9, 3))
    models = [*processes(X, rng), gp.GaussianProcess(gp.RBF(0.4), 1e-3)]  # and one without data
    own = [PathScore(gp.draw_path(model, rng), 3) for model in models]
    scores = [own[0], MirroredPath(own[1]), own[3], own[2], MirroredPath(own[3])]
    paths = JointPaths(scores)
    assert [stack.columns for stack in paths.stacks] == [[0, 1, 3]]
    assert paths.alone == [2, 4]
    U = rng.random((7, 3))
    expected = np.stack([score(U) for score in scores], axis=1)
    values, gradients = paths.value_and_gradient(U)
    np.testing.assert_allclose(paths(U), expected, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(paths.look(U), expected, rtol=1e-4, atol=1e-4)
    for i, score in enumerate(scores):
        slope = score.value_and_gradient(U)[1]
        np.testing.assert_allclose(gradients[:, i], slope, rtol=1e-8, atol=1e-8)
