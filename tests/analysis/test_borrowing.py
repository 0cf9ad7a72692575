"""How much is borrowed, in words and numbers."""

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.analysis.borrowing import Relations, StudyRelation, counts_as
from pathmax.gp.borrowed import Borrowed, Lender, Loan

SPACE = {"x": pathmax.Float(0, 1)}


def lender(n=15):
    X = np.linspace(0.0, 1.0, n)[:, None]
    return Lender(gp.GaussianProcess(gp.RBF(0.2), 1e-6).condition(X, np.sin(9 * X[:, 0])))


@pytest.mark.parametrize("left", [0.3, 0.05, 1e-4])
def test_results_count_like_as_many_own_ones_as_leave_as_much_open(left):
    own, one, weight = gp.GaussianProcess(gp.RBF(0.3, outputscale=left), 1e-6), lender(), 0.9
    points = np.linspace(0.0, 1.0, 101)[:, None]
    found = counts_as(own, weight, one, points)
    whole = own.kernel + gp.RBF(0.2, outputscale=weight**2)
    borrowed = Borrowed(own.kernel, (Loan(weight, one),)).diagonal(points).mean()

    def after(m):
        rows = np.unique(np.linspace(0, 14, m).round().astype(int))
        told = gp.GaussianProcess(whole, 1e-6).condition(one.process.X[rows], np.zeros(len(rows)))
        return (told.predict(points).std ** 2).mean()

    assert 1 <= found <= 15
    assert found == 15 or after(found) <= borrowed
    assert found == 1 or after(found - 1) > borrowed


def test_words():
    def sentence(**given):
        return StudyRelation("amide", "value", 40, 0.7, 0.83, 12).__class__(**given).sentence

    common = {"name": "amide", "outcome": "value", "results": 40}
    assert sentence(**common, weight=0.7, relation=0.831, counts_as=12) == (
        "relation to 'amide' 0.83: its 40 results count like about 12 of your own"
    )
    assert "count like less than one of" in sentence(**common, weight=1, relation=0.1, counts_as=0)
    assert sentence(**common, weight=0.0, relation=0.0, counts_as=0) == (
        "'amide' is ignored: your results are explained as well without its 40"
    )
    assert "its own results alone" in str(Relations((), 3))


def test_a_study_that_learns_from_nothing_borrows_nothing():
    study = pathmax.Study(SPACE, seed=0)
    assert len(study.borrowed()) == 0 and study.borrowed().to_json() == []
    assert "borrow" not in study.explain(study.ask())


def test_before_the_first_result_it_is_what_is_expected():
    rows = [{"x": x, "value": np.sin(5 * x)} for x in np.linspace(0, 1, 9)]
    study = pathmax.Study(SPACE, seed=0, learn_from={"older": rows})
    assert str(study.borrowed()).endswith("(as is expected before any result of your own)")
    assert 0.5 < study.borrowed()[0].relation < 1.0
    assert "older" in study.borrowed()._repr_html_()


def test_few_results_have_to_speak_clearly_and_that_is_said():
    """One result tells nothing of a relation: it is not explained as well without it."""
    rows = [{"x": x, "value": np.sin(5 * x)} for x in np.linspace(0, 1, 9)]
    study = pathmax.Study(SPACE, seed=0, learn_from={"older": rows})
    for x in (0.1, 0.3, 0.5, 0.7, 0.9):
        study.add({"x": x}, (x * 7919) % 1)
        words = str(study.borrowed())
        early = "'older' is ignored so far: " in words
        assert early == (len(study.trials) < 5 and not study.borrowed()[0].weight)
    assert len(study.trials) == 5
    assert "is ignored so far: 1 own result would have to" in str(
        Relations((StudyRelation("older", "value", 9, 0.0, 0.0, 0),), 1, early=True)
    )
