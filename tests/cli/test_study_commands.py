"""A study from the first command to the last, as one would type it."""

import json
from pathlib import Path

import pytest

from pathmax import Study
from pathmax.errors import StorageFullError
from pathmax.storage import Entry, open_storage
from pathmax.workspace.location import Location


def test_init_writes_a_file_that_suggest_takes(run, lab: Path) -> None:
    assert "pathmax suggest -n 4" in run("init").output
    assert "4 experiments to run (study first, no results yet)" in run("suggest", "-n", 4).output
    assert "space.toml is there already" in run("init", code=1).output
    run("init", "--force", "--direction", "minimize")
    assert 'direction = "minimize"' in Path("space.toml").read_text()


def test_init_from_a_table(run, lab: Path) -> None:
    Path("old.csv").write_text("t,s,yield\n20,a,1\n80,b,2\n")
    run("init", "--from", "old.csv", "--objective", "yield", "--study", "mine")
    answer = run("suggest", "--data", "old.csv").output
    assert "old.csv: 2 results. 1 experiment to run:" in answer


def test_suggest_prints_a_table_and_writes_one(run, space: Path) -> None:
    output = run("suggest", "-n", 4, "-o", "next.csv").output
    assert "trial  temperature (°C)  cycles  solvent  expected yield" in output
    assert "fill in the last column, then `pathmax import next.csv`" in output
    lines = Path("next.csv").read_text().splitlines()
    assert lines[0] == "trial,temperature,cycles,solvent,yield" and len(lines) == 5


def test_suggested_numbers_can_be_set_by_hand(ask, space: Path) -> None:
    run_at = ask("suggest", "-n", 3)["suggestions"]
    table = Study.load("suzuki", storage="pathmax.db").trials
    for shown, stored in zip(run_at, table, strict=True):
        assert shown["params"] == stored.params
    Path("next.csv").write_text("")


def test_a_filled_in_table_is_imported_once(run, ask, space: Path) -> None:
    run("suggest", "-n", 3, "-o", "next.csv")
    lines = Path("next.csv").read_text().splitlines()
    filled = [lines[0], lines[1] + "71.3", lines[2] + "failed", lines[3]]
    Path("next.csv").write_text("\n".join(filled))
    assert "holds 2 results that would be lost" in run("suggest", "-o", "next.csv", code=1).output
    first = ask("import", "next.csv")
    assert first == {
        "study": "suzuki", "told": 2, "added": 0, "known": 0, "waiting": 1, "best_trial": 0,
    }  # fmt: skip
    assert ask("import", "next.csv")["known"] == 2
    assert len(Study.load("suzuki", storage="pathmax.db").trials) == 3


def test_rows_find_their_trial_without_its_number(run, ask, space: Path) -> None:
    run("suggest", "-n", 2, "-o", "next.csv")
    rows = [line.split(",")[1:] for line in Path("next.csv").read_text().splitlines()]
    rows[1][-1], rows[2][-1] = "1", "2"
    Path("mine.csv").write_text("\n".join(",".join(row) for row in rows))
    assert ask("import", "mine.csv")["told"] == 2


def test_results_from_before_are_added_and_repeats_kept(run, ask, space: Path) -> None:
    table = "temperature,cycles,solvent,yield\n50,1,DMF,10\n50,1,DMF,10\n60,2,THF,20\n"
    Path("old.csv").write_text(table)
    assert ask("import", "old.csv")["added"] == 3
    Path("old.csv").write_text(table + "70,2,THF,30\n")
    again = ask("import", "old.csv")
    assert (again["added"], again["known"]) == (1, 3)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("99,50,1,DMF,1", "line 2, column 'trial': study 'suzuki' has no trial 99"),
        ("x,50,1,DMF,1", "line 2, column 'trial': 'x' is not the number of a trial"),
        ("0,50,1,DMF,1", "trial 0 was suggested with"),
        (",50,1,DMF,1\n,130,1,DMF,1", "line 3, column 'temperature': expected a number from 20"),
        (",50,1,DMF,1\n,50,1.5,DMF,1", "line 3, column 'cycles': expected a whole number"),
        (",50,1,DMF,1\n,50,1,dmf,1", "line 3, column 'solvent': expected one of DMF, THF, got "
         "'dmf'; did you mean DMF?"),
        (",50,1,DMF,1\n,,1,DMF,1", "line 3, column 'temperature': is empty"),
        (",50,1,DMF,1\n,50,1,DMF,n.d.", "line 3, column 'yield': 'n.d.' is not a number; leave"),
    ],
)  # fmt: skip
def test_an_error_in_any_row_imports_none(run, ask, space: Path, rows: str, message: str) -> None:
    run("suggest")
    Path("bad.csv").write_text("trial,temperature,cycles,solvent,yield\n" + rows)
    assert message in run("import", "bad.csv", code=1).output
    assert len(Study.load("suzuki", storage="pathmax.db").trials) == 1


@pytest.mark.parametrize("rows", ["50,1,DMF,1\n130,1,DMF,1", "50,1,DMF,n.d.", "50"])
def test_a_table_with_an_error_begins_no_study(run, ask, space: Path, rows: str) -> None:
    Path("bad.csv").write_text("temperature,cycles,solvent,yield\n" + rows)
    run("import", "bad.csv", code=1)
    assert not Path("pathmax.db").exists()
    Path("numbered.csv").write_text("trial,temperature,cycles,solvent,yield\n0,50,1,DMF,1\n")
    assert "no trial 0" in run("import", "numbered.csv", code=1).output
    assert not Path("pathmax.db").exists()
    run("suggest", "--study", "other")
    run("import", "bad.csv", code=1)
    run("import", "missing.csv", code=1)
    assert [study["study"] for study in ask("studies")["studies"]] == ["other"]


def test_a_study_that_begins_with_a_table_is_stored_at_once(
    run, ask, space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageFullError("no room")

    Path("old.csv").write_text("temperature,cycles,solvent,yield\n50,1,DMF,10\n60,2,THF,20\n")
    with monkeypatch.context() as patch:
        patch.setattr("pathmax.storage.transaction.Transaction.add", full)
        run("import", "old.csv", code=3)
    assert ask("studies")["studies"] == []
    assert ask("import", "old.csv")["added"] == 2
    assert "Study suzuki: maximize yield. 2 results" in run("show").output


def test_a_told_trial_is_not_told_again_by_a_table(run, begun: Path) -> None:
    run("export", "-o", "all.csv")
    text = Path("all.csv").read_text()
    Path("all.csv").write_text(text.replace("41.5", "42.5"))
    output = run("import", "all.csv", code=1).output
    assert "trial 0 was told before, as 41.5; if that was mistyped, run: " in output
    assert "run: pathmax tell 0 42.5 --correct; else clear the number" in output
    Path("all.csv").write_text(text.replace("41.5,complete", "failed,"))
    output = run("import", "all.csv", code=1).output
    assert "as 41.5; if that was mistyped, run: pathmax fail 0 --correct; else clear" in output


def test_the_note_of_a_row_that_failed_says_why(run, begun: Path) -> None:
    run("export", "-o", "all.csv")
    text = Path("all.csv").read_text()
    Path("all.csv").write_text(text.replace(",running,", ",failed,boiled over"))
    run("import", "all.csv")
    trial = Study.load("suzuki", storage="pathmax.db").trials[4]
    assert (trial.state, trial.error) == ("failed", "boiled over")


def test_export_and_import_are_inverse(run, ask, begun: Path) -> None:
    run("export", "-o", "all.csv")
    output = run("import", "all.csv", "--storage", "copy.db", code=1).output
    assert "add every row so with --ignore trial" in output
    answer = ask("import", "all.csv", "--storage", "copy.db", "--ignore", "trial")
    assert (answer["added"], answer["waiting"]) == (4, 1)
    here, there = (Study.load("suzuki", storage=name).trials for name in ("pathmax.db", "copy.db"))
    assert [(t.params, t.state, t.outcomes) for t in here[:4]] == [
        (t.params, t.state, t.outcomes) for t in there
    ]


def test_the_noise_of_a_result_is_exported_and_read_again(run, ask, begun: Path) -> None:
    """It was left out, so that a copy of a study believed its measurements more or less."""
    study = Study.load("suzuki", storage="pathmax.db")
    study.add({"temperature": 50.0, "cycles": 2, "solvent": "THF"}, 30.0, noise=2.25)
    run("export", "-o", "all.csv")
    header, *rows = Path("all.csv").read_text().splitlines()
    assert header == "trial,temperature,cycles,solvent,yield,noise of yield,state,note"
    assert ",30,2.25,complete," in rows[5] and ",41.5,,complete," in rows[0]
    ask("import", "all.csv", "--storage", "copy.db", "--ignore", "trial")
    copied = Study.load("suzuki", storage="copy.db").trials
    assert [trial.noise for trial in copied] == [None] * 4 + [2.25]
    Path("told.csv").write_text(f"{header}\n" + rows[4].replace(",,,running", ",50,4,"))
    ask("import", "told.csv")
    assert (study.trials[4].value, study.trials[4].noise) == (50.0, 4.0)
    Path("wrong.csv").write_text(f"{header}\n" + rows[5].replace("2.25", "-1"))
    assert "a variance is 0 or more, got -1" in run("import", "wrong.csv", code=1).output
    run("init", "again.toml", "--from", "all.csv", "--objective", "yield")
    assert "\n# 'noise of yield' is a column that pathmax adds" in Path("again.toml").read_text()


def test_export_speaks_european(run, begun: Path) -> None:
    lines = run("export", "--decimal-comma").output.splitlines()
    assert lines[0] == "trial;temperature;cycles;solvent;yield;state;note"
    assert ";41,5;complete;" in lines[1]


def test_tell_takes_negative_numbers_and_decimal_commas(run, space: Path) -> None:
    run("suggest", "-n", 3)
    assert "yield -3.5" in run("tell", 0, "-3.5").output
    assert "yield 63.2" in run("tell", 1, "63,2", "--std", 0.5, "--note", "yellow").output
    trial = Study.load("suzuki", storage="pathmax.db").trials[1]
    assert (trial.value, trial.noise, trial.note) == (63.2, 0.25, "yellow")
    assert "may group thousands" in run("tell", 2, "1,234", code=1).output
    assert (
        "a trial without a result is told so: pathmax fail 2" in run("tell", 2, "?", code=1).output
    )


def test_a_mistyped_result_is_corrected_on_purpose(run, ask, begun: Path) -> None:
    assert "pathmax tell 0 VALUE --correct" in run("tell", 0, 91.5, code=1).output
    output = run("tell", 0, "91,5", "--correct", "--note", "typo").output
    assert output.splitlines() == ["Trial 0: yield 91.5 (was 41.5).", "That is the best so far."]
    assert "Trial 3: yield 1 (was failed)." in run("tell", 3, 1, "--correct").output
    assert "trial 4 of study 'suzuki' is still" in run("tell", 4, 1, "--correct", code=1).output
    answer = ask("tell", 0, 81.5, "--correct")["trial"]
    assert (answer["outcomes"], answer["note"]) == ({"value": 81.5}, "typo")
    assert [t.value for t in Study.load("suzuki", storage="pathmax.db").trials[0].earlier] == [
        41.5, 91.5,
    ]  # fmt: skip


def test_a_result_of_a_trial_that_failed_is_corrected_on_purpose(run, ask, begun: Path) -> None:
    assert "pathmax fail 1 --correct" in run("fail", 1, code=1).output
    output = run("fail", 1, "--reason", "swapped", "--correct").output
    assert output.startswith("Trial 1: failed (swapped) (was 63.2).\nBest so far: 55 (trial 2")
    output = run("fail", 1, "--correct").output
    assert output.startswith("Trial 1: failed (the experiment failed) (was failed).")
    answer = ask("tell", 1, 60, "--correct")["trial"]
    assert (answer["state"], answer["outcomes"]) == ("complete", {"value": 60.0})
    assert "trial 4 of study 'suzuki' is still" in run("fail", 4, "--correct", code=1).output
    earlier = Study.load("suzuki", storage="pathmax.db").trials[1].earlier
    assert [(t.value, t.error) for t in earlier] == [
        (63.2, None), (None, "swapped"), (None, "the experiment failed"),
    ]  # fmt: skip


def test_tell_says_whether_it_is_the_best(run, begun: Path) -> None:
    assert "Best so far: 63.2 (trial 1: temperature (°C)" in run("tell", 4, 1).output
    run("suggest")
    assert "That is the best so far." in run("tell", 5, 99).output


def test_show_has_the_best_a_chart_and_the_open_trials(run, ask, begun: Path) -> None:
    output = run("show").output
    assert "Study suzuki: maximize yield. 3 results, 1 running, 1 failed." in output
    assert "Best: 63.2 (trial 1)" in output
    assert output.count("o") > 3 and "63.2 |" in output and "41.5 |" in output
    assert "stirrer stopped" in output and "just now" in output
    answer = ask("show")
    assert (answer["complete"], answer["running_trials"], answer["failed_trials"]) == (3, [4], [3])


def test_explain(run, ask, begun: Path) -> None:
    run("tell", 4, 50)
    number = ask("suggest")["suggestions"][0]["trial"]
    assert "suggested by pims from 4 results" in run("explain", number).output
    assert "has no trial 99" in run("explain", 99, code=1).output


def test_studies_and_delete(run, ask, begun: Path) -> None:
    assert "suzuki" in run("studies").output
    assert ask("studies")["studies"][0]["best"] == 63.2
    assert "5 trials for good?" in run("delete", "suzuki", code=1, answer="n\n").output
    assert "Deleted suzuki (5 trials)." in run("delete", "suzuki", answer="y\n").output
    assert "No studies" in run("studies").output


def test_which_study_is_meant(run, lab: Path, space: Path) -> None:
    assert "there is no pathmax.db here, so no study has begun" in run("show", code=1).output
    assert not Path("pathmax.db").exists()  # looking does not make one
    run("suggest")
    run("suggest", "--study", "other")
    assert "Study suzuki" in run("show").output  # the one of space.toml
    space.unlink()
    assert "which study? name one with --study: other, suzuki" in run("show", code=1).output
    assert "Study other" in run("show", "--study", "other").output
    assert "there are other, suzuki" in run("show", "--study", "none", code=1).output


def test_a_changed_space_is_explained(run, begun: Path) -> None:
    begun.write_text(begun.read_text().replace("high = 120", "high = 140"))
    output = run("suggest", code=1).output
    assert "temperature was Float(20.0, 120.0) and is now Float(20.0, 140.0)" in output
    remedy = 'write study = "suzuki-2" in space.toml and run: pathmax suggest --results-of suzuki'
    assert remedy in output
    begun.write_text(begun.read_text().replace('"suzuki"', '"suzuki-2"'))
    run("suggest", "--results-of", "suzuki")
    assert "Study suzuki-2: maximize yield. 3 results, 1 running, 1 failed" in run("show").output
    assert "already" in run("suggest", "--results-of", "suzuki", code=1).output
    output = run("suggest", "--study", "suzuki", code=1).output
    assert "run: pathmax suggest --results-of suzuki --study suzuki-3" in output


def test_results_of_another_study_take_the_direction_and_method_of_the_space_file(
    run, ask, begun: Path
) -> None:
    begun.write_text(begun.read_text().replace("maximize", "minimize"))
    output = run("suggest", code=1).output
    assert "the direction was maximize and is now minimize" in output
    begun.write_text(begun.read_text().replace('"suzuki"', '"suzuki-2"'))
    begun.write_text(begun.read_text().replace("seed = 1", "seed = 1\ninitial = 2"))
    found = ask("suggest", "--results-of", "suzuki", "--method", "random")
    assert found["suggestions"][0]["method"] == "random"
    assert ask("show")["direction"] == "minimize"


def test_what_to_type_next_leads_to_the_same_study(run, begun: Path) -> None:
    output = run("suggest", "--study", "my other", "--storage", "a b.db").output
    assert "pathmax tell 0 VALUE --study 'my other' --storage 'a b.db'" in output
    output = run("suggest", "--study", "my other", "-o", "next week.csv").output
    assert "`pathmax import 'next week.csv' --study 'my other'`" in output


def test_what_to_type_next_shows_no_password() -> None:
    location = Location("s", "postgresql://me:secret@host/lab", ("study", "storage"))
    assert location.again == " --study s --storage postgresql://..."


def test_a_space_is_drawn_from_a_table_with_units_and_failures(run, lab: Path) -> None:
    table = "T;solvent;yield\n°C;;%\n20,5;DMF;failed\n80;THF;71,3\n60;THF;\n"
    (lab / "old.csv").write_text(table, encoding="utf-8")
    run("init", "--from", "old.csv", "--objective", "yield")
    text = (lab / "space.toml").read_text(encoding="utf-8")
    assert 'T = { low = 20.5, high = 80, unit = "°C" }' in text
    assert '\nunit = "%"\n' in text
    assert "\nunits_row = true" in text
    output = run("suggest", "--data", "old.csv").output
    assert "old.csv: 1 result, 1 running, 1 failed." in output


def test_init_says_which_columns_it_leaves_out_and_suggest_passes_over_them(run, lab: Path) -> None:
    rows = [f"{i},2024-05-{i:02},{20 + 7 * i % 50},{i}" for i in range(1, 7)]
    (lab / "old.csv").write_text("\n".join(["no,date,T,yield", *rows]))
    output = run("init", "--from", "old.csv", "--objective", "yield").output
    assert "    no numbers the rows\n    date holds dates or times\n" in output
    run("suggest", "--data", "old.csv", "-o", "next.csv")
    assert (lab / "next.csv").read_text().startswith("no,date,T,yield\n,,")


def test_words_in_the_first_row_of_a_table_are_no_units(run, lab: Path) -> None:
    (lab / "old.csv").write_text("T,solvent,value\n20,DMF,failed\n80,THF,71.3\n")
    run("init", "--from", "old.csv")
    text = (lab / "space.toml").read_text(encoding="utf-8")
    assert "\nunits_row" not in text
    assert "\nT = { low = 20, high = 80 }" in text


def test_the_columns_of_an_export_are_no_parameters(run, begun: Path) -> None:
    run("export", "-o", "all.csv")
    run("init", "again.toml", "--from", "all.csv", "--objective", "yield")
    text = Path("again.toml").read_text(encoding="utf-8")
    parameters = text.partition("[parameters]\n")[2]
    assert "\nsolvent = [" in parameters
    for name in ("trial", "state", "note"):
        assert f"\n# {name!r} is a column that pathmax adds" in parameters


def test_decimal_commas_are_exported_so_that_excel_shows_every_letter(run, begun: Path) -> None:
    run("tell", 4, 1.5, "--note", "80 °C")
    run("export", "--decimal-comma", "-o", "all.csv")
    written = Path("all.csv").read_bytes()
    assert written.startswith(b"\xef\xbb\xbftrial;temperature;")
    assert "1,5;complete;80 °C" in written.decode()
    assert not run("export", "--decimal-comma").output.startswith("\ufeff")


@pytest.mark.parametrize("arguments", [("tell", "x", "3"), ("suggset",), ("show", "--colour")])
def test_commands_that_are_not_understood_are_told_in_json_too(run, lab: Path, arguments) -> None:
    result = run(*arguments, "--json", code=2)
    told = json.loads(result.stderr)
    assert (told["error"], told["exit_code"]) == ("UsageError", 2)
    assert told["message"]


@pytest.mark.parametrize(
    "sheet", [[1], {"objective": 3}, {"units": {"x": 1}}, {"pool": {"command": "x"}}]
)
def test_columns_that_pathmax_did_not_write_are_refused(run, begun: Path, sheet) -> None:
    storage = open_storage("pathmax.db")
    storage.update("suzuki", attributes={"sheet": sheet})
    for command in ("show", "studies", "export"):
        assert "stored about its columns" in run(command, code=3).output


@pytest.mark.filterwarnings("default::pathmax.errors.DamageWarning")
def test_a_trial_without_a_parameter_is_named_and_the_rest_is_shown(run, begun: Path) -> None:
    open_storage("pathmax.db").insert("suzuki", Entry(params={"x": 1}, outcomes={"value": 1.0}))
    for command in ("show", "plot", "export"):
        said = run(command, code=0).stderr
        assert "trial 5 of study 'suzuki' is not one that pathmax wrote" in said


def test_json_errors_are_json(run, lab: Path) -> None:
    result = run("show", "--json", code=1)
    told = json.loads(result.stderr)
    assert told["error"] == "StudyNotFoundError" and told["exit_code"] == 1 and not result.stdout


def test_exit_codes(run, lab: Path, space: Path) -> None:
    Path("pathmax.db").write_bytes(b"not a database" * 100)
    assert "pathmax.db" in run("show", code=3).output
    assert Path("pathmax.db").read_bytes() == b"not a database" * 100
    assert "--nonsense" in run("show", "--nonsense", code=2).output
    Path("pool.csv").write_text("a\n1\n2\n")
    run("suggest", "-n", 2, "--pool", "pool.csv", "--storage", "p.db")
    run("suggest", "--pool", "pool.csv", "--storage", "p.db", code=4)


def test_demo(run) -> None:
    output = run("demo", "--trials", 6).output
    assert "Best: " in output and "yield (%)" in output


def test_the_command_to_go_on_with_names_the_space_file_that_was_given(run, begun: Path) -> None:
    other = begun.with_name("other.toml")
    other.write_text(begun.read_text(encoding="utf-8").replace("high = 120", "high = 150"))
    output = run("suggest", "--space", "other.toml", code=1).output
    assert "run: pathmax suggest --results-of suzuki --space other.toml" in output


@pytest.mark.parametrize(
    ("storage", "shown"),
    [
        ("sqlite:///lab.db", "lab.db"),
        ("sqlite:////data/lab.db", "/data/lab.db"),
        ("postgresql://me:secret@host/lab", "postgresql://host/lab"),
        ("lab.db", "lab.db"),
    ],
)
def test_a_place_is_shown_as_it_is_called(storage: str, shown: str) -> None:
    assert Location(storage=storage).shown == shown


def test_an_export_is_written_over_by_the_next(run, ask, begun: Path) -> None:
    run("export", "-o", "all.csv")
    number = ask("suggest")["suggestions"][0]["trial"]
    run("export", "-o", "all.csv")
    run("fail", number, "--reason", "boiled\nover")
    run("export", "-o", "all.csv")
    run("export", "-o", "all.csv")
    assert f"\n{number}," in Path("all.csv").read_text()
    run("suggest", "-o", "next.csv")
    run("export", "-o", "next.csv")  # suggestions without results: nothing is lost


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("temperature,cycles,solvent,yield\n50,1,DMF,10\n", "holds 1 result that the study does"),
        ("temperature,cycles,solvent,yield,who\n", "no table of this study's trials"),
        ("my shopping list\n", "no table of this study's trials"),
        ("trial,temperature,cycles,solvent,yield\n0,50,1,DMF,10\n", "says otherwise than the"),
    ],
)
def test_export_does_not_write_over_what_the_study_does_not_have(
    run, begun: Path, table: str, words: str
) -> None:
    """It replaced any table of that name, results and columns of one's own included."""
    Path("results.csv").write_text(table)
    assert words in run("export", "-o", "results.csv", code=1).output
    assert Path("results.csv").read_text() == table
    run("export", "-o", "results.csv", "--force")
    assert "41.5" in Path("results.csv").read_text()


def test_export_keeps_notes_and_columns_that_were_added_to_it(run, begun: Path) -> None:
    run("export", "-o", "all.csv")
    first = Path("all.csv").read_text()
    Path("all.csv").write_text(first.replace("41.5,complete,", "41.5,complete,yellow"))
    assert "1 note that the study does not have" in run("export", "-o", "all.csv", code=1).output
    lines = [f"{line},Ann" for line in first.splitlines()]
    Path("all.csv").write_text("\n".join([f"{first.splitlines()[0]},who", *lines[1:]]))
    space = Path("space.toml")
    space.write_text(space.read_text() + '\n[csv]\nignore = ["who"]\n')
    run("suggest")
    output = run("export", "-o", "all.csv", code=1).output
    assert "has columns of yours that would be lost: who" in output
