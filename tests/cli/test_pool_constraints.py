"""A pool with known constraints from a space file: every command goes on with it."""

from pathlib import Path

from pathmax.workspace.space_file import parse_space
from pathmax.workspace.study_plan import plan_of_file

SPACE = """\
where = ["a + b <= 1"]

[objective]
name = "yield"
direction = "maximize"

[candidates]
file = "library.csv"
id = "id"
"""
LIBRARY = "id,a,b\np,0.2,0.3\nq,0.9,0.8\nr,0.5,0.5\ns,0.1,0.8\n"


def test_a_stored_pool_keeps_its_constraints(run, lab: Path):
    (lab / "space.toml").write_text(SPACE)
    (lab / "library.csv").write_text(LIBRARY)
    suggested = run("suggest", "-n", "3", "--study", "lib")
    assert suggested.exit_code == 0 and "q " not in suggested.output
    assert run("tell", "0", "3", "--study", "lib").exit_code == 0
    (lab / "space.toml").unlink()
    shown = run("show", "--study", "lib")
    assert shown.exit_code == 0 and "Best: 3" in shown.output
    ranked = run("rank", "--study", "lib")
    assert ranked.exit_code == 0 and "3 candidates" in ranked.output


def test_a_plan_of_a_file_alone_has_them_too(lab: Path):
    (lab / "library.csv").write_text(LIBRARY)
    file = parse_space(SPACE, str(lab / "space.toml"))
    assert [rule.text for rule in plan_of_file(file).domain().where.sentences] == ["a + b <= 1"]
