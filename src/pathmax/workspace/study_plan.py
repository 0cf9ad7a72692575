"""Plan: what the user's files and options say the study should be."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pathmax.errors import SettingsError
from pathmax.space.any_space import AnySpace
from pathmax.space.fidelity import Fidelity
from pathmax.space.library_files import PARQUET_ENDINGS, file_parts, find_files
from pathmax.tables import read_cells
from pathmax.trials.goals import Goals
from pathmax.workspace.choice_text import nearest_text
from pathmax.workspace.layout import Layout
from pathmax.workspace.older_tables import read_older_tables
from pathmax.workspace.space_file import SpaceFile, read_space

if TYPE_CHECKING:
    from pathmax.space.candidates import Candidates

POOL = {"file", "id", "features", "ignore", "skip_incomplete", "context", "smiles", "where"}
POOL |= {"fidelity"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a user wants to optimise: the space file, changed by what the options say."""

    file: SpaceFile
    direction: str | None
    pool: Mapping[str, Any]
    settings: Mapping[str, Any]
    older: tuple[str, ...] = ()  # tables that the study learns from
    source: Source | None = None  # the options, where they say so

    def domain(self) -> AnySpace:
        """The space, or the pool, which is read from its file here."""
        if self.pool:
            pool = read_pool(**self.pool)
            self._check_ignored(pool.names)
            return pool
        if self.file.domain is None:
            raise SettingsError("nothing says what may vary: give --space space.toml or --pool")
        return self.file.domain

    def _check_ignored(self, learnt: Sequence[str]) -> None:
        """Refuse to pass over a mistyped --ignore: the column that was meant would be learnt from.

        Columns that are there are not looked for, since that takes another look at the files: only
        a name that is nearly one of those that are `learnt` from is.
        """
        given = self.source or Source()
        for name in given.ignore:
            if (near := nearest_text(name, list(learnt))) is None:
                continue
            files = [self.pool["file"], *([] if given.data is None else [given.data])]
            if not any(name in _columns(file) for file in files):
                raise SettingsError(
                    f"--ignore {name}: there is no such column in {' or '.join(files)}, so that "
                    f"{near} would be learnt from; name each column as it is, with an --ignore for "
                    "each"
                )

    @property
    def goals(self) -> Goals | None:
        """What is wanted; None when nobody said, so that a stored study keeps what it has."""
        if self.file.goals is not None:
            return self.file.goals
        return None if self.direction is None else Goals.single(self.direction)

    @property
    def stated(self) -> dict[str, Any]:
        """The same as `Study` takes it."""
        return {"direction": self.direction} if self.file.goals is None else self.file.goals.stated

    def wanted(self, domain: AnySpace) -> dict[str, Any]:
        """All that `Study` takes besides the space: goals, settings, and what to learn from."""
        asked = {**self.stated, **self.settings}
        if self.older:
            asked["learn_from"] = read_older_tables(self.older, self.layout(domain))
        return asked

    @property
    def stated_settings(self) -> dict[str, Any]:
        """What the space file says, less what an option says otherwise for this once."""
        file, here = self.file.settings, self.settings
        return {name: value for name, value in file.items() if here.get(name) == value}

    def layout(self, domain: AnySpace) -> Layout:
        return Layout(
            domain=domain,
            objective=self.file.objective,
            goals=self.file.goals,
            units=self.file.units,
            units_row=self.file.units_row,
            ignored=self.file.ignored,
            pool=self.pool.get("file"),
        )

    @property
    def assumption(self) -> str | None:
        """What is taken for granted because nobody said which way is better."""
        if self.direction is not None or self.file.goals is not None:
            return None
        what = self.file.objective
        return f"More {what} is taken to be better; if less is, add --direction minimize."

    def remarks(self, domain: AnySpace) -> tuple[str, ...]:
        """What its user should know about the domain that was read."""
        if not domain.skipped:
            return ()
        return (
            f"{domain.skipped} of the {domain.rows_given} rows of {self.pool['file']} are "
            "incomplete and left out.",
        )

    def attributes(self) -> dict[str, Any]:
        """What the other commands need to know of the plan; stored with the study."""
        pool = dict(self.pool)
        if pool:
            pool["file"] = os.path.abspath(pool["file"])
        return {
            "objective": self.file.objective,
            "units": dict(self.file.units),
            "units_row": self.file.units_row,
            "ignored": list(self.file.ignored),
            "pool": pool,
        }


def plan_of(source: Source, settings: Mapping[str, Any] | None = None) -> Plan | None:
    """The plan of a space file (that of this folder by default) and options; None without any."""
    path = source.space or default_space_file()
    if path is None and source.pool is None:
        return None
    file = SpaceFile(path="") if path is None else read_space(path)
    chosen: dict[str, Any] = {"file": source.pool} if source.pool else dict(file.candidates)
    if source.id is not None and chosen:
        chosen["id"] = source.id
    if source.smiles is not None and chosen:
        chosen["smiles"] = source.smiles
    if source.skip_incomplete and chosen:
        chosen["skip_incomplete"] = True
    given = {key: value for key, value in (settings or {}).items() if value is not None}
    file = file if source.objective is None else replace(file, objective=source.objective)
    direction = _direction(file, source, bool(path))
    pool = _pool(file, chosen, source.ignore)
    older = (*file.older, *source.learn_from)
    return Plan(file, direction, pool, {**file.settings, **given}, older, source)


def plan_of_file(file: SpaceFile) -> Plan:
    """The plan of a space file alone, however it was read."""
    direction = file.direction if file.goals is None else None
    return Plan(file, direction, _pool(file, file.candidates), file.settings, file.older)


def _pool(file: SpaceFile, chosen: Mapping[str, Any], ignore: Sequence[str] = ()) -> dict[str, Any]:
    """A list of candidates may have a column for their results, and others for people."""
    if not chosen:
        return {}
    results = [file.objective] if file.goals is None else file.goals.names
    where = {"where": list(file.where)} if file.where else {}
    return {**chosen, "ignore": [*results, *file.ignored, *ignore], **where}


def _direction(file: SpaceFile, source: Source, written: bool) -> str | None:
    if file.goals is None:
        return source.direction or (file.direction if written else None)
    if source.direction or source.objective:
        raise SettingsError(
            f"{file.path} states the outcomes ({file.goals.words}); --direction and --objective "
            "are for a file with one [objective], so leave them out"
        )
    return None


def known(plan: Plan | None) -> Plan:
    """The plan, which a table needs, since it does not say what may vary."""
    if plan is None:
        raise SettingsError(
            "nothing says what may vary: describe it in a space file (`pathmax init` writes one) "
            "and give --space, or give --pool with a file of candidates"
        )
    return plan


def read_pool(
    file: str, *, fidelity: Mapping[str, Mapping[str, Any]] | None = None, **wanted: Any
) -> Candidates:
    """The candidates of a CSV or Parquet file; `wanted` is what `Candidates` takes besides."""
    from pathmax.space.candidates import Candidates

    read = Candidates.from_parquet if _is_parquet(file) else Candidates.from_csv
    pool = read(file, **wanted)
    for name, said in (fidelity or {}).items():
        pool = pool.with_fidelity(name, Fidelity.from_json(said))
    return pool


def _is_parquet(file: str) -> bool:
    return os.path.isdir(file) or os.fspath(file).lower().endswith(PARQUET_ENDINGS)


def _columns(file: str) -> Sequence[str]:
    """The columns of a table or of a library."""
    if not _is_parquet(file):
        return read_cells(file).header
    *_, schema = file_parts(find_files(file), lambda column: False)  # which are read comes later
    return list(schema.names)


SPACE_FILE = "space.toml"


@dataclass(frozen=True, slots=True)
class Source:
    """What may vary and where the results are, as far as options say so."""

    space: str | None = None
    data: str | None = None
    pool: str | None = None
    id: str | None = None
    objective: str | None = None
    direction: str | None = None
    ignore: tuple[str, ...] = ()
    skip_incomplete: bool = False
    smiles: str | None = None
    learn_from: tuple[str, ...] = ()

    @property
    def again(self) -> str:
        """What to add to another command so that it means the same space, after a space."""
        space = None if self.space == default_space_file() else self.space
        options = [("space", space), ("pool", self.pool), ("id", self.id), ("smiles", self.smiles)]
        options += [("objective", self.objective), ("direction", self.direction)]
        options += [("ignore", column) for column in self.ignore]
        said = [f" --{name} {shlex.quote(value)}" for name, value in options if value is not None]
        return "".join(said) + (" --skip-incomplete" if self.skip_incomplete else "")


def default_space_file() -> str | None:
    """The space file of this folder, if there is one."""
    return SPACE_FILE if os.path.exists(SPACE_FILE) else None
