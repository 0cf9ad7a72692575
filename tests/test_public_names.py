"""The public surface is a list that is held on purpose: a name comes or goes in view of all."""

import inspect
from functools import cached_property

import pytest

import pathmax

PUBLIC = [
    "Candidates",
    "Categorical",
    "Fidelity",
    "Float",
    "Grid",
    "Int",
    "Mixture",
    "Result",
    "Space",
    "StopWhen",
    "Study",
    "Trial",
    "TrialState",
    "acquisition",
    "errors",
    "gp",
    "maximize",
    "minimize",
    "theory",
]

GP = (
    "Bowl Categorical ExactPath ExactPaths GaussianProcess GridPosterior Joint Kernel Linear "
    "LogNormal Matern12 Matern32 Matern52 Path Paths Prediction Priors Product RBF Slopes "
    "Stationary Sum default_priors draw_path draw_paths fit from_json register"
).split()


def test_the_list_of_public_names():
    assert sorted(pathmax.__all__) == sorted(PUBLIC)
    assert sorted(pathmax.gp.__all__) == sorted(GP)


@pytest.mark.parametrize("name", pathmax.__all__)
def test_every_public_name_is_there_and_documented(name: str):
    assert getattr(pathmax, name).__doc__
    assert name in dir(pathmax)


def public_classes_and_functions() -> dict[str, object]:
    found: dict[str, object] = {}
    for name in pathmax.__all__:
        thing = getattr(pathmax, name)
        if inspect.ismodule(thing):
            inside = getattr(thing, "__all__", None) or [n for n in vars(thing) if n[0] != "_"]
            found |= {f"{name}.{n}": getattr(thing, n) for n in inside}
        else:
            found[name] = thing
    kinds = inspect.isclass, inspect.isfunction
    return {name: thing for name, thing in found.items() if any(is_a(thing) for is_a in kinds)}


@pytest.mark.parametrize("name", public_classes_and_functions())
def test_whatever_a_public_name_offers_is_documented(name: str):
    thing = public_classes_and_functions()[name]
    assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        offered = [n for n, what in vars(thing).items() if n[0] != "_" and is_code(what)]
        assert [n for n in offered if not inspect.getdoc(getattr(thing, n))] == []


def is_code(member: object) -> bool:
    return inspect.isroutine(member) or isinstance(member, property | cached_property)


def test_an_unknown_name_is_an_attribute_error_that_names_it():
    with pytest.raises(AttributeError, match="has no attribute 'maximise'"):
        pathmax.maximise  # noqa: B018
