"""Requests that may come twice: the answer to the first was lost, so it is sent again.

    POST /api/studies/suzuki/ask
    Idempotency-Key: bench-2-0017

What such a request writes carries tokens derived from its path, its key and its content; the
storage keeps their receipts in the same transaction as the trials. So the second time, also after
the server was killed and started again, nothing is written, and the answer is the same trials. A
request with the same key and another content is another request: no result is lost by a mistake.
Requests that write more than trials are in `pathmax.web.kept_answers`.
"""

from __future__ import annotations

import hashlib
from contextlib import AbstractContextManager, nullcontext

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request

from pathmax.storage import Name, Storage
from pathmax.storage.write_tokens import token_of, tokens_of
from pathmax.trials.trial import Trial

HEADER = "Idempotency-Key"
LONGEST_KEY = 255


class IdempotentRequest:
    """A request that is done once, if it has a key."""

    def __init__(self, request: Request, body: BaseModel | bytes) -> None:
        key = request.headers.get(HEADER)
        if key is not None and not 0 < len(key) <= LONGEST_KEY:
            raise HTTPException(400, f"{HEADER} has 1 to {LONGEST_KEY} characters, got {len(key)}")
        said = (request.method, request.url.path, key or "", request.url.query)
        digest = hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass"))
        digest.update(_content(body))
        self.request = None if key is None else digest.hexdigest()[:48]
        """What tells this request from others; None without a key."""

    def done(self, storage: Storage, name: Name) -> list[Trial]:
        """The trials that this request has written before, as they are now."""
        found: list[Trial] = []
        while self.request is not None:
            written = storage.receipt(name, token_of(self.request, len(found)))
            if written is None:
                break
            found += written
        return found

    def writing(self, done: int = 0) -> AbstractContextManager[None]:
        """What is written meanwhile has the tokens of this request, those after `done` of them."""
        return nullcontext() if self.request is None else tokens_of(self.request, done)


def _content(body: BaseModel | bytes) -> bytes:
    if isinstance(body, bytes):
        return body
    try:
        return body.model_dump_json().encode("utf-8", "surrogatepass")
    except ValueError as cause:
        raise HTTPException(422, "the body is nested too deeply; make it flatter") from cause
