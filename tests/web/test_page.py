"""The page in a real browser: what people at a bench do with it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import pathmax
from pathmax import Study
from pathmax.storage import Entry, sqlite, storage_url
from pathmax.storage.sql import SqlStorage
from pathmax.trials.trial import TrialState
from pathmax.web.settings import ServerSettings
from pathmax.web.tokens import Role, Tokens
from pathmax.workspace.views import model_charts
from tests.web import browser
from tests.web.browser import Page
from tests.web.conftest import TOKEN, running

SPACE = {
    "temperature": pathmax.Float(20, 120),
    "solvent": pathmax.Categorical(["DMF", "THF", "water"]),
}
UNITS = {"temperature": "°C", "yield": "%"}
SHEET = {"objective": "yield", "units": UNITS, "units_row": False, "ignored": [], "pool": {}}
HOSTILE = "<img src=x onerror=window.hacked=1>"


@pytest.fixture(scope="session")
def driver() -> Iterator[object]:
    made = browser.start()
    try:
        yield made
    finally:
        made.quit()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerSettings]:
    folder = tmp_path_factory.mktemp("page")
    with running(storage=f"sqlite:///{folder / 'lab.db'}", poll=0.1) as settings:
        yield settings


@pytest.fixture
def page(driver, server) -> Iterator[Page]:
    """A browser that has followed the printed link."""
    shown = Page(driver, server.origin)
    shown.resize(1360)
    shown.open(f"/?token={TOKEN}")
    shown.see("Studies", "h1")
    shown.complaints()
    yield shown
    assert shown.complaints() == []


def make(server: ServerSettings, name: str, **given: object) -> Study:
    """A study of its own for a test, with columns as a space.toml gives them."""
    study = Study(SPACE, name=name, storage=server.storage, seed=0, initial=3, **given)
    if study.goals.is_single:
        study.storage.update(name, attributes={"sheet": SHEET})
    return study


def at(study: Study, page: str = "studies") -> str:
    return f"/{page}/{quote(study.name, safe='')}"


def add(study: Study, *values: float) -> None:
    for i, value in enumerate(values):
        study.add({"temperature": 30.0 + 7 * i, "solvent": "THF"}, value)


class TestMaking:
    def test_a_study_is_made_in_a_form_that_checks_as_one_types(self, page):
        page.click("a[href='/new']")
        page.see("The study needs a name.", "#ready")
        page.type("#study-name", "made here")
        page.type("[aria-label='name of outcome 1']", "yield")
        page.type("[aria-label='unit of outcome 1']", "%")
        page.type("[aria-label='name of parameter 2']", "temperature")
        page.type("[aria-label='lowest value of parameter 2']", "120")
        page.type("[aria-label='highest value of parameter 2']", "20")
        page.see("low must be below high", "#params .says")
        assert not page.element("#make").is_enabled()
        page.type("[aria-label='lowest value of parameter 2']", "2,5")
        page.type("[aria-label='unit of parameter 2']", "°C")
        page.type("[aria-label='name of parameter 3']", "solvent")
        Select(page.element("[aria-label='kind of parameter 3']")).select_by_value("categorical")
        page.type("[aria-label='choices of parameter 3']", "DMF, THF")
        page.see("All is well", "#ready")
        text = page.run("return document.getElementById('toml').value")
        assert 'temperature = { low = 2.5, high = 20, unit = "°C" }' in text
        assert 'solvent = ["DMF", "THF"]' in text
        page.click("#make")
        page.see("made here", "h1")
        page.see("maximize yield (%)", ".goal")

    def test_outcomes_with_bounds_are_checked_too(self, page, server):
        page.open("/new")
        page.type("#study-name", "with bounds")
        page.type("[aria-label='name of outcome 1']", "hardness")
        page.click("#more-outcomes")
        page.type("[aria-label='name of outcome 4']", "impurity")
        Select(page.element("[aria-label='what is wanted of outcome 4']")).select_by_value("bound")
        page.type("[aria-label='bound of outcome 4']", "about 3")
        page.type("[aria-label='name of parameter 2']", "x")
        page.type("[aria-label='lowest value of parameter 2']", "0")
        page.type("[aria-label='highest value of parameter 2']", "1")
        page.see("expected a bound", "#maker")
        page.type("[aria-label='bound of outcome 4']", "<= 0.5")
        page.see("All is well", "#ready")
        page.click("#make")
        page.see("maximize hardness, impurity at most 0.5", ".goal")
        made = Study.load("with bounds", storage=server.storage)
        assert made.goals.words == "maximize hardness, impurity <= 0.5"

    def test_conditions_and_sentences_are_checked_too(self, page, server):
        page.open("/new")
        page.type("#study-name", "with sentences")
        page.type("[aria-label='name of outcome 1']", "yield")
        for number, name in ((2, "catalyst"), (3, "ligand")):
            page.type(f"[aria-label='name of parameter {number}']", name)
            page.type(f"[aria-label='lowest value of parameter {number}']", "0")
            page.type(f"[aria-label='highest value of parameter {number}']", "8")
        page.type("#params li:nth-child(2) .when", "base > 1")
        page.see("base", "#params li:nth-child(2) .says, [data-says='parameters']")
        page.type("#params li:nth-child(2) .when", "catalyst > 1")
        page.see("All is well", "#ready")
        page.type("#params li:nth-child(2) .when", " ")
        page.click("#more-sentences")
        page.type("[aria-label='sentence 4']", "catalyst + base <= 10")
        page.see("base", "[data-says='where']")
        page.type("[aria-label='sentence 4']", "catalyst + ligand <= 10")
        page.see("All is well", "#ready")
        page.click("#make")
        page.see("with sentences", "h1")
        page.open("/space/with%20sentences")
        page.see("catalyst + ligand <= 10", "[data-part='space']")
        made = Study.load("with sentences", storage=server.storage)
        assert made.space.where.to_json() == ["catalyst + ligand <= 10"]

    def test_a_mixture_is_made_in_the_form(self, page, server):
        page.open("/new")
        page.type("#study-name", "blend")
        page.type("[aria-label='name of outcome 1']", "strength")
        page.type("[aria-label='name of parameter 2']", "recipe")
        Select(page.element("[aria-label='kind of parameter 2']")).select_by_value("mixture")
        page.type("[aria-label='choices of parameter 2']", "water 0 to 60, ethanol 0 to 30, oil")
        page.see("oil", "#params .says, [data-says='parameters']")
        page.type("[aria-label='choices of parameter 2']", "water 0 to 60, ethanol 0 to 30")
        page.see("100", "#params .says, [data-says='parameters']")  # they cannot add up to it
        page.type(
            "[aria-label='choices of parameter 2']", "water 0 to 60, ethanol 0-30, oil 5 to 60"
        )
        page.see("All is well", "#ready")
        assert "components = { water = [0, 60]" in page.element("#toml").get_attribute("value")
        page.click("#make")
        page.see("blend", "h1")
        page.click("#suggest button")
        page.see("Trial 0", ".runs")
        params = Study.load("blend", storage=server.storage).trials[0].params
        assert params.keys() == {"water", "ethanol", "oil"}
        assert sum(params.values()) == pytest.approx(100)
        page.open("/space/blend")
        page.see("water + ethanol + oil = 100", "[data-part='space']")

    def test_lists_are_read_as_they_were_meant_or_questioned(self, page):
        """Semicolons were parts of names, a decimal comma parted a number, and all was well."""
        page.open("/new")
        page.type("#study-name", "lists")
        page.type("[aria-label='name of outcome 1']", "yield")
        page.type("[aria-label='name of parameter 2']", "x")
        kind = Select(page.element("[aria-label='kind of parameter 2']"))

        def types(text, says, entry=None):
            page.type("[aria-label='choices of parameter 2']", text)
            page.see(says, "#params .says" if entry is None else "#ready")
            page.until(lambda: page.element("#make").is_enabled() == (entry is not None))
            assert entry is None or f"x = {entry}\n" in page.element("#toml").get_attribute("value")

        kind.select_by_value("categorical")
        types("N,N-dimethylaniline, THF", "put semicolons between")
        types("N,N-dimethylaniline; THF", "All is well", '["N,N-dimethylaniline", "THF"]')
        types('"N,N-dimethylaniline", THF', "All is well", '["N,N-dimethylaniline", "THF"]')
        types("DMF,THF", "All is well", '["DMF", "THF"]')
        kind.select_by_value("values")
        types("1,5, 2", "put semicolons between")
        types("0,5; 1; 2", "All is well", "{ values = [0.5, 1, 2] }")
        types("0.5, high", "high is not a number")
        kind.select_by_value("mixture")
        types("Cu 0 to 60, Zn 0 to 60, Zn 0 to 3", "Two components are called Zn")
        types("Cu 0 to 60, Zn", "Zn has no range")
        entry = "{ components = { Cu = [0.5, 60], Zn = [0, 60] }, total = 100 }"
        types("Cu: 0,5-60; Zn: 0-60", "All is well", entry)
        kind.select_by_value("float")
        page.type("[aria-label='lowest value of parameter 2']", "1,234")
        page.type("[aria-label='highest value of parameter 2']", "5000")
        page.see("1,234 may be 1.234 or 1234", "#params .says")

    def test_outcomes_of_one_name_are_not_taken_for_one(self, page):
        """The last one took the place of the others."""
        page.open("/new")
        page.type("#study-name", "twice")
        page.type("[aria-label='name of outcome 1']", "yield")
        page.click("#more-outcomes")
        page.type("[aria-label='name of outcome 4']", "yield")
        Select(page.element("[aria-label='what is wanted of outcome 4']")).select_by_value("bound")
        page.type("[aria-label='bound of outcome 4']", "<= 0,5")
        page.type("[aria-label='name of parameter 2']", "x")
        page.type("[aria-label='lowest value of parameter 2']", "0")
        page.type("[aria-label='highest value of parameter 2']", "1")
        page.see("Two outcomes are called yield.", "#ready")
        assert not page.element("#make").is_enabled()
        page.type("[aria-label='name of outcome 4']", "impurity")
        page.see("All is well", "#ready")
        assert 'bound = "<= 0.5"' in page.element("#toml").get_attribute("value")

    def test_contexts_and_fidelities_are_made_in_the_form(self, page, server):
        page.open("/new")
        page.type("#study-name", "closely")
        page.type("[aria-label='name of outcome 1']", "strength")
        page.type("[aria-label='name of parameter 2']", "humidity")
        page.type("[aria-label='lowest value of parameter 2']", "20")
        page.type("[aria-label='highest value of parameter 2']", "80")
        page.click("[aria-label='parameter 2 is given and not chosen']")
        page.type("[aria-label='name of parameter 3']", "site")
        Select(page.element("[aria-label='kind of parameter 3']")).select_by_value("levels")
        page.type("[aria-label='choices of parameter 3']", "simulation, plant")
        page.type("[aria-label='costs of parameter 3']", "1, 100")
        page.click("#more-params")
        page.type("[aria-label='name of parameter 4']", "time")
        page.type("[aria-label='lowest value of parameter 4']", "1")
        page.type("[aria-label='highest value of parameter 4']", "9")
        page.see("All is well", "#ready")
        page.click("#make")
        page.see("humidity", "#suggest")
        made = Study.load("closely", storage=server.storage).space
        assert made.context_names == ("humidity",)
        assert made.fidelity is not None and made.fidelity[1].target == "plant"

    def test_a_space_toml_makes_a_study(self, page):
        page.open("/new")
        page.click("#by-hand")
        page.type("#toml", 'study = "by hand"\n[parameters]\nx = { low = 0, high = 1 }\n')
        page.see("there is no direction", "#trouble-form")
        page.type(
            "#toml",
            'study = "by hand"\n[objective]\ndirection = "minimize"\n[parameters]\n'
            "x = { low = 0, high = 1 }\n",
        )
        page.see("All is well", "#ready")
        page.click("#make")
        page.see("minimize value", ".goal")


class TestWorking:
    def test_suggest_enter_and_correct(self, page, server):
        study = make(server, "work")
        page.open(at(study))
        page.type("#suggest input", "2")
        page.click("#suggest button")
        page.see("Trials 0 to 1 are suggested", "#toasts")
        page.see("Trial 1", ".runs")
        page.type("[aria-label='yield (%) of trial 0']", "71,3")
        page.press(Keys.ENTER)
        page.see("71.3 %", ".tiles")
        page.gone("[data-key='0']")
        assert study.trials[0].value == 71.3
        page.click(".tiles [data-trial='0']")
        page.see("Settings", "#trial")
        page.click("#trial details summary")
        page.type("#trial form[data-send$='correct'] input", "17.3")
        page.press(Keys.ENTER)
        page.see("Corrected: was 71.3", "#trial")
        page.see("17.3 %", ".tiles")
        page.press(Keys.ESCAPE)
        page.gone("#trial")

    def test_what_is_wrong_is_said_and_what_was_typed_stays(self, page, server):
        study = make(server, "wrong")
        trial = study.ask()
        page.open(at(study))
        field = f"[aria-label='yield (%) of trial {trial.number}']"
        page.type(field, "seventy")
        page.press(Keys.ENTER)
        page.see("'seventy' is not a number", ".runs .problem")
        assert page.element(field).get_attribute("value") == "seventy"

    def test_a_trial_fails_with_a_reason(self, page, server):
        study = make(server, "broken")
        study.ask()
        page.open(at(study))
        page.click(".runs details summary")
        page.click(".runs [data-opens='fail']")
        page.type("#fail input", "the stirrer stopped")
        page.press(Keys.ENTER)
        page.see("the stirrer stopped", "[data-part='failures']")
        assert study.trials[0].error == "the stirrer stopped"

    def test_a_result_from_before_and_a_remark(self, page, server):
        study = make(server, "before")
        page.open(at(study))
        page.click("[data-opens='add']")
        page.type("#add [name='temperature']", "500")
        Select(page.element("#add [name='solvent']")).select_by_visible_text("THF")
        page.type("#add [name='value']", "55.5")
        page.press(Keys.ENTER)
        page.see("expected a number from 20.0 to 120.0, got 500.0", "#add .problem")
        page.type("#add [name='temperature']", "50,5")
        page.press(Keys.ENTER)
        page.see("55.5 %", ".tiles")
        page.click(".tiles [data-trial='0']")
        page.click("#trial details:has(form[data-send$='annotate']) summary")
        page.type("#trial form[data-send$='annotate'] textarea", "a little cloudy")
        page.type("#trial [data-attribute='key']", "batch")
        page.type("#trial [data-attribute='value']", "7")
        page.click("#trial form[data-send$='annotate'] button")
        page.see("a little cloudy", "#trial dl")
        trial = study.trials[0]
        assert trial.params == {"temperature": 50.5, "solvent": "THF"}
        assert (trial.note, trial.attributes) == ("a little cloudy", {"batch": 7})

    def test_several_outcomes_are_entered_by_name(self, page, server):
        goals = {"yield": "maximize", "cost": "minimize"}
        study = make(server, "front", objectives=goals, constraints={"waste": "<= 5"})
        study.ask(2)
        page.open(at(study))
        for name, value in {"yield": "71.3", "cost": "3.2", "waste": "1"}.items():
            page.type(f"[data-key='0'] [name='{name}']", value)
        page.press(Keys.ENTER)
        page.see("On the front\n1", ".tiles")
        page.type("[data-key='1'] [name='yield']", "60")
        page.press(Keys.ENTER)
        page.gone("[data-part='running'] [data-key='1']")
        page.see("Outcomes still to come", "[data-part='undecided']")
        assert study.trials[0].outcomes == {"yield": 71.3, "cost": 3.2, "waste": 1.0}
        assert study.trials[1].outcomes == {"yield": 60.0}
        page.until(lambda: page.count("#front svg[role=img] circle.c-front") == 1)

    @pytest.mark.parametrize("across", ["maximize", "minimize"])
    def test_steps_join_the_front_and_promise_nothing_between(self, page, server, across):
        study = make(server, f"steps, {across}", objectives={"a": across, "b": "minimize"})
        sign = 1 if across == "maximize" else -1
        for i, (a, b) in enumerate([(1, 1), (2, 4), (4, 9)]):
            study.add({"temperature": 50.0 + i, "solvent": "THF"}, {"a": sign * a, "b": b})
        page.open(at(study))
        page.until(lambda: page.count("#front svg[role=img] path.c-best") == 1)
        line = page.run("return document.querySelector('#front path.c-best').getAttribute('d')")
        corners = [tuple(map(float, one.split())) for one in line[1:].split("L")]
        assert len(corners) == 5
        for i in (1, 3):  # behind both neighbours: no better across, and no lower
            (x0, y0), (x, y), (x1, y1) = corners[i - 1 : i + 2]
            assert x == (min if sign > 0 else max)(x0, x1) and y == min(y0, y1)

    def test_outcomes_that_come_later_have_fields_of_their_own(self, page, server):
        goals = {"objectives": {"yield": "maximize"}, "constraints": {"impurity": "<= 0.5"}}
        study = make(server, "assay on Friday", **goals)
        first, second, _ = study.ask(3)
        for trial in (first, second):
            study.tell(trial, {"yield": 70.0 + trial.number})
        page.open(at(study))
        page.see("Outcomes still to come", "[data-part='undecided']")
        page.type(f"[aria-label='impurity of trial {first.number}']", "0,4")
        page.press(Keys.ENTER)
        page.see("what came later is stored")
        page.until(lambda: study.trials[0].outcomes == {"yield": 70.0, "impurity": 0.4})
        page.gone(f"[data-part='undecided'] [data-key='{first.number}']")
        page.open(f"{at(study, 'trial')}?number={second.number}")
        page.see("Enter what came later")
        page.type(f"form.tell [aria-label='impurity of trial {second.number}']", "0.9")
        page.press(Keys.ENTER)
        page.until(lambda: study.trials[1].outcomes == {"yield": 71.0, "impurity": 0.9})
        page.open(at(study))
        page.see("To do now")
        assert page.count("[data-part='undecided'] form") == 0

    def test_the_space_changes_once_it_is_said_what_that_does(self, page, server):
        study = make(server, "moving")
        add(study, 50.0, 60.0, 70.0)
        page.open(at(study, "space"))
        text = page.run("return document.querySelector('[name=toml]').value")
        page.fill("[name='toml']", text.replace("low = 20", "low = 35"))
        page.see("1 of 3 results fits no longer", "[data-preview]")
        page.click("#change-space button")
        page.see("35 to 120", "[data-part='space']")
        page.see("1 result does not fit the present space", ".notice")
        assert [t.number for t in Study.load("moving", storage=server.storage).left_out] == [0]


class TestTables:
    def test_import_says_what_it_would_do_and_does_it(self, page, server, tmp_path: Path):
        study = make(server, "imported")
        study.ask()
        table = tmp_path / "results.csv"
        table.write_text("temperature,solvent,yield\n50,DMF,12.5\n60,THF,high\n")
        page.open(at(study))
        page.click("[data-opens='import']")
        page.element("#import-form [name='file']").send_keys(str(table))
        page.see("line 3, column 'yield'", "#import .problem")
        table = tmp_path / "corrected.csv"
        table.write_text("temperature,solvent,yield\n50,DMF,12.5\n60,THF,31\n")
        page.element("#import-form [name='file']").send_keys(str(table))
        page.see("This file would add 2 results.", "#import")
        assert len(study.trials) == 1
        page.click("#import-form button[type='submit']")
        page.see("31 %", ".tiles")
        assert [trial.value for trial in study.trials] == [None, 12.5, 31.0]

    def test_export_is_the_table_of_all_trials(self, page, server):
        study = make(server, "exported")
        add(study, 50.25)
        page.open(at(study))
        page.click("[data-opens='export']")
        address = page.element("#export a.main").get_attribute("href")
        text = page.driver.execute_async_script(
            "const done = arguments[1]; fetch(arguments[0]).then((r) => r.text()).then(done)",
            address,
        )
        header, row = text.lstrip("\ufeff").splitlines()
        assert header == "trial,temperature,solvent,yield,state,note"
        assert row == "0,30,THF,50.25,complete,"

    def test_trials_are_sorted_filtered_and_paged(self, page, server):
        study = make(server, "table")
        entries = [
            Entry(params={"temperature": 20 + i / 100, "solvent": "THF"}, state=state,
                  outcomes={"value": float(i % 97)} if i % 50 else {},
                  error=None if i % 50 else "clogged")
            for i in range(1500)
            for state in [TrialState.COMPLETE if i % 50 else TrialState.FAILED]
        ]  # fmt: skip
        study.storage.insert_many(study.name, entries)
        page.open(at(study, "trials"))
        page.see("1 to 50 of 1,500", ".pager")
        page.click("a[rel='next']")
        page.see("page 2 of 30", ".pager")
        page.click("thead a[href*='results.yield']")
        page.until(lambda: page.text("tbody tr:first-child td[data-label='yield (%)']") == "96")
        assert page.count("th[aria-sort='descending']") == 1
        page.type("[name='text']", "temperature > 34.5 and yield > 40")
        page.press(Keys.ENTER)
        page.see("1 to 8 of 8 (of 1,500)", ".pager")
        page.type("[name='text']", "clogged")
        page.press(Keys.ENTER)
        page.see("1 to 30 of 30 (of 1,500)", ".pager")
        page.type("[name='text']", "pressure > 1")
        page.press(Keys.ENTER)
        page.see("not filtered", "[role='alert']")
        page.open(at(study))
        page.see("of 1470 results drawn: the lowest and highest of each stretch", "#progress")
        assert 0 < page.count("#progress svg[role=img] circle.c-result") <= 1200


class TestLooking:
    def test_charts_show_what_there_is(self, page, server, monkeypatch):
        monkeypatch.setattr(model_charts, "RANKING_PATHS", 8)  # each path takes a while
        monkeypatch.setattr(model_charts, "REGRET_PATHS", 8)
        monkeypatch.setattr(model_charts, "JUDGING_PATHS", 8)
        study = make(server, "charts")
        add(study, 10.0, 30.0, 20.0, 25.0, 40.0, 15.0)
        study.fail(study.ask(), "clogged")
        page.open(at(study))
        page.until(lambda: page.count("#progress svg[role=img] circle.c-result") == 6)
        assert page.count("#progress .c-failed") >= 1
        page.until(lambda: page.count("#parallel path.c-line, #parallel path.c-chosen") >= 6)
        label = page.element("#progress svg[role='img']").get_attribute("aria-label")
        assert label == "yield (%) of 6 results; the best is 40 of trial 4"
        page.open(at(study, "model"))
        page.until(lambda: page.count("#slices path.c-band") >= 1)
        page.until(lambda: page.count("#importances .bars [role='listitem']") == 2)
        page.until(lambda: page.count("#validation svg[role=img] circle.c-dot") == 6)
        page.see("Stopping now costs", "#ranking")

    def test_curves_stopped_trials_and_what_a_trial_lacks_are_drawn(self, page, server):
        space = {
            "rate": pathmax.Float(0, 1),
            "kind": pathmax.Categorical(["a", "b"]),
            "momentum": pathmax.Float(0, 1, when="kind == 'b'"),
        }
        study = Study(space, direction="minimize", name="curves", storage=server.storage, seed=0,
                      method="random")  # fmt: skip
        curves = [(0.5, 0.4), (0.6, 0.3), (0.7, 0.6), (0.9, 0.8), (0.8, 0.7)]
        entries = []
        for i, ends in enumerate(curves):
            kind: dict = {"kind": "b", "momentum": 0.5} if i % 2 else {"kind": "a"}
            reports = tuple((step, {"value": ends[step - 1]}) for step in (1, 2))
            ended = i < 3
            entries.append(
                Entry(
                    params={"rate": 0.1 * i, **kind},
                    outcomes={"value": ends[1]} if ended else {},
                    state=TrialState.COMPLETE if ended else TrialState.RUNNING,
                    reports=reports,
                )
            )
        study.storage.insert_many(study.name, entries)
        study.stop(3, "a chance of 2 %")
        unknown = Entry(params={"rate": 0.9, "kind": "a"}, state=TrialState.STOPPED)
        study.storage.insert_many(study.name, [unknown])
        page.open(at(study))
        page.until(lambda: page.count("#curves path.c-curve") >= 5)
        assert page.count("#curves svg[role=img] path.c-curve.stopped") == 1
        label = page.element("#curves svg[role='img']").get_attribute("aria-label")
        assert label.endswith("5 trials: 3 led to a result, 1 stopped early, 1 running")
        page.until(lambda: page.count("#progress svg[role=img] path.c-stopped") == 2)
        assert page.count("#progress svg[role=img] path.c-stopped.unknown") >= 1
        page.see("stopped early, no end expected", "#progress .legend")
        page.until(lambda: page.count("#parallel svg[role=img] path.c-line.stopped") == 2)
        assert page.count("#parallel svg[role=img] circle.c-absent") == 2
        page.see("a chance of 2 %", "[data-part='stops']")
        page.see("Last report, step 2: value 0.7", ".runs")
        page.click(".runs details summary")
        page.click(".runs [data-opens='stop']")
        page.type("#stop input", "it was hopeless")
        page.press(Keys.ENTER)
        page.see("it was hopeless", "[data-part='stops']")
        assert [trial.state for trial in study.trials][3:] == [TrialState.STOPPED] * 3
        page.click("[data-part='stops'] [data-trial='4']")
        page.until(lambda: page.count("#trial path.c-curve.chosen") >= 1)
        page.see("it was hopeless", "#trial")

    def test_a_suggestion_in_a_context_and_its_cost(self, page, server):
        space = {
            "humidity": pathmax.Float(20, 80, context=True),
            "batch": pathmax.Categorical(["a", "b"], context=True),
            "time": pathmax.Float(1, 10),
        }
        study = Study(space, name="film", storage=server.storage, seed=0, method="random")
        study.add({"humidity": 30.0, "batch": "a", "time": 2.0}, 5.0, cost=12.5)
        page.open(at(study))
        page.see("Spent\n12.5", ".tiles")
        page.type("#suggest [name='humidity']", "44,5")
        Select(page.element("#suggest [name='batch']")).select_by_visible_text("b")
        page.click("#suggest button")
        page.see("Trial 1", ".runs")
        trial = study.trials[1]
        assert (trial.params["humidity"], trial.params["batch"]) == (44.5, "b")
        assert page.element("#suggest [name='humidity']").get_attribute("value") == "44,5"
        page.click(".runs details summary")
        page.type(".runs [name='cost']", "3")
        page.type(".runs [name='value']", "7")
        page.press(Keys.ENTER)
        page.see("Spent\n15.5", ".tiles")

    def test_a_card_explains_a_suggestion(self, page, server):
        study = make(server, "why")
        add(study, 10.0, 30.0, 20.0, 25.0)
        trial = study.ask()
        page.open(at(study))
        page.click(f".runs [data-trial='{trial.number}']")
        page.see("suggested by pims from 4 results", "#trial .why, #trial [data-chart='card']")
        page.see("EI would try", "#trial .why")

    def test_it_updates_by_itself_and_keeps_what_is_being_typed(self, page, server):
        study = make(server, "live")
        study.ask(2)
        page.open(at(study))
        page.see("live", "#live")
        page.type("[data-key='1'] [name='value']", "12.")
        study.tell(0, 64.5)
        page.see("64.5 %", ".tiles")
        page.gone("[data-key='0']")
        assert page.element("[data-key='1'] [name='value']").get_attribute("value") == "12."
        page.until(lambda: page.count("#progress svg[role=img] circle.c-result") == 1)
        study.tell(1, 13.0)
        page.see("ended by somebody else", "[data-key='1']")

    def test_a_quiet_connection_is_known_to_live(self, driver, tmp_path: Path, monkeypatch):
        monkeypatch.setattr("pathmax.web.events.KEEP_ALIVE", 0.2)
        with running(storage=f"sqlite:///{tmp_path / 'lab.db'}") as server:
            make(server, "quiet")
            page = Page(driver, server.origin)
            page.open(f"/studies/quiet?token={TOKEN}")
            page.see("live", "#live")
            script = "return import('/static/js/live.js').then((live) => live.silence())"
            before = page.run(script)
            while (now := page.run(script)) >= before:  # nothing changes, and still it is heard
                before = now

    def test_a_page_finds_the_server_again(self, driver, tmp_path: Path):
        storage = f"sqlite:///{tmp_path / 'lab.db'}"
        with running(storage=storage, poll=0.1) as first:
            study = make(first, "restart")
            page = Page(driver, first.origin)
            page.open(f"/studies/restart?token={TOKEN}")
            page.see("live", "#live")
        page.see("reconnecting", "#live")
        add(study, 33.25)
        with running(storage=storage, poll=0.1, port=first.port):
            page.see("33.25 %", ".tiles")
            page.see("live", "#live")

    def test_a_page_says_when_the_server_came_back_with_another_token(self, driver, tmp_path: Path):
        storage = f"sqlite:///{tmp_path / 'lab.db'}"
        with running(storage=storage, poll=0.1) as first:
            make(first, "restart")
            page = Page(driver, first.origin)
            page.open(f"/studies/restart?token={TOKEN}")
            page.see("live", "#live")
        page.see("reconnecting", "#live")
        with running(storage=storage, poll=0.1, port=first.port, token=f"another-{TOKEN}"):
            page.see("Sign in again", "#trouble")
            page.see("signed out", "#live")

    def test_phones_see_everything_without_scrolling_sideways(self, page, server):
        study = make(server, "a study with a long name " * 3 + "x" * 40)
        add(study, 10.0, 30.0)
        study.ask()
        page.resize(390, 800)
        for path in ("/", "/new", at(study), at(study, "trials"), at(study, "space")):
            page.open(path)
            page.element("h1")
            wide = page.run("return document.documentElement.scrollWidth - window.innerWidth")
            assert wide <= 0, path

    def test_outcomes_with_long_names_fit_and_what_is_not_known_is_said(self, page, server):
        """Two menus of a front reached beyond the edge; a regret without a number had a percent."""
        limit = "the share of impurities after the second step"
        study = make(
            server,
            "narrow front",
            objectives={"yield": "maximize", "cost": "minimize"},
            constraints={limit: "<= 0.01"},
            reference={"yield": 90, "cost": 1},
        )
        for i in range(4):
            told = {"yield": 50.0 + i, "cost": 3.0 + i, limit: 0.5 - 0.1 * i}
            study.add({"temperature": 30.0 + 9 * i, "solvent": "THF"}, told)
        page.resize(390, 800)
        page.open(at(study))
        page.see("none within all bounds yet", ".tiles")
        page.see("not known while no result surely keeps the bounds", ".tiles")
        assert page.run("return document.documentElement.scrollWidth - innerWidth") <= 0
        page.gone("[data-part='warning']")
        study.add({"temperature": 100.0, "solvent": "THF"}, {"yield": 40, "cost": 3, limit: 0.0})
        page.see("A reference is the worst that still counts", "[data-part='warning']")

    def test_light_and_dark(self, page):
        ground = "return getComputedStyle(document.body).backgroundColor"
        page.click("#theme")
        assert page.run(ground) == "rgb(244, 245, 246)"
        page.click("#theme")
        assert page.run(ground) == "rgb(18, 22, 26)"
        page.open("/")
        assert page.run(ground) == "rgb(18, 22, 26)"
        page.click("#theme")


class TestAccess:
    def test_a_token_is_asked_for(self, driver, server):
        page = Page(driver, server.origin)
        driver.delete_all_cookies()
        page.open("/studies/anything")
        page.type("[name='token']", "not-the-token-of-this-server")
        page.press(Keys.ENTER)
        page.see("That is not the token of this server.", "[role='alert']")
        page.type("[name='token']", TOKEN)
        page.press(Keys.ENTER)
        page.see("Studies", "h1")
        assert TOKEN not in driver.current_url and page.complaints() == []

    def test_whoever_may_only_read_sees_no_way_to_write(self, driver, server):
        study = make(server, "look only")
        add(study, 10.0, 20.0)
        study.ask()
        page = Page(driver, server.origin)
        page.open(f"{at(study)}?token={Tokens.of(TOKEN).by_role[Role.READ]}")
        page.see("read only", ".bar")
        page.see("Trial 2", ".runs")
        page.until(lambda: page.count("#progress svg[role=img] circle.c-result") == 2)
        assert page.count("form[data-send]") == page.count("[data-opens='add']") == 0
        page.click(".runs [data-trial='2']")
        page.see("Settings", "#trial")
        assert page.count("#trial form") == 0
        page.open("/new")
        page.see("Studies", "h1")
        assert page.complaints() == []

    def test_names_and_notes_are_text_and_never_run(self, page, server):
        space = {HOSTILE: pathmax.Float(0, 1), "kind": pathmax.Categorical([HOSTILE, "b"])}
        study = Study(space, name=HOSTILE, storage=server.storage, seed=0)
        units = {HOSTILE: HOSTILE, "</script>": HOSTILE}
        sheet = {**SHEET, "objective": "</script>", "units": units}
        study.storage.update(study.name, attributes={"sheet": sheet})
        for i in range(4):
            study.add({HOSTILE: i / 4, "kind": HOSTILE}, i, note="<script>hacked=1</script>",
                      attributes={HOSTILE: HOSTILE})  # fmt: skip
        study.fail(study.ask(), HOSTILE)
        study.ask()
        for path in ("/", at(study), at(study, "trials"), at(study, "model"), at(study, "space"),
                     f"{at(study, 'trial')}?number=1"):  # fmt: skip
            page.open(path)
            page.see(HOSTILE)
        page.until(lambda: page.count("[data-part='trial']") == 1)
        page.open(at(study))
        page.until(lambda: page.count("#progress svg[role=img] circle.c-result") == 4)
        page.until(lambda: page.count("#parallel path") >= 4)
        page.click(".tiles [data-trial]")
        page.see(HOSTILE, "#trial")
        assert page.run("return [window.hacked, document.images.length]") == [None, 0]

    def test_the_keyboard_is_enough(self, page, server):
        study = make(server, "keys")
        page.open(at(study))
        page.see("live", "#live")
        focus = "return document.activeElement"

        def tab_to(selector: str) -> None:
            for _ in range(60):
                if page.run("return document.activeElement.matches(arguments[0])", selector):
                    return
                page.press(Keys.TAB)
            raise AssertionError(f"{selector} cannot be reached with Tab")

        page.press(Keys.TAB)
        assert page.run(focus).text == "Skip to the content"
        tab_to("#suggest button")
        page.press(Keys.SPACE)
        page.see("Trial 0", ".runs")
        tab_to("[data-key='0'] [name='value']")
        page.press("4", "2", Keys.ENTER)
        page.see("42 %", ".tiles")
        tab_to(".tiles [data-trial='0']")
        page.press(Keys.ENTER)
        page.see("Settings", "#trial")
        assert page.run("return document.activeElement.closest('dialog').id") == "trial"
        page.press(Keys.ESCAPE)
        page.gone("#trial")
        tab_to(".tabs a[href^='/trials']")
        page.press(Keys.ENTER)
        page.see("1 to 1 of 1", ".pager")

    def test_every_field_and_button_has_a_name(self, page, server):
        study = make(server, "named")
        add(study, 1.0, 2.0)
        study.ask()
        for path in ("/", "/new", at(study), at(study, "trials"), at(study, "space")):
            page.open(path)
            page.element("h1")
            # The page renews itself: what has gone meanwhile is looked for again.
            (nameless,) = page.until(lambda: (nameless_of(page.driver),))
            assert nameless == [], path


def nameless_of(driver):
    """What is shown, can be used and has no name."""
    fields = driver.find_elements(By.CSS_SELECTOR, "input, select, textarea, button, a")
    return [
        each.get_attribute("outerHTML")
        for each in fields
        if each.is_displayed() and not each.accessible_name
    ]


class TestFaults:
    def test_a_full_disk_is_said_and_what_was_stored_is_there(self, driver, tmp_path, monkeypatch):
        file = tmp_path / "lab.db"
        with running(storage=f"sqlite:///{file}", poll=0.1) as server:
            study = make(server, "full", method="random")
            add(study, 33.25)
            study.storage.close()
        with closing(sqlite3.connect(file)) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
        limit = f"max_page_count = {pages}"  # SQLite's own word for a disk without room
        with monkeypatch.context() as patched:
            patched.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, limit))
            with running(storage=f"sqlite:///{file}", poll=0.1) as server:
                page = Page(driver, server.origin)
                page.open(f"/studies/full?token={TOKEN}")
                page.type("#suggest input", "90")
                page.click("#suggest button")
                page.see("no room to write")
                page.see("make room")
                page.see("33.25 %", ".tiles")
        with running(storage=f"sqlite:///{file}", poll=0.1, port=server.port):
            page.see("live", "#live")
            page.click("#suggest button")
            page.see("suggested", "#toasts")

    def test_a_lost_database_is_said_until_it_is_back(self, driver, postgres):
        storage = SqlStorage(storage_url(postgres.url()), patience=0.2)
        with storage, running(storage=storage, poll=0.1) as server:
            study = make(server, "lost")
            page = Page(driver, server.origin)
            page.open(f"/studies/lost?token={TOKEN}")
            page.see("live", "#live")
            postgres.stop()
            try:
                page.see("The database does not answer", "#trouble")
                page.see("Nothing that was told is lost", "#trouble")
                page.click("#suggest button")
                page.see("cannot be reached")
            finally:
                postgres.start()
            page.gone("#trouble")
            add(study, 44.5)
            page.see("44.5 %", ".tiles")
            page.open("/")
            page.see("lost")
