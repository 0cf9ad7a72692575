"""Names that are imported when they are first used, in packages that hold many."""

import importlib
import pkgutil
from types import ModuleType

import pytest

import pathmax
from pathmax.lazy_names import on_first_use

PACKAGES = ["pathmax", "pathmax.acquisition", "pathmax.analysis", "pathmax.gp", "pathmax.space"]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_found_and_listed(package: str):
    module = importlib.import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
    assert {*module.__all__} <= {*dir(module)}
    assert not {"TYPE_CHECKING", "lazy_names", "on_first_use", "trials"} & {*dir(module)}
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nonsense'"):
        _ = module.nonsense


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_is_hidden_by_a_module(package: str):
    """`pathmax.gp.fit` is a function whichever modules were imported before."""
    module = importlib.import_module(package)
    modules = {found.name for found in pkgutil.iter_modules(module.__path__)}
    for name in modules & {*module.__all__}:
        assert isinstance(getattr(module, name), ModuleType), name


def test_a_name_is_looked_up_once():
    look_up, list_names = on_first_use("pathmax", {"trials.trial": "Trial", "": "errors"})
    assert look_up("Trial") is pathmax.Trial
    assert look_up("errors") is pathmax.errors
    assert {"Trial", "errors"} <= {*list_names()}
