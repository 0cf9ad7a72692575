"""A space file that was changed: said, asked for, and gone on with under the same trial numbers."""

import shlex
from pathlib import Path

from pathmax import Study
from pathmax.space import candidates


def change(space: Path, old: str, new: str) -> None:
    space.write_text(space.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_a_study_goes_on_with_the_same_numbers(run, ask, begun: Path) -> None:
    before = ask("export")["trials"]
    change(begun, "high = 120", "high = 140")
    output = run("suggest", code=1).output
    assert "temperature was Float(20.0, 120.0) and is now Float(20.0, 140.0)" in output
    assert "add --change-space: pathmax suggest --change-space" in output
    output = run("suggest", "--change-space").output
    assert "Study suzuki goes on under the same trial numbers: temperature was" in output
    assert "pathmax tell 5 VALUE" in output
    assert ask("export")["trials"][:5] == before
    assert run("tell", 4, 60.0) and "remarks" not in ask("suggest")
    assert run("explain", 0).output.startswith("Trial 0 of suzuki")
    study = Study.load("suzuki", storage="sqlite:///pathmax.db")
    assert [study.replay(n) for n in range(7)] == [t.params for t in study.trials]


def test_what_no_longer_fits_is_shown_and_exported(run, ask, begun: Path) -> None:
    run("tell", 4, 99.0)
    hot = [t for t in ask("export")["trials"] if t["params"]["temperature"] > 70]
    told = [t["number"] for t in hot if t["state"] == "complete"]
    change(begun, "high = 120", "high = 70")
    change(begun, '["DMF", "THF"]', '["DMF", "THF", "water"]')
    change(begun, "direction", 'unit = "%"\ndirection')
    listed = ", ".join(map(str, told))
    output = run("suggest", "--change-space").output
    assert f"{len(told)} of 4 results fit no longer (trials {listed}): kept and shown" in output
    shown = run("show").output
    assert "Outside the present space, not used by the model:" in shown and "yield (%)" in shown
    assert all(f"{t['params']['temperature']:.4f}"[:5] in shown for t in hot)  # as it was
    assert f"1 running, 1 failed, {len(told)} outside the space" in shown
    answer = ask("show")
    assert answer["left_out_trials"] == told and answer["best_trial"]["number"] not in told
    run("export", "-o", "all.csv")
    assert Path("all.csv").read_text().count("\n") == 7
    assert "5 known before, 1 without a result yet" in run("import", "all.csv").output
    listed = ask("studies")["studies"][0]
    assert listed["complete"] == answer["complete"] == 4 - len(told)
    for command in (["rank", "--paths", 5], ["plot", "-o", "a.png"], ["studies"]):
        run(*command)


def test_an_unknown_solvent_leads_somewhere(run, begun: Path) -> None:
    Path("old.csv").write_text("temperature,cycles,solvent,yield\n50,2,water,12\n")
    assert "add it to the space file" in run("import", "old.csv", code=1).output
    change(begun, '["DMF", "THF"]', '["DMF", "THF", "water"]')
    assert "--change-space" in run("import", "old.csv", code=1).output
    assert "1 added" in run("import", "old.csv", "--change-space").output


def test_a_parameter_that_is_gone_stays_in_the_table(run, ask, begun: Path) -> None:
    change(begun, 'cycles = { low = 1, high = 8, type = "int" }\n', "")
    assert "cycles was removed" in run("suggest", "--change-space").output
    run("export", "-o", "all.csv")
    header = Path("all.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    assert header == "trial,temperature,solvent,cycles,yield,state,note"
    assert "4 known before" in run("import", "all.csv").output
    assert "Outside the present space" in run("show").output and ask("show")["best_trial"] is None


def test_somebody_at_a_terminal_is_asked(run, begun: Path, monkeypatch) -> None:
    change(begun, "maximize", "minimize")
    monkeypatch.setattr("pathmax.cli.options.at_terminal", lambda: True)
    output = run("suggest", code=1, answer="n\n").output
    assert "the direction was maximize and is now minimize." in output
    assert "Go on with this study, under the same trial numbers? [y/N]" in output
    assert "goes on under the same trial numbers" in run("suggest", answer="y\n").output
    assert "minimize yield" in run("show").output


def test_results_of_another_study_are_numbered_anew_and_that_is_said(run, ask, begun: Path) -> None:
    change(begun, '"suzuki"', '"second"')
    output = run("suggest", "--results-of", "suzuki").output
    assert "begins with 4 of the 4 trials that ended in suzuki, numbered anew from 0" in output
    assert "1 trial still running there" in output


def test_a_renamed_study_says_where_the_results_are(run, ask, begun: Path) -> None:
    change(begun, '"suzuki"', '"miyaura"')
    output = run("suggest").output
    assert "Study miyaura is new and has no trials; suzuki, with the same space, has 5." in output
    assert 'study = "suzuki" in space.toml' in output
    assert "is new" not in run("suggest").output


def test_settings_that_changed_in_the_file_are_taken_over_and_named(run, ask, begun: Path) -> None:
    """They had held for the command at hand, not for the page or for `pathmax explain`, unsaid."""
    text = Path("space.toml").read_text(encoding="utf-8")
    Path("space.toml").write_text(text + 'method = "ei"\nnoise = 0.5\nstopping = "asha"\n', "utf-8")
    output = " ".join(run("suggest").output.split())
    assert (
        "Study suzuki goes on with the settings of space.toml: method was pims and is now ei; "
        "noise was left open and is now 0.5; stopping was posterior and is now "
    ) in output
    assert "Trials from before keep theirs." in output
    settings = Study.load("suzuki", storage="pathmax.db").settings
    assert (settings.method, settings.noise, settings.stopping.name) == ("ei", 0.5, "asha")
    assert "goes on with the settings" not in run("suggest").output
    assert "remarks" not in ask("suggest")


def test_an_option_is_for_once_and_changes_no_setting(run, begun: Path) -> None:
    assert "goes on with the settings" not in run("suggest", "--method", "ts").output
    assert Study.load("suzuki", storage="pathmax.db").settings.method == "pims"


def test_settings_that_cannot_be_are_refused_and_nothing_is_stored(run, begun: Path) -> None:
    text = Path("space.toml").read_text(encoding="utf-8")
    Path("space.toml").write_text(text + 'method = "nonsense"\n', "utf-8")
    assert "method must be one of" in run("suggest", code=1).output
    assert Study.load("suzuki", storage="pathmax.db").settings.method == "pims"


def test_results_of_other_outcomes_are_counted_as_such(run, ask, begun: Path) -> None:
    for section in ("[objective]", 'name = "yield"', 'direction = "maximize"', 'unit = "%"'):
        change(begun, section, "")
    change(
        begun, "[parameters", '[outcomes]\npurity = "maximize"\ncost = "minimize"\n\n[parameters'
    )
    output = run("suggest", "--change-space").output
    assert (
        "have none of the outcomes that are wanted now" in output and ", no results yet)" in output
    )
    shown = run("show").output
    assert "0 results, 2 running, 1 failed, 3 with none of these outcomes." in shown
    assert "Undecided, since outcomes are still to come:" in shown
    assert ask("studies")["studies"][0]["complete"] == ask("show")["complete"] == 0
    untold = ask("show")["untold_trials"]
    run("tell", untold[0], "purity=3", "cost=2")
    assert ", from 1 result)" in run("suggest").output
    assert ask("show")["complete"] == 1 and ask("show")["untold_trials"] == untold[1:]


def test_an_objective_keeps_its_results_when_others_join_it_and_when_they_leave(run, begun: Path):
    """They were of no use from then on: the study had called the column of the file "value"."""
    text = begun.read_text(encoding="utf-8")
    single = text[text.index("[objective]") : text.index("[parameters]")]
    study = Study.load("suzuki", storage="sqlite:///pathmax.db")
    told = {t.number: t.value for t in study.trials if t.value is not None}
    change(begun, single, '[outcomes]\nyield = "maximize"\ncost = "minimize"\n\n')
    said = run("suggest", code=1).output
    assert f"{len(told)} results of yield from before stay in use" in " ".join(said.split())
    said = run("suggest", "--change-space").output
    assert "stay in use" in said and "none of the outcomes" not in said
    study = Study.load("suzuki", storage="sqlite:///pathmax.db")
    assert {t.number: t.outcomes["yield"] for t in study.trials if t.outcomes} == told
    run("tell", 0, "cost=3")
    run("tell", 4, "yield=50", "cost=2")
    change(begun, '[outcomes]\nyield = "maximize"\ncost = "minimize"\n\n', single)
    run("suggest", "--change-space")
    study = Study.load("suzuki", storage="sqlite:///pathmax.db")
    assert {t.number: t.value for t in study.trials if t.outcomes} == {**told, 4: 50.0}
    assert [study.replay(n) for n in range(7)] == [t.params for t in study.trials[:7]]
    assert study.best_value == max(told.values())


def test_rows_of_a_library_that_is_not_stored_may_change(run, lab: Path, monkeypatch) -> None:
    monkeypatch.setattr(candidates, "MAX_STORED_CELLS", 10)
    library, options = lab / "my lib.csv", ("--pool", "my lib.csv", "--id", "name")
    lines = ["name,x,price", *(f"r{i},{i / 7},{i}" for i in range(20))]
    library.write_text("\n".join(lines), encoding="utf-8")
    run("suggest", "-n", 2, *options, "--ignore", "price")
    run("tell", 0, 1.5)
    library.write_text("\n".join([*lines, "r20,9.5,1"]), encoding="utf-8")
    for command in (["show"], ["export"], ["tell", 1, 2.5]):
        output = run(*command, code=1).output
        assert "and are others now: the pool had 20 rows and has 21 now" in output
        assert "run pathmax suggest --change-space, with the --space or --pool" in output
    output = run("suggest", *options, "--ignore", "price", code=1).output
    same = output[output.index("pathmax suggest --change-space") :]
    assert "--results-of" not in output  # that would need the rows as they were
    pasted = shlex.split(same)[1:]
    assert pasted[2:] == [*options, "--ignore", "price"]
    assert "goes on under the same trial numbers" in run(*pasted).output
    assert "tell 1 VALUE" not in run("tell", 1, 2.5).output
    assert "1 running" in run("show").output
    assert "neither explained nor derived again" in run("explain", 0, code=1).output


def test_a_library_that_was_moved_is_asked_for(run, lab: Path, monkeypatch) -> None:
    monkeypatch.setattr(candidates, "MAX_STORED_CELLS", 10)
    library = lab / "library.csv"
    library.write_text("\n".join(["name,x", *(f"r{i},{i / 7}" for i in range(20))]))
    run("suggest", "--pool", "library.csv", "--id", "name")
    library.rename(lab / "moved.csv")
    output = run("show", code=1).output
    assert "library.csv: there is no such file" in output
    assert "if they are elsewhere now, say where: pathmax suggest --pool library.csv" in output
    run("suggest", "--pool", "moved.csv", "--id", "name")
    assert "2 running" in run("show").output
