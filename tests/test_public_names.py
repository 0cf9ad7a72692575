"""The public surface is a list that is held on purpose: a name comes or goes in view of all."""

import importlib
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


# What modules offered in version 0.1, and still do: its users need not look where things moved.
OF_VERSION_0_1 = {
    "pathmax": (
        "Candidates Categorical Float Grid Int Result Space StopWhen Study Trial TrialState "
        "acquisition errors gp maximize minimize theory"
    ),
    "pathmax.acquisition": (
        "Box Choice GridDomain METHODS Maximum Mixed Pool believe choose maximize"
    ),
    "pathmax.errors": (
        "DataFileError ExhaustedError ForeignStorageError MissingExtraError ModelError "
        "ObjectiveError OutcomeError ParamsError PathmaxError SettingsError SpaceChangedError "
        "SpaceError StorageError StorageFullError StorageUnavailableError StudyNotFoundError "
        "TrialError"
    ),
    "pathmax.experiments.problems": (
        "Problem ackley alkox branin fullerenes gp_sample hartmann6 shekel"
    ),
    "pathmax.gp": (
        "Bowl Categorical ExactPath ExactPaths GaussianProcess GridPosterior Joint Kernel Linear "
        "LogNormal Matern12 Matern32 Matern52 Path Paths Prediction Priors Product RBF Slopes "
        "default_priors draw_path draw_paths fit from_json"
    ),
    "pathmax.integrations.optuna": "PathmaxSampler",
    "pathmax.plots": "overview parallel progress save slices",
    "pathmax.pool": "Candidates Domain Grid difference from_json",
    "pathmax.regret": "Regret StopWhen Verdict",
    "pathmax.result": "Result best_of",
    "pathmax.space": "Axis Categorical Fixed Float Int Parameter Scalar Space",
    "pathmax.storage": "Ending Entry MemoryStorage Storage StudyRecord open_storage",
    "pathmax.study": "Study",
    "pathmax.tables": (
        "Dialect Table format_cell format_number is_number parse_number read_cells read_table "
        "replace_file write_table"
    ),
    "pathmax.theory": (
        "DerivativeTail MaximumInformationGain TwoParameterExponential bcr_bound bsr_bound c1 c2 "
        "confidence_beta derivative_tail expected_slope gp_ucb_beta information_gain "
        "irgp_ucb_zeta lipschitz_std m_t maximum_information_gain s_t variance_floor"
    ),
    "pathmax.trial": "EARLIER Json Trial TrialState check_remarks",
}


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
        names = [n for n in dir(thing) if n[0] != "_"]
        offered = [n for n in names if is_code(inspect.getattr_static(thing, n))]
        assert [n for n in offered if not inspect.getdoc(getattr(thing, n))] == []


def is_code(member: object) -> bool:
    return inspect.isroutine(member) or isinstance(member, property | cached_property)


def test_an_unknown_name_is_an_attribute_error_that_names_it():
    with pytest.raises(AttributeError, match="has no attribute 'maximise'"):
        pathmax.maximise  # noqa: B018


@pytest.mark.parametrize("module", OF_VERSION_0_1)
def test_what_version_0_1_offered_is_where_it_was(module: str):
    there = importlib.import_module(module)
    assert [name for name in OF_VERSION_0_1[module].split() if not hasattr(there, name)] == []
