"""Sample paths: their moments are the posterior's, and they are functions.

100,000 draws: means and covariances are off by less than 4.5 standard errors, std/sqrt(N) and
sqrt(c_ii c_jj + c_ij^2)/sqrt(N). Random features are shared within a batch of paths, so the draws
of a batch are correlated; the standard error is then taken from the spread between batches.
"""

import numpy as np
import pytest

from pathmax import gp
from pathmax.errors import ModelError
from pathmax.gp.embedding import Embedding, Properties
from pathmax.gp.kernels.embedded import Embedded
from pathmax.gp.kernels.nearness import Nearness
from tests.own_kernels import Periodic, RationalQuadratic

KERNELS = {
    "rbf": gp.RBF(0.4, outputscale=2.0),
    "rbf-ard": gp.RBF([0.3, 0.6, 3.0]),
    "matern12": gp.Matern12(0.4, on=(0, 1)),
    "matern32": gp.Matern32(0.4, on=(0, 1)),
    "matern52": gp.Matern52([0.3, 0.7], on=(0, 1), outputscale=0.5),
    "linear": gp.Linear(0.7, outputscale=1.5),
    "categorical": gp.Categorical(0.3, on=(2,)),
    "mixed": gp.Matern52([0.3, 0.7], on=(0, 1)) * gp.Categorical(0.4, on=(2,)),
    "linear-mixed": gp.Linear(0.5, on=(0, 1)) * gp.Categorical(0.4, on=(2,)),
    "sum": gp.RBF(0.4) + gp.Linear(0.7, outputscale=1.5),
    "product-of-sums": (gp.RBF(0.4) + gp.Linear(0.7))
    * (gp.Matern52(0.9) + gp.Categorical(0.3, on=(2,))),
    "rational": RationalQuadratic(0.4, alpha=0.8),
    "fidelity": gp.Matern52([0.3, 0.7], on=(0, 1)) * Nearness(4.0, on=(2,)),
    "properties": Embedded(
        gp.Matern52([0.3, 0.7, 0.5], on=(0, 1, 3)) * gp.Categorical(0.8, on=(2,)),
        Embedding((Properties(2, np.array([[0.1], [0.2], [0.8]])),)),
    ),
    "middles": Embedded(gp.Matern52([0.3, 0.7], on=(0, 1)), Embedding(middles=(0,))),
}
BATCHES, SIZE = 200, 500


def points(rng, n):
    return np.column_stack([rng.random((n, 2)), rng.integers(0, 3, n)])


def batch_moments(model, at, rng, **options):
    """Mean and second moment of each of BATCHES batches of SIZE paths."""
    means, seconds = [], []
    for _ in range(BATCHES):
        values = gp.draw_paths(model, rng, SIZE, **options)(at)
        means.append(values.mean(axis=0))
        centred = values - model.predict(at).mean
        seconds.append(centred.T @ centred / SIZE)
    return np.array(means), np.array(seconds)


def assert_moments(model, at, means, seconds):
    mean, covariance = model.joint(at)
    for draws, exact in ((means, mean), (seconds, covariance)):
        error = draws.std(axis=0) / np.sqrt(BATCHES) + 1e-9
        assert (np.abs(draws.mean(axis=0) - exact) < 4.5 * error).all()
    # the spread itself is as small as 10^5 draws make it: the check has power
    scale = np.sqrt(np.diag(covariance).max())
    assert (means.std(axis=0) / np.sqrt(BATCHES)).max() < 0.02 * max(scale, 1e-3)


@pytest.mark.parametrize("seen", [0, 10], ids=["prior", "posterior"])
@pytest.mark.parametrize("name", KERNELS)
def test_pathwise_moments_are_exact(name, seen, rng):
    X, at = points(rng, 10), points(rng, 5)
    model = gp.GaussianProcess(KERNELS[name], 1e-2, mean=0.5)
    if seen:
        model = model.condition(X, np.sin(6 * X[:, 0]) + X[:, 2])
    assert_moments(model, at, *batch_moments(model, at, rng, n_features=128))


@pytest.mark.parametrize("name", KERNELS)
def test_rff_moments_are_right_for_the_prior(name, rng):
    prior, at = gp.GaussianProcess(KERNELS[name], 1e-2, mean=0.5), points(rng, 5)
    assert_moments(prior, at, *batch_moments(prior, at, rng, kind="rff", n_features=128))


@pytest.mark.parametrize("name", KERNELS)
def test_rff_moments_with_data_are_those_of_the_regression_on_its_features(name, rng):
    """Whatever the features are, the draws are exact for the process that has them as kernel."""
    X, at = points(rng, 10), points(rng, 5)
    y = np.sin(6 * X[:, 0]) + X[:, 2]
    model = gp.GaussianProcess(KERNELS[name], 1e-2, mean=0.5).condition(X, y)
    paths = gp.draw_paths(model, rng, 100_000, kind="rff", n_features=32)
    phi, phi_at = paths.features(X), paths.features(at)
    gain = np.linalg.solve(phi @ phi.T + 1e-2 * np.eye(10), phi @ phi_at.T).T
    mean = 0.5 + gain @ (y - 0.5)
    covariance = phi_at @ phi_at.T - gain @ phi @ phi_at.T
    assert_gaussian(paths(at), mean, covariance)


def assert_gaussian(draws, mean, covariance):
    """Independent draws: 4.5 standard errors of a mean and of a covariance."""
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    n = len(draws)
    assert (np.abs(draws.mean(axis=0) - mean) <= 4.5 * spread / np.sqrt(n) + 1e-9).all()
    error = np.sqrt((np.outer(spread, spread) ** 2 + covariance**2) / n)
    assert (np.abs(np.cov(draws.T) - covariance) <= 4.5 * error + 1e-9).all()


def test_rff_variance_falls_short_where_pathwise_holds(rng):
    """The reason why pathwise is the default: 300 points, 100 pairs of features."""
    X, at = rng.random((300, 2)), rng.random((20, 2))
    model = gp.GaussianProcess(gp.RBF(0.1), 1e-4).condition(X, np.sin(9 * X[:, 0]))
    exact = model.predict(at).std ** 2
    ratio = {}
    for kind in ("pathwise", "rff"):
        values = np.concatenate(
            [gp.draw_paths(model, rng, 20, kind=kind, n_features=100)(at) for _ in range(30)]
        )
        ratio[kind] = float((values.var(axis=0) / exact).mean())
    assert 0.6 < ratio["pathwise"] < 1.6
    assert ratio["rff"] < 0.5


@pytest.mark.parametrize("seen", [0, 6], ids=["prior", "posterior"])
@pytest.mark.parametrize("name", KERNELS)
def test_exact_moments_are_exact(name, seen, rng):
    X, at = points(rng, 6), points(rng, 5)
    model = gp.GaussianProcess(KERNELS[name], 1e-3, mean=0.5)
    model = model.condition(X[:seen], X[:seen, 0])
    draws = gp.draw_paths(model, rng, 100_000, kind="exact", points=at)(at)
    assert_gaussian(draws, *model.joint(at))


@pytest.mark.parametrize("kind", ["pathwise", "rff"])
def test_a_path_is_the_same_function_for_ever(kind, rng):
    X, at = points(rng, 8), points(rng, 30)
    for model in (
        gp.GaussianProcess(KERNELS["mixed"], 1e-4),
        gp.GaussianProcess(KERNELS["mixed"], 1e-4).condition(X, X[:, 0]),
    ):
        one = gp.draw_path(model, np.random.default_rng(7), kind=kind)
        two = gp.draw_path(model, np.random.default_rng(7), kind=kind)
        values = one(at)
        np.testing.assert_allclose(two(at[::-1])[::-1], values, atol=1e-10)
        pieces = np.concatenate([one(at[i : i + 1]) for i in range(len(at))])
        np.testing.assert_allclose(pieces, values, atol=1e-10)
        other = gp.draw_path(model, np.random.default_rng(8), kind=kind)
        assert np.abs(other(at) - values).max() > 1e-3


@pytest.mark.parametrize("kind", ["pathwise", "rff"])
@pytest.mark.parametrize("name", KERNELS)
def test_path_gradients_are_finite_differences(name, kind, rng):
    X, at = points(rng, 8), points(rng, 6)
    model = gp.GaussianProcess(KERNELS[name], 1e-2).condition(X, X[:, 0])
    path = gp.draw_path(model, rng, kind=kind, n_features=64)
    value, gradient = path.value_and_gradient(at)
    np.testing.assert_allclose(value, path(at), atol=1e-9)
    np.testing.assert_allclose(gradient, path.gradient(at))
    for k in (0, 1):
        step = np.zeros(3)
        step[k] = 1e-6
        difference = (path(at + step) - path(at - step)) / 2e-6
        scale = 1.0 + np.abs(gradient[:, k])  # Matern-1/2 frequencies have no finite mean
        np.testing.assert_allclose(gradient[:, k] / scale, difference / scale, atol=1e-4)


def test_several_paths_are_each_a_path(rng):
    X, at = points(rng, 8), points(rng, 6)
    model = gp.GaussianProcess(KERNELS["mixed"], 1e-4).condition(X, X[:, 0])
    paths = gp.draw_paths(model, rng, 3)
    assert len(paths) == 3
    np.testing.assert_allclose(paths(at), [paths[i](at) for i in range(3)], atol=1e-10)
    with pytest.raises(IndexError):
        paths[3]


@pytest.mark.parametrize("kernel", [*KERNELS.values(), gp.RBF(0.4) * gp.Linear(0.5) * gp.Linear(2)])
def test_gradients_of_several_paths_are_those_of_each(kernel, rng):
    X, at = points(rng, 8), points(rng, 6)
    prior = gp.GaussianProcess(kernel, 1e-4)
    for model in (prior, prior.condition(X, X[:, 0])):
        paths = gp.draw_paths(model, rng, 3, n_features=32)
        each = np.array([path.gradient(at) for path in paths])
        scale = 1.0 + np.abs(each)
        np.testing.assert_allclose(paths.gradient(at) / scale, each / scale, atol=1e-9)


def test_every_number_is_a_category_and_no_points_have_no_values(rng):
    model = gp.GaussianProcess(gp.Categorical(0.01, on=(1,)), 1e-6)
    model = model.condition([[0.0, 0.0]], [0.0])
    codes = np.array([0.0, 1.0, 2.0, 0.5, -1.0, -2.0, 1e300])
    at = np.column_stack([np.zeros(7), codes])
    values = gp.draw_paths(model, rng, 2000)(at)
    np.testing.assert_allclose(values[:, 0], 0.0, atol=0.01)
    correlation = np.corrcoef(values[:, 1:].T)
    assert np.abs(correlation - np.eye(6)).max() < 0.2  # features are shared: rho +- 1/sqrt(512)
    path = gp.draw_path(model, rng)
    assert path(at[:0]).shape == (0,) and path.gradient(at[:0]).shape == (0, 2)


def test_an_exact_path_does_not_follow_the_array_of_its_points(rng):
    at = rng.random((5, 2))
    path = gp.draw_path(gp.GaussianProcess(gp.RBF(0.4), 1e-6), rng, kind="exact", points=at)
    here = at.copy()
    at[0] = 9.0
    np.testing.assert_array_equal(path(here), path.values)


def test_paths_go_through_noiseless_data(rng):
    X = rng.random((30, 2))
    model = gp.GaussianProcess(gp.Matern52(0.4), 1e-8).condition(X, 1e3 * X[:, 0])
    np.testing.assert_allclose(gp.draw_path(model, rng)(X), 1e3 * X[:, 0], atol=1e-2)


def test_huge_and_tiny_values_stay_finite(rng):
    X = rng.random((30, 2))
    for scale in (1e300, 1e-300):
        model = gp.GaussianProcess(gp.Matern52(0.4), 1e-6).condition(X, scale * X[:, 0])
        for kind in ("pathwise", "rff"):
            value, gradient = gp.draw_path(model, rng, kind=kind).value_and_gradient(X)
            assert np.isfinite(value).all()
            assert np.isfinite(gradient).all()


def test_mistakes_say_what_to_do(rng):
    model = gp.GaussianProcess(gp.RBF(0.4), 1e-6).condition([[0.5]], [1.0])
    with pytest.raises(ModelError, match=r"points=\(N, d\)"):
        gp.draw_path(model, rng, kind="exact")
    with pytest.raises(ModelError, match="known only on its 2 points"):
        gp.draw_path(model, rng, kind="exact", points=[[0.1], [0.2]])([[0.3]])
    with pytest.raises(ModelError, match=r"rng must .* got 0; write np.random.default_rng\(seed"):
        gp.draw_path(gp.GaussianProcess(gp.RBF(0.3), noise=1e-6), 0)
    with pytest.raises(ModelError, match='"pathwise", "rff" or "exact"'):
        gp.draw_path(model, rng, kind="fourier")
    for kind in ("pathwise", "rff"):
        with pytest.raises(ModelError, match="1 columns like the data, got 2"):
            gp.draw_path(model, rng, kind=kind)([[0.3, 0.4]])
    with pytest.raises(ModelError, match="at least 1"):
        gp.draw_paths(model, rng, 0)


@pytest.mark.parametrize("n_features", [1, 64, 100])
def test_signs_multiply(n_features, rng):
    """The signs of all coordinates at once are the product of the signs of each."""
    features = gp.Categorical(0.4).draw_features(rng, n_features, 6)
    for X in (rng.integers(0, 3, (20, 6)).astype(float), rng.integers(-2, 9, (20, 6)) / 2.0):
        each = [[signs.of(float(x[signs.coordinate])) for signs in features.signs] for x in X]
        np.testing.assert_array_equal(features.factor(X), np.prod(each, axis=1))


def test_a_path_through_huge_values_that_contradict_each_other_is_a_number(rng):
    X = np.array([[0.5, 0.5], [0.5, 0.5 + 1e-6], [0.2, 0.1]])
    y = 1e303 * np.array([1.0, -1.0, 0.3])
    path = gp.draw_path(gp.GaussianProcess(gp.Matern52(0.5), 1e-8).condition(X, y), rng)
    values = path(X)
    assert np.isfinite(values).all()
    np.testing.assert_allclose(values, path.value_and_gradient(X)[0], rtol=1e-6)
    assert values[2] == pytest.approx(0.3e303, rel=1e-3)


@pytest.mark.parametrize("seen", [0, 6], ids=["prior", "posterior"])
def test_a_kernel_without_features_has_exact_paths_and_interpolated_ones(seen, rng):
    X, at = points(rng, 6), points(rng, 5)
    model = gp.GaussianProcess(Periodic(0.9, 0.8) * gp.RBF(0.8), 1e-3, mean=0.5)
    model = model.condition(X[:seen], X[:seen, 0])
    for kind in ("pathwise", "rff"):
        with pytest.raises(ModelError, match=r'Periodic does not say how .* kind="exact"'):
            gp.draw_path(model, rng, kind=kind)
    exact = gp.draw_paths(model, rng, 100_000, kind="exact", points=at)
    assert_gaussian(exact(at), *model.joint(at))
    paths = gp.draw_paths(model, rng, 100_000, points=np.concatenate([at, points(rng, 20)]))
    assert_gaussian(paths(at), *model.joint(at))
    path, new = paths[0], points(rng, 6)
    for k in (0, 1):
        step = 1e-6 * (np.arange(3) == k)
        difference = (path(new + step) - path(new - step)) / 2e-6
        np.testing.assert_allclose(path.gradient(new)[:, k], difference, atol=1e-5)


@pytest.mark.parametrize(
    ("kernel", "kind", "expected"),
    [
        (gp.Matern52([0.3, 0.5]), "pathwise", 256),
        (gp.RBF(0.3), "pathwise", 256),
        (gp.RBF(0.3), "rff", 512),
        (gp.Matern12(0.3), "pathwise", 512),
        (gp.Matern52(0.3) * gp.Categorical(0.5, on=(1,)), "pathwise", 512),
        (RationalQuadratic(0.3), "pathwise", 512),
    ],
)
def test_half_as_many_features_where_these_are_as_close(kernel, kind, expected, rng):
    model = gp.GaussianProcess(kernel, 1e-4).condition(rng.random((5, 2)), rng.random(5))
    assert len(gp.draw_paths(model, rng, 1, kind=kind).features) == expected
