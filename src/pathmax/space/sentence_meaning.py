"""What a sentence says about some parameters: its tree checked against them.

    Relation    an inequality or equality between two numbers
    Among       a choice is, or is not, one of some values
    Same        two choices are the same value, or are not
    AllOf       every part holds
    AnyOf       some part holds
    Always      holds, or fails, whatever the parameters are

There is no Not: negations are moved inwards, where they turn comparators. Type errors are found
here, once, and not while a search is running.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NoReturn, final

from pathmax.scalars import Scalar, describe
from pathmax.space.sentence_parts import (
    AllOf,
    Always,
    Among,
    AnyOf,
    Meaning,
    Relation,
    Same,
    Variable,
)
from pathmax.space.sentence_tokens import complain, normal
from pathmax.space.sentence_tree import (
    FLIPPED,
    Call,
    Comparator,
    Compare,
    Every,
    Factors,
    Member,
    Name,
    Node,
    Not,
    Number,
    Power,
    SignedTerms,
    Some,
    Text,
)

NAMES_SHOWN = 12  # names or choices in a message


def meaning_of(tree: Node, text: str, variables: Mapping[str, Variable]) -> Meaning:
    """What a tree says about these parameters, or a `SpaceError` that points into its text."""
    return Checking(text, variables).truth(tree, negated=False)


@final
class Checking:
    """The parameters that one sentence is read against."""

    def __init__(self, text: str, variables: Mapping[str, Variable]) -> None:
        self.text, self.variables = text, variables
        self.spelling = {normal(name): name for name in variables}

    def truth(self, node: Node, negated: bool) -> Meaning:
        match node:
            case Not(part):
                return self.truth(part, not negated)
            case Every(parts) | Some(parts):
                meanings = tuple(self.truth(part, negated) for part in parts)
                both = isinstance(node, Every) != negated
                return AllOf(meanings) if both else AnyOf(meanings)
            case Compare(operands, comparators):
                return self.chain(operands, comparators, negated)
            case Member(subject, values):
                return self.member(subject, values, negated)
            case Text(value) if isinstance(value, bool):
                return Always(value != negated)
            case Name() if self.known(node).is_truth:
                return self.among(node, (Text(True, node.at),), negated)
        self.wrong(
            node,
            f"{self.show(node)} is neither true nor false; compare it with something, as in "
            "temperature <= 90 or solvent == 'water'",
        )

    def chain(
        self, operands: Sequence[Node], comparators: Sequence[Comparator], negated: bool
    ) -> Meaning:
        pairs = zip(operands, comparators, operands[1:], strict=False)
        parts = tuple(self.pair(a, c, b, negated) for a, c, b in pairs)
        if len(parts) == 1:
            return parts[0]
        return AnyOf(parts) if negated else AllOf(parts)

    def pair(self, left: Node, comparator: Comparator, right: Node, negated: bool) -> Meaning:
        comparator = FLIPPED[comparator] if negated else comparator
        if self.gives_number(left) and self.gives_number(right):
            self.possible(left, comparator, right)
            return Relation(self.number(left), comparator, self.number(right))
        if comparator not in ("==", "!="):
            odd = left if not self.gives_number(left) else right
            self.wrong(
                odd,
                f"{self.show(odd)} has no order; compare it by ==, != or in",
            )
        match left, right:
            case Name(), Text():
                return self.among(left, (right,), comparator == "!=")
            case Text(), Name():
                return self.among(right, (left,), comparator == "!=")
            case Name(), Number() if not self.gives_number(left):
                return self.among(left, (right,), comparator == "!=")
            case Number(), Name() if not self.gives_number(right):
                return self.among(right, (left,), comparator == "!=")
            case Name(), Name():
                return self.same(left, right, comparator == "!=")
        self.wrong(
            left,
            f"{self.show(left)} and {self.show(right)} cannot be compared: a number is compared "
            "with a number, a choice with one of its values",
        )

    def member(self, subject: Node, values: Sequence[Number | Text], negated: bool) -> Meaning:
        if isinstance(subject, Name) and not self.known(subject).is_number:
            return self.among(subject, values, negated)
        if not self.gives_number(subject):
            self.wrong(subject, "in asks after a parameter or a number")
        for value in values:
            if isinstance(value, Text):
                self.wrong(
                    value,
                    f"{self.show(subject)} is a number and cannot be {describe(value.value)}",
                )
        pairs = tuple(self.pair(subject, "==", value, negated) for value in values)
        return AllOf(pairs) if negated else AnyOf(pairs)

    def among(self, name: Name, values: Sequence[Number | Text], negated: bool) -> Meaning:
        variable, found = self.known(name), []
        if variable.is_number:
            self.wrong(
                values[0],
                f"{name.name} is a number and cannot be {describe(values[0].value)}",
            )
        for value in values:
            found.append(self.choice(name.name, variable.choices or (), value))
        if variable.choices and len(variable.choices) == 1:
            return Always((variable.choices[0] in found) != negated)
        return Among(self.spelling[name.name], tuple(dict.fromkeys(found)), negated)

    def choice(self, name: str, choices: tuple[Scalar, ...], value: Number | Text) -> Scalar:
        for choice in choices:
            same_kind = isinstance(choice, bool) == isinstance(value.value, bool)
            if same_kind and choice == value.value:
                return choice
        if not choices:
            return value.value
        shown = f"{value.value:g}" if isinstance(value, Number) else describe(value.value)
        near = get_close_matches(str(value.value)[:40], list(map(str, choices[:200])), n=1)
        remedy = f"did you mean {near[0]!r}? Its" if near else "its"
        self.wrong(
            value,
            f"{name} is never {shown}; {remedy} values are {some_of([repr(c) for c in choices])}",
        )

    def same(self, left: Name, right: Name, negated: bool) -> Meaning:
        first, second = self.known(left).choices, self.known(right).choices
        if not first or not second or self.known(left).is_number or self.known(right).is_number:
            self.wrong(
                right,
                f"{left.name} and {right.name} cannot be compared: one is a number, or its values "
                "are not known",
            )
        both = tuple(c for c in first if c in second and not isinstance(c, bool))
        both += tuple(c for c in first if isinstance(c, bool) and any(c is d for d in second))
        names = self.spelling[left.name], self.spelling[right.name]
        return Same(*names, both, negated)

    def number(self, node: Node) -> Node:
        """The node as a number: names as they are spelled in the space, fixed ones as numbers."""
        match node:
            case Number():
                return node
            case Name():
                variable = self.known(node)
                if not variable.is_number:
                    self.wrong(node, f"expected a number; {node.name} is a choice")
                if variable.choices is not None and len(variable.choices) == 1:
                    return Number(float(variable.choices[0] or 0.0), node.at)
                return Name(self.spelling[node.name], node.at)
            case SignedTerms(terms, signs):
                return SignedTerms(tuple(map(self.number, terms)), signs, node.at)
            case Factors(factors, divides):
                return Factors(tuple(map(self.number, factors)), divides, node.at)
            case Power(base, exponent):
                return Power(self.number(base), self.number(exponent), node.at)
            case Call(function, arguments):
                return Call(function, tuple(map(self.number, arguments)), node.at)
        self.wrong(node, f"expected a number, found {self.show(node)}")

    def gives_number(self, node: Node) -> bool:
        if isinstance(node, Name):
            return self.known(node).is_number
        return isinstance(node, Number | SignedTerms | Factors | Power | Call)

    def possible(self, left: Node, comparator: Comparator, right: Node) -> None:
        """Refuse a listed number that is compared for equality with one that is not on its list."""
        for name, value in ((left, right), (right, left)):
            if comparator in ("==", "!=") and isinstance(name, Name) and isinstance(value, Number):
                choices = self.known(name).choices
                if choices:
                    self.choice(name.name, choices, value)

    def wrong(self, node: Node, message: str) -> NoReturn:
        complain(self.text, node.at, message)

    def known(self, name: Name) -> Variable:
        if name.name in self.spelling:
            return self.variables[self.spelling[name.name]]
        self.unknown(name)

    def unknown(self, name: Name) -> NoReturn:
        near = get_close_matches(name.name[:40], list(self.spelling)[:200], n=1)
        remedy = f"did you mean {quoted(near[0])}? The" if near else "the"
        values = [v for v, var in self.variables.items() if name.name in (var.choices or ())]
        if values:
            remedy = f"write a value of {values[0]} in single quotes, {name.name!r}. The"
        shown = some_of([quoted(known) for known in self.spelling])
        self.wrong(
            name,
            f"there is no parameter {name.name[:80]!r}; {remedy} parameters are {shown}",
        )

    def show(self, node: Node) -> str:
        match node:
            case Name(name):
                return quoted(name)
            case Text(value):
                return describe(value)
            case Number(value):
                return f"{value:g}"
            case Compare() | Member() | Not() | Every() | Some():
                return "a comparison"
        return "a number"


def quoted(name: str) -> str:
    """A name as it is written in a sentence."""
    plain = name.isidentifier() and name not in ("and", "or", "not", "in")
    return name if plain else "`" + name.replace("`", "``") + "`"


def some_of(words: Sequence[str]) -> str:
    """The words of a message, not too many."""
    cut = [word if len(word) <= 40 else word[:37] + "..." for word in words[:NAMES_SHOWN]]
    rest = f", ... ({len(words)} in all)" if len(words) > NAMES_SHOWN else ""
    return ", ".join(cut) + rest
