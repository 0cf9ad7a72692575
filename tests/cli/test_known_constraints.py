"""Known constraints and mixtures from the command line: every row of suggestions obeys."""

from pathlib import Path

import pytest

from pathmax.space.space import Space
from pathmax.tables import read_table
from pathmax.workspace.space_file import read_space

SPACE = """\
study = "paint"
where = ["A + temperature <= 100", "not (solvent == 'THF' and temperature > 60)"]

[objective]
name = "gloss"
direction = "maximize"

[parameters]
temperature = { low = 20, high = 120 }
solvent = ["DMF", "THF"]
blend = { components = { A = [0, 60], B = [0, 60], C = [5, 60] }, total = 100, step = 0.5 }
"""
ROWS = """\
temperature,solvent,A,B,C,gloss
30,DMF,40,40,20,3
50,THF,20,50,30,5
25,DMF,60,20,20,4
"""


@pytest.fixture(autouse=True)
def here(lab):
    Path("space.toml").write_text(SPACE, encoding="utf-8")
    Path("results.csv").write_text(ROWS, encoding="utf-8")


def check_rows(file: str, n: int) -> None:
    domain = read_space("space.toml").domain
    assert isinstance(domain, Space)
    columns = read_table(file).columns
    rows = [{name: columns[name][i] for name in domain.names} for i in range(n)]
    for row in rows:
        params = domain.validate({k: v.item() if hasattr(v, "item") else v for k, v in row.items()})
        assert not domain.where.broken(params)


def test_a_table_of_results_leads_to_rows_that_obey(run):
    run("suggest", "--data", "results.csv", "-n", "3", "-o", "next.csv")
    check_rows("next.csv", 3)


def test_a_stored_study_suggests_and_exports_rows_that_obey(run):
    run("import", "results.csv", "--space", "space.toml")
    run("suggest", "-n", "2")
    run("export", "-o", "all.csv")
    check_rows("all.csv", 5)


@pytest.mark.filterwarnings("always::pathmax.errors.KnownConstraintWarning")
def test_a_result_that_does_not_obey_is_kept_with_a_warning(run):
    Path("results.csv").write_text(ROWS + "110,THF,20,50,30,99\n", encoding="utf-8")
    said = run("import", "results.csv", "--space", "space.toml").output
    assert "does not obey the known constraint" in said and "it is kept" in said
    assert '"value": 5.0' in run("show", "--json").output.split('"best_trial"')[1][:400]
