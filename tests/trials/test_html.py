"""What notebooks show: everything that was told, and never as markup."""

import re
from html.parser import HTMLParser

import pytest

from pathmax import Categorical, Fidelity, Float, Grid, Study
from pathmax.trials import html

EVIL = "<script>alert('&')</script>"


class Reader(HTMLParser):
    """The tags and the text of some HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert all(not name.startswith("on") for name, _ in attrs)

    def handle_data(self, data):
        self.text += data + " "


def read(thing: object) -> Reader:
    reader = Reader()
    reader.feed(thing._repr_html_())
    reader.close()
    return reader


def made() -> Study:
    space = {EVIL: Float(0, 1), "kind": Categorical([EVIL, "b"])}
    study = Study(space, name=EVIL, seed=0)
    study.optimize(lambda p: p[EVIL] ** 2, 6, progress=False)
    study.annotate(0, note=EVIL)
    study.fail(study.ask(), EVIL)
    return study


@pytest.mark.parametrize(
    "thing",
    [
        lambda study: study,
        lambda study: study.trials[0],
        lambda study: study.trials[6],
        lambda study: study.optimize(lambda p: 0.5, 1, progress=False),
        lambda study: study.explain(5),
        lambda study: study.best_probabilities(20),
        lambda study: study.regret(20),
        lambda study: study.importances(n_paths=16),
        lambda study: study.cross_validate(),
    ],
    ids="study trial failed result card ranking regret importances check".split(),
)
def test_whatever_was_told_is_text(thing, request):
    seen = read(thing(made()))
    assert "script" not in seen.tags
    if request.node.callspec.id != "check":
        assert EVIL in seen.text


def test_a_study_shows_the_best_and_the_newest():
    study = Study({"x": Float(0, 1)}, seed=0)
    assert "0 results" in read(study).text
    for i in range(15):
        study.add({"x": i / 15}, -abs(i - 4))
    study.ask()
    text = read(study).text
    assert "15 results, 1 running" in text and "The best:" in text
    best, newest = text.split("The newest:")
    assert re.search(r"trial\s+x\s+value\s+state\s+4\s+0.266667\s+0", best)
    assert newest.count("complete") == 9 and newest.count("running") == 1


def test_several_outcomes_show_the_front_and_their_bounds():
    study = Study({"x": Float(0, 1)}, objectives={"a": "maximize", "b": "minimize"},
                  constraints={"c": "<= 1"}, seed=0)  # fmt: skip
    for i in range(6):
        study.add({"x": i / 6}, {"a": i, "b": i * i, "c": i / 3})
    assert "On the front:" in read(study).text
    assert "being on the front" in read(study.best_probabilities(20)).text
    assert "within bounds" in read(study.best_probabilities(20)).text
    alone = Study({"x": Float(0, 1)}, objectives={"a": "maximize"}, constraints={"c": "<= -1"})
    alone.add({"x": 0.5}, {"a": 1.0, "c": 2.0})
    assert "The newest" in read(alone).text and "The best" not in read(alone).text


def test_parts():
    assert html.text(None) == "" and html.text(1 / 3) == "0.333333" and html.text(True) == "True"
    assert html.text(html.Markup("<b>")) == "<b>" and html.text("<b>") == "&lt;b&gt;"
    assert "width:100px" in html.bar(1.5) and "width:0px" in html.bar(-0.2)
    assert html.preformatted("a <b>\n c") == "<pre>a &lt;b&gt;\n c</pre>"


def test_the_best_that_is_shown_is_at_the_target_and_nothing_is_hidden():
    assay = Fidelity(["quick", "full"], cost=[1, 20])
    study = Study(Grid({"x": [1, 2, 3], "assay": assay}), seed=0)
    study.add({"x": 1, "assay": "quick"}, 9.0)
    study.add({"x": 1, "assay": "full"}, 1.0)
    result = study.optimize(lambda params: -2.0, 1, progress=False)
    for thing in (study, result):
        best = read(thing).text.partition("The best:")[2].partition("The newest:")
        assert "full" in best[0] and "quick" not in best[0]
        assert "quick" in best[2] and "3 results" in read(thing).text
