"""What is known beforehand about which params can be tried: sentences, and functions of params.

    Study({...}, where=["catalyst + ligand <= 10", "not (solvent == 'water' and temperature > 90)"])

A sentence is stored with the study. A function of params cannot be: only its name is, and whoever
loads the study gives it again. Until then trials can be read, but nothing can be suggested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np

from pathmax.arrays import Mask
from pathmax.errors import SpaceError
from pathmax.scalars import Scalar, describe
from pathmax.space.linear_relations import LinearRelations
from pathmax.space.mixtures import Mixture
from pathmax.space.sentence_parser import parse
from pathmax.space.sentence_parts import Variable
from pathmax.space.sentence_tree import Node
from pathmax.space.sentences import Columns, OneRow, Sentence

__all__ = ["Known", "Rule", "changed_rules", "nothing_left", "rules_of"]

Params: TypeAlias = Mapping[str, Scalar]


@final
@dataclass(frozen=True)
class Function:
    """A known constraint that is a function of params; None when only its name was stored."""

    name: str
    call: Callable[[dict[str, Scalar]], bool] | None = None

    def holds(self, params: Params) -> bool:
        if self.call is None:
            raise SpaceError(
                f"the known constraint {self.name} is a function, which is not stored; give it "
                "again: Study.load(name, storage=..., space=pathmax.Space({...}, "
                f"where=[{self.name}]))"
            )
        wanted = f"it must return True or False for any params of the space, and got {dict(params)}"
        try:
            found = self.call(dict(params))
        except Exception as error:
            raise SpaceError(
                f"the known constraint {self.name} raised {type(error).__name__}: {error}; {wanted}"
            ) from error
        if not isinstance(found, bool | np.bool_):  # a forgotten return gives None, and forbids all
            raise SpaceError(
                f"the known constraint {self.name} returned {describe(found)}; {wanted}"
            )
        return bool(found)


Rule: TypeAlias = str | Callable[[dict[str, Scalar]], bool] | Function


@final
@dataclass(frozen=True)
class Known:
    """The known constraints of a space, a pool or a grid: all of them hold."""

    sentences: tuple[Sentence, ...] = ()
    functions: tuple[Function, ...] = ()
    mixtures: tuple[Mixture, ...] = ()
    sums: tuple[Sentence, ...] = ()  # that the components of each mixture add up

    @classmethod
    def read(
        cls, given: object, variables: Mapping[str, Variable], mixtures: Sequence[Mixture] = ()
    ) -> Known:
        """The constraints that a user states, or a `SpaceError` that says what is wrong."""
        rules = rules_of(given)
        functions = [rule for rule in rules if isinstance(rule, Function)]
        sentences = [Sentence.read(rule, variables) for rule in rules if isinstance(rule, str)]
        sums = tuple(mixture.sentence(variables) for mixture in mixtures)
        return cls(tuple(dict.fromkeys(sentences)), tuple(functions), tuple(mixtures), sums)

    def __bool__(self) -> bool:
        return bool(self.sentences or self.functions or self.mixtures)

    @property
    def rules(self) -> list[Rule]:
        """As they can be given to another space."""
        return [*(s.text for s in self.sentences), *self.functions]

    def hold(self, params: Params) -> bool:
        """Whether params obey all of them."""
        return not self.broken(params)

    def broken(self, params: Params) -> list[str]:
        """Those that params do not obey, in words."""
        said = (*self.sentences, *self.sums)
        found = [sentence.text for sentence in said if not sentence.holds(params)]
        row = OneRow(params)
        found += [m.count_words for m in self.mixtures if not m.count_holds(row)[0]]
        return found + [f.name for f in self.functions if not f.holds(params)]

    def are_obeyed(self, params: Params) -> bool:
        """Whether a result obeys: functions that have not been given again say nothing about it."""
        return not self or not self.broken_by_result(params)

    def broken_by_result(self, params: Params) -> list[str]:
        """Those that the params of a result do not obey, in words."""
        return self._of_results.broken(params)

    @cached_property
    def _of_results(self) -> Known:
        given = tuple(function for function in self.functions if function.call is not None)
        return replace(self, functions=given)

    def mask(self, columns: Columns, params: Callable[[int], Params]) -> Mask:  # -> (m,)
        """Which of many rows obey all; `params` are those of a row, for functions."""
        linear, others = self._by_form
        inside = np.ones(len(columns), dtype=bool) if linear is None else linear.mask(columns)
        for sentence in others:
            inside &= sentence.mask(columns)
        for mixture in self.mixtures:
            inside &= mixture.count_holds(columns)
        if self.functions:
            for row in np.flatnonzero(inside).tolist():
                inside[row] = all(f.holds(params(row)) for f in self.functions)
        return inside

    @cached_property
    def _by_form(self) -> tuple[LinearRelations | None, list[Sentence]]:
        return LinearRelations.of((*self.sentences, *self.sums))

    def to_json(self) -> list[Any]:
        """Sentences as text, functions as their names."""
        functions = [{"function": function.name} for function in self.functions]
        return [*(sentence.text for sentence in self.sentences), *functions]

    def difference(self, other: Known) -> list[str]:
        """What changed from these to others, a sentence each."""
        return changed_rules(self.to_json(), other.to_json())


def rules_of(given: object) -> Sequence[str | Function]:
    """A list of known constraints as it is given, in Python or in JSON."""
    if given is None:
        return ()
    if isinstance(given, str | Mapping) or callable(given) or not isinstance(given, Iterable):
        raise SpaceError(
            "where is a list of known constraints such as ['a + b <= 10'], got "
            f"{describe(given)}; put it in square brackets"
        )
    rules: list[str | Function] = []
    for rule in given:
        if isinstance(rule, Mapping) and isinstance(rule.get("function"), str):
            rules.append(Function(rule["function"]))
        elif isinstance(rule, str | Function):
            rules.append(rule)
        elif callable(rule):
            rules.append(Function(getattr(rule, "__qualname__", type(rule).__name__), rule))
        else:
            raise SpaceError(
                "a known constraint is a sentence such as 'a + b <= 10' or a function of params, "
                f"got {describe(rule)}"
            )
    return rules


def refuse_fidelity(fidelity: tuple[str, object] | None, sentences: Iterable[Sentence]) -> None:
    """Refuse sentences about the fidelity: suggestions are chosen at its target."""
    name, _ = fidelity or ("", None)
    for sentence in sentences:
        if name in sentence.names:
            raise SpaceError(
                f"{name}: is a fidelity, and what to try does not depend on it, got the sentence "
                f"{sentence.text!r}; leave {name} out of it, or make it a parameter like the others"
            )


def changed_rules(before: Sequence[Any], after: Sequence[Any]) -> list[str]:
    """What changed between two lists of known constraints, as `to_json` writes them."""
    was, now = {_key(rule): rule for rule in before}, {_key(rule): rule for rule in after}
    gone = [f"the known constraint {_words(was[k])} was removed" for k in was if k not in now]
    return gone + [f"the known constraint {_words(now[k])} was added" for k in now if k not in was]


def _key(rule: Any) -> Node | str:
    return parse(rule) if isinstance(rule, str) else str(rule["function"])


def _words(rule: Any) -> str:
    return f'"{rule}"' if isinstance(rule, str) else str(rule["function"])


def nothing_left(known: Known, what: str) -> SpaceError:
    """What to tell somebody whose constraints leave no row of a pool or point of a grid."""
    rules = [*(repr(s.text) for s in known.sentences), *(f.name for f in known.functions)]
    return SpaceError(
        f"none of the {what} obeys the known constraints ({', '.join(rules)}); change one of them"
    )
