"""Tokens for all that one request writes: whoever repeats the request writes nothing twice.

    with tokens_of("8b1a..."):
        storage.finish("suzuki", 3, ending)       token 8b1a...:0
        storage.annotate("suzuki", 3, note="")    token 8b1a...:1

A storage keeps a receipt with every write that has a token, see `Storage.receipt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class _Writes:
    request: str
    count: int

    def token(self) -> str:
        return f"{self.request}:{self.count}"


_writes: ContextVar[_Writes | None] = ContextVar("pathmax_writes", default=None)


@contextmanager
def tokens_of(request: str, done: int = 0) -> Iterator[None]:
    """What is written meanwhile has the tokens of this request, those after `done` of them."""
    before = _writes.set(_Writes(request, done))
    try:
        yield
    finally:
        _writes.reset(before)


def token_of(request: str, which: int) -> str:
    """The token of one write of a request."""
    return _Writes(request, which).token()


class OneWrite:
    """A write under way, with its token; `written` is False when it came to nothing."""

    __slots__ = ("_writes", "token", "written")

    def __init__(self, token: str | None) -> None:
        self._writes = _writes.get()
        self.token = token if self._writes is None else self._writes.token()
        self.written = True

    def __enter__(self) -> OneWrite:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if kind is None and self._writes is not None and self.written:
            self._writes.count += 1


def counted(token: str | None) -> OneWrite:
    """The token of one write: once it has succeeded, the next write has another."""
    return OneWrite(token)
