"""Borrowed processes: the posterior of both studies together, its slopes and its sample paths."""

import pickle

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.borrowed import Borrowed, Lender, Loan, borrowing
from pathmax.gp.embedding import Embedding
from pathmax.gp.kernels.embedded import Embedded

WEIGHTS = (0.8, 0.5)
OWN = gp.GaussianProcess(gp.RBF([0.4, 0.6], outputscale=0.3), noise=1e-2, mean=0.1)
KERNELS = (
    gp.Matern52([0.5, 0.8], outputscale=1.3, on=(0, 1)),
    Embedded(gp.Matern52([0.3, 0.7], on=(0, 1)), Embedding(middles=(0,))),
)


def lenders(seed=1):
    rng = np.random.default_rng(seed)
    found = []
    for kernel, n in zip(KERNELS, (8, 5), strict=True):
        X = rng.random((n, 2))
        y = np.sin(5.0 * X[:, 0]) + X[:, 1]
        prior = gp.GaussianProcess(kernel, 1e-3, mean=0.2, bowl=gp.Bowl(0.4, (0, 1)))
        found.append(Lender(prior.condition(X, y, np.linspace(1e-3, 1e-1, n))))
    return found


def loans():
    return [Loan(w, lender) for w, lender in zip(WEIGHTS, lenders(), strict=True)]


def data():
    rng = np.random.default_rng(2)
    return rng.random((3, 2)), np.array([0.3, -0.2, 0.6])


def exact(Z):
    """Mean and covariance at Z given all data of all studies, by one system for all of them."""
    X, y = data()
    all_loans = loans()
    blocks = [(loan.lender.process.X, i) for i, loan in enumerate(all_loans)] + [(X, None)]

    def covariance(A, i, B, j):  # None is f, a number the lender
        total = OWN.kernel(A, B) if i is None and j is None else np.zeros((len(A), len(B)))
        for k, (weight, lender) in enumerate(all_loans):
            left = weight if i is None else float(i == k)
            right = weight if j is None else float(j == k)
            total = total + left * right * lender.process.kernel(A, B)
        return total

    K = np.block([[covariance(A, i, B, j) for B, j in blocks] for A, i in blocks])
    noises = [loan.lender.process.noises for loan in all_loans] + [np.full(len(y), OWN.noise)]
    K += np.diag(np.concatenate(noises))
    means = [loan.lender.process.prior_mean for loan in all_loans]

    def mean(A):
        lent = [w * m(A) for (w, _), m in zip(all_loans, means, strict=True)]
        return OWN.mean + np.sum(lent, axis=0)

    residuals = [
        loan.lender.process.y - m(loan.lender.process.X)
        for loan, m in zip(all_loans, means, strict=True)
    ]
    r = np.concatenate([*residuals, y - mean(X)])
    cross = np.hstack([covariance(Z, None, B, j) for B, j in blocks])
    there = covariance(Z, None, Z, None)
    return mean(Z) + cross @ np.linalg.solve(K, r), there - cross @ np.linalg.solve(K, cross.T)


@pytest.fixture
def model():
    return borrowing(OWN, loans()).condition(*data())


@pytest.fixture
def points():
    return np.random.default_rng(3).random((5, 2))


def test_it_is_the_posterior_of_all_studies_together(model, points):
    mean, covariance = exact(points)
    joint = model.joint(points)
    assert joint.mean == pytest.approx(mean, abs=1e-10)
    assert joint.covariance == pytest.approx(covariance, abs=1e-10)
    found = model.predict(points)
    assert found.mean == pytest.approx(mean, abs=1e-10)
    assert found.std**2 == pytest.approx(np.diag(covariance), abs=1e-10)
    assert model.look(points).std == pytest.approx(found.std, abs=1e-12)


def test_slopes_of_the_posterior_are_those_of_finite_differences(model, points):
    slopes, step = model.predict_gradient(points), 1e-6
    _, chained = model.chain(
        points, lambda m, s: (m + 2.0 * s, np.ones_like(m), np.full_like(m, 2.0))
    )
    assert chained == pytest.approx(slopes.mean_gradient + 2.0 * slopes.std_gradient, abs=1e-9)
    for k in range(2):
        e = step * np.eye(2)[k]
        up, down = model.predict(points + e), model.predict(points - e)
        means, stds = (up.mean - down.mean) / (2 * step), (up.std - down.std) / (2 * step)
        assert slopes.mean_gradient[:, k] == pytest.approx(means, abs=1e-6)
        assert slopes.std_gradient[:, k] == pytest.approx(stds, abs=1e-6)


def test_the_kernel_agrees_with_itself(points):
    kernel, Z = Borrowed(OWN.kernel, tuple(loans())), data()[0]
    assert kernel(points) == pytest.approx(kernel.value(points, points), abs=1e-12)
    assert kernel.diagonal(points) == pytest.approx(np.diag(kernel(points)), abs=1e-12)
    anchored, W = kernel.anchored(Z)(points), np.random.default_rng(0).random((5, 3))
    assert anchored.value == pytest.approx(kernel(points, Z), abs=1e-12)
    whole = np.einsum("ij,ijk->ik", W, kernel.input_gradient(points, Z))
    assert anchored.pull(W) == pytest.approx(whole, abs=1e-12)
    assert kernel.link(points, Z).pull(W) == pytest.approx(whole, abs=1e-12)
    step = 1e-6
    for k in range(2):
        e = step * np.eye(2)[k]
        slope = (kernel.diagonal(points + e) - kernel.diagonal(points - e)) / (2 * step)
        assert kernel.diagonal_gradient(points)[:, k] == pytest.approx(slope, abs=1e-6)


def test_its_parameters_are_its_own(points):
    kernel = Borrowed(OWN.kernel, tuple(loans()))
    assert kernel.parameter_names == OWN.kernel.parameter_names
    W, step = np.random.default_rng(0).random((5, 5)), 1e-6
    pulled = kernel.link(points).pull_parameters(W)
    for i in range(len(kernel.theta)):
        e = step * np.eye(len(kernel.theta))[i]
        up, down = kernel.with_theta(kernel.theta + e), kernel.with_theta(kernel.theta - e)
        assert pulled[i] == pytest.approx(np.vdot(W, up(points) - down(points)) / (2 * step))


@pytest.mark.parametrize("told", [True, False])
def test_paths_have_the_moments_of_the_posterior(model, points, rng, told):
    if not told:
        model = borrowing(OWN, loans())
    expected = model.joint(points)
    draws = np.concatenate(
        [gp.draw_paths(model, rng, 40, n_features=128)(points) for _ in range(60)]
    )
    n = len(draws)
    variance = np.diag(expected.covariance)
    error = np.sqrt(variance / n)
    assert np.abs(draws.mean(axis=0) - expected.mean).max() < 4.5 * error.max()
    spread = np.sqrt((np.outer(variance, variance) + expected.covariance**2) / n)
    # features are shared by the 40 of a batch, so the error is a little larger
    assert (np.abs(np.cov(draws.T) - expected.covariance) < 7.0 * spread).all()


def test_a_path_is_one_function_however_it_is_asked(model, points, rng):
    paths = gp.draw_paths(model, rng, 3, n_features=64)
    values = paths(points)
    one = paths[1]
    assert one(points) == pytest.approx(values[1], abs=1e-10)
    assert paths.shift.add_to(paths.prior(2)(points), points).T == pytest.approx(values, abs=1e-4)
    assert one.shift.add_to(one.prior(2).single(points), points) == pytest.approx(
        values[1], abs=1e-4
    )
    value, gradient = one.value_and_gradient(points)
    assert value == pytest.approx(values[1], abs=1e-10)
    assert paths.gradient(points)[1] == pytest.approx(gradient, abs=1e-10)
    step = 1e-6
    for k in range(2):
        e = step * np.eye(2)[k]
        slope = (one(points + e) - one(points - e)) / (2 * step)
        assert gradient[:, k] == pytest.approx(slope, abs=1e-5)
    assert one.at_data == pytest.approx(one(model.X), abs=1e-8)


def test_paths_in_weight_space_can_be_drawn(model, points, rng):
    path = gp.draw_path(model, rng, kind="rff", n_features=32)
    assert np.isfinite(path(points)).all()


def test_nothing_borrowed_is_the_process_itself():
    assert borrowing(OWN, [Loan(0.0, lenders()[0])]) is OWN


def test_what_borrows_can_be_sent_to_another_process(model, points):
    again = pickle.loads(pickle.dumps(model))
    assert again.predict(points).std == pytest.approx(model.predict(points).std, abs=1e-12)


def test_what_a_lender_has_seen_follows_points_that_are_changed_in_place(points):
    lender = lenders()[0]
    before = lender.seen(points).mean.copy()
    points += 0.1
    assert lender.seen(points).mean == pytest.approx(lender.process.predict(points).mean)
    assert not np.allclose(before, lender.seen(points).mean)
