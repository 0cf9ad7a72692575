"""`pathmax bound`."""

from pathmax import gp, theory
from pathmax.cli.bound import finite_domain


def test_the_bound_of_the_paper(run, lab) -> None:
    output = run("bound", "--kernel", "rbf", "--lengthscale", 0.2, "--points", 10000).output
    assert "the grid of 10^4" in output and "872.6" in output  # as in docs/theory.md
    assert "linear in T and say nothing" in output


def test_a_bound_that_says_something_does_not_say_that_it_says_nothing(run, lab) -> None:
    words = ("bound", "--points", 36, "--dimension", 2, "--horizon", 200, "--noise", 0.05)
    assert "say nothing" not in run(*words, "--kernel", "rbf", "--lengthscale", 0.3).output


def test_bounds_for_programs(ask, lab) -> None:
    answer = ask("bound", "--points", 50, "--dimension", 2, "--horizon", 20, "--noise", 0.01,
                 "--kernel", "matern52", "--lengthscale", 0.5)  # fmt: skip
    X, _ = finite_domain(50, 2)
    gamma = theory.maximum_information_gain(gp.Matern52(0.5), X, 20, 0.01)
    assert answer["gamma"] == [gamma.lower, gamma.upper]
    bound = theory.bcr_bound(horizon=20, noise=0.01, gamma=gamma.upper, cardinality=50)
    assert answer["cumulative_regret"]["pims"] == bound
    assert answer["simple_regret"]["ts"] == bound / 20


def test_a_bound_that_does_not_fit_in_memory_is_refused(run, lab) -> None:
    assert "GB; take fewer points" in run("bound", "--points", 10**7, code=1).output
    assert "noise must be" in run("bound", "--points", 10, "--noise", -1, code=1).output
