"""A column of molecules: SMILES in, suggestions out; those that cannot be read are named by row."""

import numpy as np
import pytest

import pathmax
from pathmax.errors import DataFileError, ParamsError, SpaceError
from pathmax.gp.fingerprints import Fingerprints
from pathmax.gp.kernels.tanimoto import Tanimoto

SMILES = [
    "C" * n + end
    for n in range(1, 9)
    for end in ("", "O", "N", "Cl", "C(=O)O", "c1ccccc1", "C#N", "OC", "S", "F")
]


def similarity(pool):
    sets, every = pool.axes[0].molecules, np.arange(len(pool))
    return Fingerprints(sets.elements, sets.ends).similarity(every, every)


def length(params):
    return params["smiles"].count("C") - 3.0 * ("O" in params["smiles"])


def test_alike_molecules_are_known_to_be():
    pool = pathmax.Candidates({"smiles": ["CCCCO", "CCCCCO", "c1ccccc1"]}, smiles="smiles")
    J = similarity(pool)
    assert J[0, 1] > 0.5 > J[0, 2]
    np.testing.assert_allclose(np.diagonal(J), 1.0)


def test_how_unlike_molecules_are_is_what_their_similarity_leaves():
    pool = pathmax.Candidates({"smiles": SMILES}, smiles="smiles")
    unlike = pool.axes[0].molecules.unlike(7, range(len(pool)))
    np.testing.assert_allclose(unlike, 1.0 - similarity(pool)[7])


def test_the_nearest_result_is_that_of_the_molecule_most_alike():
    pool = pathmax.Candidates({"smiles": ["c1ccccc1", "CCCCCO", "CCCCO", "CCS"]}, smiles="smiles")
    study = pathmax.Study(pool, direction="maximize", seed=0, initial=0)
    for value, smiles in enumerate(["c1ccccc1", "CCCCCO", "CCS"]):
        study.add({"smiles": smiles}, float(value))
    said = study.explain(study.ask())
    assert "nearest result" in said and "1 in trial 1, 0." in said
    assert "away (of molecules: 1 - their similarity)" in said


def test_two_ways_to_write_a_molecule_have_the_same_pieces():
    pool = pathmax.Candidates({"smiles": ["CCO", "OCC"]}, smiles="smiles")
    assert similarity(pool)[0, 1] == 1.0


def test_a_study_finds_the_best_molecule_in_fewer_trials_than_chance():
    pool = pathmax.Candidates({"smiles": SMILES}, smiles="smiles")
    study = pathmax.Study(pool, direction="maximize", seed=0)
    for _ in range(20):
        trial = study.ask()
        study.tell(trial, length(trial.params))
    best = max(length({"smiles": s}) for s in SMILES)
    assert study.best_value >= best - 1  # 80 molecules; four of them are that good
    assert study.replay(12) == study.trials[12].params
    assert isinstance(study.posterior().model.kernel, Tanimoto)
    assert study.best_probabilities(n_paths=50).probability.sum() == pytest.approx(1.0)
    assert study.recommend()["smiles"] in SMILES
    assert len({trial.params["smiles"] for trial in study.trials}) == 20


def test_features_and_exact_paths_are_both_there():
    for kind in ("pathwise", "exact"):
        pool = pathmax.Candidates({"smiles": SMILES}, smiles="smiles")
        study = pathmax.Study(pool, direction="maximize", seed=1, initial=3, options={"kind": kind})
        for _ in range(5):
            trial = study.ask()
            study.tell(trial, length(trial.params))
        assert study.best_value > 0.0


def test_molecules_beside_other_columns():
    rows = [
        {"name": f"{i}-{t}", "smiles": s, "temperature": t, "solvent": v}
        for i, s in enumerate(SMILES)
        for t, v in ((20.0, "DMF"), (80.0, "THF"))
    ]
    pool = pathmax.Candidates(rows, id="name", smiles="smiles", where=["temperature < 90"])
    study = pathmax.Study(pool, direction="maximize", seed=0, initial=4)
    for _ in range(10):
        trial = study.ask()
        study.tell(trial, length(trial.params) + trial.params["temperature"] / 20.0)
    assert study.best_params["temperature"] == 80.0
    assert len(study.ask(3)) == 3


def test_a_stored_study_goes_on(tmp_path):
    storage = f"sqlite:///{tmp_path / 'lab.db'}"
    pool = pathmax.Candidates({"smiles": SMILES}, smiles="smiles")
    study = pathmax.Study(pool, direction="maximize", name="m", storage=storage, initial=3, seed=0)
    for _ in range(5):
        trial = study.ask()
        study.tell(trial, length(trial.params))
    again = pathmax.Study.load("m", storage=storage)
    assert again.space == pool
    assert again.ask().params == study.replay(5)
    other = pathmax.Candidates({"smiles": SMILES})
    with pytest.raises(pathmax.errors.PathmaxError, match="column of molecules was 'smiles'"):
        pathmax.Study(other, direction="maximize", name="m", storage=storage)


class TestFiles:
    def test_csv_and_parquet(self, tmp_path):
        import pyarrow as pa
        from pyarrow import parquet

        rows = "\n".join(f"{s},{i}" for i, s in enumerate(SMILES))
        (tmp_path / "library.csv").write_text(f"smiles,weight\n{rows}\n")
        table = pa.table({"smiles": SMILES, "weight": np.arange(len(SMILES))})
        parquet.write_table(table, tmp_path / "library.parquet")
        one = pathmax.Candidates.from_csv(tmp_path / "library.csv", smiles="smiles")
        other = pathmax.Candidates.from_parquet(tmp_path / "library.parquet", smiles="smiles")
        assert one == other
        assert one.axes[0].molecules.key == other.axes[0].molecules.key
        with pytest.raises(SpaceError, match="pools that are held"):
            pathmax.Candidates.from_parquet(
                tmp_path / "library.parquet", smiles="smiles", stream=True
            )

    def test_an_invalid_smiles_is_named_by_its_line(self, tmp_path):
        (tmp_path / "library.csv").write_text("smiles\nCCO\nC1CC\nCCN\n")
        with pytest.raises(DataFileError, match=r"line 3, column 'smiles': 'C1CC' is no SMILES"):
            pathmax.Candidates.from_csv(tmp_path / "library.csv", smiles="smiles")


BROKEN = ["CCO", "C1CC", "CCN", "not a molecule", "CC(C)(C)(C)C", ""]


class TestFinding:
    """A molecule says which row it is, unless several rows have it."""

    def test_by_the_molecule_alone(self):
        rows = {"smiles": SMILES, "weight": np.arange(80.0)}
        pool = pathmax.Candidates(rows, smiles="smiles")
        assert pool.key == "smiles"
        assert pool.index({"smiles": SMILES[7]}) == 7
        assert pool.index({"smiles": SMILES[7], "weight": 7.0}) == 7
        study = pathmax.Study(pool, direction="maximize")
        assert study.add({"smiles": SMILES[3]}, 1.5).params == pool.params(3)
        with pytest.raises(ParamsError, match="no candidate has the features"):
            pool.index({"smiles": SMILES[7], "weight": 8.0})
        with pytest.raises(ParamsError, match="smiles: no value given"):
            pool.index({"weight": 7.0})

    def test_where_several_rows_have_it(self):
        rows = [{"smiles": s, "hot": hot, "day": 1} for s in SMILES[:4] for hot in ("no", "yes")]
        pool = pathmax.Candidates(rows, smiles="smiles")
        assert pool.key is None
        assert pool.index({"smiles": SMILES[1], "hot": "yes"}) == 3
        with pytest.raises(ParamsError, match=r"2 rows have the text .*; say which .* by hot, day"):
            pool.index({"smiles": SMILES[1]})

    def test_at_a_fidelity(self):
        pool = pathmax.Candidates({"smiles": SMILES, "x": np.arange(80.0)}, smiles="smiles")
        levelled = pool.with_fidelity("assay", pathmax.Fidelity(["quick", "full"], cost=[1, 9]))
        assert levelled.key == "smiles"
        assert levelled.index({"smiles": SMILES[2], "assay": "full"}) == 5


class TestRefusals:
    def test_all_that_cannot_be_read_are_named_at_once(self, capfd):
        with pytest.raises(SpaceError, match=r"2 of 5 SMILES .*: row 1 'C1CC'; row 3 'not a mol"):
            pathmax.Candidates({"smiles": [*BROKEN[:4], "C"]}, smiles="smiles")
        assert capfd.readouterr().err == ""  # RDKit's own words are kept quiet

    def test_several_are_named_by_their_lines(self, tmp_path):
        """They were rows from 0 where a single one was a line."""
        lines = ["CCO", "C1CC", "CCN", *["ethanol"] * 6]
        (tmp_path / "library, 2.csv").write_text("smiles\n" + "\n".join(lines) + "\n")
        words = (
            r"library, 2\.csv, column 'smiles': 7 of 9 SMILES .*: line 3 'C1CC'; line 5 'ethanol'"
        )
        with pytest.raises(DataFileError, match=f"{words}; .*; also line 9, line 10\\. Correct"):
            pathmax.Candidates.from_csv(tmp_path / "library, 2.csv", smiles="smiles")

    def test_very_many_are_counted(self):
        smiles = ["CCO", *(f"molecule {i}" for i in range(200))]
        with pytest.raises(SpaceError, match=r"row 99, row 100 and 100 more\. Correct them"):
            pathmax.Candidates({"smiles": smiles}, smiles="smiles")

    def test_a_column_without_molecules_is_said_to_be_the_wrong_one(self):
        rows = {"smiles": SMILES, "name": [f"molecule {i}" for i in range(80)]}
        with pytest.raises(SpaceError, match="none of the 80 cells is a SMILES") as caught:
            pathmax.Candidates(rows, smiles="name")
        assert "name the column that has the molecules" in str(caught.value)
        assert "row 5" not in str(caught.value)

    def test_they_can_be_left_out(self):
        pool = pathmax.Candidates({"smiles": BROKEN}, smiles="smiles", skip_incomplete=True)
        assert (len(pool), pool.skipped) == (2, 4)
        assert pool.params(1) == {"smiles": "CCN"}

    def test_a_molecule_that_is_written_otherwise_is_no_row(self):
        pool = pathmax.Candidates({"smiles": SMILES}, smiles="smiles")
        with pytest.raises(ParamsError, match=r"the pool has .* and \d+ others; write a SMILES as"):
            pool.index({"smiles": "OCCCCCCCCCCCC"})

    @pytest.mark.parametrize("columns", [{"smiles": SMILES}, {"smiles": SMILES, "x": range(80)}])
    @pytest.mark.parametrize("skip", [True, False])
    def test_the_column_must_be_a_feature(self, columns, skip):
        with pytest.raises(SpaceError, match="leave out the id"):
            pathmax.Candidates(columns, id="smiles", smiles="smiles", skip_incomplete=skip)
        with pytest.raises(SpaceError, match="no feature 'structure'"):
            pathmax.Candidates({"smiles": SMILES}, smiles="structure")
        with pytest.raises(SpaceError, match="row 0, column 'x': expected a SMILES"):
            pathmax.Candidates({"smiles": SMILES, "x": list(range(80))}, smiles="x")
