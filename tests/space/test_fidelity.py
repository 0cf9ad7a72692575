"""Fidelities: what they are to a space, what they cost, and what is refused."""

import pytest

from pathmax import Candidates, Categorical, Fidelity, Float, Grid, Int, Space
from pathmax.errors import SpaceError

X = {"x": Float(0, 1)}


def the(fidelity: Fidelity) -> Fidelity:
    return fidelity.checked("s")


@pytest.mark.parametrize(
    ("fidelity", "parameter", "target"),
    [
        (Fidelity(1, 81, log=True), Int(1, 81, log=True), 81),
        (Fidelity(1, 81.0), Float(1, 81), 81.0),
        (Fidelity(10, 100, step=10), Int(10, 100, step=10), 100),
        (Fidelity(0.01, 1.0, log=True, target=0.01), Float(0.01, 1.0, log=True), 0.01),
        (Fidelity([1, 3, 9]), Int(values=[1, 3, 9]), 9),
        (Fidelity([0.5, 1.0], cost=[1, 3]), Float(values=[0.5, 1.0]), 1.0),
        (Fidelity(["sim", "plant"], cost=[1, 9]), Categorical(["sim", "plant"]), "plant"),
    ],
)
def test_a_fidelity_is_a_parameter_with_a_target(fidelity, parameter, target):
    space = Space({**X, "s": fidelity})
    assert repr(space.parameters["s"]) == repr(parameter.checked("s"))
    assert space.fidelity == ("s", the(fidelity))
    assert the(fidelity).target == target
    assert space.at_target.decode(space.encode({"x": 0.5, "s": target}))["s"] == target
    assert space.axes[1].target == space.encode({"x": 0.5, "s": target})[1]
    assert space.counts({"x": 0.5, "s": target})
    assert space.aimed({"x": 0.5}) == {"x": 0.5, "s": target}


def test_a_lower_fidelity_does_not_count():
    space = Space({**X, "s": Fidelity(1, 81)})
    assert not space.counts({"x": 0.5, "s": 80})
    assert space.aimed({"x": 0.5, "s": 3}) == {"x": 0.5, "s": 3}
    assert Space(X).counts({"x": 0.5})
    assert Space(X).at_target == Space(X)
    assert Space(X).fidelity is None
    assert Grid({"a": [1, 2]}).fidelity is None


def test_costs_as_they_are_given():
    assert the(Fidelity(1, 80)).cost_of(20) == 0.25
    assert the(Fidelity(0.1, 1.0, target=0.1)).cost_of(0.4) == pytest.approx(0.25)
    assert the(Fidelity(0, 10, cost=[1, 11])).cost_of(4) == 5.0
    assert the(Fidelity(["a", "b", "c"], cost=[1, 10, 100])).cost_of("b") == 10.0
    assert the(Fidelity([1, 5, 9], cost=[1, 2, 4])).cost_of(5) == 2.0
    assert the(Fidelity(1, 9, cost=lambda s: s**2)).cost_of(3) == 9.0


@pytest.mark.parametrize(
    "fidelity",
    [
        Fidelity(1, 81, log=True),
        Fidelity(0.1, 1.0, target=0.1, cost=[5, 1]),
        Fidelity(10, 100, step=10, cost="duration"),
        Fidelity(["a", "b"], cost=[1, 2]),
        Fidelity([1, 3, 9]),
        Fidelity([1, 3, 9], target=1, cost=[4, 2, 1]),
    ],
)
def test_a_stored_fidelity_comes_back(fidelity):
    space = Space({**X, "s": fidelity})
    again = Space.from_json(space.to_json())
    assert again == space
    assert again.fidelity == space.fidelity
    assert the(eval(repr(the(fidelity)))) == the(fidelity)


def test_a_function_of_the_cost_has_to_be_given_again():
    def bill(epochs):
        return 2.0 * epochs

    space = Space({**X, "s": Fidelity(1, 9, cost=bill)})
    again = Space.from_json(space.to_json())
    assert again == space  # by its name
    with pytest.raises(SpaceError, match="bill is a function, which is not stored; give it again"):
        again.fidelity[1].cost_of(3)
    with pytest.raises(SpaceError, match="must give a number above 0 for every fidelity, got -1"):
        the(Fidelity(1, 9, cost=lambda s: -1)).cost_of(3)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"s": Fidelity(1, 9)}, "beside the fidelity there is nothing to search"),
        ({**X, "s": Fidelity(1, 9), "t": Fidelity(1, 9)}, "a space has one fidelity, got s and t"),
        ({**X, "s": Fidelity(9, 1)}, "low must be below high"),
        ({**X, "s": Fidelity(1, 9, target=5)}, "the target is an end of the range, 1 or 9, got 5"),
        ({**X, "s": Fidelity(["a", "b"])}, r"say what each level costs, as in cost=\[1, 10\]"),
        ({**X, "s": Fidelity(["a"], cost=[1])}, "at least two levels"),
        ({**X, "s": Fidelity(["a", "b"], cost=[1, 2], target="a")}, "the last one is the target"),
        ({**X, "s": Fidelity(["a", "b"], cost=[1])}, "a list of 2 numbers above 0"),
        ({**X, "s": Fidelity(1, 9, cost=[1, 0])}, "costs at low and at high"),
        ({**X, "s": Fidelity(1, 9, cost="free")}, 'or "duration" to learn it'),
        ({**X, "s": Fidelity(0, 9)}, r"give the costs at both ends, as in cost=\[1, 10\]"),
        ({**X, "s": Fidelity([9, 3, 1])}, "from the lowest to the highest"),
        ({**X, "s": Fidelity(1, 9), "y": Float(0, 1, when="s > 3")}, "does not depend on it"),
    ],
)
def test_what_makes_no_sense_is_refused(parameters, words):
    with pytest.raises(SpaceError, match=words):
        Space(parameters)


def test_known_constraints_do_not_speak_of_the_fidelity():
    parameters = {**X, "y": Float(0, 1), "s": Fidelity(1, 9)}
    assert Space(parameters, where=["x + y <= 1"]).at_target.held == {2: 1.0}
    with pytest.raises(SpaceError, match="what to try does not depend on it"):
        Space(parameters, where=["x * s <= 3"])


def test_pools_and_grids_say_where_a_fidelity_goes():
    with pytest.raises(SpaceError, match="list some, as in Fidelity"):
        Grid({"a": [1, 2], "s": Fidelity(1, 9)})
    with pytest.raises(SpaceError, match="with_fidelity\\('s', Fidelity"):
        Candidates({"a": [1, 2], "s": Fidelity(1, 9)})
