"""The examples in the docstrings give what they say."""

import doctest
import importlib.util
import pkgutil

import pytest

import pathmax


def modules_with_examples() -> list[str]:
    names = [info.name for info in pkgutil.walk_packages(pathmax.__path__, "pathmax.")]
    return [name for name in names if ">>> " in source(name)]


def source(name: str) -> str:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    return spec.loader.get_source(name) or ""


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_of(name: str):
    module = importlib.import_module(name)
    failed, tried = doctest.testmod(module)
    assert tried
    assert not failed
