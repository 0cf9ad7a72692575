"""One entry for every method and domain: what comes back, and what is refused."""

import math

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import METHODS, Box, Choice, GridDomain, Mixed, Pool, choose
from pathmax.errors import SettingsError
from pathmax.search.lattice import ListedAxis

AXES = [np.linspace(0, 1, 7)] * 2
DOMAINS = {
    "box": Box(2),
    "mixed": Mixed([ListedAxis(None, "float"), ListedAxis(np.linspace(0, 1, 7))]),
    "lattice": Mixed([ListedAxis(np.linspace(0, 1, 7))] * 2),
    "pool": Pool(GridDomain(AXES).points(np.arange(49))),
    "grid": GridDomain(AXES),
}
EXPLAINED_BY = {
    "pims": {"g_star", "xi", "x_star"},
    "ts": {"g_star", "eta"},
    "gp-ucb": {"beta"},
    "irgp-ucb": {"zeta"},
    "ei": {"reference", "log_ei"},
    "pi": {"reference", "z"},
    "mes": {"g_stars", "gain"},
    "jes": {"g_stars", "gain"},
    "eims": {"g_star", "x_star", "log_ei"},
    "gp-est": {"m_hat", "z"},
    "es": {"gain"},
    "pes": {"gain"},
    "kg": {"gain"},
}


def model_of(y, X=None, **settings):
    X = GridDomain(AXES).points([3, 10, 24, 33, 45])[: len(y)] if X is None else X
    return gp.GaussianProcess(gp.RBF(0.3), **{"noise": 1e-6} | settings).condition(X, y)


def test_the_methods_are_those_of_the_paper():
    names = "pims ts gp-ucb irgp-ucb ei pi mes jes eims gp-est random es pes kg"
    assert METHODS == tuple(names.split())


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("method", METHODS)
def test_a_choice_lies_in_the_domain_and_explains_itself(method, domain, rng):
    model = model_of([0.1, 0.7, -0.3, 0.4, 0.2])
    choice = choose(method, model, DOMAINS[domain], rng, t=6, n_samples=3)
    assert isinstance(choice, Choice) and choice.u.shape == (2,)
    assert ((choice.u >= 0) & (choice.u <= 1)).all()
    assert choice.info["method"] == method
    if domain in ("pool", "grid"):
        np.testing.assert_array_equal(DOMAINS[domain].points([choice.index])[0], choice.u)
    else:
        assert choice.index is None and choice.info.get("x_star_index") is None
    if method == "random":
        return
    assert EXPLAINED_BY[method] <= set(choice.info)
    mean, std = model.predict(choice.u[None])
    assert choice.info["mean"] == pytest.approx(mean[0], abs=1e-6)
    assert choice.info["std"] == pytest.approx(std[0], rel=1e-4)
    if method == "pims":
        assert choice.info["mean"] + choice.info["xi"] * choice.info["std"] == pytest.approx(
            choice.info["g_star"]
        )


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("method", METHODS)
def test_one_seed_one_choice(method, domain):
    model = model_of([0.1, 0.7, -0.3])
    first, second = (
        choose(method, model, DOMAINS[domain], np.random.default_rng([4, 2]), t=4, n_samples=2)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.u, second.u)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "model",
    [
        gp.GaussianProcess(gp.RBF(0.3), 1e-6),
        model_of([0.5]),
        model_of([1.0, 1.0, 1.0, 1.0]),
        model_of([0.0, 0.0], X=[[0.5, 0.5], [0.5, 0.5]]),
        model_of([1e-300, 2e-300, -1e-300]),
        model_of([1e300, -1e300, 0.0]),
        model_of([0.0, 1.0, 2.0], noise=0.0),
        model_of([0.0, 1.0, 2.0], noise=100.0),
    ],
    ids=["prior", "one", "constant", "twice", "1e-300", "1e300", "noiseless", "noisy"],
)
def test_hard_models_still_give_a_point(method, domain, model, rng):
    choice = choose(method, model, DOMAINS[domain], rng, t=1, n_samples=2, effort=0.1)
    assert ((choice.u >= 0) & (choice.u <= 1)).all()
    for name in ("mean", "std", "xi", "eta", "g_star"):
        assert not math.isnan(choice.info.get(name, 0.0))


def test_without_a_model_only_random_works(rng):
    choose("random", None, Box(2), rng)
    with pytest.raises(SettingsError, match="needs a model"):
        choose("pims", None, Box(2), rng)


def test_an_unknown_method_is_refused_with_the_known_ones(rng):
    with pytest.raises(SettingsError, match=r"one of pims, ts, .*got 'ucb'"):
        choose("ucb", model_of([0.5]), Box(2), rng)


@pytest.mark.parametrize("method", ["pims", "ts"])
def test_discretised_choices_stay_on_the_finite_set(method, rng):
    """The appendix's variant: path and choice over X_t inside a box."""
    model = model_of([0.1, 0.7, -0.3])
    choice = choose(method, model, Box(2), rng, discretization=21)
    np.testing.assert_allclose(choice.u * 20, np.round(choice.u * 20), atol=1e-9)
    points = rng.random((500, 2))
    choice = choose(method, model, Box(2), np.random.default_rng(3), discretization=points)
    path = gp.draw_path(model, np.random.default_rng(3))
    values = path(points)
    assert choice.info["g_star"] == pytest.approx(values.max(), abs=1e-6)
    if method == "ts":
        assert choice.index == np.argmax(values)
    else:
        mean, std = model.predict(points)
        assert choice.index == np.argmin((values.max() - mean) / std)


def test_thompson_moves_to_the_nearest_point_as_printed():
    """Theorem B.1: the path is maximised over the box, and [x_t]_t is evaluated."""
    model = model_of([0.1, 0.7, -0.3])
    free = choose("ts", model, Box(2), np.random.default_rng(3))
    near = choose("ts", model, Box(2), np.random.default_rng(3), discretization=6, nearest=True)
    assert near.u == pytest.approx(np.round(free.u * 5) / 5, abs=1e-9)
    assert near.info["g_star"] == free.info["g_star"]  # the maximum over the box
    path = gp.draw_path(model, np.random.default_rng(3))
    mean, std = model.predict(near.u[None])
    eta = (path(near.u[None])[0] - mean[0]) / std[0]  # of g at [x_t]_t, as in the proof
    assert near.info["eta"] == pytest.approx(eta, abs=1e-6)
    points = np.random.default_rng(0).random((50, 2))
    near = choose(
        "ts", model, Box(2), np.random.default_rng(3), discretization=points, nearest=True
    )
    assert near.u == pytest.approx(points[np.argmin(np.sum((points - free.u) ** 2, axis=1))])
    with pytest.raises(SettingsError, match="nearest=True needs discretization="):
        choose("ts", model, Box(2), np.random.default_rng(3), nearest=True)


def test_discretisation_is_for_paths_on_a_box(rng):
    model = model_of([0.5])
    for method, domain in (("ei", Box(2)), ("pims", GridDomain(AXES))):
        with pytest.raises(SettingsError, match="discretization"):
            choose(method, model, domain, rng, discretization=5)
    with pytest.raises(SettingsError, match="2 or more"):
        choose("ts", model, Box(2), rng, discretization=1)


@pytest.mark.parametrize("kind", ["pathwise", "rff", "exact"])
def test_kinds_of_paths(kind, rng):
    model = model_of([0.1, 0.7, -0.3])
    for name in ("pool", "grid", "lattice"):
        choose("pims", model, DOMAINS[name], rng, kind=kind)
    if kind == "exact":
        with pytest.raises(SettingsError, match="pools and grids"):
            choose("pims", model, Box(2), rng, kind=kind)
        with pytest.raises(SettingsError, match="at most"):
            choose("pims", model, Pool(rng.random((6000, 2))), rng, kind=kind)
    else:
        choose("pims", model, Box(2), rng, kind=kind, n_features=32)
