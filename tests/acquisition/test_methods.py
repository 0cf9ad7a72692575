"""A method is a dataclass: its fields are its options, and each method has its own."""

import json
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
import pytest

from pathmax import acquisition, gp
from pathmax.acquisition import (
    METHODS,
    Box,
    Choice,
    GpUcb,
    Jes,
    Mes,
    Pims,
    Random,
    Step,
    Ts,
    choose,
    methods,
    register,
)
from pathmax.acquisition.ucb import UpperConfidence
from pathmax.errors import ModelError, SettingsError

SHARED = {"effort"}
OF_PATHS = {"effort", "kind", "n_features"}
OPTIONS = {
    "pims": OF_PATHS | {"discretization", "resolution", "looks"},
    "ts": OF_PATHS | {"discretization", "nearest"},
    "gp-ucb": SHARED | {"confidence", "design"},
    "irgp-ucb": SHARED | {"confidence"},
    "ei": SHARED | {"reference"},
    "pi": SHARED | {"reference"},
    "mes": OF_PATHS | {"n_samples"},
    "jes": OF_PATHS | {"n_samples", "entropy"},
    "eims": OF_PATHS,
    "gp-est": SHARED,
    "random": set(),
    "es": OF_PATHS | {"n_samples"},
    "pes": OF_PATHS | {"n_samples"},
    "kg": OF_PATHS | {"n_samples"},
}
GIVEN = {
    "effort": 0.5,
    "kind": "pathwise",
    "n_features": 64,
    "n_samples": 3,
    "confidence": 2.0,
    "discretization": 5,
    "nearest": True,
    "resolution": 0.01,
    "looks": 64,
    "reference": "observed",
    "entropy": "exact",
    "design": 5,
}


@dataclass(frozen=True)
class Optimist:
    """A method of one's own."""

    name: ClassVar[str] = "optimist"
    width: float = 2.0

    def choose(self, step: Step) -> Choice:
        surface = step.surface()
        return step.choice(surface, surface.top(UpperConfidence(self.width)), width=self.width)


@dataclass(frozen=True)
class Corner:
    """One that says nothing but where."""

    name: ClassVar[str] = "corner"
    at: float = 1.0

    def choose(self, step: Step) -> Choice:
        return Choice(np.full(step.domain.dimension, self.at))


@pytest.fixture(name="model")
def _model(rng):
    X = rng.random((6, 2))
    return gp.GaussianProcess(gp.RBF(0.3), 1e-6).condition(X, X[:, 0])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_states_its_options(method, model, rng):
    assert set(methods.options_of(method)) == OPTIONS[method]
    given = {name: GIVEN[name] for name in OPTIONS[method]}
    made = methods.make(method, given)
    assert made.name == method
    stored = json.loads(json.dumps(methods.all_options(made)))
    assert stored == given and methods.make(method, stored) == made
    for name in set(GIVEN) - OPTIONS[method]:
        with pytest.raises(SettingsError, match=f"options: {method} takes .*'{name}', which belon"):
            methods.make(method, {name: GIVEN[name]})


@pytest.mark.parametrize("method", METHODS)
def test_an_object_chooses_as_its_name_does(method, model):
    given = {name: GIVEN[name] for name in OPTIONS[method]}
    for options in ({}, given):
        by_name = choose(method, model, Box(2), np.random.default_rng(1), t=7, **options)
        made = methods.make(method, options)
        by_object = choose(made, model, Box(2), np.random.default_rng(1), t=7)
        np.testing.assert_array_equal(by_name.u, by_object.u)
        assert by_name.info["method"] == by_object.info["method"] == method


def test_the_error_says_whose_option_it_is():
    with pytest.raises(SettingsError) as error:
        methods.make("pims", {"confidence": 2.0})
    assert str(error.value) == (
        "options: pims takes discretization, effort, kind, looks, n_features, resolution, got "
        "'confidence', which belongs to gp-ucb and irgp-ucb; leave it out, or choose another method"
    )
    with pytest.raises(
        SettingsError, match=r"ei takes effort, reference, got 'zeal'; leave it out$"
    ):
        methods.make("ei", {"zeal": 1})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Pims(effort="much"), "effort must be a number, zero or more"),
        (lambda: Pims(resolution=-1.0), "resolution must be a number, zero or more"),
        (lambda: Mes(n_samples=0), "n_samples must be a whole number, 1 or more"),
        (lambda: Ts(kind="fast"), "kind must be one of"),
        (lambda: Jes(entropy="all"), "entropy must be one of bound, exact"),
        (lambda: Ts(discretization=1), "discretization must be a whole number, 2 or more"),
        (lambda: GpUcb(confidence="high"), "confidence must be"),
    ],
)
def test_an_option_is_checked_when_it_is_given(make, words):
    with pytest.raises(SettingsError, match=words):
        make()


def test_options_are_kept_as_plain_values():
    points = np.array([[0.0, 0.5], [1.0, 0.25]])
    kept = Ts(n_features=np.int64(32), effort=np.float32(0.5), discretization=points)
    assert methods.all_options(kept) == {
        "n_features": 32,
        "effort": 0.5,
        "discretization": [[0.0, 0.5], [1.0, 0.25]],
    }
    assert type(kept.n_features) is int and type(kept.effort) is float
    assert not fields(Random())


def test_a_method_of_ones_own_chooses_like_ours(model):
    for method, like in ((Optimist(), GpUcb(confidence=4.0)), (Optimist(0.0), GpUcb(confidence=0))):
        mine = choose(method, model, Box(2), np.random.default_rng(0))
        theirs = choose(like, model, Box(2), np.random.default_rng(0))
        np.testing.assert_array_equal(mine.u, theirs.u)
        assert mine.info["mean"] == theirs.info["mean"]
        assert mine.info["method"] == "optimist" and mine.info["width"] == method.width


def test_a_method_that_only_says_where_is_explained_by_the_model(model, rng):
    choice = choose(Corner(), model, Box(2), rng)
    mean, std = model.predict(np.ones((1, 2)))
    assert choice.info == {"mean": mean[0], "std": std[0], "method": "corner"}
    with pytest.raises(ModelError, match="corner must choose a point of 2 finite coordinates"):
        choose(Corner(np.nan), model, Box(2), rng)
    assert choose(Corner(), None, Box(2), rng).info == {"method": "corner"}
    with pytest.raises(TypeError, match="give the options to Corner"):
        choose(Corner(), model, Box(2), rng, effort=2.0)


def test_registering():
    assert register(Optimist) is Optimist and methods.is_registered("optimist")
    assert methods.make("optimist", {"width": 3.0}) == Optimist(3.0)

    @dataclass(frozen=True)
    class Again:
        name: ClassVar[str] = "optimist"

        def choose(self, step: Step) -> Choice:
            raise NotImplementedError

    register(Again)  # a notebook's cell is run twice
    assert methods.options_of("optimist") == []
    register(Optimist)
    assert METHODS == acquisition.METHODS and "optimist" not in METHODS


@dataclass(frozen=True)
class Nameless:
    def choose(self, step: Step) -> Choice:
        raise NotImplementedError


@dataclass(frozen=True)
class Impostor(Nameless):
    name: ClassVar[str] = "pims"


@dataclass(frozen=True)
class Unstorable(Nameless):
    name: ClassVar[str] = "unstorable"
    model: object = gp.RBF()


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (Optimist(), "frozen dataclass .*, got Optimist"),
        (3, "frozen dataclass .*, got 3"),
        (int, "frozen dataclass"),
        (Nameless, "Nameless needs a name"),
        (Impostor, "Impostor is named 'pims' like a method of pathmax"),
    ],
)
def test_what_is_no_method_is_not_registered(what, words):
    with pytest.raises(SettingsError, match=words):
        register(what)


def test_options_that_are_not_json_are_refused():
    with pytest.raises(SettingsError, match="options of unstorable must be numbers, texts"):
        methods.stored(Unstorable())


@dataclass(frozen=True)
class Silent:
    """One that forgets to return its choice."""

    name: ClassVar[str] = "silent"

    def choose(self, step: Step) -> Choice:
        step.surface()
        return None  # type: ignore[return-value]


def test_a_method_that_returns_no_choice_is_told_what_to_return(model, rng):
    with pytest.raises(ModelError, match=r"silent.choose\(step\) must return a Choice"):
        choose(Silent(), model, Box(2), rng)
