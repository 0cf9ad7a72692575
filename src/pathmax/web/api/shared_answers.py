"""What the model says, computed once for all who ask the same, and in which context.

known         what takes a moment: the answer is waited for
known_later   what may take a minute: computed in the background, and whoever has waited for
              twenty seconds is answered with status 202 and when to ask again
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from anyio import to_thread
from fastapi import Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pathmax.web.json_responses import answer, to_bytes
from pathmax.web.server import serving
from pathmax.workspace import contexts
from pathmax.workspace.contexts import context_to_look_at
from pathmax.workspace.opened_study import Opened

ContextQuery: TypeAlias = Annotated[
    tuple[str, ...],
    Query(description="NAME=VALUE of each parameter that is given; else those of the last trial."),
]


def context_of_request(opened: Opened, texts: Sequence[str]) -> Mapping[str, Any] | None:
    """What the texts of a query state, or the context of the newest trial."""
    return context_to_look_at(opened.study, contexts.typed_context(opened.study.space, texts))


async def known(
    request: Request, name: str, what: Hashable, compute: Callable[[Opened], dict[str, Any]]
) -> Response:
    """Answer with what the model says, computed once for all who ask the same.

    In few threads: those who wait for a model leave the others to whoever asks or tells.
    """
    here = serving(request)

    def look_and_compute() -> Response:
        holds, present = here.studies.look(name)
        return answer(holds.known(what, compute, present))

    return await to_thread.run_sync(look_and_compute, limiter=here.thinking)


async def known_later(
    request: Request,
    name: str,
    what: tuple[Hashable, ...],
    compute: Callable[[Opened], dict[str, Any]],
    seconds: float,
) -> Response:
    """The same in the background: nobody who predicts, asks or tells waits for it.

    Args:
        seconds: about how long it takes, a guess until it was done once.
    """
    here = serving(request)
    holds, present = await run_in_threadpool(here.studies.look, name)
    made, delay = await here.models.present(
        holds,
        present,
        ("api", *what),
        lambda opened, revision: to_bytes(compute(opened) | {"revision": revision}),
        seconds,
    )
    if made is None:
        words = f"the model is at work on it; ask again in {delay} s"
        waiting = {"waiting": True, "message": words, "status": 202}
        return answer(waiting, 202, {"Retry-After": str(delay)})
    if made.refused is not None:
        raise made.refused.with_traceback(None)  # else it grows with each who hears it
    return Response(made.body, media_type="application/json")
