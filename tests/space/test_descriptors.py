"""Descriptors of choices: read, checked, standardised, stored; and what the model makes of them."""

import json

import numpy as np
import pytest

from pathmax import Categorical, Float, Space, Study, gp
from pathmax.errors import DataFileError, SpaceError
from pathmax.suggestion.default_kernel import default_kernel

SOLVENTS = {
    "THF": {"polarity": 0.21, "boiling point": 66},
    "dioxane": {"polarity": 0.16, "boiling point": 101},
    "water": {"polarity": 1.0, "boiling point": 100},
}


def described(table=SOLVENTS, choices=tuple(SOLVENTS)):
    return Space({"t": Float(0, 1), "solvent": Categorical(choices, descriptors=table)})


def test_properties_are_standardised_to_the_spread_of_a_parameter():
    table = described().axes[1].properties
    assert table.shape == (3, 2)
    np.testing.assert_allclose(table.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(table.std(axis=0), 12**-0.5)


def test_a_property_that_is_the_same_for_all_choices_is_left_out():
    table = {name: row | {"price": 3} for name, row in SOLVENTS.items()}
    assert described(table).axes[1].properties.shape == (3, 2)


def test_they_are_stored_shown_and_a_difference():
    space = described()
    again = Space.from_json(json.loads(json.dumps(space.to_json())))
    assert again == space and hash(again) == hash(space)
    np.testing.assert_array_equal(again.axes[1].properties, space.axes[1].properties)
    without = Space({"t": Float(0, 1), "solvent": Categorical(list(SOLVENTS))})
    assert "descriptors" not in without.to_json()["parameters"][1]
    assert without.difference(space)[0].startswith("solvent was Categorical(['THF', 'dioxane', 'w")
    assert repr(space).endswith("'water': {'polarity': 1.0, 'boiling point': 100.0}})})")
    assert Space(space) == space


def test_a_file_may_hold_more_than_is_needed(tmp_path):
    path = tmp_path / "solvents.csv"
    path.write_text(
        "name;polarity;cas;boiling point\nwater;1,0;7732-18-5;100\nTHF;0,21;109-99-9;66\n"
        "DMF;0,39;68-12-2;153\ndioxane;0,16;123-91-1;101\n",
        encoding="utf-8",
    )
    assert described(str(path)) == described() == described(path)
    path.write_text("name,polarity\nTHF,1\nTHF,2\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="'THF' comes twice"):
        described(path)
    path.write_text("name,colour\nTHF,red\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="no column of numbers beside 'name'"):
        described(path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (3, "descriptors are a dict such as"),
        ({"THF": {"a": 1}}, "no descriptors for the choice 'dioxane'"),
        (dict.fromkeys(SOLVENTS, 3), "the descriptors of 'THF' are a dict such as"),
        ({key: {} for key in SOLVENTS}, "no properties given for 'THF'"),
        ({key: {1: 2} for key in SOLVENTS}, "the name of a property must be text"),
        ({key: {"a": "b"} for key in SOLVENTS}, "a of 'THF' must be a number"),
        ({key: {"a": float("nan")} for key in SOLVENTS}, "a of 'THF' must be finite"),
        ({key: {"a": 1} for key in SOLVENTS}, "the same for all choices"),
        (SOLVENTS | {"water": {"polarity": 1}}, "'boiling point' is given for some .* 'water'"),
        (SOLVENTS | {"water": SOLVENTS["THF"] | {"x": 1}}, "'x' is given for some choices and"),
    ],
)
def test_tables_that_cannot_work_are_refused(table, message):
    with pytest.raises(SpaceError, match=f"solvent: .*{message}"):
        described(table)


def test_thf_is_nearer_to_dioxane_than_to_water(rng):
    space = described()
    kernel = default_kernel(space.axes, separable=False)
    K = kernel(np.array([[0.5, 0.0], [0.5, 1.0], [0.5, 2.0]]))
    assert K[0, 1] > K[0, 2]
    X = np.column_stack([rng.random(9), rng.integers(0, 3, 9)])
    model = gp.fit(
        kernel, X, np.sin(4 * X[:, 0]) + space.axes[1].properties[X[:, 1].astype(int), 0]
    )
    assert gp.from_json(json.loads(json.dumps(model.kernel.to_json()))) == model.kernel


def test_a_study_with_descriptors_goes_on_from_its_storage(tmp_path):
    storage = f"sqlite:///{tmp_path}/lab.db"
    study = Study(described(), direction="maximize", name="s", storage=storage, seed=1)
    for _ in range(7):
        trial = study.ask()
        study.tell(trial, trial.params["t"] - SOLVENTS[trial.params["solvent"]]["polarity"])
    again = Study.load("s", storage=storage)
    assert again.space == study.space
    assert again.replay(6) == again.trials[6].params
    assert again.ask().params["solvent"] in SOLVENTS


def test_what_choices_are_compared_by_is_said():
    base = Categorical(["KOH", "NEt3"], descriptors={"KOH": {"pKa": 15.7}, "NEt3": {"pKa": 10.7}})
    assert Space({"base": base}).describe("base") == "KOH, NEt3, alike by pKa"
