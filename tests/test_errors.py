"""The tree of errors is the one drawn in the docstring."""

import pickle

import pytest

from pathmax import errors


def children(error: type) -> list[str]:
    return [name for sub in error.__subclasses__() for name in (sub.__name__, *children(sub))]


def test_the_tree_is_drawn_in_the_docstring():
    drawn = [
        line.split("── ")[1].split()[0] for line in errors.__doc__.splitlines() if "── " in line
    ]
    assert drawn == children(errors.PathmaxError)
    warned = [word for word in errors.__doc__.split() if word.endswith("Warning")]
    assert sorted([*drawn, *warned, "PathmaxError"]) == errors.__all__
    assert errors.__all__ == sorted(name for name in vars(errors) if name[0].isupper())


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_documented_and_survives_a_process_pool(name):
    error = getattr(errors, name)
    assert error.__doc__
    assert str(pickle.loads(pickle.dumps(error("what to do")))) == "what to do"
