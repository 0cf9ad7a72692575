"""A release is cut in one go: version, citation and changelog, or nothing at all."""

import sys
from pathlib import Path

import pytest

from tests.packaging import cut_release

FILES = {
    "src/pathmax/__init__.py": 'import x\n\n__version__ = "0.1.0"\n\n__all__ = ["a"]\n',
    "CITATION.cff": "cff-version: 1.2.0\nversion: 0.1.0\nlicense: MIT\n",
    "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## 0.1.0\n\n- Old.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_release_is_cut_everywhere(root: Path):
    cut_release.cut("0.2.0", "2026-12-24", root)
    source, cited, changes = ((root / name).read_text() for name in FILES)
    assert '__version__ = "0.2.0"' in source and '__all__ = ["a"]' in source
    assert cited == (
        "cff-version: 1.2.0\nversion: 0.2.0\ndate-released: 2026-12-24\nlicense: MIT\n"
    )
    assert "## 0.2.0 - 2026-12-24\n\n- New.\n\n## 0.1.0" in changes
    (root / "CHANGELOG.md").write_text(changes.replace("## 0.2", "## [Unreleased]\n\n## 0.2"))
    cut_release.cut("0.3.0", "2027-01-06", root)
    assert (root / "CITATION.cff").read_text().count("date-released") == 1


def test_figures_are_of_the_version_that_is_cut(root: Path):
    (root / "benchmarks").mkdir()
    page = root / "benchmarks" / "RESULTS.md"
    page.write_text("A processor, numpy 2.4.6, scipy 1.17.1, pathmax 0.1.0\n\nof pathmax 0.1.0\n")
    cut_release.cut("0.2.0", "2026-12-24", root)
    assert page.read_text() == (
        "A processor, numpy 2.4.6, scipy 1.17.1, pathmax 0.2.0\n\nof pathmax 0.1.0\n"
    )


def test_without_changes_nothing_is_written(root: Path):
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 0.1.0\n")
    with pytest.raises(SystemExit, match="nothing to cut"):
        cut_release.cut("0.2.0", "2026-12-24", root)
    assert (root / "CITATION.cff").read_text() == FILES["CITATION.cff"]


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9", "0.2", "v0.2.0"])
def test_another_version_is_refused(version, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cut_release", version])
    monkeypatch.setattr(cut_release, "cut", lambda *_: pytest.fail("it was cut"))
    with pytest.raises(SystemExit):
        cut_release.main()
    assert version in capsys.readouterr().err


def test_figures_of_other_code_keep_it_from_being_cut(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cut_release", "999.0.0"])
    monkeypatch.setattr(cut_release, "out_of_date", lambda: ["guesses: of engine 6"])
    monkeypatch.setattr(cut_release, "cut", lambda *_: pytest.fail("it was cut"))
    with pytest.raises(SystemExit):
        cut_release.main()
    assert "guesses: of engine 6" in capsys.readouterr().err
