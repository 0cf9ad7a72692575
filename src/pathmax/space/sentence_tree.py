"""The tree of a sentence: what a parser makes of text such as "catalyst + ligand <= 10".

    arithmetic      Number  Name  SignedTerms (+ -)  Factors (* /)  Power  Call
    values          Text
    truth           Compare  Member  Not  Every (and)  Some (or)

Nodes are values: the same text gives the same tree, whatever the place it came from. `at` is the
column of the text where a node begins; it serves messages and takes no part in equality. Chains
such as a + b + c are one node, so that a tree is no deeper than its brackets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pathmax.scalars import Scalar

Comparator: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]
FLIPPED: dict[str, Comparator] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="
}  # fmt: skip
FUNCTIONS = {"abs": (1, 1), "log": (1, 1), "exp": (1, 1), "min": (2, 20), "max": (2, 20)}


def _column() -> int:
    return field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number."""

    value: float
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter."""

    name: str
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Text:
    """A value that is no number: text, true, false or none."""

    value: Scalar
    at: int = _column()


@dataclass(frozen=True, slots=True)
class SignedTerms:
    """first + second - third: the terms and the sign of each."""

    terms: tuple[Node, ...]
    signs: tuple[int, ...]  # 1 or -1
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Factors:
    """first * second / third: the factors, and which of them divide."""

    factors: tuple[Node, ...]
    divides: tuple[bool, ...]
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Power:
    """base ** exponent."""

    base: Node
    exponent: Node
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Call:
    """A function of numbers: one of FUNCTIONS."""

    function: str
    arguments: tuple[Node, ...]
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Compare:
    """first <= second < third: true when every pair of neighbours is as its comparator says."""

    operands: tuple[Node, ...]
    comparators: tuple[Comparator, ...]
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Member:
    """subject in [values]."""

    subject: Node
    values: tuple[Number | Text, ...]
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Not:
    """not part."""

    part: Node
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Every:
    """first and second and third."""

    parts: tuple[Node, ...]
    at: int = _column()


@dataclass(frozen=True, slots=True)
class Some:
    """first or second or third."""

    parts: tuple[Node, ...]
    at: int = _column()


Node: TypeAlias = (
    Number
    | Name
    | Text
    | SignedTerms
    | Factors
    | Power
    | Call
    | Compare
    | Member
    | Not
    | Every
    | Some
)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below one, from left to right."""
    match node:
        case SignedTerms(parts) | Factors(parts) | Every(parts) | Some(parts) | Compare(parts):
            return parts
        case Call(_, arguments):
            return arguments
        case Power(base, exponent):
            return (base, exponent)
        case Member(subject):
            return (subject,)
        case Not(part):
            return (part,)
        case _:
            return ()


def names_in(node: Node) -> Iterator[Name]:
    """The parameters that a tree mentions, from left to right, as often as it does."""
    if isinstance(node, Name):
        yield node
    for child in children(node):
        yield from names_in(child)
