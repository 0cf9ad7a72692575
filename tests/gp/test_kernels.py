"""Kernels: formulas, derivatives against finite differences, features against the kernel."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from pathmax import gp
from pathmax.errors import ModelError
from pathmax.gp.embedding import Embedding, Properties
from pathmax.gp.kernels.embedded import Embedded
from pathmax.gp.kernels.nearness import Nearness
from tests.own_kernels import Periodic, RationalQuadratic

MIXED = gp.Matern52([0.3, 0.7], on=(0, 1)) * gp.Categorical([0.4, 0.2], on=(2, 3), outputscale=1.7)
PROPERTIES = Embedded(  # of the first category: two numbers for each of three
    gp.Matern52([0.3, 0.7, 0.5, 0.9], on=(0, 1, 4, 5)) * gp.Categorical([0.8, 0.2], on=(2, 3)),
    Embedding((Properties(2, np.array([[0.1, 0.9], [0.2, 0.7], [0.8, 0.1]])),)),
)
KERNELS = {
    "rbf": gp.RBF(0.4, outputscale=2.0),
    "rbf-ard": gp.RBF([0.3, 0.6, 1.1, 0.5]),
    "matern12": gp.Matern12([0.3, 0.6, 1.1, 0.5], outputscale=0.5),
    "matern32": gp.Matern32([0.3, 0.6, 1.1, 0.5], outputscale=0.5),
    "matern52": gp.Matern52([0.3, 0.6, 1.1, 0.5], outputscale=0.5),
    "matern52-on": gp.Matern52(0.3, on=(1, 3)),
    "linear": gp.Linear([0.8, 1.2, 2.0, 0.6], outputscale=1.5),
    "linear-iso": gp.Linear(0.8),
    "categorical": gp.Categorical([0.5, 0.3], on=(2, 3)),
    "mixed": MIXED,
    "separable": gp.Matern32(0.3, on=(0,)) * gp.Matern52(0.4, on=(1,)) * gp.RBF(0.9, on=(2, 3)),
    "overlap": gp.RBF(0.4) * gp.Linear(0.7, on=(0, 1)),
    "sum": gp.RBF(0.4, outputscale=0.7) + gp.Linear([0.8, 1.2, 2.0, 0.6], outputscale=1.5),
    "sum-of-three": gp.RBF(0.4) + gp.Matern32([0.2, 0.3], on=(0, 1)) + gp.Categorical(0.3, on=(2,)),
    "sum-of-products": MIXED + gp.RBF(0.4, on=(0,)) * gp.Linear(0.9, on=(1,)),
    "product-of-sums": (gp.RBF(0.4) + gp.Linear(2.0)) * (gp.Matern52(0.5) + gp.RBF(0.3, on=(2,))),
    "rational": RationalQuadratic([0.3, 0.6, 1.1, 0.5], outputscale=0.7, alpha=1.6),
    "rational-sum": RationalQuadratic(0.3, alpha=0.8, on=(0,)) + gp.Linear(0.7),
    "properties": PROPERTIES,
    "fidelity": gp.Matern52([0.3, 0.6], on=(0, 3)) * Nearness(1.4, on=(1,), outputscale=1.7),
    "middles": Embedded(gp.Matern52([0.4, 0.9], on=(0, 1)), Embedding(middles=(0,))),
    "periodic": Periodic(0.9, 0.7, outputscale=1.3),
    "periodic-product": Periodic(0.9, 0.7) * gp.RBF(0.8),
}


@pytest.fixture(params=KERNELS, name="kernel")
def _kernel(request):
    return KERNELS[request.param]


def points(rng, n):  # two numbers, two categories
    return np.column_stack([rng.random((n, 2)), rng.integers(0, 3, (n, 2))])


def test_formulas_at_one_pair():
    x, z = np.array([[0.1, 0.2]]), np.array([[0.4, 0.6]])
    r = 0.5 / 0.8  # |x - z| / lengthscale
    expected = {
        gp.RBF: np.exp(-(r**2) / 2),
        gp.Matern12: np.exp(-r),
        gp.Matern32: (1 + 3**0.5 * r) * np.exp(-(3**0.5) * r),
        gp.Matern52: (1 + 5**0.5 * r + 5 * r**2 / 3) * np.exp(-(5**0.5) * r),
    }
    for kind, value in expected.items():
        assert kind(0.8, outputscale=3.0)(x, z)[0, 0] == pytest.approx(3.0 * value, rel=1e-12)
    assert gp.Linear(0.5)(x, z)[0, 0] == pytest.approx((0.1 * 0.4 + 0.2 * 0.6) / 0.25)
    codes = np.array([[0.0, 1.0], [0.0, 2.0], [1.0, 2.0]])
    same, one, none = gp.Categorical([0.5, 0.2])(codes[:1], codes)[0]
    assert (same, one, none) == pytest.approx((1.0, 0.2, 0.1))


def test_the_matrix_is_symmetric_positive_and_matches_its_diagonal(kernel, rng):
    X = points(rng, 12)
    K = kernel(X)
    np.testing.assert_allclose(K, K.T, atol=1e-14)
    np.testing.assert_allclose(K, kernel(X, X.copy()), atol=1e-12)
    np.testing.assert_allclose(np.diag(K), kernel.diagonal(X), atol=1e-12)
    assert np.linalg.eigvalsh(K).min() > -1e-10


def test_input_gradient_is_the_finite_difference(kernel, rng):
    X, Z = points(rng, 5), points(rng, 7)
    whole = kernel.input_gradient(X, Z)
    assert whole.shape == (5, 7, 4)
    for k in (0, 1):  # categories have no derivative
        step = np.zeros(4)
        step[k] = 1e-6
        difference = (kernel(X + step, Z) - kernel(X - step, Z)) / 2e-6
        np.testing.assert_allclose(whole[:, :, k], difference, atol=2e-8)
    W = rng.standard_normal((5, 7))
    contracted = np.einsum("ij,ijk->ik", W, whole)
    np.testing.assert_allclose(kernel.link(X, Z).pull(W), contracted, atol=1e-10)


def test_diagonal_gradient_is_the_finite_difference(kernel, rng):
    X = points(rng, 5)
    gradient = kernel.diagonal_gradient(X)
    for k in (0, 1):
        step = np.zeros(4)
        step[k] = 1e-6
        difference = (kernel.diagonal(X + step) - kernel.diagonal(X - step)) / 2e-6
        np.testing.assert_allclose(gradient[:, k], difference, atol=1e-7)


def test_parameter_gradient_is_the_finite_difference(kernel, rng):
    X, Z = points(rng, 6), points(rng, 4)
    whole, theta = kernel.parameter_gradient(X, Z), kernel.theta
    assert len(whole) == len(theta) == len(kernel.parameter_names)
    for p in range(len(theta)):
        step = np.zeros(len(theta))
        step[p] = 1e-6
        up, down = kernel.with_theta(theta + step), kernel.with_theta(theta - step)
        np.testing.assert_allclose(whole[p], (up(X, Z) - down(X, Z)) / 2e-6, atol=2e-8)
    W = rng.standard_normal((6, 6))
    contracted = np.einsum("ij,pij->p", W, kernel.parameter_gradient(X))
    np.testing.assert_allclose(kernel.link(X).pull_parameters(W), contracted, atol=1e-9)


def test_theta_and_json_give_the_kernel_back(kernel, rng):
    X = points(rng, 5)
    for again in (kernel.with_theta(kernel.theta), gp.from_json(kernel.to_json())):
        np.testing.assert_allclose(again(X), kernel(X), rtol=1e-12, atol=1e-14)
    assert gp.from_json(kernel.to_json()) == kernel


def test_features_reproduce_the_kernel_on_average(kernel, rng):
    X = points(rng, 6)
    if not kernel.has_features:
        with pytest.raises(ModelError, match=r'Periodic does not say how.*kind="exact"'):
            kernel.draw_features(rng, 500, 4)
        return
    grams = []
    for _ in range(200):
        phi = kernel.draw_features(rng, 500, 4)(X)
        grams.append(phi @ phi.T)
    error = np.std(grams, axis=0) / np.sqrt(len(grams)) + 1e-9
    assert (np.abs(np.mean(grams, axis=0) - kernel(X)) < 4.5 * error).all()


def test_an_axis_kernel_product_is_the_kernel(rng):
    X = points(rng, 6)
    for name in ("rbf", "rbf-ard", "categorical"):
        kernel = KERNELS[name]
        parts = kernel.axis_kernels(4)
        product = kernel.outputscale * np.prod([k(X[:, [i]]) for i, k in enumerate(parts)], axis=0)
        np.testing.assert_allclose(product, kernel(X), atol=1e-12)
    assert gp.Matern52(0.3).axis_kernels(2) is None
    assert gp.Linear(0.3).axis_kernels(2) is None
    assert gp.Matern52(0.3).axis_kernels(1) is not None


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf, [], [0.1, -0.2]])
def test_impossible_length_scales_are_refused(bad):
    with pytest.raises(ModelError, match="lengthscale must be positive"):
        gp.RBF(bad)


def test_other_mistakes_say_what_to_do(rng):
    with pytest.raises(ModelError, match="between 0 and 1"):
        gp.Categorical(1.0)
    with pytest.raises(ModelError, match="3 length scales but looks at 4"):
        gp.RBF([0.1, 0.2, 0.3])(points(rng, 3))
    with pytest.raises(ModelError, match="must be one of"):
        gp.from_json({"kernel": "RBF", "length": 2})
    with pytest.raises(ModelError, match=r"gp.register\(Unheard\)"):
        gp.from_json({"kernel": "Unheard"})
    for combination in (gp.Product, gp.Sum):
        with pytest.raises(ModelError, match="at least one kernel"):
            combination(())
        with pytest.raises(ModelError, match=r"made of kernels such as gp.RBF\(\), got 2"):
            combination((gp.RBF(), 2))
        with pytest.raises(ModelError, match="outputscale must be positive"):
            combination((gp.RBF(0.1),), outputscale=-1.0)
    for on in ((0, 0), (-1,), ()):  # a path would not be drawn from such a kernel
        with pytest.raises(ModelError, match="each coordinate once"):
            gp.RBF(0.1, on=on)
        with pytest.raises(ModelError, match="each coordinate once"):
            gp.Categorical(0.1, on=on)
    with pytest.raises(ModelError, match="coordinate 4, but points have 4"):
        gp.RBF(0.1, on=(4,))(points(rng, 3))


def test_a_kernel_does_not_follow_the_array_that_it_was_made_from(rng):
    scales = np.full(4, 0.5)
    kernel, X = gp.RBF(scales), points(rng, 3)
    before = kernel(X)
    scales[0] = 1e-3
    np.testing.assert_array_equal(kernel(X), before)
    with pytest.raises(ValueError, match="read-only"):
        kernel.lengthscale[0] = 1e-3


@pytest.mark.parametrize("kind", [gp.RBF, gp.Matern12, gp.Matern32, gp.Matern52])
def test_tiny_length_scales_and_far_points_are_distances_still(kind, rng):
    X = rng.random((5, 3))
    for lengthscale in (1e-300, 1e-155, 1e-6):
        np.testing.assert_allclose(kind(lengthscale)(X, X.copy()), np.eye(5), atol=1e-300)
    assert kind(1.0)(X, 1e300 * (1.0 + X)).max() == 0.0
    # centred coordinates of 10^4 length scales: a product of matrices would be off by 10^-7
    x, z = np.array([[0.0], [1e4]]), np.array([[1e4 + 1e-3]])
    near = kind(1.0)(np.array([[0.0]]), np.array([[1e-3]]))[0, 0]
    assert kind(1.0)(x, z)[1, 0] == pytest.approx(near, abs=1e-11)


def test_an_anchored_kernel_is_the_kernel(kernel, rng):
    X, Z = points(rng, 5), points(rng, 7)
    whole, anchored = kernel.link(X, Z), kernel.anchored(Z)(X)
    W = rng.standard_normal((5, 7))
    np.testing.assert_allclose(anchored.value, whole.value, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(anchored.pull(W), whole.pull(W), rtol=1e-9, atol=1e-12)
    far = X + 1e9  # where only differences by coordinates are distances still
    np.testing.assert_allclose(kernel.anchored(far)(far).value, kernel.link(far, far).value)
    np.testing.assert_allclose(kernel.crossed(Z)(X), whole.value, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel.crossed(far)(far), kernel.link(far, far).value)


def test_an_anchored_kernel_knows_what_its_rows_have_not_seen():
    """Categories that the anchored rows do not have differ from all of theirs."""
    kernel = gp.Categorical([0.5, 0.2, 0.7], outputscale=1.5)
    Z = np.array([[0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    X = np.array([[0.0, 1.0, 1.0], [2.0, 1.0, 0.0], [3.0, 0.0, 5.0]])
    expected = 1.5 * np.array([[1.0, 0.35], [0.35, 0.5], [0.07, 0.07]])
    np.testing.assert_allclose(kernel.anchored(Z)(X).value, expected, rtol=1e-14)
    np.testing.assert_allclose(kernel(X, Z), expected, rtol=1e-14)
    assert kernel.anchored(Z[:0])(X).value.shape == (3, 0)


def test_a_sum_has_one_output_scale_and_relative_ones():
    kernel = gp.RBF(0.3, outputscale=2.0) + gp.Linear(0.5, outputscale=3.0)
    assert kernel.outputscale == 2.0
    assert [term.outputscale for term in kernel.terms] == [1.0, 1.5]
    names = ("term0.lengthscale", "term1.lengthscale", "term1.outputscale", "outputscale")
    assert kernel.parameter_names == names
    np.testing.assert_allclose(np.exp(kernel.theta), [0.3, 0.5, 1.5, 2.0])
    flat = gp.Matern52(0.1) + kernel
    assert len(flat.terms) == 3 and flat.terms[2].outputscale == pytest.approx(3.0)


def test_length_scales_are_the_shortest_along_each_coordinate():
    kernel = gp.RBF([0.3, 2.0], on=(0, 2)) * gp.Matern52(0.7, on=(0, 1)) + gp.Linear(0.5, on=(2,))
    assert (kernel * gp.Categorical(0.5, on=(3,))).length_scales(4).tolist() == [
        0.3,
        0.7,
        0.5,
        np.inf,
    ]


def test_the_diagonal_of_many_points_is_that_of_the_matrix(rng):
    kernel, X = Periodic(0.9, 0.7) + RationalQuadratic(0.5), rng.random((100, 2))
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(kernel(X)))
    assert kernel.diagonal(X[:0]).shape == (0,) and kernel.diagonal_gradient(X[:0]).shape == (0, 2)


def test_a_kernel_that_leaves_something_out_says_what():
    class NoScales(gp.Kernel):
        def value(self, X, Z):
            return np.ones((len(X), len(Z)))

        def input_gradient(self, X, Z):
            return np.zeros((len(X), len(Z), X.shape[1]))

    with pytest.raises(TypeError, match="length_scales"):
        NoScales()

    class NoFields(NoScales):
        def length_scales(self, d):
            return np.ones(d)

    with pytest.raises(ModelError, match="must be a dataclass with a field outputscale"):
        NoFields().theta  # noqa: B018


def test_a_constant_is_stored_but_not_learnt():
    @gp.register
    @dataclass(frozen=True, eq=False)
    class Polynomial(gp.Kernel):
        offset: float = 1.0
        outputscale: float = 1.0
        degree: int = 2
        constants = ("degree",)

        def value(self, X, Z):
            return self.outputscale * (X @ Z.T + self.offset) ** self.degree

        def input_gradient(self, X, Z):
            slope = self.degree * (X @ Z.T + self.offset) ** (self.degree - 1)
            return self.outputscale * slope[:, :, None] * Z

        def length_scales(self, d):
            return np.ones(d)

    kernel = Polynomial(0.5, degree=3)
    assert kernel.parameter_names == ("offset", "outputscale")
    assert kernel.with_theta(np.zeros(2)) == Polynomial(1.0, degree=3)
    assert gp.from_json(kernel.to_json()) == kernel


def test_a_name_belongs_to_one_kernel():
    @dataclass(frozen=True, eq=False)
    class RBF(gp.Stationary):
        def profile(self, s):
            return np.exp(-s), s

        def slope(self, s, value, memo):
            return -value

    with pytest.raises(ModelError, match=r"a kernel RBF already, pathmax.gp.kernels"):
        gp.register(RBF)
    with pytest.raises(ModelError, match="register takes a class of kernels"):
        gp.register(gp.RBF())
    assert gp.register(Periodic) is Periodic  # again: a notebook cell that is run twice


@pytest.mark.parametrize("name", ["sum", "rational", "periodic", "sum-of-products"])
def test_new_kinds_of_kernels_are_learnt(name, rng):
    kernel = KERNELS[name]
    X = points(rng, 40)
    y = gp.GaussianProcess(kernel, 1e-6).sample(X, rng)[0] + 0.01 * rng.standard_normal(40)
    off = kernel.with_theta(kernel.theta + 0.7)
    learnt = gp.fit(off, X, y)
    start = gp.GaussianProcess(off, 1e-4, float(y.mean())).condition(X, y)
    assert learnt.log_marginal_likelihood() > start.log_marginal_likelihood()
    again = gp.fit(off, X, y, warm=learnt)
    assert again.log_marginal_likelihood() > learnt.log_marginal_likelihood() - 0.5
    at = points(rng, 5)
    scale = math.exp(0.5 * learnt.kernel.theta[-1])
    _, _, mean_slope, std_slope = learnt.predict_gradient(at)
    for k in (0, 1):
        step = 1e-6 * (np.arange(4) == k)
        up, down = learnt.predict(at + step), learnt.predict(at - step)
        np.testing.assert_allclose(
            mean_slope[:, k], (up.mean - down.mean) / 2e-6, atol=1e-4 * scale
        )
        np.testing.assert_allclose(std_slope[:, k], (up.std - down.std) / 2e-6, atol=1e-4 * scale)
