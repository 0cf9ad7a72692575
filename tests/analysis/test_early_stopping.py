"""When a trial is stopped, what it is then, and what the model makes of it."""

import math

import numpy as np
import pytest

from pathmax import Categorical, Fidelity, Float, Study, TrialState
from pathmax.analysis import early_stopping
from pathmax.analysis.curve_model import learn_curves
from pathmax.analysis.end_of_trial import End, chance
from pathmax.errors import SettingsError, TrialError
from pathmax.trials.goals import Goal, Goals
from pathmax.trials.trial import Trial

SPACE = {"x": Float(0, 1)}
STEPS = 20


def curve(x, rng=None):
    """The losses of a run at x: they fall to (x - 0.3)^2, further where x is large."""
    noise = 0.0 if rng is None else 0.002 * rng.standard_normal(STEPS)
    return (x - 0.3) ** 2 + (0.2 + 0.3 * x) * np.exp(-np.arange(1, STEPS + 1) / 4) + noise


def run(study, trial, values):
    """Report a curve, and end the trial as the study says."""
    for step, value in enumerate(values, start=1):
        study.report(trial, step, value)
        if study.should_stop(trial):
            return study.stop(trial, str(study.should_stop(trial)))
    return study.tell(trial, values[-1])


def runs(study, n, rng=None):
    return [
        run(study, trial, curve(trial.params["x"], rng))
        for trial in map(lambda _: study.ask(), range(n))
    ]


class TestPosterior:
    def test_bad_trials_are_stopped_and_the_best_is_found(self, rng):
        study = Study(SPACE, direction="minimize", seed=3)
        trials = runs(study, 25, rng)
        stopped = [t for t in trials if t.state is TrialState.STOPPED]
        assert len(stopped) >= 3
        best = min(curve(t.params["x"])[-1] for t in trials)
        assert study.best_value <= best + 0.01
        # none of those that were stopped would have been the best by far
        assert all(curve(t.params["x"])[-1] >= study.best_value - 0.01 for t in stopped)

    @pytest.mark.parametrize("complete", [1, 3])
    def test_nothing_is_stopped_before_a_trial_is_complete_nor_at_the_last_step(
        self, rng, complete
    ):
        study = Study(SPACE, direction="minimize", seed=3)
        for _ in range(complete):
            trial = study.ask()
            for step, value in enumerate(curve(0.3, rng), start=1):
                study.report(trial, step, value)
                assert study.trials[0].state is TrialState.COMPLETE or not study.should_stop(trial)
            study.tell(trial, curve(0.3)[-1])
        trial = study.ask()
        for step in range(1, STEPS):
            study.report(trial, step, 5.0)
        assert study.should_stop(trial)
        study.report(trial, STEPS, 5.0)
        assert not study.should_stop(trial)

    def test_a_first_curve_that_misleads_does_not_stop_all_others(self, rng):
        """It falls fast and ends badly; all others fall slowly, and end well."""
        study = Study(SPACE, direction="minimize", seed=0)
        steps = np.arange(1, STEPS + 1)
        first = 1.0 + 1.3 * np.exp(-steps / 1.5) + 0.01 * rng.standard_normal(STEPS)
        run(study, study.ask(), first)
        for k in range(1, 8):
            slow = 0.3 + 0.02 * k + 2.0 * np.exp(-steps / 7) + 0.01 * rng.standard_normal(STEPS)
            run(study, study.ask(), slow)
        states = [trial.state for trial in study.trials]
        assert study.best_value < 0.6
        for n in range(1, len(states) + 1):
            done = states[:n].count(TrialState.COMPLETE)
            if done < early_stopping.FEW_COMPLETE:
                assert states[:n].count(TrialState.STOPPED) <= early_stopping.STOPPED_EACH * done
        assert TrialState.STOPPED in states[:3]  # the second curve is compared with the first

    def test_the_answer_says_why(self, rng):
        study = Study(SPACE, direction="minimize", seed=3)
        runs(study, 5, rng)
        trial = study.ask()
        assert str(study.should_stop(trial)) == ""
        study.report(trial, 8, 5.0)
        assert str(study.should_stop(trial)).endswith("to end among the best, at step 8 of 20")

    def test_what_ends_badly_by_one_outcome_may_be_on_the_front(self, rng):
        goals = {"loss": "minimize", "size": "minimize"}

        def study_with_results():
            study = Study(SPACE, objectives=goals, seed=0, initial=3)
            for x, size in [(0.3, 9.0), (0.35, 8.0), (0.4, 7.0), (0.25, 8.5)]:
                trial = study.ask()
                for step, loss in enumerate(curve(x, rng), start=1):
                    study.report(trial, step, {"loss": loss, "size": size})
                study.tell(trial, {"loss": curve(x)[-1], "size": size})
            return study

        for size, stops in [(1.0, False), (10.0, True)]:
            study = study_with_results()
            trial = study.ask()
            for step, loss in enumerate(curve(0.95, rng)[:12], start=1):
                study.report(trial, step, {"loss": loss, "size": size})
            assert bool(study.should_stop(trial)) is stops

    def test_what_will_break_a_bound_is_stopped(self, rng):
        study = Study(SPACE, objectives={"loss": "minimize"}, constraints={"size": "<= 5"}, seed=0)
        for size in (3.0, 4.0, 6.0, 4.5):
            trial = study.ask()
            for step, loss in enumerate(curve(trial.params["x"], rng), start=1):
                study.report(trial, step, {"loss": loss, "size": size})
            study.tell(trial, {"loss": curve(trial.params["x"])[-1], "size": size})
        verdicts = []
        for size in (3.0, 20.0):
            trial = study.ask()
            for step, loss in enumerate(curve(0.3, rng)[:15], start=1):
                study.report(trial, step, {"loss": loss - 0.1, "size": size})
            verdicts.append(bool(study.should_stop(trial)))
        assert verdicts == [False, True]


class TestChance:
    def test_one_objective_is_a_normal_probability(self):
        goals = Goals([Goal("value", "minimize")])
        best = [Trial(number=0, params={}, state=TrialState.COMPLETE, outcomes={"value": 1.0})]
        found = chance({"value": End(2.0, 1.0)}, best, goals, np.random.default_rng(0))
        assert found == pytest.approx(0.158655, abs=1e-6)
        assert chance({"value": End(2.0, 1.0)}, [], goals, np.random.default_rng(0)) == 1.0

    def test_several_are_those_of_independent_normals(self):
        goals = Goals([Goal("a", "maximize"), Goal("b", "minimize"), Goal("c", high=1.0)])
        front = [{"a": 0.0, "b": 0.0}, {"a": 1.0, "b": 0.5}, {"a": -1.0, "b": 3.0}]
        trials = [
            Trial(number=i, params={}, state=TrialState.COMPLETE, outcomes={**each, "c": 0.0})
            for i, each in enumerate(front)
        ]
        ends = {"a": End(0.5, 1.0), "b": End(0.5, 1.0), "c": End(0.0, 1.0)}
        found = chance(ends, trials, goals, np.random.default_rng(0))

        def cdf(z):
            return 0.5 * math.erfc(-z / math.sqrt(2))

        # dominated: a <= 0 and b >= 0, or a <= 1 and b >= 0.5
        first, second = cdf(-0.5) * cdf(0.5), cdf(0.5) * cdf(0.0)
        both = cdf(-0.5) * cdf(0.0)
        exact = (1.0 - (first + second - both)) * cdf(1.0)
        assert found == pytest.approx(exact, abs=4 * 0.5 / math.sqrt(2000))


class TestOtherRules:
    def test_asha_and_hyperband_stop(self, rng):
        for rule in ("asha", {"rule": "hyperband", "steps": STEPS}):
            study = Study(SPACE, direction="minimize", seed=3, stopping=rule)
            trials = runs(study, 14, rng)
            stopped = [t for t in trials if t.state is TrialState.STOPPED]
            assert 4 <= len(stopped) < 14
            assert all("not among the best 1 in" in t.error for t in stopped)

    def test_never_only_reports(self, rng):
        study = Study(SPACE, direction="minimize", seed=3, stopping="never")
        assert {t.state for t in runs(study, 8, rng)} == {TrialState.COMPLETE}

    def test_hyperband_waits_for_a_complete_trial(self):
        study = Study(SPACE, direction="minimize", seed=3, stopping="hyperband")
        trial = study.ask()
        study.report(trial, 1, 1.0)
        assert "no trial is complete" in str(study.should_stop(trial))

    def test_a_rule_that_there_is_not_is_refused(self):
        with pytest.raises(SettingsError, match="stopping must be one of posterior, asha, hyperb"):
            Study(SPACE, stopping="median")
        with pytest.raises(SettingsError, match='stopping "posterior" takes steps, got'):
            Study(SPACE, stopping={"rule": "posterior", "reduction": 3})
        with pytest.raises(SettingsError, match="reduction of stopping must be a whole number, 2"):
            Study(SPACE, stopping={"rule": "asha", "reduction": 1})


class TestStoppedTrials:
    def test_a_stopped_trial_is_no_result(self, rng):
        study = Study(SPACE, direction="minimize", seed=3)
        runs(study, 5, rng)
        trial = study.ask()
        study.report(trial, 1, -100.0)  # better than anything, on its way
        stopped = study.stop(trial)
        assert (stopped.state, stopped.value, stopped.error) == ("stopped", None, "stopped by hand")
        assert study.best_trial.number != trial.number
        assert study.trials[trial.number] == stopped
        with pytest.raises(TrialError, match="already told \\(stopped\\)"):
            study.tell(trial, 1.0)
        assert study.correct(trial, 0.5).value == 0.5

    def test_its_curve_leads_to_an_end_that_is_near_and_honest(self, rng):
        study = Study(SPACE, direction="minimize", seed=3, stopping="never")
        runs(study, 12, rng)
        z = []
        for x in np.linspace(0.02, 0.98, 12):
            trial = study.ask()
            values = curve(x, rng)
            for step in range(1, 9):
                study.report(trial, step, values[step - 1])
            mean, variance = study.stop(trial).expected_end["value"]
            z.append((mean - curve(x)[-1]) / math.sqrt(variance))
            assert abs(mean - curve(x)[-1]) < abs(values[7] - curve(x)[-1])  # nearer than the last
        assert np.mean(np.abs(z) < 3.0) >= 0.9

    def test_the_model_learns_its_end_and_not_a_value_on_the_way(self, rng):
        study = Study(SPACE, direction="minimize", seed=3, stopping="never")
        runs(study, 8, rng)
        trial = study.ask()
        for step, value in enumerate(curve(0.9, rng)[:6], start=1):
            study.report(trial, step, value)
        expected = study.stop(trial).expected_end["value"]
        history = study._session.history()
        assert history.numbers[-1] == trial.number and history.n == 9
        assert history.measured["value"][-1] == expected[0]
        assert history.noises["value"][-1] == expected[1]
        assert not len(history.failed) and not len(history.pending)

    def test_without_curves_to_go_by_it_is_avoided(self):
        study = Study(SPACE, direction="minimize", seed=3)
        trial = study.ask()
        assert study.stop(trial, "too slow").expected_end == {}
        assert len(study._session.history().failed) == 1

    def test_what_diverged_has_failed(self):
        study = Study(SPACE, direction="minimize", seed=3)
        trial = study.ask()
        study.report(trial, 1, 1.0)
        assert not study.should_stop(trial)
        study.report(trial, 2, math.inf)
        assert study.should_stop(trial)
        failed = study.stop(trial)
        assert (failed.state, failed.error) == (TrialState.FAILED, "value was inf at step 2")

    def test_a_curve_that_says_nothing_counts_for_nothing(self, rng):
        study = Study(SPACE, direction="minimize", seed=3, stopping="never")
        runs(study, 8, rng)
        goal = study.goals.first
        model = learn_curves(study.trials, study._session.curves(), goal)
        ends = np.array([t.value for t in study.trials])
        far = study.ask()
        study.report(far, 1, 1e9)
        mean, variance = study.stop(far).expected_end["value"]
        assert mean <= ends.max() + 30 * model.scale and variance > 0.0

    def test_suggestions_after_stopped_trials_replay(self, rng, tmp_path):
        place = f"sqlite:///{tmp_path / 'lab.db'}"
        study = Study(SPACE, name="curves", direction="minimize", seed=3, storage=place)
        trials = runs(study, 16, rng)
        assert any(t.state is TrialState.STOPPED for t in trials[:-1])
        again = Study.load("curves", storage=place)
        for trial in trials:
            assert again.replay(trial) == trial.params
        # also those that were suggested before a stopped trial was run to its end after all
        stopped = next(t for t in trials if t.state is TrialState.STOPPED)
        again.correct(stopped, 0.5)
        assert again.replay(trials[-1]) == trials[-1].params


def test_a_chance_is_small_below_what_the_documentation_says():
    assert early_stopping.SMALL_CHANCE == 0.05


@pytest.mark.parametrize("stopping", ["posterior", "asha"])
@pytest.mark.parametrize(
    "given",
    [
        {"day": Categorical(["dry", "damp"], context=True)},
        {"day": Fidelity(["damp", "dry"], cost=[1, 1])},
    ],
    ids=["context", "fidelity"],
)
def test_a_trial_competes_with_those_of_its_own_context_and_fidelity(stopping, given, rng):
    """The best run of a bad day is no bad run: results of other days are no measure of it."""
    study = Study(SPACE | given, direction="minimize", seed=0, stopping=stopping)

    def started(x, day):
        params = {"x": x, "day": day}
        return study.storage.start(study.name, len(study.trials), params).number

    for day, level in [("dry", 0.0), ("damp", 50.0)]:
        for x in (0.35, 0.4, 0.9, 0.6):
            trial = started(x, day)
            for step, value in enumerate(level + curve(x, rng), start=1):
                study.report(trial, step, value)
            study.tell(trial, level + curve(x)[-1])
    best, worst = (started(x, "damp") for x in (0.3, 0.99))
    for step, (good, bad) in enumerate(zip(curve(0.3), curve(0.99), strict=True), start=1):
        if step == 17:
            break
        study.report(best, step, 50.0 + good)
        assert not study.should_stop(best)
        study.report(worst, step, 50.0 + bad)
    assert study.should_stop(worst)


@pytest.mark.parametrize("first", [0, 1])
def test_a_stopped_trial_costs_the_part_that_it_ran_and_a_budget_counts_that(rng, first):
    study = Study(SPACE, direction="minimize", seed=3)

    def train(params, run):
        for step, value in enumerate(curve(params["x"], rng), start=first):
            run.report(step, value)
            if run.should_stop():
                return None
        return value

    study.optimize(train, budget=8.0, progress=False)
    stopped = [t for t in study.trials if t.state is TrialState.STOPPED]
    ran = sum(len(study.curve(trial)) for trial in study.trials)
    assert stopped and len(study.trials) > 8
    assert study.spent == pytest.approx(ran / STEPS) and 8.0 <= study.spent < 9.0
    # whoever ran it to its end after all has paid for all of it
    before, part = study.spent, stopped[0].part_run
    assert study.correct(stopped[0], 0.4).part_run == 1.0
    assert study.spent == pytest.approx(before + 1.0 - part)


def test_a_trial_that_is_stopped_at_step_0_costs_something():
    """It cost nothing, and a budget of trials that diverge at once was never spent."""
    study = Study(SPACE, direction="minimize", seed=3)
    for _ in range(3):
        trial = study.ask()
        for step in range(STEPS):
            study.report(trial, step, 0.5)
        study.tell(trial, 0.5)
    trial = study.ask()
    study.report(trial, 0, 100.0)
    assert study.stop(trial).part_run == pytest.approx(1.0 / STEPS)
    assert study.spent == pytest.approx(3.0 + 1.0 / STEPS)


def test_curves_are_learnt_from_once_for_each_fidelity_and_anew_after_a_correction(
    rng, monkeypatch
):
    study = Study(SPACE | {"day": Fidelity(["damp", "dry"], cost=[1, 1])}, seed=0)
    learnt = []

    def counted(trials, curves, goal, steps):
        learnt.append(sorted(curves))
        return learn_curves(trials, curves, goal, steps)

    monkeypatch.setattr(early_stopping, "learn_curves", counted)

    def started(day):
        return study.storage.start(study.name, len(study.trials), {"x": 0.5, "day": day}).number

    for day in ("dry", "damp"):
        trial = started(day)
        for step, value in enumerate(curve(0.3, rng), start=1):
            study.report(trial, step, -value)
        study.tell(trial, -0.1)
    both = [started(day) for day in ("dry", "damp")]
    for step in (1, 2, 3):
        for trial in both:  # in turns
            study.report(trial, step, -0.3)
            study.should_stop(trial)
    assert learnt == [[0], [1]]
    study.correct(0, -0.2)
    for trial in both:
        study.should_stop(trial)
    assert learnt == [[0], [1], [0]]


@pytest.mark.parametrize("goals", [{}, {"objectives": {"loss": "minimize", "size": "minimize"}}])
def test_nothing_is_stopped_where_no_complete_trial_has_a_curve_of_every_outcome(goals):
    """Only step 0 was reported, or only one of the outcomes: the answer was an IndexError."""
    study = Study(SPACE, seed=0, **goals)
    name = study.goals.names[-1]
    first, last = (1.0, 0.5) if not goals else ({"loss": 1.0}, {"loss": 0.5, "size": 3.0})
    for steps in ([0], [0, 1, 2] if goals else [0]):
        trial = study.ask()
        for step in steps:
            study.report(trial, step, first)
            assert not study.should_stop(trial)
        study.tell(trial, last)
    trial = study.ask()
    study.report(trial, 1, first if not goals else {"loss": 9.0, "size": 9.0})
    verdict = study.should_stop(trial)
    assert not verdict and f"no complete trial has both {name} and its curve" in str(verdict)
    assert study.stop(trial).state is TrialState.STOPPED
