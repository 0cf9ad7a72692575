"""A prior mean that falls off towards the corners: everything that a constant one does, it does."""

from __future__ import annotations

import numpy as np
import pytest

from pathmax.acquisition import Box, Pool, choose
from pathmax.errors import ModelError
from pathmax.gp import Bowl, GaussianProcess, GridPosterior, Matern52, draw_path, draw_paths, fit
from pathmax.gp.parameter_posterior import ParameterPosterior
from pathmax.gp.priors import default_priors

Array = np.ndarray
ON = [(0, 1, 2), (0, 2)]


def numeric(f, X: Array, step: float = 1e-5) -> Array:  # (m, d) -> (m, d)
    shifts = step * np.eye(X.shape[1])
    return np.stack([(f(X + e) - f(X - e)) / (2 * step) for e in shifts], axis=1)


@pytest.fixture
def data(rng: np.random.Generator) -> tuple[Array, Array]:
    X = rng.random((20, 3))
    return X, np.sin(5 * X[:, 0]) - 4 * np.square(X - 0.4).sum(axis=1)


@pytest.fixture(params=ON, ids=str)
def model(request: pytest.FixtureRequest, data: tuple[Array, Array]) -> GaussianProcess:
    prior = GaussianProcess(Matern52(np.full(3, 0.7)), 1e-6, 0.3, bowl=Bowl(1.7, request.param))
    return prior.condition(*data)


def test_it_is_nothing_at_the_centre_and_its_depth_in_the_corners() -> None:
    bowl = Bowl(2.0, (0, 2))
    X = np.array([[0.5, 0.9, 0.5], [0.0, 0.3, 1.0], [0.0, 0.3, 0.5]])
    assert bowl(X) == pytest.approx([0.0, -2.0, -1.0])
    assert bowl.gradient(X) == pytest.approx(numeric(bowl, X), abs=1e-8)
    assert Bowl.from_json(bowl.to_json()) == bowl


def test_without_it_the_same_is_expected_on_average(model: GaussianProcess) -> None:
    assert model.bowl is not None
    level, axis = model.levelled(), (np.arange(200) + 0.5) / 200
    X = np.stack([axis, axis, axis], axis=1)  # on which each coordinate goes through its range
    assert level.prior_mean(X) == pytest.approx(np.mean(model.prior_mean(X)), abs=1e-4)
    again = GaussianProcess(model.kernel, model.noise, level.mean).condition(model.X, model.y)
    for mine, other in zip(level.predict(X), again.predict(X), strict=True):
        assert mine == pytest.approx(other)
    assert level.levelled() is level


def test_the_order_of_the_coordinates_does_not_matter() -> None:
    X = np.array([[0.1, 0.8, 0.4]])
    one, other = Bowl(2.0, (2, 0, 1)), Bowl(2.0, (0, 1, 2))
    assert one == other
    assert one.gradient(X) == pytest.approx(numeric(one, X), abs=1e-8)


@pytest.mark.parametrize("wrong", [(1.0, ()), (1.0, (0, 0)), (1.0, (-1,)), (np.nan, (0,))])
def test_what_is_no_bowl_is_refused(wrong: tuple[float, tuple[int, ...]]) -> None:
    with pytest.raises(ModelError, match="must"):
        Bowl(*wrong)


def test_the_posterior_is_that_of_the_residuals(
    model: GaussianProcess, data: tuple[Array, Array], rng: np.random.Generator
) -> None:
    """Bowl + GP(y - bowl): what a mean function means."""
    X, y = data
    assert model.bowl is not None
    plain = GaussianProcess(model.kernel, 1e-6, 0.3).condition(X, y - model.bowl(X))
    Z = rng.random((7, 3))
    mean, std = model.predict(Z)
    expected, expected_std = plain.predict(Z)
    assert mean == pytest.approx(model.bowl(Z) + expected, rel=1e-9)
    assert std == pytest.approx(expected_std, rel=1e-9)
    assert model.joint(Z).mean == pytest.approx(mean, rel=1e-9)
    assert model.log_marginal_likelihood() == pytest.approx(plain.log_marginal_likelihood())
    assert model.fitted == pytest.approx(model.predict(X).mean, abs=1e-6)


def test_gradients_are_those_of_differences(
    model: GaussianProcess, rng: np.random.Generator
) -> None:
    Z = rng.random((5, 3))
    slopes = model.predict_gradient(Z)
    assert slopes.mean_gradient == pytest.approx(numeric(lambda U: model.predict(U).mean, Z), 1e-5)

    def partials(mean: Array, std: Array) -> tuple[Array, Array, Array]:
        return mean + 2 * std, np.ones_like(mean), np.full_like(std, 2.0)

    _, gradient = model.chain(Z, partials)
    assert gradient == pytest.approx(numeric(lambda U: model.chain(U, partials)[0], Z), abs=1e-5)
    path = draw_path(model, rng)
    assert path.gradient(Z) == pytest.approx(numeric(path, Z), abs=1e-5)
    family = draw_paths(model, rng, 2)
    assert family.gradient(Z)[1] == pytest.approx(numeric(lambda U: family(U)[1], Z), abs=1e-5)


@pytest.mark.parametrize("kind", ["pathwise", "rff"])
def test_paths_have_the_moments_of_the_posterior(
    kind: str, model: GaussianProcess, rng: np.random.Generator
) -> None:
    Z = rng.random((6, 3))
    draws = np.concatenate([draw_paths(model, rng, 50, kind=kind)(Z) for _ in range(40)])
    mean, std = model.predict(Z)
    assert np.abs(draws.mean(axis=0) - mean).max() < 0.15 * std.max()
    if kind == "pathwise":
        assert draws.std(axis=0) == pytest.approx(std, rel=0.1)


def test_without_data_a_path_has_the_prior_mean(rng: np.random.Generator) -> None:
    prior = GaussianProcess(Matern52(np.ones(2)), 1e-6, 0.5, bowl=Bowl(3.0, (0, 1)))
    corner, centre = np.array([[0.0, 1.0]]), np.array([[0.5, 0.5]])
    assert prior.predict(corner).mean == pytest.approx([-2.5])
    assert prior.predict(centre).mean == pytest.approx([0.5])
    draws = np.array([draw_path(prior, rng)(np.vstack([corner, centre])) for _ in range(2000)])
    assert draws.mean(axis=0) == pytest.approx([-2.5, 0.5], abs=0.1)


@pytest.mark.parametrize("on", ON, ids=str)
def test_the_evidence_has_the_gradient_of_differences(
    on: tuple[int, ...], data: tuple[Array, Array]
) -> None:
    X, y = data
    y = (y - y.mean()) / y.std()
    posterior = ParameterPosterior(
        Matern52(np.ones(3)), X, y, np.full(20, np.nan), default_priors(3), on
    )
    theta, step = posterior.location + 0.2, 1e-5
    _, gradient = posterior(theta)
    for i, e in enumerate(step * np.eye(len(theta))):
        slope = (posterior(theta + e)[0] - posterior(theta - e)[0]) / (2 * step)
        assert gradient[i] == pytest.approx(slope, rel=1e-4, abs=1e-5)


def test_constant_and_depth_are_the_most_probable_ones(data: tuple[Array, Array]) -> None:
    """Against brute force: no other pair makes the data and the priors more probable."""
    X, y = data
    y = (y - y.mean()) / y.std()
    priors, on = default_priors(3), (0, 1, 2)
    posterior = ParameterPosterior(Matern52(np.ones(3)), X, y, np.full(20, np.nan), priors, on)
    theta = posterior.start

    def minus_log(mean: float, depth: float) -> float:
        kernel, noise = posterior.model(theta)
        process = GaussianProcess(kernel, noise, mean, bowl=Bowl(depth, on)).condition(X, y)
        unlikely = (mean / priors.mean_spread) ** 2
        unlikely += ((depth - priors.depth) / priors.depth_spread) ** 2
        return -process.log_marginal_likelihood() + 0.5 * unlikely

    mean, depth = posterior.mean(theta).tolist()
    best = minus_log(mean, depth)
    for a, b in [(0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05), (0.05, 0.05), (-0.05, 0.05)]:
        assert minus_log(mean + a, depth + b) > best


def test_the_depth_is_learnt(rng: np.random.Generator) -> None:
    """Data whose best is in a corner turn the bowl over, in any unit."""
    X = rng.random((60, 2))
    hill, hollow = (sign * np.square(2 * X - 1).sum(axis=1) for sign in (-1.0, 1.0))
    for unit in (1e-3, 1.0, 1e6):
        falls = fit(Matern52(np.ones(2)), X, 7.0 + unit * hill, bowl_on=(0, 1)).bowl
        rises = fit(Matern52(np.ones(2)), X, 7.0 + unit * hollow, bowl_on=(0, 1)).bowl
        assert falls is not None and rises is not None
        assert falls.depth > 0.5 * unit
        assert rises.depth < 0.5 * unit


def test_no_bowl_unless_asked_for(data: tuple[Array, Array]) -> None:
    assert fit(Matern52(np.ones(3)), *data).bowl is None
    assert fit(Matern52(np.ones(3)), *data, priors=None, bowl_on=(0,)).bowl is None


def test_a_pool_is_scanned_with_it(model: GaussianProcess, rng: np.random.Generator) -> None:
    rows = rng.random((500, 3))
    choice = choose("gp-ucb", model, Pool(rows), rng, t=20, confidence=2.0)
    mean, std = model.predict(rows)
    assert choice.index == int(np.argmax(mean + np.sqrt(2.0) * std))


def test_the_discretised_variant_goes_without_the_grid(
    model: GaussianProcess, rng: np.random.Generator
) -> None:
    choice = choose("pims", model, Box(3), rng, t=20, discretization=6)
    assert (choice.u * 5) == pytest.approx(np.round(choice.u * 5))
    with pytest.raises(ModelError, match="constant prior mean"):
        GridPosterior.of(model, [np.linspace(0, 1, 4)] * 3)
