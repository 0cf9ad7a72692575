"""The kernel that expects what parameters do alone, and the models that it gives."""

import numpy as np
import pytest

from pathmax import Categorical, Float, Grid, Int, Study, gp
from pathmax.space.space import Space
from pathmax.suggestion.additive_model import ADDITIVE_DRAWN, additive_kernel, additive_surrogates


def surrogates_of(study):
    session = study._session
    landscape = session.landscape()
    name = session.problem.goals.first.name
    rng = np.random.default_rng(0)
    return additive_surrogates(session.problem, name, landscape.surrogates[name], rng)


def test_every_parameter_has_a_term_of_its_own(rng):
    axes = Space({"x": Float(0, 1), "n": Int(1, 4), "c": Categorical(["a", "b", "c"])}).axes
    kernel = additive_kernel(axes)
    assert len(kernel.terms) == 4
    U, V = rng.random((5, 3)), rng.random((4, 3))
    U[:, 2], V[:, 2] = 0, [0, 1, 0, 2]
    for i, term in enumerate(kernel.terms[1:]):
        far = V.copy()
        far[:, [j for j in range(3) if j != i]] = 0
        np.testing.assert_array_equal(term(U, V), term(U, far))  # it looks at nothing else
    assert kernel.terms[0](U, V).shape == (5, 4)


def test_where_there_is_no_such_sum():
    assert additive_kernel(Space({"x": Float(0, 1)}).axes) is None
    assert additive_kernel(Space({f"x{i}": Float(0, 1) for i in range(13)}).axes) is None
    conditional = {"on": Categorical(["a", "b"]), "x": Float(0, 1, when="on == 'a'")}
    assert additive_kernel(Space(conditional).axes) is None


@pytest.mark.parametrize("given", [{"kernel": gp.RBF(0.3)}, {"model": "paper"}])
def test_whoever_brings_a_model_keeps_it(given):
    study = Study({"x": Float(0, 1), "y": Float(0, 1)}, seed=0, **given)
    study.add({"x": 0.5, "y": 0.5}, 1.0)
    assert surrogates_of(study) == ()


def test_a_sum_is_predicted_from_its_edges(rng):
    """Results along two lines tell a sum everywhere, if one expects sums: a product does not."""
    space = {"x": Float(0, 1), "y": Float(0, 1)}

    def f(x, y):
        return np.sin(9 * x) + np.cos(8 * y)

    study = Study(space, direction="maximize", seed=0)
    for v in np.linspace(0, 1, 9):
        study.add({"x": float(v), "y": 0.0}, float(f(v, 0.0)))
        study.add({"x": 0.0, "y": float(v)}, float(f(0.0, v)))
    U = 0.3 + 0.7 * rng.random((200, 2))
    found = surrogates_of(study)
    assert len(found) == ADDITIVE_DRAWN
    mean = np.mean([one.transform.outward(one.model.predict(U)[0]) for one in found], axis=0)
    usual = study.predict([{"x": x, "y": y} for x, y in U.tolist()]).mean
    error, before = (np.abs(m - f(*U.T)).mean() for m in (mean, usual))
    assert error < 0.5 * before


def test_a_grid_needs_no_structure():
    study = Study(Grid({"a": [0.0, 0.5, 1.0], "b": [1, 2, 3]}), seed=0)
    for a, b in [(0.0, 1), (0.5, 2), (1.0, 3), (0.0, 3)]:
        study.add({"a": a, "b": b}, a + b)
    for one in surrogates_of(study):
        assert isinstance(one.posterior, gp.GaussianProcess)
