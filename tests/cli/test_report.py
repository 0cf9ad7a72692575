"""`pathmax report`, and stopped trials in `show` and in tables."""

from click.testing import CliRunner

from pathmax import Float, Study
from pathmax.cli import main


def run(*arguments):
    result = CliRunner().invoke(main, [*arguments, "--storage", "lab.db", "--study", "curves"])
    assert result.exit_code == 0, result.output
    return result.output


def test_report_show_and_export(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = Study(
        {"x": Float(0, 1)}, name="curves", storage="lab.db", direction="minimize", stopping="asha"
    )
    study.ask(2)
    assert "Trial 0: go on" in run("report", "0", "1", "0.5")
    assert "Trial 1: stop it: not among the best 1 in 4 at step 1" in run("report", "1", "1", "0,9")
    assert "Trial 1 is stopped" in run("report", "1", "1", "0.9", "--stop")
    study.tell(0, 0.25)
    shown = run("show")
    assert "1 result, 0 running, 1 stopped early, 0 failed" in shown
    assert "Stopped early:" in shown and "not among the best" in shown
    exported = run("export", "-o", "all.csv")
    assert "2 trials" in exported
    other = Study({"x": Float(0, 1)}, name="other", storage="lab.db", direction="minimize")
    frame = study.to_frame("pandas")
    assert "attributes.pathmax_expected" not in frame.columns
    other.add(frame)
    assert [str(t.state) for t in other.trials] == ["complete", "stopped"]
    again = CliRunner().invoke(
        main, ["import", "all.csv", "--storage", "lab.db", "--study", "curves"]
    )
    assert again.exit_code == 0 and "2 known before" in again.output, again.output
