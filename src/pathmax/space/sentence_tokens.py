"""Sentences as tokens: numbers, names, text in quotes, words and signs, each with its column.

    temperature     a parameter by its bare name: letters, digits and _
    `flow rate`     a parameter whose name has other characters, in backticks or "double quotes"
    'water'         text, in single quotes
    true false none the other values that a choice may have

A quote inside quotes is written twice: 'it''s'. A sentence is at most MAX_LENGTH characters long,
and one pass reads it: no text takes long.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from pathmax.errors import SpaceError

MAX_LENGTH = 1000  # characters
TokenKind: TypeAlias = Literal["number", "name", "word", "text", "sign", "end"]

PATTERN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|'(?P<text>(?:[^']|'')*)'"
    r'|"(?P<double>(?:[^"]|"")*)"'
    r"|`(?P<tick>(?:[^`]|``)*)`"
    r"|(?P<sign>\*\*|<=|>=|==|!=|<>|=<|=>|&&|\|\||[-+*/<>()\[\],=!&|^%≤≥≠−·×])"  # noqa: RUF001
)
WHITE_SPACE = re.compile(r"\s*")
# What people write who come from other languages, where there is only one thing that they can mean.
SAME_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "·": "*", "×": "*"}  # noqa: RUF001
REMEDIES = {
    "=": "to compare, write ==",
    "<>": "to say different, write !=",
    "=<": "write <=",
    "=>": "write >=",
    "&&": "write and",
    "&": "write and",
    "||": "write or",
    "|": "write or",
    "!": "write not",
    "^": "for a power, write **",
    "%": "there are no percentages; divide by 100",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a sentence. `text` is the content of quotes; `at` where it begins."""

    kind: TokenKind
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """The tokens of a sentence, the last of the kind "end"."""
    if len(text) > MAX_LENGTH:
        raise SpaceError(
            f"a sentence has at most {MAX_LENGTH} characters, got {len(text)}; "
            "make several sentences of it: all of them hold"
        )
    found: list[Token] = []
    place = skip(text, 0)
    while place < len(text):
        match = PATTERN.match(text, place)
        if match is None:
            unreadable(text, place)
        found.append(read_token(text, match))
        place = skip(text, match.end())
    found.append(Token("end", "", len(text.rstrip())))
    return found


def skip(text: str, place: int) -> int:
    match = WHITE_SPACE.match(text, place)
    return place if match is None else match.end()


def read_token(text: str, match: re.Match[str]) -> Token:
    at, content = match.start(), match.group()
    match match.lastgroup:
        case "number":
            follower = text[match.end() : match.end() + 1]
            if follower.isidentifier() or follower == ".":
                complain(
                    text,
                    match.end(),
                    f"a number ends here and {follower!r} follows; for a product write *, and put "
                    "a name that begins with a digit in backticks",
                )
            return Token("number", content, at)
        case "word":
            return Token("word", unicodedata.normalize("NFC", content), at)
        case "text":
            return Token("text", match["text"].replace("''", "'"), at)
        case "double":
            return Token("name", normal(match["double"].replace('""', '"')), at)
        case "tick":
            return Token("name", normal(match["tick"].replace("``", "`")), at)
    sign = SAME_SIGNS.get(content, content)
    if sign in REMEDIES:
        complain(text, at, f"{sign} is no sign of this language; {REMEDIES[sign]}")
    return Token("sign", sign, at)


def normal(name: str) -> str:
    """A name as names are compared: composed, and without blanks around it."""
    return unicodedata.normalize("NFC", name).strip()


def unreadable(text: str, at: int) -> NoReturn:
    character = text[at]
    if character in "'\"`":
        what = "text" if character == "'" else "name"
        complain(text, at, f"the {what} that begins here has no end; close it with {character}")
    if character in "‘’“”":  # noqa: RUF001
        complain(text, at, "a curly quote; write text in plain single quotes, as in 'water'")
    complain(
        text,
        at,
        f"cannot read {character!r}; a name with such a character goes in backticks, as in "
        "`flow rate`, and text in single quotes, as in 'water'",
    )


def complain(text: str, at: int, message: str) -> NoReturn:
    """Raise a `SpaceError` that shows the sentence and points at a column of it."""
    start = max(0, at - 60)  # a long sentence is shown about the place
    line = "".join(c if c.isprintable() else " " for c in text[start : at + 40])
    before = "..." if start else ""
    after = "..." if at + 40 < len(text) else ""
    pointer = " " * (len(before) + at - start) + "^"
    raise SpaceError(f"{message}\n    {before}{line}{after}\n    {pointer}")
