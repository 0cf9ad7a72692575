"""space.toml: what can be written, and the sentence with a line for what cannot."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathmax import Categorical, Float, Int, Mixture, Space, Study
from pathmax.errors import DataFileError, SettingsError
from pathmax.space.grid import Grid
from pathmax.tables import read_table
from pathmax.trials.goals import Goal, Goals
from pathmax.workspace.space_file import parse_space, read_space
from pathmax.workspace.space_template import (
    columns_left_out,
    draft_space,
    example_space,
    read_example,
    space_from_table,
)
from pathmax.workspace.toml_words import toml_key

# random spaces may have conditions that never hold
pytestmark = pytest.mark.filterwarnings("ignore::pathmax.errors.NeverActiveWarning")

GOOD = """\
study = "suzuki"
[objective]
name = "yield"
direction = "maximize"
unit = "%"
[parameters]
temperature = { low = 20, high = 120, unit = "°C" }
rate = { low = 1e-5, high = 0.1, log = true }
cycles = { low = 1, high = 8, type = "int" }
solvent = ["DMF", "THF"]
"flow rate" = { type = "float", low = 0, high = 1 }
vessel = "glass"
[parameters.base]
choices = ["KOH", "NaOH"]
"""


@pytest.fixture
def write(tmp_path: Path):
    def _write(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "space.toml"
        path.write_bytes(text.encode(encoding))
        return path

    return _write


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_everything_that_can_be_said(write, encoding: str) -> None:
    file = read_space(write(GOOD, encoding))
    assert (file.study, file.objective, file.direction) == ("suzuki", "yield", "maximize")
    assert file.units == {"temperature": "°C", "yield": "%"}
    assert file.domain == Space(
        {
            "temperature": Float(20, 120),
            "rate": Float(1e-5, 0.1, log=True),
            "cycles": Int(1, 8),
            "solvent": Categorical(["DMF", "THF"]),
            "flow rate": Float(0, 1),
            "vessel": "glass",
            "base": Categorical(["KOH", "NaOH"]),
        }
    )


def goal(name: str) -> Goals:
    return Goals([Goal(name, "maximize")])


def test_listed_values_make_a_grid(write) -> None:
    text = '[objective]\ndirection = "minimize"\n[parameters]\na = {values = [1, 2, 5]}\n'
    assert read_space(write(text)).domain == Grid({"a": [1, 2, 5]})


def test_candidates_are_looked_for_beside_the_space_file(write, tmp_path: Path) -> None:
    text = '[objective]\ndirection = "minimize"\n[candidates]\nfile = "library.csv"\nid = "name"\n'
    file = read_space(write(text))
    assert file.domain is None
    assert file.candidates == {"file": str(tmp_path / "library.csv"), "id": "name"}


def test_what_init_writes_can_be_read(write) -> None:
    file = read_space(write(example_space("first", goal("yield"))))
    assert isinstance(file.domain, Space) and file.domain.dimension == 3
    assert (file.study, file.objective) == ("first", "yield")


HEAD = '[objective]\ndirection = "maximize"\n[parameters]\n'  # three lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "a = { low = 120, high = 20 }", r"line 4: a: low must be below high, .*; swap"),
        (
            HEAD + "b = 1\na = { low = 1, hihg = 2 }",
            r"line 5: unknown entry 'hihg'; did you mean hig",
        ),
        (HEAD + "a = { low = 1 }", r"line 4: a: expected \{ low = \.\.\., high = \.\.\. \}"),
        (HEAD + 'a = { low = "1", high = 2 }', r"line 4: a: low must be a number"),
        (
            HEAD + 'a = { low = "20 °C", high = 120 }',
            r"line 4: a: low must be a number, got the text '20 °C'; write the number alone",
        ),
        (
            HEAD + 'a = { choices = ["x", "y"], low = 1, high = 2 }',
            r"line 4: a: low has no meaning beside choices; leave one of the two out",
        ),
        (
            HEAD + 'a = { choices = ["x", "y"], log = true }',
            r"line 4: a: log has no meaning beside choices",
        ),
        (
            HEAD + 'a = { low = 1, high = 2, descriptors = "a.csv" }',
            r"line 4: a: descriptors has no meaning beside a range",
        ),
        (
            HEAD + 'b = { low = 0, high = 1 }\na = { values = ["0,5", 1], log = true }',
            r"line 5: a: values must be numbers where there is a type or log, got the text '0,5'",
        ),
        (
            HEAD + 'b = { low = 0, high = 1 }\na = { values = ["0.5", "1"], type = "float" }',
            r"line 5: a: values must be numbers where there is a type or log, got the text '0.5'",
        ),
        (
            HEAD + "a = { components = { b = [0, 60], c = [0, 60] }, total = 100, at_most = 1.5 }",
            r"line 4: a: at_most must be a whole number, got 1.5; round it$",
        ),
        (HEAD + "a = { low = 0, high = 1, log = true }", r"line 4: a: log=True needs low above 0"),
        (HEAD + "[parameters.a]\nlow = 1\nhigh = 1", r"line 4: a: low must be below high"),
        (HEAD + 'a = "x"', r"line 3: nothing to search"),
        (
            HEAD + 'a = { type = "fidelity", low = 1, high = 9, likely = 3 }',
            r"line 4: a: a Fidelity takes no likely: the study chooses it",
        ),
        (
            HEAD + 'a = { type = "fidelity", low = 1, high = 9, context = true }',
            r"line 4: a: a Fidelity takes no context: .* make it a Float, Int or Categorical",
        ),
        (
            HEAD + "a = { components = { p = [0, 1], q = [0, 1] }, likely = 3 }",
            r"line 4: a: a Mixture takes no likely: .* study\.add",
        ),
        (HEAD + "a = 2024-01-01", r"line 4: a: a date cannot be a parameter; put it in quotes"),
        (HEAD + "a = { values = 1 }\nb = [1, 2]", r"line 4: a: values must be a list, as in"),
        (HEAD + "a = { values = [1, 1] }\nb = [1, 2]", r"line 4: a: the value 1 is listed twice"),
        (HEAD + "a = { low = 1, high = 2, digits = 1 }", r"line 4: a: digits are for log=True"),
        (HEAD + "value = { low = 0, high = 1 }", r"line 4: 'value' is the objective"),
        (HEAD + "a = [ DMF, THF ]", r"line 4, column \d+: .*put text in straight quotes"),
        (HEAD + "a = { low = 0,5, high = 1 }", r"line 4, .*write a decimal point, as in 0.5"),
        (HEAD + "a = { low = 0, high = 1, log = True }", r"line 4, .*write true or false"),
        (HEAD + "a = [\N{LEFT DOUBLE QUOTATION MARK}x]", r"line 4, .*curly quotes"),
        (HEAD + "a = { low = 0; high = 1 }", r"line 4, .*put commas between entries"),
        (HEAD + "flow rate = { low = 0, high = 1 }", r"line 4, .*a name with spaces needs quotes"),
        (HEAD + "a = { low = 20 °C, high = 1 }", r"line 4, .*a unit has its own entry"),
        (HEAD + "a = [1, 2]\na = [1, 2]", r"line 5.*Cannot overwrite a value"),
        (HEAD + "a = [1, 2", r"line 4: Unclosed array"),
        ("[objective]\n[parameters]\na = [1, 2]", r"line 1: there is no direction"),
        (
            HEAD.replace("max", "min").replace("minimize", "up") + "a=1",
            r"line 2: direction must be",
        ),
        (HEAD.replace("[parameters]\n", ""), r"expected either a section \[parameters\]"),
        ("study = 3\n" + HEAD + "a = [1, 2]", r"line 1: the name of a study must be text"),
        (HEAD + "a = [1, 2]\n[settings]\nmethod = 'x'", r"line 6: method must be one of pims"),
        (HEAD + "a = [1, 2]\n[settings]\nstopping = 'x'", r"line 6: stopping must be one of post"),
        (HEAD + "a = [1, 2]\n[settings]\nseed = 'x'", r"line 6: seed must be a whole number"),
        (
            'direction = "minimize"\n' + HEAD,
            r"line 1: unknown entry 'direction'; it belongs below \[objective\]",
        ),
        (
            'objectives = "yield"\n' + HEAD,
            r"line 1: unknown entry 'objectives'; it belongs below \[outcomes\]",
        ),
        ("seed = 3\n" + HEAD, r"line 1: unknown entry 'seed'; it belongs below \[settings\]"),
        ("parametres = 3\n" + HEAD, r"line 1: unknown entry 'parametres'; did you mean parameters"),
        (HEAD + 'a = [1, 2]\n[csv]\nignore = "date"', r"ignore must be a list of columns"),
        (HEAD + "a = [1, 2]\n[csv]\nunits_row = 1", r"line 6: units_row must be true or false"),
    ],
    ids=lambda value: repr(value)[-40:],
)
def test_what_cannot_be_read_has_a_line_and_a_remedy(write, text: str, message: str) -> None:
    with pytest.raises(DataFileError, match="space.toml.*" + message):
        read_space(write(text))


def test_a_missing_file_and_a_foreign_encoding(write, tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="no such file; `pathmax init` writes one"):
        read_space(tmp_path / "none.toml")
    with pytest.raises(DataFileError, match="line 2: a character is not UTF-8"):
        read_space(write('# x\nstudy = "é"', "cp1252"))


NAMES = [
    "flow rate",
    'say "hi"',
    "température",
    "🧪",
    "<b>x</b>",
    "=1+1",
    "a.b",
    "[x]",
    "\x7f",
    "#",
]


@pytest.mark.parametrize("name", NAMES)
def test_fault_31_names_of_every_kind_survive_the_space_file(write, name: str) -> None:
    text = f"{HEAD}{toml_key(name)} = {{ low = 0, high = 1 }}\n"
    domain = read_space(write(text)).domain
    assert domain is not None and domain.names == (name,)


def test_a_space_drawn_from_a_table(write, tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text(
        "flow rate,cycles,pressure,solvent,vessel,yield\n"
        "0.5,1,0.001,THF,3,71\n1.5,4,10,DMF,3,\n2.5,4,10,DMF,3,12\n"
    )
    text = space_from_table(read_table(table), "first", goal("yield"))
    assert read_space(write(text)).domain == Space(
        {
            "flow rate": Float(0.5, 2.5),
            "cycles": Int(1, 4),
            "pressure": Float(0.001, 10, log=True),
            "solvent": Categorical(["DMF", "THF"]),
            "vessel": 3,
        }
    )
    with pytest.raises(DataFileError, match="no column 'value' to improve; name yours"):
        space_from_table(read_table(table), "first", goal("value"))


LABBOOK = """\
Exp No,Date,Batch,Temperature (°C),Time [h],Additive,Yield (%),Remark
1,2024-01-03,MB-001,60,2,LiCl,32.5,
2,2024-01-03,MB-002,80,2,,45.1,brown
3,2024-01-04,MB-003,80,4,LiCl,n/a,leak
4,2024-01-05,MB-004,100,4,,58.2,"again, please"
5,2024-01-06,MB-005,100,12,KI,12,
6,2024-01-07,MB-006,60,12,KI,,
"""


def test_columns_that_nobody_sets_are_left_out_and_ignored(write, tmp_path: Path) -> None:
    table = tmp_path / "my lab book.csv"
    table.write_text(LABBOOK, encoding="utf-8")
    example = read_example(str(table), ["Yield (%)"])
    text = space_from_table(example, "first", goal("Yield (%)"))
    file = read_space(write(text))
    assert file.domain == Space(
        {
            "Temperature (°C)": Float(60, 100),
            "Time [h]": Float(2, 12),  # few and whole, but a unit is measured and not counted
            "Additive": Categorical(["", "KI", "LiCl"]),  # empty: none was added
        }
    )
    assert file.ignored == ("Exp No", "Date", "Batch", "Remark")
    assert f"pathmax suggest --data '{table}' -n 4" in text
    assert columns_left_out(example, ["Yield (%)"]) == {
        "Exp No": "numbers the rows",
        "Date": "holds dates or times",
        "Batch": "has another text in every row",
        "Remark": "holds remarks",
    }


def test_an_objective_that_is_nearly_a_column_is_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text(LABBOOK, encoding="utf-8")
    for meant in ("yield", "Yeild (%)"):
        with pytest.raises(DataFileError, match=r"did you mean 'Yield \(%\)'\?"):
            read_example(str(table), [meant])


def test_steps_in_the_space_file(write) -> None:
    text = HEAD + "a = { low = 0, high = 1, step = 0.25 }\n"
    text += 'n = { low = 8, high = 64, step = 8, type = "int" }\n'
    expected = Space({"a": Float(0, 1, step=0.25), "n": Int(8, 64, step=8)})
    assert read_space(write(text)).domain == expected
    with pytest.raises(DataFileError, match=r"line 4: a: steps of 0.3 .* use high=0.9"):
        read_space(write(HEAD + "a = { low = 0, high = 1, step = 0.3 }"))


def test_some_parameters_may_list_their_values(tmp_path) -> None:
    path = tmp_path / "space.toml"
    path.write_text(
        HEAD
        + """
mesh = { values = [0.5, 0.1, 1], unit = "mm" }
stages = { values = [1, 2, 4, 8], log = true }
minutes = { low = 5, high = 480, log = true, digits = 1 }
hours = { low = 1, high = 24, log = true, step = 1, type = "int" }
grade = { values = ["A", "B"] }
vessel = { values = ["glass"] }
temperature = { low = 20, high = 120 }
""",
        encoding="utf-8",
    )
    assert read_space(path).domain == Space(
        {
            "mesh": Float(values=[0.1, 0.5, 1]),
            "stages": Int(values=[1, 2, 4, 8], log=True),
            "minutes": Float(5, 480, log=True, digits=1),
            "hours": Int(1, 24, log=True),
            "grade": Categorical(["A", "B"]),
            "vessel": "glass",
            "temperature": Float(20, 120),
        }
    )


def test_a_grid_is_a_grid_when_all_list_their_values_and_no_more(tmp_path) -> None:
    path = tmp_path / "space.toml"
    path.write_text(HEAD + "a = { values = [1, 2] }\nb = { values = [0.5, 3] }", encoding="utf-8")
    assert read_space(path).domain == Grid({"a": [1, 2], "b": [0.5, 3]})
    path.write_text(HEAD + "a = { values = [1, 2], log = true }", encoding="utf-8")
    assert read_space(path).domain == Space({"a": Int(values=[1, 2], log=True)})


KNOWN = """\
where = ["temperature + load <= 100", "not (solvent == 'THF' and temperature > 60)"]
[objective]
direction = "maximize"
[parameters]
temperature = { low = 20, high = 120 }
load = { low = 0, high = 50 }
solvent = ["DMF", "THF"]
[parameters.blend]
components = { A = [0, 60], B = [0, 60], C = [5, 60] }
total = 100
at_most = 2
step = 0.5
"""


def test_known_constraints_and_mixtures_are_read(write) -> None:
    domain = read_space(write(KNOWN)).domain
    assert isinstance(domain, Space)
    assert domain.names == ("temperature", "load", "solvent", "A", "B", "C")
    assert domain.where.sentences[0].text == "temperature + load <= 100"
    assert domain.mixtures[0].at_most == 2 and domain.mixtures[0].step == 0.5


@pytest.mark.parametrize(
    "before, after, message",
    [
        (
            "temperature + load <= 100",
            "temperatur + load <= 100",
            r"line 1: there is no parameter .*did you mean",
        ),
        ('where = ["', 'where = ["a", 3, "', "where must be a list of sentences"),
        ("total = 100", "total = 300", "never to the total 300"),
        ("at_most = 2", "most = 2", "unknown entry 'most'"),
        ("[0, 60], B", "60, B", "a least and a greatest amount"),
    ],
)
def test_what_is_wrong_with_them_has_a_line(write, before: str, after: str, message: str) -> None:
    assert before in KNOWN
    with pytest.raises(DataFileError, match=message):
        read_space(write(KNOWN.replace(before, after, 1)))


def test_the_rule_that_stops_trials_early_is_a_setting(write) -> None:
    rule = '{ rule = "asha", min_steps = 3 }'
    file = read_space(write(HEAD + f"a = [1, 2]\n[settings]\nstopping = {rule}"))
    study = Study(file.domain, **file.settings)
    assert (study.settings.stopping.name, study.settings.stopping.min_steps) == ("asha", 3)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # TOML takes a line for a part of the section above it: a parameter called where, and the
        # constraint was not obeyed
        ('[objective]\ndirection = "maximize"\n[parameters]\na = [0, 1]\nwhere = ["a <= 1"]\n', 5),
        ('[objective]\ndirection = "maximize"\n[parameters]\na = [0, 1]\nwhere = "a in [0]"\n', 5),
        ('[objective]\ndirection = "maximize"\nwhere = ["a <= 1"]\n[parameters]\na = [0, 1]\n', 3),
    ],
)
def test_known_constraints_below_a_section_are_sent_to_the_top(write, text, line) -> None:
    with pytest.raises(DataFileError, match=rf"line {line}: .*where.*above the first \[section\]"):
        read_space(write(text))
    allowed = text.replace("a <= 1", "north").replace("a in [0]", "south")
    if line == 5:  # a parameter may be called so
        assert "where" in read_space(write(allowed)).domain.parameters


@pytest.mark.parametrize("choices", [["in vitro", "in vivo"], ["< 10 m", "> 10 m"], ["in (1)"]])
def test_a_parameter_called_where_has_choices_that_compare_nothing(write, choices) -> None:
    head = '[objective]\ndirection = "maximize"\n[parameters]\na = [0, 1]\n'
    domain = read_space(write(f"{head}where = {choices}\n")).domain
    assert list(domain.choices("where") or [domain.parameters["where"].value]) == choices


NUMBERS = [
    (Float(0, 10), "{ low = 0.0, high = 10.0 }"),
    (Float(0.5, 50, log=True), "{ low = 0.5, high = 50, log = true }"),
    (Float(0, 10, step=0.5), "{ low = 0.0, high = 10, step = 0.5 }"),
    (Float(5, 500, log=True, step=5), "{ low = 5.0, high = 500, log = true, step = 5.0 }"),
    (Float(0.01, 10, log=True, digits=1), "{ low = 0.01, high = 10, log = true, digits = 1 }"),
    (Float(values=[0.1, 0.2, 5]), "{ values = [0.1, 0.2, 5] }"),
    (Int(0, 30), '{ type = "int", low = 0, high = 30 }'),
    (Int(1, 64, log=True), '{ type = "int", low = 1, high = 64, log = true }'),
    (Int(values=[1, 2, 8]), '{ type = "int", values = [1, 2, 8] }'),
]
CHOICES = [
    (Categorical(["x", "y", "it's"]), """["x", "y", "it's"]"""),
    (Categorical([True, False]), "[true, false]"),
]
MIXTURE = Mixture({"A": (0, 60), "B": (0, 60), "C": (5, 60)}, total=100, at_most=2)
MIXTURE_TEXT = (
    "{ components = { A = [0, 60], B = [0, 60], C = [5, 60] }, total = 100, at_most = 2 }"
)


@st.composite
def spaces_and_files(draw: st.DrawFn) -> tuple[Space, str]:
    """A space with sentences, conditions and a mixture, and the same as a file."""
    kinds = [*draw(st.lists(st.sampled_from(NUMBERS), min_size=2, max_size=4))]
    parameters: dict[str, Any] = {f"number {i}": kind for i, (kind, _) in enumerate(kinds)}
    lines = {f"number {i}": text for i, (_, text) in enumerate(kinds)}
    choice, text = draw(st.sampled_from(CHOICES))
    parameters["choice"], lines["choice"] = choice, text
    value = {"x": "'it''s'", True: "true"}[choice.choices[0]]
    if draw(st.booleans()):
        when = draw(
            st.sampled_from([f"choice == {value}", "`number 0` > 3", "not (`number 1` < 2)"])
        )
        parameters["sometimes"] = Float(0, 1, when=when)
        lines["sometimes"] = f"{{ low = 0.0, high = 1.0, when = {json.dumps(when)} }}"
    if draw(st.booleans()):
        parameters["blend"], lines["blend"] = MIXTURE, MIXTURE_TEXT
    sentences = [
        "`number 0` + 2 * `number 1` <= 40",
        f"choice != {value} or `number 0` >= 0.2",
        "abs(`number 0` - `number 1`) < 500",
        "`number 0` + `number 1` in [1, 2, 5] or 0 < 1 + `number 1`",
    ]
    where = draw(st.lists(st.sampled_from(sentences), unique=True, max_size=3))
    body = "".join(f"{json.dumps(name)} = {text}\n" for name, text in lines.items())
    head = f"where = {json.dumps(where)}\n" if where or draw(st.booleans()) else ""
    return (
        Space(parameters, where),
        f'{head}[objective]\ndirection = "maximize"\n[parameters]\n{body}',
    )


@given(spaces_and_files())
def test_a_space_is_what_its_file_says_and_survives_json(both: tuple[Space, str]) -> None:
    space, text = both
    found = parse_space(text).domain
    assert found == space and found.where == space.where
    assert Space.from_json(json.loads(json.dumps(found.to_json()))) == space
    assert [s.tree for s in found.where.sentences] == [s.tree for s in space.where.sentences]


def test_what_an_example_says_of_rules_and_mixtures_can_be_used():
    """The remarks of a new space file, without their signs, are lines that it may have."""
    text = example_space("first", goal("yield"))
    where = next(line for line in text.splitlines() if line.startswith("# where ="))
    blend = next(line for line in text.splitlines() if line.startswith("#   blend"))
    found = parse_space(
        where.removeprefix("# ")
        + '\n[objective]\nname = "yield"\ndirection = "maximize"\n[parameters]\n'
        + "catalyst = { low = 0, high = 9 }\nligand = { low = 0, high = 9 }\n"
        + 'temperature = { low = 20, high = 120 }\nsolvent = ["DMF", "water"]\n'
        + blend.removeprefix("#")
        + "\n"
    )
    space = found.domain
    assert isinstance(space, Space)
    assert len(space.where.sentences) == 2
    assert [mixture.total for mixture in space.mixtures] == [100.0]


OUTCOMES = """\
study = "amide"
[parameters]
t = { low = 20, high = 120 }
[outcomes]
yield = { direction = "maximize", unit = "%" }
cost = { direction = "minimize" }
impurity = { high = 0.5 }
"""


@pytest.mark.parametrize(
    ("written", "instead", "words"),
    [
        ("{ high = 0.5 }", "{ low = 0.5, high = 0.1 }", "line 7: .*the lower bound must be below"),
        ("{ high = 0.5 }", '{ high = "0.5 %" }', 'line 7: impurity: high must be .* got "0.5 %"'),
        ("{ high = 0.5 }", "{ high = true }", "line 7: impurity: high must be a number"),
        ("{ high = 0.5 }", "{ high = nan }", "line 7: impurity: high must be a number"),
        ("{ high = 0.5 }", "{ high = 1, reference = 1 }", "line 7: .*for what has a direction"),
        ("{ high = 0.5 }", '{ high = 1, bound = "<= 1" }', "line 7: .*not both"),
        ("{ high = 0.5 }", '"<= 0,5"', "line 7: .*expected a bound, got the text '<= 0,5'"),
        (
            "{ high = 0.5 }",
            '"small"',
            'line 7: impurity: expected "maximize", "minimize" or a bound',
        ),
        ("{ high = 0.5 }", "[0, 0.5]", r"line 7: impurity: expected .* got \[0, 0.5\]"),
        ("{ high = 0.5 }", "{ high = 0.5 }\nimpurity = 1", "line 8.*impurity stands here twice"),
        ('"minimize" }', '"minimize", reference = 9 }', "line 5: yield: with a reference for cost"),
        ('unit = "%"', "unit = 5", "line 5: unit must be text"),
        ("impurity", "t", "'t' is an outcome and cannot be a parameter too"),
        ('study = "amide"', 'name = "amide"', "a study is named by study ="),
    ],
)
def test_a_mistake_in_an_outcome_names_its_own_line(written, instead, words):
    with pytest.raises(DataFileError, match=words):
        parse_space(OUTCOMES.replace(written, instead, 1))


def test_a_direction_or_a_bound_may_stand_alone():
    plain = OUTCOMES.replace('{ direction = "minimize" }', '"minimise"')
    plain = plain.replace("{ high = 0.5 }", '"<= 0.5"')
    assert parse_space(plain).goals == parse_space(OUTCOMES).goals


def test_a_draft_states_several_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("t;yield;cost;pH\n20,5;70;3;7\n90;64;2;7,1\n", encoding="utf-8")
    wanted = ["yield", "cost=minimize"], ["pH = 7 +- 0.2"]
    file = parse_space(draft_space("amide", *wanted, "maximize", "r.csv").text)
    assert file.goals.words == "maximize yield, minimize cost, 6.8 <= pH <= 7.2"
    assert file.domain.names == ("t",)
    with pytest.raises(SettingsError, match="given twice"):
        draft_space(None, ["yield", "yield=minimize"], [], "maximize")
    with pytest.raises(SettingsError, match="expected a limit such as"):
        draft_space(None, ["yield"], ["impurity"], "maximize")


def test_limits_of_one_result_are_kept_together():
    """The last was kept, and the one before it was lost without a word."""
    draft = draft_space("amide", ["yield"], ["pH >= 6.8", "pH <= 7.2"], "maximize")
    assert parse_space(draft.text).goals.words == "maximize yield, 6.8 <= pH <= 7.2"
    with pytest.raises(SettingsError, match="the lower bound must be below the upper one"):
        draft_space("amide", ["yield"], ["pH >= 7.2", "pH <= 6.8"], "maximize")


def test_a_mistyped_direction_is_no_part_of_a_name():
    for wrong in ("min", "minimum", "maximze", "down", "lower"):
        with pytest.raises(SettingsError, match=f"direction must be .* got '{wrong}'"):
            draft_space(None, ["yield", f"cost={wrong}"], [], "maximize")
    draft = draft_space(None, ["yield", "cost=minimise", "share (n=3)"], [], "maximize")
    words = "maximize yield, minimize cost, maximize share (n=3)"
    assert parse_space(draft.text).goals.words == words


def test_the_example_of_several_results_can_be_uncommented():
    lines = example_space("first", goal("yield")).splitlines()
    at = lines.index("# [outcomes]")
    one = lines.index("[objective]")
    kept = lines[:one] + [line[2:] for line in lines[at : at + 4]] + lines[at + 4 :]
    goals = parse_space("\n".join(kept)).goals
    assert goals.words == "maximize yield, minimize cost, impurity <= 0.5"
