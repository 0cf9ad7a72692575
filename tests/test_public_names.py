"""The public surface is a list that is held on purpose: a name comes or goes in view of all."""

import pytest

import pathmax

PUBLIC = [
    "Candidates",
    "Categorical",
    "Float",
    "Grid",
    "Int",
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


def test_the_list_of_public_names():
    assert sorted(pathmax.__all__) == sorted(PUBLIC)


@pytest.mark.parametrize("name", pathmax.__all__)
def test_every_public_name_is_there_and_documented(name: str):
    assert getattr(pathmax, name).__doc__
    assert name in dir(pathmax)


def test_an_unknown_name_is_an_attribute_error_that_names_it():
    with pytest.raises(AttributeError, match="has no attribute 'maximise'"):
        pathmax.maximise  # noqa: B018
