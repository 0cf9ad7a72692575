"""How much is borrowed: the most probable of the candidates, nothing among them."""

import numpy as np
import pytest

from pathmax import gp
from pathmax.gp.borrowed import Lender, Loan, borrowing
from pathmax.gp.borrowing_fit import (
    ENOUGH_TO_JUDGE,
    LEAST_ODDS,
    UNRELATED,
    BorrowingFit,
    candidate_weights,
    related_odds,
)

KERNEL = gp.Matern52([1.0, 1.0])


def older(seed=0, n=20):
    X = np.random.default_rng(seed).random((n, 2))
    y = np.sin(6.0 * X[:, 0]) + np.cos(4.0 * X[:, 1])
    return Lender(gp.fit(KERNEL, X, standard(y)))


def standard(y):
    return (y - y.mean()) / y.std()


def task(values, lenders, n=8, noises=np.nan):
    X = np.random.default_rng(5).random((n, 2))
    y = values(X) if n else np.empty(0)
    noises = np.full(n, noises)
    return BorrowingFit(KERNEL, X, y, noises, tuple(lenders), gp.default_priors(2), (0, 1))


def same_shape(scale):
    return lambda X: scale * (np.sin(6.0 * X[:, 0]) + np.cos(4.0 * X[:, 1]) - 0.3)


def test_candidates_are_probabilities_with_nothing_among_them():
    for expected in ([1.0, 1.0], [0.02, 3.0], [1e5, 1.0]):
        found = candidate_weights(expected)
        assert found[0] == (0.0, pytest.approx(np.log(UNRELATED)))
        assert sum(np.exp(one.log_prior) for one in found) == pytest.approx(1.0)
        logs = np.log([one.weight for one in found[1:]])
        assert np.diff(logs) == pytest.approx(0.5)
        for centre in np.clip(np.log(expected), -np.log(1e3), np.log(1e3)):
            assert np.abs(logs - centre).min() <= 0.25 + 1e-9


@pytest.mark.parametrize("scale", [1.0, 5.0])
def test_the_weight_is_the_slope_where_the_shape_is_the_same(scale):
    lender = older()
    found = task(same_shape(scale), [lender]).learn([1.0])
    (weight,), process = found.weights, found.process
    slope = scale * float(np.std(same_shape(1.0)(lender.process.X)))
    assert abs(np.log(weight / slope)) < 0.5
    assert process.kernel.outputscale < 0.2 * weight**2  # little is left to explain


def test_nothing_is_borrowed_of_what_has_another_shape():
    values = np.random.default_rng(8).standard_normal
    found = task(lambda X: values(len(X)), [older()], n=12).learn([1.0])
    assert found.weights == (0.0,)
    assert found.process.bowl is not None  # the process that it would be without lenders


def test_without_a_loan_it_is_what_the_usual_fit_finds():
    found = task(lambda X: np.array([1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 0.0, 0.0]), [older()])
    y = found.y / found.y.std()
    alone = gp.fit(KERNEL, found.X, y, bowl_on=(0, 1))
    posterior, centre = BorrowingFit(
        KERNEL, found.X, y, found.noises, found.lenders, found.priors, (0, 1)
    ).posterior([0.0])
    theta = posterior.mode(posterior.start)
    assert centre == pytest.approx(0.0, abs=1e-12)
    assert theta[:-1] == pytest.approx(alone.kernel.theta, abs=1e-6)


def test_what_is_found_is_at_least_as_probable_as_borrowing_nothing():
    for values in (same_shape(1.0), lambda X: X[:, 0] - X[:, 1] ** 2):
        found = task(values, [older()])
        assert found.learn([1.0]).score >= found._best([0.0], None).score + np.log(UNRELATED) - 1e-9


def test_of_two_lenders_the_one_that_tells_is_used():
    rng = np.random.default_rng(2)
    X = rng.random((15, 2))
    useless = Lender(gp.fit(KERNEL, X, rng.standard_normal(15)))
    weights = task(same_shape(1.0), [useless, older()]).learn([1.0, 1.0]).weights
    assert weights[0] < 0.3 and weights[1] > 0.5


@pytest.mark.parametrize("seed", [1, 6])
def test_a_second_lender_is_used_only_where_that_is_more_probable_than_not(seed):
    rng = np.random.default_rng(100 + seed)
    elsewhere = np.random.default_rng(50 + seed).random((15, 2))
    useless = Lender(gp.fit(KERNEL, elsewhere, standard(rng.standard_normal(15))))
    X = rng.random((8, 2))
    y = same_shape(1.0)(X) + 0.1 * rng.standard_normal(8)
    priors, noises = gp.default_priors(2), np.full(8, np.nan)
    found = BorrowingFit(KERNEL, X, y, noises, (older(), useless), priors, (0, 1))
    learnt = found.learn([1.0, 1.0])
    first = learnt.weights[0]
    scores = {
        weight: found._best([first, weight], None).score + log_prior
        for weight, log_prior in candidate_weights([1.0, found.usual_slope(1)])
    }
    some = np.logaddexp.reduce([score for weight, score in scores.items() if weight])
    assert first and some < scores[0.0]
    assert learnt.weights[1] == 0.0


def test_without_data_all_are_expected_to_tell_the_same():
    found = task(same_shape(1.0), [older(), older(1)], n=0).learn([1.0, 2.0])
    assert found.weights == (0.5, 1.0)
    assert found.process.mean == 0.0 and found.process.n == 0


def test_given_noise_is_kept_and_draws_explain_the_data(rng):
    found = task(same_shape(1.0), [older()], noises=0.01)
    learnt = found.learn([1.0])
    weights, process = learnt.weights, learnt.process
    assert process.noise == pytest.approx(0.01)
    drawn = found.draw(weights, process, 4, rng)
    assert len(drawn) == 4 and all(one.noise == pytest.approx(0.01) for one in drawn)
    loans = [Loan(w, lender) for w, lender in zip(weights, found.lenders, strict=True)]
    for one in drawn:
        fitted = borrowing(one, loans).condition(found.X, found.y, found.noises)
        assert np.abs(fitted.fitted - found.y).max() < 0.5


def test_few_results_lend_only_where_they_speak_clearly():
    """The same odds that are enough of five results are not of fewer."""
    lender = older()
    judged = {}
    for n in (ENOUGH_TO_JUDGE - 1, ENOUGH_TO_JUDGE):
        for seed in range(40):
            X = np.random.default_rng(seed).random((n, 2))
            noise = 0.3 * np.random.default_rng(seed + 1000).standard_normal(n)
            y = standard(np.sin(6.0 * X[:, 0]) + np.cos(4.0 * X[:, 1]) + noise)
            fit = BorrowingFit(KERNEL, X, y, np.full(n, 1e-4), (lender,), gp.default_priors(2))
            alone = fit._best([0.0], None).believed(np.log(UNRELATED))
            odds = related_odds(fit._ways(0, alone, 1.0, None), alone)
            clear = "clear" if odds > np.log(LEAST_ODDS) + 0.1 else "likely"
            if 0.1 < odds and abs(odds - np.log(LEAST_ODDS)) > 0.1 and (n, clear) not in judged:
                judged[n, clear] = fit.learn([1.0]).weights[0] > 0.0
            if {(n, "likely"), (n, "clear")} <= {*judged}:
                break
    few, enough = ((n, "likely") for n in (ENOUGH_TO_JUDGE - 1, ENOUGH_TO_JUDGE))
    clear = {(n, "clear"): True for n, _ in (few, enough)}
    assert judged == {few: False, enough: True, **clear}
