"""The regret of stopping now: its distribution, and that the rule built on it keeps its word."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.analysis.regret import Regret
from pathmax.analysis.stopping import SAVED, Prices, are_long, chance_of_more
from pathmax.errors import SettingsError
from pathmax.experiments.problems import gp_sample

KERNEL = gp.RBF(0.3)
FIXED = {"kernel": KERNEL, "noise": 0.01, "refit_every": None, "seed": 1}


def test_the_regret_has_the_distribution_of_exact_draws():
    axis = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = pathmax.Grid({"a": axis, "b": axis})
    X = np.array(list(itertools.product(axis, axis)))
    study = pathmax.Study(grid, **FIXED)
    seen, y = np.array([0, 12, 20]), np.array([0.4, -0.3, 0.9])
    for i, value in zip(seen, y, strict=True):
        study.add(grid.params(int(i)), value)
    model = gp.GaussianProcess(KERNEL, 0.01).condition(X[seen], y)
    draws = model.sample(X, np.random.default_rng(5), 20_000)
    recommended = int(np.argmax(model.predict(X).mean))
    true = draws.max(axis=1) - draws[:, recommended]
    regret = study.regret(n_paths=4000)
    assert regret.exact and regret.params == study.recommend() == grid.params(recommended)
    assert np.all(regret.draws >= 0)
    assert abs(regret.mean - true.mean()) < 4 * true.std() * math.sqrt(1 / 4000 + 1 / 20_000)
    for level in np.quantile(true, [0.3, 0.6, 0.9]):
        p = np.mean(true <= level)
        error = math.sqrt(p * (1 - p) * (1 / 4000 + 1 / 20_000))
        assert abs(regret.probability(level) - p) < 4 * error
    assert regret.probability(regret.quantile(0.9)) >= 0.9
    assert "expected, at most" in repr(regret)


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_it_is_in_the_users_units_and_vanishes_when_all_is_known(direction):
    study = pathmax.Study({"x": pathmax.Float(0, 10)}, direction=direction, seed=0)
    sign = 1 if direction == "maximize" else -1
    for x in np.linspace(0, 10, 30):
        study.add({"x": float(x)}, sign * (1000 - 10 * (x - 4) ** 2))
    regret = study.regret(n_paths=100)
    assert regret.params["x"] == pytest.approx(4, abs=0.1)
    assert 0 <= regret.quantile(0.9) < 1.0  # of values that span 360


def test_a_quadratic_ends_before_the_budget_and_says_why(capsys):
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    result = study.optimize(
        lambda params: -((params["x"] - 0.4) ** 2),
        n_trials=40,
        stop=pathmax.StopWhen(regret=0.01, n_paths=40),
    )
    assert 10 <= len(result.trials) < 40
    assert result.ending.startswith("regret at most 0.01 with probability 0.9") or (
        result.ending == "regret at most 0.01 with probability 1, by 40 paths"
    )
    assert 0.16 - result.best_value**2 > 0
    assert "regret at most 0.01 with probability" in capsys.readouterr().err


def test_the_rule_waits_for_enough_results():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    rule = pathmax.StopWhen(regret=1e6, n_paths=20)
    for i in range(9):
        study.add({"x": i / 10}, 1.0)
        assert not rule(study)
    study.add({"x": 0.95}, 1.0)
    verdict = rule(study)
    assert verdict and str(verdict) == "regret at most 1e+06 with probability 1, by 20 paths"


def test_it_is_calibrated_on_objectives_from_the_prior():
    """A hundred objectives with known hyper-parameters: 95 % said, at least 90 % kept."""
    tolerance, budget = 0.1, 30
    rule = pathmax.StopWhen(regret=tolerance, probability=0.95, after=0, n_paths=100)
    kept, stopped = [], 0
    for seed in range(100):
        problem = gp_sample(np.random.default_rng([3, seed]), levels=6, d=2, lengthscale=0.3)
        study = pathmax.Study(
            problem.space,
            kernel=problem.kernel,
            noise=problem.noise,
            refit_every=None,
            seed=seed,
            initial=4,
        )
        result = study.optimize(problem, budget, progress=False, stop=rule)
        if len(result.trials) < budget:
            stopped += 1
            kept.append(problem.regret(study.recommend()) <= tolerance)
    assert stopped >= 75  # most; 36 points do not need 30 looks
    assert np.mean(kept) >= 0.90


@pytest.mark.parametrize(
    "wrong",
    [
        {"regret": 0.0},
        {"regret": -1.0},
        {"regret": math.nan},
        {"regret": 1.0, "probability": 1.0},
        {"regret": 1.0, "probability": 0.2},
        {"regret": 1.0, "n_paths": 3},
        {"regret": 1.0, "after": -1},
    ],
)
def test_wrong_rules_are_refused(wrong):
    with pytest.raises(SettingsError):
        pathmax.StopWhen(**wrong)


def test_a_quantile_is_of_a_probability():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    study.add({"x": 0.5}, 1.0)
    with pytest.raises(SettingsError, match="a number from 0 to 1, got 2"):
        study.regret(n_paths=5).quantile(2)


def test_few_results_are_said_to_be_few():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    for i in range(9):
        study.add({"x": i / 10}, math.sin(i))
    few = study.regret(n_paths=4)
    assert few.n == 9 and "9 results only" in repr(few)
    assert few.caution.startswith("From 9 results only: how much the value varies is assumed")
    study.add({"x": 0.95}, 0.3)
    enough = study.regret(n_paths=4)
    assert enough.n == 10 and enough.caution == "" and "only" not in repr(enough)


def test_a_given_model_needs_no_caution():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, **FIXED)
    study.add({"x": 0.5}, 1.0)
    assert study.regret(n_paths=4).caution == ""


@pytest.mark.parametrize(
    "space", [{"x": pathmax.Float(0, 1)}, pathmax.Grid({"x": np.linspace(0, 1, 30).tolist()})]
)
def test_a_rough_regret_is_what_is_lost_at_least(space):
    study = pathmax.Study(space, seed=0, kernel=gp.RBF(0.2), noise=1e-4, refit_every=None)
    for x in (0, 6, 15, 24):
        study.add({"x": float(np.linspace(0, 1, 30)[x])}, math.sin(x))
    rough, whole = study.regret(rough=True, n_paths=200), study.regret(n_paths=200)
    assert rough.rough and not whole.rough and len(study.regret(rough=True).draws) == 16
    assert (rough.draws >= 0.0).all() and rough.params == whole.params
    error = (rough.draws.std() + whole.draws.std()) / math.sqrt(200)
    assert whole.mean - 4.0 * error < rough.mean < whole.mean + 3.0 * error


class Asked:
    """A study whose paths reach the goal in the given shares, and what a rule asked of it."""

    def __init__(self, look, share, told=10, minutes=0.0):
        self.look, self.share, self.asked = look, share, []
        self.trials = []
        self.tell(told, minutes)

    def tell(self, count, minutes=0.0):
        for _ in range(count):
            number = len(self.trials)
            self.trials.append(
                pathmax.Trial(
                    number=number,
                    params={},
                    state=pathmax.TrialState.COMPLETE,
                    outcomes={"value": float(number)},
                    asked_at=0.0,
                    told_at=60.0 * minutes,
                )
            )

    def regret(self, n_paths=None, *, context=None, rough=False, enough=None):
        drawn, share = (n_paths, self.look) if rough else (min(64, n_paths), self.share)
        while True:
            draws = np.where(np.arange(drawn) < round(drawn * share), 0.0, 9.0)
            found = Regret(draws, {}, False, n=len(self.trials), rough=rough)
            if rough or drawn >= n_paths or enough(found):
                self.asked.append((drawn, rough))
                return found
            drawn = min(2 * drawn, n_paths)


def test_far_from_the_goal_the_rule_asks_for_a_rough_look_only():
    rule = pathmax.StopWhen(regret=1.0)
    far = Asked(look=0.8, share=1.0)
    assert not rule(far) and far.asked == [(16, True)]


@pytest.mark.parametrize(
    ("share", "drawn", "stop"), [(1.0, 64, True), (0.8, 64, False), (0.955, 400, True)]
)
def test_paths_are_drawn_until_it_is_clear_what_all_would_say(share, drawn, stop):
    study = Asked(look=1.0, share=share)
    verdict = pathmax.StopWhen(regret=1.0)(study)
    assert study.asked == [(16, True), (drawn, False)]
    assert bool(verdict) is stop and str(verdict).endswith(f", by {drawn} paths")


@pytest.mark.parametrize("probability", [0.95, 0.995, 0.999])
def test_with_several_outcomes_a_hundred_paths_are_enough_however_sure_one_wants_to_be(probability):
    class Joint(Asked):
        """A study with several outcomes."""

        def regret(self, *args, **options):
            return replace(super().regret(*args, **options), joint=True)

    study = Joint(look=1.0, share=1.0)
    assert pathmax.StopWhen(regret=1.0, probability=probability)(study)
    assert study.asked[-1][0] <= 100


def test_the_same_results_are_asked_about_once():
    study, rule = Asked(look=1.0, share=0.9), pathmax.StopWhen(regret=1.0)
    assert rule(study) is rule(study) and len(study.asked) == 2
    assert not pathmax.StopWhen(regret=2.0)(study) and len(study.asked) == 4  # another question


@pytest.mark.parametrize("share", [0.5, 0.9, 0.93])
def test_checks_cost_as_much_as_the_suggestions_at_most(share):
    """In suggestions, as the rule counts: while the goal was near each took 400 paths."""
    study, rule = Asked(look=1.0, share=share), pathmax.StopWhen(regret=1.0)
    for _ in range(100):
        assert not rule(study)
        study.tell(1)
    spent = sum(0.9 if rough else 4.0 + 0.13 * drawn for drawn, rough in study.asked[2:])
    assert 50 < spent <= 110
    waits = Asked(look=1.0, share=share)
    assert not rule(waits)
    waits.tell(1)
    assert not rule(waits) and len(waits.asked) == 2


@pytest.mark.parametrize("look", [0.0, 1.0])
@pytest.mark.parametrize(
    "where",
    [{"rows": 2000}, {"joint": True}, {"joint": True, "unit": "of the front"}],
    ids=["pool", "bounds", "front"],
)
def test_looks_and_checks_wait_in_pools_and_with_several_outcomes_too(where, look):
    """They were carried out after every trial there: 9 suggestions, or 35, for a look alone."""
    spent = []

    class Elsewhere(Asked):
        def regret(self, n_paths=None, *, rough=False, **options):
            found = super().regret(n_paths, rough=rough, **options)
            found = replace(found, **where)
            price, drawn = Prices.of(found), len(found.draws)
            spent.append(price.look * drawn if rough else price.parameters + price.path * drawn)
            return found

    study, rule = Elsewhere(look=look, share=0.9), pathmax.StopWhen(regret=1.0)
    assert not rule(study)
    spent.clear()  # the first is carried out
    for _ in range(120):
        study.tell(1)
        assert not rule(study)
    assert 60 < sum(spent) <= 120 + SAVED


def test_what_a_rule_asks_of_a_pool_is_quick_and_what_people_ask_is_exact(rng):
    pool = pathmax.Candidates([{"x": float(x)} for x in np.sort(rng.random(400))])
    study = pathmax.Study(pool, seed=0)
    for i in (3, 150, 290, 380):
        study.add(pool.params(i), math.sin(i))
    asked, quick = study.regret(8), study.regret(8, enough=lambda found: False)
    assert asked.exact and asked.rows == 400
    assert not quick.exact and not study.regret(rough=True).exact
    assert quick.params == asked.params


def test_where_trials_take_minutes_no_check_waits():
    study, rule = Asked(look=1.0, share=0.9, minutes=3.0), pathmax.StopWhen(regret=1.0)
    for _ in range(5):
        assert not rule(study)
        study.tell(1, minutes=3.0)
    assert len(study.asked) == 10
    study.share = 1.0
    assert rule(study)


def test_what_a_check_costs_depends_on_where_it_comes_from():
    def found(exact, n, **where):
        return Prices.of(Regret(np.zeros(4), {}, exact, n=n, **where))

    # a given model on a grid: every check is carried out
    assert sum(found(True, None, rows=25)) == 0.0
    assert found(False, None).parameters == 0.0 < found(False, 30).parameters
    assert found(True, 30, rows=25).path < found(False, 30).path < found(False, 30, joint=True).path
    front = found(False, 30, joint=True, unit="of the front")
    assert front.path > found(False, 30, joint=True).path


def test_the_chance_of_more_is_that_of_draws():
    rng = np.random.default_rng(0)
    drawn = rng.binomial(68, rng.beta(30.5, 2.5, 200_000))
    assert chance_of_more(30, 32, 68, 62) == pytest.approx(np.mean(drawn >= 62), abs=0.005)
    assert chance_of_more(5, 10, 3, 0) == 1.0 and chance_of_more(5, 10, 3, 4) == 0.0
    assert 0.0 <= chance_of_more(1000, 1000, 10_000, 9_990) <= 1.0


def test_draws_end_when_they_are_enough():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, seed=0)
    for x in (0.1, 0.4, 0.6, 0.9):
        study.add({"x": x}, math.sin(5 * x))
    seen = []

    def enough(found):
        seen.append(len(found.draws))
        return len(seen) == 2

    assert len(study.regret(400, enough=enough).draws) == 128 and seen == [64, 128]
    assert len(study.regret(20, enough=lambda found: False).draws) == 20


def test_only_trials_that_were_run_tell_how_long_a_trial_takes():
    study = pathmax.Study({"x": pathmax.Float(0, 1)}, initial=1, seed=0)
    study.tell(study.ask(), 0.2)
    hours = [replace(trial, told_at=trial.asked_at + 3600.0) for trial in study.trials]
    for x in (0.1, 0.3, 0.5, 0.7, 0.9):
        study.add({"x": x}, x)
    assert are_long([*hours, *study.trials[1:]])
    assert not are_long(study.trials)


def test_a_rule_without_a_regret_says_what_it_needs():
    with pytest.raises(SettingsError, match=r"StopWhen\(regret=0.5\)"):
        pathmax.StopWhen()
