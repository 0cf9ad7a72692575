"""The header by which a request that may come twice is known, for the description of the API."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header

from pathmax.web.idempotency import HEADER, LONGEST_KEY


def _described_key(
    key: Annotated[
        str | None,
        Header(
            alias=HEADER,
            min_length=1,
            max_length=LONGEST_KEY,
            description="Anything unique: sent again with the same key, the request does nothing "
            "twice.",
        ),
    ] = None,
) -> None:
    """The header, for the description; `IdempotentRequest` reads it."""


IDEMPOTENT = Depends(_described_key)
