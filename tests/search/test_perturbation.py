"""Points about the best ones are points of the domain, and move few coordinates."""

import numpy as np

from pathmax import Categorical, Float, Int, Space
from pathmax.search.box import Box
from pathmax.search.perturbation import MOVED, perturbed
from pathmax.suggestion.available_points import everything


def test_in_many_dimensions_about_twenty_coordinates_move(rng):
    centres = rng.random((3, 200))
    U = perturbed(Box(200), centres, 400, np.full(200, 0.2), rng)
    assert U.shape == (400, 200) and U.min() >= 0.0 and U.max() <= 1.0
    moved = (U[:, None] != centres).sum(axis=2).min(axis=1)
    assert abs(moved.mean() - MOVED) < 1.0


def test_they_are_near_and_far(rng):
    U = perturbed(Box(2), np.full((1, 2), 0.5), 2000, np.full(2, 0.2), rng)
    distances = np.linalg.norm(U - 0.5, axis=1)
    assert np.quantile(distances, 0.1) < 0.01 and np.quantile(distances, 0.9) > 0.1


def test_listed_coordinates_stay_on_their_lists_and_sentences_hold(rng):
    parameters = {"x": Float(0, 1), "n": Int(0, 9), "kind": Categorical(["a", "b", "c"])}
    for where in ([], ["x + n / 9 <= 1.2"]):
        space = Space(parameters, where=where)
        domain = everything(space).domain
        U = perturbed(domain, domain.spread(4, rng), 300, np.full(3, 0.3), rng)
        rows = [space.decode(u) for u in U]
        assert all(space.validate(row) == row for row in rows)
        assert len({row["kind"] for row in rows}) == 3 and len({row["n"] for row in rows}) == 10
