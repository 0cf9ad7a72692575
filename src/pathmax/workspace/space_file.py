"""space.toml: what may be varied and what should get better, in a file that people write.

    study = "suzuki"

    [objective]
    name = "yield"                  # the column of your CSV that holds the result
    direction = "maximize"

    [parameters]
    temperature = { low = 20, high = 120, unit = "°C" }
    catalyst    = { low = 0.1, high = 5, log = true }
    load        = { low = 0.5, high = 5, step = 0.5 }
    minutes     = { low = 5, high = 480, log = true, digits = 1 }
    mesh        = { values = [0.1, 0.2, 0.5, 1] }
    cycles      = { low = 1, high = 8, type = "int" }
    solvent     = ["DMF", "THF", "water"]
    ratio       = { low = 0, high = 1, when = "solvent != 'water'" }
    humidity    = { low = 20, high = 80, context = true }          # given, not chosen
    pressure    = { low = 1, high = 10, likely = [3, 1] }          # a guess: 3, give or take 1
    base        = { choices = ["KOH", "Et3N"], descriptors = "bases.csv" }
    vessel      = "glass"           # fixed

Components that add up are a mixture, each of them a column of its own:

    [parameters.blend]
    components = { A = [0, 60], B = [0, 60], C = [5, 60] }
    total = 100
    at_most = 2                     # how many are present at a time

What is known beforehand stands above the sections, as does the name of the study:

    where = ["catalyst + load <= 6", "not (solvent == 'water' and temperature > 90)"]
    learn_from = ["amide.csv"]      # tables of older results, beside this file

Every error names the file, the line, and what to write instead.
"""

from __future__ import annotations

import codecs
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, final

from pathmax.errors import DataFileError
from pathmax.space.fidelity import checked_levels
from pathmax.storage.records import check_name
from pathmax.suggestion.settings import complete_settings
from pathmax.trials.goals import USUAL_DIRECTION, VALUE, Goals, direction_of
from pathmax.workspace.file_entries import FileEntries, LocateFile, has_entry
from pathmax.workspace.outcomes_section import OUTCOME_KEYS, goals_of_section
from pathmax.workspace.parameters_section import ParametersSection
from pathmax.workspace.toml_lines import explain_syntax

if TYPE_CHECKING:
    from pathmax.space.grid import Grid
    from pathmax.space.space import Space

SECTIONS = (
    "study",
    "where",
    "learn_from",
    "objective",
    "outcomes",
    "parameters",
    "candidates",
    "csv",
    "settings",
)
KEYS = {
    "objective": ("name", "direction", "unit"),
    "candidates": ("file", "id", "features", "skip_incomplete", "context", "smiles", "fidelity"),
    "csv": ("units_row", "ignore"),
    "settings": ("method", "seed", "initial", "noise", "replicates", "model", "stopping"),
}
OF_OUTCOMES = ("objectives", "constraints", "reference")  # as they are called in Python
UNNAMED = "pathmax"  # the study of a file that gives it no name


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceFile:
    """What a space file says. `domain` is None when the candidates come from a file."""

    path: str
    study: str = UNNAMED
    objective: str = VALUE
    direction: str = USUAL_DIRECTION
    goals: Goals | None = None  # of the section [outcomes], in place of [objective]
    domain: Space | Grid | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    units_row: bool = False
    ignored: tuple[str, ...] = ()
    candidates: Mapping[str, Any] = field(default_factory=dict)
    where: tuple[str, ...] = ()  # of candidates; a space or grid has its own
    settings: Mapping[str, Any] = field(default_factory=dict)
    older: tuple[str, ...] = ()  # tables that the study learns from


def read_space(path: str | os.PathLike[str]) -> SpaceFile:
    """Read a space file, or say what is wrong with it and on which line."""
    path = os.fspath(path)
    return parse_space(_text(path), path)


# tomllib takes time quadratic in the parts of a dotted key: minutes for one of 100,000 parts.
MOST_DOTS_OF_A_KEY = 50
KEY_ENDS = str.maketrans(dict.fromkeys(",=[]{}", "\n"))


def parse_space(text: str, path: str = "space.toml", locate: LocateFile | None = None) -> SpaceFile:
    """The same from the text of a space file; `path` is what errors call it.

    Files of descriptors are found by `locate`; without it, beside the space file.
    """
    if any(part.count(".") > MOST_DOTS_OF_A_KEY for part in text.translate(KEY_ENDS).splitlines()):
        raise DataFileError(
            f"{path}: a name in it has more than {MOST_DOTS_OF_A_KEY} dots; shorten it"
        )
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{path}, {explain_syntax(text, str(error))}") from error
    except RecursionError as error:
        raise DataFileError(
            f"{path}: brackets are nested too deeply; a parameter is one line, such as "
            "temperature = { low = 20, high = 120 }"
        ) from error
    except ValueError as error:  # of int(), for thousands of digits
        raise DataFileError(
            f"{path}: a number in it is too long; write 1e6 for a million"
        ) from error
    return _FileReading(path, text, locate).file(content)


def read_form(
    content: Mapping[str, Any], path: str = "the form", locate: LocateFile | None = None
) -> SpaceFile:
    """The same from a dict with the entries of a space file, such as a form of a page sends."""
    return _FileReading(path, "", locate).file(dict(content))


@final
@dataclass(frozen=True, slots=True)
class _FileReading(FileEntries):
    """All sections of a space file."""

    def file(self, content: dict[str, Any]) -> SpaceFile:
        self.known((), content, SECTIONS, KEYS | {"outcomes": OF_OUTCOMES})
        sections = {name: self.section(content, name) for name in KEYS}
        objective, candidates = sections["objective"], sections["candidates"]
        goals = self.goals(content)
        if "direction" not in objective and goals is None:
            where = "below the line [objective]"
            if "objective" not in content:
                where = "below a line [objective]"
            raise self.error(
                ("objective",),
                f'there is no direction; write direction = "maximize" or "minimize" {where}',
            )
        with self.about("objective", "direction"):
            direction = direction_of(objective.get("direction", USUAL_DIRECTION))
        if not ("parameters" in content) ^ ("file" in candidates):
            raise self.error(
                ("parameters",),
                "expected either a section [parameters], one line for each thing that may vary, "
                "or [candidates] with a file of rows to choose from",
            )
        parameters = content.get("parameters", {})
        if not isinstance(parameters, dict):
            raise self.error(("parameters",), "parameters is a section: write [parameters]")
        name = objective.get("name", VALUE)
        for result in [name] if goals is None else goals.names:
            if result in parameters:
                raise self.error(
                    ("parameters", result),
                    f"{result!r} is {'the objective' if goals is None else 'an outcome'} and "
                    "cannot be a parameter too",
                )
        units = {key: p["unit"] for key, p in parameters.items() if has_entry(p, "unit")}
        units |= {name: objective["unit"]} if "unit" in objective else {}
        outcomes = content.get("outcomes", {})
        units |= {key: given["unit"] for key, given in outcomes.items() if has_entry(given, "unit")}
        for key, unit in units.items():
            section = "outcomes" if key in outcomes else "parameters"
            self.typed((section, key), "unit", unit, str)
        self.check_settings(sections["settings"])
        said = content.get("where", [])
        wrong = f'where must be a list of sentences such as ["a + b <= 10"], got {said!r}'
        known = self.texts("where", said, wrong)
        return SpaceFile(
            path=self.path,
            study=self.study(content.get("study", UNNAMED)),
            objective=self.typed(("objective",), "name", name, str),
            direction=direction,
            goals=goals,
            domain=ParametersSection(self).domain(parameters, known)
            if parameters or not candidates
            else None,
            where=tuple(known),
            units=units,
            units_row=self.typed(
                ("csv",), "units_row", sections["csv"].get("units_row", False), bool
            ),
            ignored=tuple(self.names("ignore", sections["csv"])),
            candidates=self.beside(candidates),
            settings=sections["settings"],
            older=self.older(content.get("learn_from", [])),
        )

    def older(self, given: object) -> tuple[str, ...]:
        """The tables to learn from, as seen from the folder of the space file."""
        wrong = f'learn_from must be a list of tables such as ["amide.csv"], got {given!r}'
        paths = self.texts("learn_from", given, wrong)
        return tuple(os.path.join(os.path.dirname(self.path), path) for path in paths)

    def goals(self, content: dict[str, Any]) -> Goals | None:
        """What the section [outcomes] wants, in place of [objective]."""
        if "outcomes" not in content:
            return None
        if "objective" in content:
            raise self.error(
                ("objective",), "there is a section [outcomes] too; state the goals in one of them"
            )
        outcomes = self.typed((), "outcomes", content["outcomes"], dict)
        for name, given in outcomes.items():
            if isinstance(given, dict):
                self.known(("outcomes", name), given, OUTCOME_KEYS, {"settings": ("noise",)})
        return goals_of_section(outcomes, self)

    def study(self, name: object) -> str:
        with self.about("study"):
            check_name(name)
        return str(name)

    def check_settings(self, settings: dict[str, Any]) -> None:
        for key, value in settings.items():
            with self.about("settings", key):
                complete_settings({key: value}, dimension=1)

    def names(self, key: str, section: dict[str, Any]) -> list[str]:
        wrong = f'{key} must be a list of columns, as in ["date", "operator"]'
        return self.texts(key, section.get(key, []), wrong)

    def beside(self, candidates: dict[str, Any]) -> dict[str, Any]:
        """The candidates' file is named as seen from the folder of the space file."""
        if "file" not in candidates:
            return candidates
        file = self.typed(("candidates",), "file", candidates["file"], str)
        self.names("features", candidates)
        self.names("context", candidates)
        skip = candidates.get("skip_incomplete", False)
        self.typed(("candidates",), "skip_incomplete", skip, bool)
        if "smiles" in candidates:
            self.typed(("candidates",), "smiles", candidates["smiles"], str)
        if "fidelity" in candidates:
            self.check_fidelity(candidates["fidelity"])
        return candidates | {"file": os.path.join(os.path.dirname(self.path), file)}

    def check_fidelity(self, given: object) -> None:
        """The one fidelity of a pool: its name, and the levels with their costs."""
        where = ("candidates", "fidelity")
        levels = list(given.items()) if isinstance(given, dict) else []
        if len(levels) != 1 or not isinstance(levels[0][1], dict):
            form = '{ assay = { levels = ["quick", "full"], cost = [1, 20] } }'
            raise self.error(where, f"expected one fidelity, as in fidelity = {form}, got {given}")
        name, stated = levels[0]
        with self.about(*where):
            checked_levels(name, ParametersSection(self).fidelity(name, stated, where), ())

    def section(self, content: dict[str, Any], name: str) -> dict[str, Any]:
        section: dict[str, Any] = self.typed((), name, content.get(name, {}), dict)
        self.known((name,), section, KEYS[name])
        return section


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", None) or "this is not the name of a file"
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else reason
        raise DataFileError(f"{path}: {reason}; `pathmax init` writes one to start from") from error
    encoding = "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DataFileError(
            f"{path}, line {line}: a character is not UTF-8; save the file again as UTF-8"
        ) from error
