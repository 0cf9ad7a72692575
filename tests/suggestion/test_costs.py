"""What trials cost: given, told, learnt."""

import math

import numpy as np
import pytest

from pathmax import Fidelity, Float, Space, Study
from pathmax.suggestion.costs import Costs, cost_of, costs_of, spent
from pathmax.trials.trial import INTERRUPTED, Trial, TrialState

EPOCHS = Space({"x": Float(0, 1), "epochs": Fidelity(1, 81, log=True)})
TIMED = Space({"x": Float(0, 1), "epochs": Fidelity(1, 81, cost="duration")})


def trial(number: int, epochs: int, **more: object) -> Trial:
    given = {"state": TrialState.COMPLETE, "outcomes": {"value": 1.0}} | more
    return Trial(number=number, params={"x": 0.5, "epochs": epochs}, **given)  # type: ignore[arg-type]


def test_without_a_fidelity_each_trial_costs_one_unless_it_is_told():
    space = Space({"x": Float(0, 1)})
    plain = Trial(number=0, params={"x": 0.1})
    told = Trial(number=1, params={"x": 0.1}, cost=7.5)
    assert spent(space, [plain, told]) == 8.5


def test_what_is_told_stands_and_the_rest_is_in_proportion():
    told = trial(0, 81, cost=3.0)
    assert cost_of(told, EPOCHS, costs_of(EPOCHS, [])) == 3.0
    assert cost_of(trial(1, 27), EPOCHS, costs_of(EPOCHS, [])) == pytest.approx(1 / 3)
    assert spent(EPOCHS, [trial(1, 27), trial(2, 54)]) == pytest.approx(1.0)


def test_an_interrupted_trial_costs_nothing_and_a_failed_one_does():
    away = trial(0, 81, state=TrialState.FAILED, outcomes={}, error=INTERRUPTED)
    broken = trial(1, 81, state=TrialState.FAILED, outcomes={}, error="it burnt")
    assert spent(EPOCHS, [away, broken]) == 1.0


def test_told_costs_are_learnt_where_none_are_given():
    costs = costs_of(
        EPOCHS, [trial(i, e, cost=10 * math.sqrt(e)) for i, e in enumerate((1, 9, 81))]
    )
    assert costs is not None
    for epochs in (1, 3, 27, 81):
        assert costs.of(epochs) == pytest.approx(10 * math.sqrt(epochs), rel=0.25)


def test_durations_are_learnt_where_that_is_asked_for():
    trials = [
        trial(i, e, asked_at=100.0, told_at=100.0 + 2.0 * e) for i, e in enumerate((1, 3, 27, 81))
    ]
    costs = costs_of(TIMED, trials)
    assert costs is not None
    assert costs.of(9) == pytest.approx(18.0, rel=0.05)
    assert cost_of(trials[2], TIMED, costs) == 54.0
    assert spent(TIMED, trials) == 2.0 * (1 + 3 + 27 + 81)
    early = costs_of(TIMED, [])
    assert early is not None
    assert early.of(81) == 1.0


def test_levels_without_given_costs_double_until_something_is_known():
    levels = Fidelity(["sim", "pilot", "plant"], cost="duration").checked("site")
    assert [Costs(levels).of(name) for name in ("sim", "pilot", "plant")] == [0.25, 0.5, 1.0]
    learnt = Costs.learnt(levels, ["sim", "plant"] * 5, np.array([1.0, 400.0] * 5))
    assert learnt.of("sim") == pytest.approx(1.0, rel=0.3)
    assert learnt.of("pilot") == pytest.approx(20.0, rel=0.3)
    assert learnt.of("plant") == pytest.approx(400.0, rel=0.3)


def test_costs_that_are_given_are_not_learnt():
    given = Fidelity(1, 81, cost=[1, 81]).checked("epochs")
    assert Costs.learnt(given, [9], np.array([100.0])).of(9) == 9.0


@pytest.mark.parametrize("method", ["pims", "random"])
def test_a_trial_keeps_the_cost_that_was_given_when_it_was_suggested(method):
    before = {"x": Float(0, 1), "site": Fidelity(["sim", "plant"], cost=[1, 10])}
    after = {"x": Float(0, 1), "site": Fidelity(["sim", "plant"], cost=[3, 70])}
    study = Study(before, initial=2, seed=0, method=method)
    for _ in range(4):
        made = study.ask()
        study.tell(made, made.params["x"])
    paid = study.spent
    assert paid == math.fsum({"sim": 1, "plant": 10}[t.params["site"]] for t in study.trials)
    study.change_space(after)
    assert study.spent == paid
    made = study.ask()
    assert study.spent == paid + {"sim": 3, "plant": 70}[made.params["site"]]
    study.add({"x": 0.5, "site": "plant"}, 1.0)  # nobody said what it was to cost
    assert study.spent == paid + {"sim": 3, "plant": 70}[made.params["site"]] + 70


def test_what_results_tell_about_costs_goes_before_what_was_expected():
    early = Trial(number=0, params={"x": 0.5, "epochs": 81}, info={"cost": 1.0})
    told = [trial(i, e, cost=10.0 * e) for i, e in enumerate((1, 9, 81), start=1)]
    costs = costs_of(EPOCHS, told)
    assert cost_of(early, EPOCHS, costs) == pytest.approx(810.0, rel=0.25)
    assert cost_of(early, EPOCHS, costs_of(EPOCHS, [])) == 1.0
