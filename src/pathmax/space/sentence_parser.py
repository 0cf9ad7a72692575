"""From text to a tree, by precedence climbing. Nothing is ever evaluated as Python.

    or                          loosest
    and
    not
    < <= > >= == !=  in  not in     chains: 0 < x <= 5
    + -
    * /
    + - in front
    **                          tightest, from right to left: 2 ** 3 ** 2 is 2 ** 9

Brackets, functions and signs nest at most MAX_DEPTH deep, so that no text exhausts the stack.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from difflib import get_close_matches
from typing import NoReturn, final

from pathmax.errors import SpaceError
from pathmax.scalars import describe
from pathmax.space.sentence_tokens import Token, complain, tokens
from pathmax.space.sentence_tree import (
    FUNCTIONS,
    Call,
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

MAX_DEPTH = 40
COMPARATORS = ("<", "<=", ">", ">=", "==", "!=")
LIST_ENDS = {"[": "]", "(": ")"}
CONSTANTS = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}
RESERVED_WORDS = ("and", "or", "not", "in")


def parse(text: str) -> Node:
    """The tree of a sentence, or a `SpaceError` that points at what cannot be read."""
    if not isinstance(text, str):
        raise SpaceError(
            f"a known constraint is a sentence such as 'a + b <= 10', got {describe(text)}"
        )
    return Parser(text).sentence()


@final
class Parser:
    """One pass over the tokens of one sentence."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens = text, tokens(text)
        self.place, self.depth = 0, 0

    def sentence(self) -> Node:
        if self.token.kind == "end":
            raise SpaceError("an empty sentence; write what must hold, such as a + b <= 10")
        tree = self.some()
        self.finish()
        return tree

    def finish(self) -> None:
        if self.token.kind != "end":
            self.unexpected("the sentence could end here", self.advice())

    def advice(self) -> str:
        """What those who go on here mostly meant; empty where nothing is known."""
        before, token = self.tokens[self.place - 1], self.token
        if before.kind == "word" and before.text.lower() == "if":
            return "; there is no if, write not (a > 5) or b < 3"
        if before.kind == token.kind == "word" and token.text.lower() not in RESERVED_WORDS:
            return "; a name with spaces goes in backticks, as in `flow rate`"
        if before.kind == "number" and token.text == ",":
            return "; the decimal sign is a point"
        return ""

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def sees(self, *spellings: str) -> bool:
        return self.token.kind in ("sign", "word") and self.token.text in spellings

    def take(self) -> Token:
        token = self.token
        self.place += token.kind != "end"
        return token

    def expect(self, sign: str) -> None:
        if not self.sees(sign):
            self.unexpected(f"expected {sign}")
        self.take()

    def some(self) -> Node:
        at, parts = self.token.at, self.separated("or", self.every)
        return parts[0] if len(parts) == 1 else Some(tuple(parts), at)

    def every(self) -> Node:
        at, parts = self.token.at, self.separated("and", self.negation)
        return parts[0] if len(parts) == 1 else Every(tuple(parts), at)

    def separated(self, word: str, part: Callable[[], Node]) -> list[Node]:
        parts = [part()]
        while self.sees(word):
            self.take()
            parts.append(part())
        return parts

    def negation(self) -> Node:
        if not self.sees("not"):
            return self.comparison()
        at = self.take().at
        self.deeper(at)
        part = Not(self.negation(), at)
        self.depth -= 1
        return part

    def comparison(self) -> Node:
        at, operands, comparators = self.token.at, [self.sum()], []
        if self.sees("in", "not"):
            return self.member(operands[0], at)
        while self.sees(*COMPARATORS):
            comparators.append(self.take().text)
            operands.append(self.sum())
        if not comparators:
            return operands[0]
        return Compare(tuple(operands), tuple(comparators), at)  # type: ignore[arg-type]

    def member(self, subject: Node, at: int) -> Node:
        negated = self.sees("not")
        if negated:
            self.take()
        if not self.sees("in"):
            self.unexpected("expected in")
        self.take()
        if not self.sees(*LIST_ENDS):
            self.unexpected("in is followed by a list, as in solvent in ['water', 'DMF']")
        end = LIST_ENDS[self.take().text]
        values = [self.value()]
        while self.sees(","):
            self.take()
            if self.sees(end):  # ('water',), as Python writes a tuple of one
                break
            values.append(self.value())
        self.expect(end)
        member = Member(subject, tuple(values), at)
        return Not(member, at) if negated else member

    def value(self) -> Number | Text:
        """An entry of a list: a number, maybe with a sign, or text."""
        at, sign = self.token.at, 1.0
        if self.sees("-", "+"):
            sign = -1.0 if self.take().text == "-" else 1.0
            if self.token.kind != "number":
                self.unexpected("expected a number")
        found = self.atom()
        if isinstance(found, Number):
            return Number(sign * found.value, at)
        if isinstance(found, Text):
            return found
        self.wrong(at, "a list holds numbers and text in single quotes, nothing else")

    def sum(self) -> Node:
        at, terms, signs = self.token.at, [self.product()], [1]
        while self.sees("+", "-"):
            signs.append(1 if self.take().text == "+" else -1)
            terms.append(self.product())
        return terms[0] if len(terms) == 1 else SignedTerms(tuple(terms), tuple(signs), at)

    def product(self) -> Node:
        at, factors, divides = self.token.at, [self.signed()], [False]
        while self.sees("*", "/"):
            divides.append(self.take().text == "/")
            factors.append(self.signed())
        return factors[0] if len(factors) == 1 else Factors(tuple(factors), tuple(divides), at)

    def signed(self) -> Node:
        if not self.sees("+", "-"):
            return self.power()
        token = self.take()
        self.deeper(token.at)
        part = self.signed()
        self.depth -= 1
        if token.text == "+":
            return part
        return Number(-part.value, token.at) if isinstance(part, Number) else negative(part, token)

    def power(self) -> Node:
        at, base = self.token.at, self.atom()
        if not self.sees("**"):
            return base
        self.deeper(self.take().at)
        exponent = self.signed()
        self.depth -= 1
        return Power(base, exponent, at)

    def atom(self) -> Node:
        token = self.token
        if token.kind == "number":
            return self.number()
        if token.kind == "text":
            return Text(self.take().text, token.at)
        if token.kind == "name":
            return Name(self.take().text, token.at)
        if token.kind == "word" and token.text not in RESERVED_WORDS:
            return self.word()
        if self.sees("("):
            self.take()
            self.deeper(token.at)
            inside = self.some()
            self.expect(")")
            self.depth -= 1
            return inside
        self.unexpected("expected a number, a parameter or text in single quotes")

    def number(self) -> Number:
        token = self.take()
        value = float(token.text)
        if not math.isfinite(value):
            self.wrong(token.at, "the number is too large; it must be below 1.8e308")
        return Number(value, token.at)

    def word(self) -> Node:
        token = self.take()
        if self.sees("("):
            return self.call(token)
        if token.text in CONSTANTS:
            return Text(CONSTANTS[token.text], token.at)
        return Name(token.text, token.at)

    def call(self, name: Token) -> Call:
        if name.text not in FUNCTIONS:
            near = get_close_matches(name.text[:20].lower(), FUNCTIONS, n=1)
            remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(FUNCTIONS)}"
            self.wrong(name.at, f"there is no function {name.text}; {remedy} (products need *)")
        self.deeper(self.take().at)
        arguments = self.separated(",", self.sum)
        least, most = FUNCTIONS[name.text]
        if not least <= len(arguments) <= most:
            wanted = "one number" if most == 1 else f"{least} to {most} numbers"
            self.wrong(name.at, f"{name.text} takes {wanted}, got {len(arguments)}")
        self.expect(")")
        self.depth -= 1
        return Call(name.text, tuple(arguments), name.at)

    def deeper(self, at: int) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.wrong(
                at,
                f"brackets, signs and functions are more than {MAX_DEPTH} deep; simplify it, or "
                "make several sentences of it",
            )

    def wrong(self, at: int, message: str) -> NoReturn:
        complain(self.text, at, message)

    def unexpected(self, wanted: str, advice: str = "") -> NoReturn:
        token = self.token
        if token.kind == "end":
            self.wrong(token.at, f"{wanted}, but the sentence ends")
        if (
            token.kind == "word"
            and token.text.lower() in RESERVED_WORDS
            and token.text not in RESERVED_WORDS
        ):
            self.wrong(token.at, f"write {token.text.lower()} in small letters")
        shown = {"text": f"the text {token.text!r}", "name": f"the name `{token.text}`"}
        found = shown.get(token.kind, token.text)
        self.wrong(token.at, f"{wanted}, found {found[:40]}{advice}")


def negative(part: Node, minus: Token) -> Node:
    """-part, as the product -1 * part."""
    return Factors((Number(-1.0, minus.at), part), (False, False), minus.at)
