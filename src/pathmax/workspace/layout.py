"""Layout: which columns a table of results has, and what each means."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from pathmax.space.any_space import AnySpace
from pathmax.tables.workbook import split_sheet
from pathmax.trials.frames import noise_column, result_column
from pathmax.trials.goals import VALUE, Goals

NUMBER, STATE, COST, NOTE = "trial", "state", "cost", "note"  # columns of ours


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What the columns of a table mean."""

    domain: AnySpace
    objective: str = VALUE
    goals: Goals | None = None
    """Where there are several outcomes: each is a column of its name, unless a parameter is."""
    units: Mapping[str, str] = field(default_factory=dict)
    units_row: bool = False
    ignored: tuple[str, ...] = ()
    pool: str | None = None
    """The file of the candidates, which may hold results too."""

    @cached_property
    def results(self) -> dict[str, str]:
        """The columns with results, and the outcome that each holds."""
        if self.goals is None:
            return {self.objective: VALUE}
        return {result_column(name, self.domain.names): name for name in self.goals.names}

    @property
    def noises(self) -> dict[str, str]:
        """The columns with the variances of results, and the outcome of each."""
        taken = {*self.domain.names, *self.results, *self.ignored}
        heads = {noise_column(column): outcome for column, outcome in self.results.items()}
        return {head: outcome for head, outcome in heads.items() if head not in taken}

    @property
    def required(self) -> tuple[str, ...]:
        """Columns without which a row says nothing; a pool's row is known by its key alone.

        Where a parameter is not active its cell is empty.
        """
        if self.domain.key is not None:
            tried = () if self.domain.fidelity is None else (self.domain.fidelity[0],)
            return (self.domain.key, *tried)
        axes = zip(self.domain.searched_names, self.domain.axes, strict=True)
        return tuple(name for name, axis in axes if not axis.conditional)

    def without(self, name: str) -> str:
        """What else to do where a table lacks a column by which rows of a pool are known."""
        if name in self.results or not self.domain.is_pool or self.domain.key is not None:
            return ""
        return (
            "; rows without an id are known by all columns that are learnt from: add it, pass over "
            f"it (--ignore {name}), or name an id (--id)"
        )

    def labelled(self, name: str) -> str:
        """A column's name with its unit: `temperature (°C)`."""
        unit = self.units.get(name)
        return f"{name} ({unit})" if unit else name

    def ignoring(self, columns: tuple[str, ...]) -> Layout:
        """The same with further columns that are only for the user."""
        return replace(self, ignored=(*self.ignored, *columns))

    def is_pool(self, path: str | os.PathLike[str]) -> bool:
        """Whether a file is the list of candidates itself."""
        if self.pool is None:
            return False
        (pool, sheet), (file, named) = split_sheet(self.pool), split_sheet(path)
        if os.path.isdir(pool) or not (
            os.path.exists(pool) and os.path.exists(file) and os.path.samefile(pool, file)
        ):
            return False
        return sheet is None or named is None or sheet.casefold() == named.casefold()

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The columns that pathmax adds, as far as their names are free."""
        taken = (*self.domain.names, *self.results, *self.ignored)
        return tuple(name for name in (NUMBER, STATE, self.cost, NOTE) if name not in taken)

    @cached_property
    def cost(self) -> str:
        """The column of what trials cost; an outcome is often called so itself."""
        return COST if COST not in {*self.domain.names, *self.results} else f"pathmax_{COST}"
