"""Several outcomes from the command line: space.toml, CSV, tell, show, export and figures."""

import json
import re
import shlex
from pathlib import Path

import pytest

from pathmax import Float, Study
from pathmax.tables import write_table

SPACE = """\
study = "amide"

[outcomes]
yield = { direction = "maximize", unit = "%" }
cost = { direction = "minimize" }
impurity = { high = 0.5 }

[parameters]
temperature = { low = 20, high = 120, unit = "°C" }
solvent = ["DMF", "THF"]
"""
ROWS = """\
temperature (°C),solvent,yield,cost,impurity
30,DMF,40,3,0.1
60,THF,60,4,0.3
90,DMF,80,6,0.45
110,THF,85,7,0.9
50,THF,failed,,
70,DMF,66,5,
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("space.toml").write_text(SPACE, encoding="utf-8")
    Path("results.csv").write_text(ROWS, encoding="utf-8")


def test_a_table_with_a_column_for_each_outcome_suggests(run):
    shown = run("suggest", "--data", "results.csv", "-n", "2", "-o", "next.csv").output
    assert "expected yield (%)" in shown and "expected impurity" in shown
    header = Path("next.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "temperature (°C),solvent,yield,cost,impurity"


def test_what_is_said_after_a_suggestion_names_every_outcome(run):
    written = run("suggest", "-o", "next.csv").output
    assert "fill in the last 3 columns, then `pathmax import next.csv`" in written
    assert "pathmax tell 1 yield=VALUE cost=VALUE impurity=VALUE" in run("suggest").output
    added = run("suggest", "--data", "results.csv", "--append").output
    assert "fill in the last 3 columns." in added


def test_commands_that_are_said_can_be_pasted_whatever_outcomes_are_called(run):
    """The brackets of `Yield (%)` are words of the shell."""
    space = Path("space.toml")
    text = space.read_text(encoding="utf-8").replace("yield =", '"Yield (%)" =')
    space.write_text(text, encoding="utf-8")
    said = run("suggest").output.partition("When you know a result: pathmax ")[2]
    command = shlex.split(said)
    assert command == ["tell", "0", "Yield (%)=VALUE", "cost=VALUE", "impurity=VALUE"]
    run(*[word.replace("VALUE", "3") for word in command])
    again = run("tell", 0, "Yield (%)=4", code=1).output
    assert "pathmax tell 0 'Yield (%)=VALUE' --correct" in again
    assert "'Yield (%)=NUMBER' cost=NUMBER" in run("tell", 0, "4", code=1).output


def test_import_show_and_late_results(run):
    assert "6 added" in run("import", "results.csv").output
    shown = run("show").output
    assert "maximize yield, minimize cost, impurity <= 0.5" in shown
    assert "The front" in shown and "1 failed" in shown
    undecided = shown.partition("Undecided, since outcomes are still to come:")[2].split("\n\n")[0]
    assert "yield 66, cost 5" in undecided and len(undecided.strip().splitlines()) == 2
    seen = json.loads(run("show", "--json").output)
    assert seen["front"] == [0, 1, 2]
    late = run("tell", "5", "impurity=0.2").output
    assert "yield 66, cost 5, impurity 0.2" in late
    assert "Undecided" not in run("show").output
    assert json.loads(run("show", "--json").output)["front"] == [0, 1, 2, 5]


def test_a_table_that_is_filled_in_later_brings_only_what_was_missing(run):
    run("import", "results.csv")
    run("export", "-o", "all.csv")
    text = Path("all.csv").read_text(encoding="utf-8").splitlines()
    assert text[0] == "trial,temperature,solvent,yield,cost,impurity,state,note"
    text[6] = text[6].replace("66,5,,", "66,5,0.25,")
    Path("all.csv").write_text("\n".join(text), encoding="utf-8")
    assert "6 rows: 1 completed, 5 known before." in run("import", "all.csv").output
    assert json.loads(run("show", "--json").output)["front"] == [0, 1, 2, 5]


@pytest.mark.parametrize("file", ["assay.csv", "assay.xlsx"])
def test_an_assay_comes_back_with_the_numbers_of_its_trials(run, file):
    """Every table had to repeat the settings and the other outcomes."""

    def assay(*rows):
        write_table(file, ["trial", "impurity"], rows)
        return run("import", file).output

    run("import", "results.csv")
    run("suggest", "-n", 2)
    assert "2 rows: 1 completed, 1 without a result yet" in assay([5, 0.25], [6, None])
    trials = Study.load("amide", storage="pathmax.db").trials
    assert trials[5].outcomes == {"yield": 66.0, "cost": 5.0, "impurity": 0.25}
    assert "2 rows: 1 for suggested trials, 1 known before" in assay([5, 0.25], [6, 0.5])
    trials = Study.load("amide", storage="pathmax.db").trials
    assert trials[6].outcomes == {"impurity": 0.5} and len(trials) == 8
    for row, words in (
        ([5, 0.3], "was told before, as yield 66, cost 5, impurity 0.25"),
        ([4, 0.3], "trial 4 was told before, as failed"),
        ([77, 0.3], "'77' is the number of no trial; .* the study has 0 to 7"),
        (["", 0.3], "is empty; a row without settings is found by the number of its trial"),
    ):
        write_table(file, ["trial", "impurity"], [row])
        assert re.search(words, run("import", file, code=1).output.replace("\n", " "))


def test_an_assay_with_decimal_commas_and_a_typo(run):
    run("import", "results.csv")
    Path("assay.csv").write_text("trial;impurity\n5;0,25\n")
    assert "1 completed" in run("import", "assay.csv").output
    assert Study.load("amide", storage="pathmax.db").trials[5].outcomes["impurity"] == 0.25
    Path("assay.csv").write_text("trial,yield,impurty\n5,66,0.25\n")
    assert "'impurty': neither a parameter nor" in run("import", "assay.csv", code=1).output


def test_a_table_without_trial_numbers_is_filled_in_later_too(run):
    """The assay comes back on Friday: its cell is filled in, and the trial is complete."""
    run("import", "results.csv")
    table = Path("results.csv")
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace("70,DMF,66,5,", "70,DMF,66,5,0.25"), encoding="utf-8")
    assert "6 rows: 1 completed, 5 known before." in run("import", "results.csv").output
    seen = json.loads(run("show", "--json").output)
    assert (seen["complete"], seen["front"]) == (5, [0, 1, 2, 5])
    again = text + "70,DMF,66,5,0.25\n"  # beside the row without it: measured once more
    table.write_text(again, encoding="utf-8")
    assert "1 added, 6 known before" in run("import", "results.csv").output
    assert "7 known before" in run("import", "results.csv").output


@pytest.mark.parametrize("numbered", [False, True])
def test_a_table_that_lacks_what_was_told_since_is_known(run, numbered):
    run("import", "results.csv")
    file = "results.csv"
    if numbered:
        run("export", "-o", file := "all.csv")
    run("tell", "5", "impurity=0.2")
    assert "6 rows: 6 known before." in run("import", file).output
    assert json.loads(run("show", "--json").output)["complete"] == 5


def test_show_takes_a_trial_of_which_only_a_constraint_is_told(run):
    made = Study(
        {"x": Float(0, 1)}, name="late", objectives={"y": "maximize"}, constraints={"c": "<= 1"},
        storage="sqlite:///late.db", seed=0,
    )  # fmt: skip
    for x, told in ((0.1, {"y": 1.0, "c": 0.5}), (0.2, {"c": 0.5}), (0.3, {"y": 2.0, "c": 0.5})):
        made.add({"x": x}, told)
    assert "Best: " in run("show", "--study", "late", "--storage", "late.db").output


def test_tell_and_add_take_names(run):
    run("suggest", "-n", "1")
    told = run("tell", "0", "yield=70", "cost=3,5", "impurity=0.2").output
    assert "yield 70, cost 3.5, impurity 0.2" in told
    assert "as in yield=NUMBER cost=NUMBER" in run("tell", "0", "70", code=1).output
    added = run(
        "add", "temperature=50", "solvent=DMF", "--value", "yield=55", "--value", "cost=2"
    ).output
    assert "yield 55, cost 2, added" in added


def test_every_figure_of_results_is_drawn(run):
    run("import", "results.csv")
    for kind in ("overview", "front", "slices", "progress", "parallel"):
        run("plot", "--kind", kind, "-o", f"{kind}.png")
        assert Path(f"{kind}.png").stat().st_size > 5_000


def test_the_demo_has_a_front(run):
    shown = run("demo", "--front", "--trials", "8").output
    assert "nothing tried is better in everything" in shown and "were too hot" in shown
    found = json.loads(run("demo", "--front", "--trials", "6", "--json").output)
    assert len(found["trials"]) == 6 and set(found["front"]) <= set(range(6))


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("[outcomes]\nyield = 3", "yield: expected { direction"),
        ("[outcomes]\nimpurity = { high = 0.5 }", "none of them has a direction"),
        ('[outcomes]\nyield = { direction = "up" }', "direction must be"),
        ('[outcomes]\ny = "maximize"\nz = { unit = "%" }', "z: says neither a direction"),
        ('[outcomes]\nyield = { directon = "maximize" }', "did you mean direction"),
        ('[outcomes]\ny = "maximize >= 20"', 'y = { direction = "maximize", bound = ">= 20" }'),
        ('[outcomes]\ny = { direction = "maximize", noise = 2 }', "it belongs below [settings]"),
        ('[outcomes]\ny = { direction = "maximize" }\n[objective]\nname = "y"', "in one of them"),
        ('[outcomes]\nsolvent = { direction = "maximize" }', "cannot be a parameter too"),
    ],
)
def test_what_is_wrong_in_the_section_is_said_with_its_line(section, words, run):
    body = SPACE[: SPACE.index("[outcomes]")] + section + "\n\n" + SPACE[SPACE.index("[param") :]
    Path("space.toml").write_text(body, encoding="utf-8")
    assert words in run("suggest", code=1).output


def test_rank_says_how_likely_each_is_on_the_front(run):
    Path("space.toml").write_text(
        SPACE.replace("{ low = 20, high = 120,", "{ low = 20, high = 120, step = 10,"),
        encoding="utf-8",
    )
    shown = run("rank", "--data", "results.csv", "--paths", "20", "-o", "ranked.csv").output
    assert "on the front with" in shown and "keeps bounds with" in shown
    assert "expected yield (%)" in shown and "Stopping now" in shown
    header = Path("ranked.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == (
        "temperature,solvent,probability,expected yield,std yield,expected cost,std cost,"
        "expected impurity,std impurity,within bounds,tried"
    )
    found = json.loads(run("rank", "--data", "results.csv", "--paths", "20", "--json").output)
    assert found["regret"]["unit"] == "of the front"
    far = "times the extent of the front on average" in shown
    assert far is ("too little is known of it yet." in " ".join(shown.split()))
    assert far is (found["regret"]["quantile_95"] > 1) is not ("% of the front on average" in shown)
    assert set(found["contenders"][0]["expected"]) == {"yield", "cost", "impurity"}


def test_suggest_until_a_share_of_the_front(run):
    rows = ["temperature (°C),solvent,yield,cost,impurity"]
    for t in range(20, 121, 10):
        for solvent, bonus in (("DMF", 0), ("THF", -9)):
            rows.append(f"{t},{solvent},{t - 0.003 * t * t + bonus},{t / 20 - bonus},{t / 250}")
    Path("results.csv").write_text("\n".join(rows), encoding="utf-8")
    text = SPACE.replace("{ low = 20, high = 120,", "{ low = 20, high = 120, step = 10,")
    Path("space.toml").write_text(text, encoding="utf-8")
    shown = run("suggest", "--data", "results.csv", "--until", "0.2").output
    assert "Nothing more to try: regret at most 0.2 of the front" in shown
    assert "On the front: temperature (°C)" in shown and "impurity" in shown
    answer = json.loads(run("suggest", "--data", "results.csv", "--until", "0.2", "--json").output)
    assert len(answer["front"]) > 1 and set(answer["best"]["expected"]) == {
        "yield",
        "cost",
        "impurity",
    }


def test_a_reference_beyond_all_results_is_said_and_can_be_changed(run):
    """Nothing said so, and suggestions went where results are most uncertain."""
    aim = SPACE.replace('unit = "%"', "reference = 95").replace(
        '"minimize"', '"minimize", reference = 1'
    )
    Path("space.toml").write_text(aim, encoding="utf-8")
    run("import", "results.csv")
    words = (
        "no result is better than the reference in every objective (yield above 95, cost below 1)"
    )
    assert words[1:] in " ".join(run("show").output.split())
    assert words[1:] in json.loads(run("show", "--json").output)["warning"]
    assert words in " ".join(run("suggest").output.split())
    assert words in " ".join(run("suggest", "--data", "results.csv").output.split())
    assert words in run("explain", "6").output
    modest = aim.replace("reference = 95", "reference = 20").replace("= 1 }", "= 9 }")
    Path("space.toml").write_text(modest, encoding="utf-8")
    refused = " ".join(run("suggest", code=1).output.split())
    assert "counted from yield 95, cost 1 and are now" in refused
    assert "the reference" not in run("suggest", "--change-space").output
    assert "warning" not in json.loads(run("show", "--json").output)


def test_nothing_within_bounds_is_said_with_several_objectives_too(run):
    Path("space.toml").write_text(SPACE.replace("0.5", "0.01"), encoding="utf-8")
    run("import", "results.csv")
    shown = run("show").output
    assert "No result is within all bounds yet: impurity <= 0.01." in shown
    nearest = shown.partition("Nearest to them:")[2].split("\n\n")[0]
    assert "yield 40, cost 3, impurity 0.1" in nearest


def test_a_ranking_says_that_nothing_keeps_the_bounds(run):
    """It was a table of no rows."""
    Path("space.toml").write_text(SPACE.replace("0.5", "-1e6"), encoding="utf-8")
    said = " ".join(run("rank", "--data", "results.csv", "--paths", "8").output.split())
    assert "None of the sample paths keeps the bounds anywhere: impurity <= -1e+06." in said
    assert "on the front with" not in said


def test_where_there_are_no_bounds_nothing_is_said_to_be_outside_them(run):
    unbounded = SPACE.replace("impurity = { high = 0.5 }\n", "")
    assert unbounded != SPACE
    Path("space.toml").write_text(unbounded, encoding="utf-8")
    run("suggest")
    run("tell", "0", "yield=3")
    shown = run("show").output
    assert "bounds" not in shown and "Undecided, since outcomes are still to come:" in shown


def test_the_list_of_studies_says_all_that_is_wanted(run):
    run("import", "results.csv")
    listed = run("studies").output
    assert "maximize yield, minimize cost, impurity <= 0.5" in listed and "3 on the front" in listed
    found = json.loads(run("studies", "--json").output)["studies"][0]
    assert found["front"] == 3 and found["best"] is None and found["goal"].startswith("maximize yi")


def test_the_noise_of_each_outcome_is_told_and_exported(run):
    """--std was one number, and the error asked for a dict of variances."""
    run("suggest")
    run("tell", "0", "yield=71.3", "cost=3.2", "--std", "yield=0,5", "--std", "cost=0.1")
    run("tell", "0", "impurity=0.3", "--std", "impurity=0.01")
    trial = Study.load("amide", storage="pathmax.db").trials[0]
    assert trial.noises == pytest.approx({"yield": 0.25, "cost": 0.01, "impurity": 0.0001})
    run("add", "temperature=50", "solvent=DMF", "--value", "yield=3", "--std", "yield=2")
    assert Study.load("amide", storage="pathmax.db").trials[1].noises == {"yield": 4.0}
    assert "noise of yield" in run("export").output.splitlines()[0]
    wrong = run("tell", "0", "yield=71", "--correct", "--std", "0.5", code=1).output
    assert (
        "standard deviation: '0.5' has no name; write each once, as in yield=NUMBER cost=NUMBER"
        in wrong
    )
    wrong = run("tell", "0", "yield=71", "--correct", "--std", "yield=-1", code=1).output
    assert "yield: a standard deviation is zero or more, got -1" in wrong


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["50"], "'50' has no name; write each once, as in yield=NUMBER cost=NUMBER impurity=NUM"),
        (["impurty=1"], "there is no outcome 'impurty'; this study has yield, cost, impurity. did"),
        (["yield=1", "yield=2"], "yield is given twice; write each once"),
        (["yield", "50"], "'yield' has no name"),
    ],
)
def test_a_mistyped_result_is_answered_in_the_words_of_the_command(run, typed, words):
    run("suggest")
    assert words in run("tell", "0", *typed, code=1).output


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["yield=nan", "cost=3"], "yield: 'nan' is not a number; .*leave out what is not known"),
        (["cost=?"], "cost: '\\?' is not a number; .*leave out what is not known yet; .*fail 0"),
        (["impurty=1"], "did you mean 'impurity'\\?$"),  # no word about trials that failed
    ],
)
def test_a_result_that_is_no_number_says_of_which_outcome_and_what_to_do(run, typed, words):
    run("suggest")
    said = " ".join(run("tell", "0", *typed, code=1).output.split())
    assert re.search(words, said), said


def test_outcomes_are_shown_in_the_order_of_the_study(run):
    run("suggest")
    run("tell", "0", "impurity=0.3", "cost=3.2")
    assert "yield 50, cost 3.2, impurity 0.3" in run("tell", "0", "yield=50").output
    assert "yield 50, cost 3.2, impurity 0.3" in run("show").output


def test_a_table_without_a_result_that_is_still_to_come_says_how_to_have_it(run):
    rows = [",".join(line.split(",")[:-1]) for line in ROWS.splitlines()]
    Path("results.csv").write_text("\n".join(rows), encoding="utf-8")
    said = run("import", "results.csv", code=1).output
    assert "no column 'impurity', which is one of the results; there are temperature" in said
    assert "if it is still to come, add the column and leave it empty" in said


def test_the_noise_of_each_outcome_stands_in_the_space_file(run):
    settings = "\n[settings]\nnoise = { yield = 4, impurity = 0.01 }\n"
    Path("space.toml").write_text(SPACE + settings, encoding="utf-8")
    run("import", "results.csv")
    study = Study.load("amide", storage="pathmax.db")
    assert study.settings.noise == {"yield": 4.0, "impurity": 0.01}
    Path("space.toml").write_text(SPACE + settings.replace("yield", "yeild"), encoding="utf-8")
    assert "there is no outcome 'yeild'" in run("suggest", code=1).output.replace("\n", " ")


def test_what_a_trial_cost_is_exported_beside_an_outcome_called_cost(run):
    outcomes = [("yield", 50), ("cost", 4), ("impurity", 0.1)]
    values = [word for name, value in outcomes for word in ("--value", f"{name}={value}")]
    run("add", "temperature=40", "solvent=DMF", *values, "--cost", 7)
    run("export", "-o", "all.csv")
    header = Path("all.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header.split(",")[-3:] == ["pathmax_cost", "state", "note"]
    Path("pathmax.db").unlink()
    run("import", "all.csv", "--ignore", "trial")
    (trial,) = Study.load("amide", storage="pathmax.db").trials
    assert (trial.cost, trial.outcomes["cost"]) == (7.0, 4.0)


def test_failed_in_one_of_several_columns_keeps_the_others_by_a_refusal(run):
    """The row was taken as a failure, and the numbers beside the word were lost."""
    Path("results.csv").write_text(ROWS + "80,DMF,71,failed,0.2\n", encoding="utf-8")
    said = " ".join(run("import", "results.csv", code=1).output.split())
    assert "line 8, column 'cost': 'failed' is said of a whole trial" in said
    assert "yield 71, impurity 0.2" in said
    Path("results.csv").write_text(ROWS + "80,DMF,71,n/a,0.2\n", encoding="utf-8")
    said = " ".join(run("import", "results.csv", code=1).output.split())
    assert "leave the cell empty where there is no result, or none yet" in said
    Path("results.csv").write_text(ROWS + "80,DMF,failed,failed,failed\n", encoding="utf-8")
    assert "7 rows: 7 added" in run("import", "results.csv").output


def test_an_outcome_called_like_a_parameter_has_a_column_of_its_own(run):
    """Both were exported under one name, and the table could not be read again."""
    Path("space.toml").unlink()
    study = Study(
        {"cost": Float(0, 1)}, objectives=["cost", "gain"], name="s", storage="pathmax.db", seed=0
    )
    study.add({"cost": 0.25}, {"cost": 3.0}, noise={"cost": 0.1})
    run("export", "-o", "all.csv")
    header = Path("all.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    assert header.startswith("trial,cost,cost (result),gain,noise of cost (result),")
    assert "1 row: 1 known before" in run("import", "all.csv").output
    assert "cost 3" in run("show").output
    run("suggest")
    run("tell", "1", "cost=2", "gain=1")
    assert study.trials[1].outcomes == {"cost": 2.0, "gain": 1.0}
