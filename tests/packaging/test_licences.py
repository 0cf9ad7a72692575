"""Licences of what is installed: requirements are followed, and what a page leaves out is found."""

import re
from importlib import metadata

import pytest

from pathmax import acquisition
from tests.packaging import licences

REQUIRED = {
    "one": ["two>=1", 'three; sys_platform == "nowhere"', 'four; extra == "more"'],
    "two": ["One"],
    "four": [],
}


def test_requirements_are_followed_with_their_extras(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(metadata, "requires", REQUIRED.__getitem__)
    assert licences.brought(["one"]) == {"one", "two"}
    assert licences.brought(["one[more]>=2"]) == {"one", "two", "four"}
    assert licences.brought(["two", "one[more]"]) == {"one", "two", "four"}


def test_a_package_that_no_row_names_is_found():
    page = "| package | comes with |\n| --- | --- |\n| a, b-c | d |\n"
    assert licences.missing(page, ["a", "b-c", "d", "e"]) == ["d", "e"]


def test_every_extra_that_people_install_is_looked_at():
    extras = licences.required()
    assert {"pathmax", "[dashboard]", "[molecules]"} <= set(extras)
    assert not {"[all]", "[dev]"} & set(extras)
    assert licences.licence("numpy").startswith("BSD-3-Clause")


def test_every_method_of_others_is_cited():
    """Those that came with 0.2, es, pes and kg, were not."""
    cited = licences.PAGE.read_text("utf-8").partition("## What to cite")[2].lower()
    of_the_paper, of_textbooks = {"pims", "eims"}, {"random", "ts", "ei", "pi"}
    for name in {*acquisition.METHODS} - of_the_paper - of_textbooks:
        assert re.search(rf"(?<![\w-]){name}(?![\w-])", cited), name
