"""What a study borrows from each older one, in words; `borrowing` computes it.

relation to 'amide' 0.83: its 40 results count like about 12 of your own
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pathmax.errors import TrialError
from pathmax.trials import html
from pathmax.trials.wording import plural

if TYPE_CHECKING:
    from pathmax.session.session import Session


@dataclass(frozen=True, slots=True)
class StudyRelation:
    """What is borrowed from one older study for one outcome.

    name       of the older study
    outcome    which outcome is meant
    results    how many results of it there are
    weight     by how much f is expected to rise where the older one rises by its standard unit
    relation   the correlation of the two functions, from 0 to 1
    counts_as  how many own results its results count like
    """

    name: str
    outcome: str
    results: int
    weight: float
    relation: float
    counts_as: int

    @property
    def sentence(self) -> str:
        """In words."""
        if not self.weight:
            return (
                f"{self.name!r} is ignored: your results are explained as well without its "
                f"{self.results}"
            )
        own = f"about {self.counts_as}" if self.counts_as else "less than one"
        return (
            f"relation to {self.name!r} {self.relation:.2f}: its {self.results} results count like "
            f"{own} of your own"
        )


@dataclass(frozen=True, slots=True)
class Relations:
    """What is borrowed from all older studies: iterate over it, or print it."""

    found: tuple[StudyRelation, ...]
    own: int  # results of the study itself, by which that is known
    several: bool = False  # outcomes
    early: bool = False  # whether own results are so few that only clear ones count

    def __iter__(self) -> Iterator[StudyRelation]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, i: int) -> StudyRelation:
        return self.found[i]

    @property
    def sentences(self) -> list[str]:
        """A line for each."""
        said = [(one, self._sentence(one)) for one in self]
        return [f"{one.outcome}: {text}" if self.several else text for one, text in said]

    def _sentence(self, one: StudyRelation) -> str:
        if one.weight or not self.early:
            return one.sentence
        return (
            f"{one.name!r} is ignored so far: {plural(self.own, 'own result')} would have to speak "
            "for it clearly"
        )

    def to_json(self) -> list[dict[str, Any]]:
        """Plain values."""
        return [asdict(one) for one in self]

    def _repr_html_(self) -> str:
        return html.page("What is borrowed", str(self))

    def __str__(self) -> str:
        if not self.found:
            return "Nothing is borrowed: the study learns from its own results alone."
        known = (
            f"as {plural(self.own, 'own result')} tell"
            if self.own
            else "as is expected before any result of your own"
        )
        return "\n".join([*self.sentences, f"({known})"])


def borrowed(session: Session) -> Relations:
    """`Study.borrowed`."""
    if not session.problem.older:
        return Relations((), 0)
    from pathmax.analysis.borrowing import relations

    try:
        landscape = session.landscape()
    except TrialError:  # no result yet, and not every outcome has older ones
        return Relations((), 0)
    return relations(landscape)
