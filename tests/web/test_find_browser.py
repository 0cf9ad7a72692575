"""Where there is no browser, `make test` says what to install, or installs it."""

import subprocess

import pytest

from tests.web import find_browser


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A machine without a browser; what it is told to run is noted and not run."""
    ran: list[list[str]] = []
    monkeypatch.delenv(find_browser.VARIABLE, raising=False)
    monkeypatch.setattr(find_browser, "ELSEWHERE", ())
    monkeypatch.setattr(find_browser.shutil, "which", lambda name: None)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: ran.append(command))
    return ran


def test_it_says_what_to_install(bare, capsys, monkeypatch):
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 1000, raising=False)
    assert find_browser.main() == 1
    assert "apt install chromium chromium-driver" in capsys.readouterr().err
    assert bare == []


@pytest.mark.parametrize("there", [(), ("chromium",)])
def test_root_with_apt_installs_debians_chromium(bare, capsys, monkeypatch, there):
    monkeypatch.setattr(find_browser.os, "geteuid", lambda: 0, raising=False)

    def which(name: str) -> str | None:
        installed = (*there, "apt-get", *(find_browser.CHROMIUMS[:1] if bare else ()))
        return f"/usr/bin/{name}" if name in installed else None

    monkeypatch.setattr(find_browser.shutil, "which", which)
    assert find_browser.main() == 0
    assert [command[2] for command in bare] == ["update", "install"]


def test_a_browser_may_be_named(bare, monkeypatch):
    monkeypatch.setenv(find_browser.VARIABLE, "/opt/firefox")
    found = find_browser.find()
    assert found is not None and found.is_firefox and found.path == "/opt/firefox"
