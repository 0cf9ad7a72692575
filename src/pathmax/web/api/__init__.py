"""The API: JSON over HTTP for all that a study does. `/api/docs` shows it with examples.

Reading (the token for reading is enough):

    GET  /api/studies                                   all studies, a line each
    GET  /api/studies/{name}                            one: goals, space, best or front, running
    GET  /api/studies/{name}/trials                     ?offset&limit&sort&filter&state
    GET  /api/studies/{name}/trials/{number}            one trial
    GET  /api/studies/{name}/series                     columns for charts, thinned out
    GET  /api/studies/{name}/slices                     the model along each parameter
    GET  /api/studies/{name}/trials/{number}/explanation    why it was suggested
    GET  /api/studies/{name}/ranking                    how likely each is the best
    GET  /api/studies/{name}/regret                     what stopping now may cost
    GET  /api/studies/{name}/importances                which parameters matter
    GET  /api/studies/{name}/cross-validation           whether the model is any good
    GET  /api/studies/{name}/borrowed                   what older studies have told it
    GET  /api/studies/{name}/recommendation             the best expected point, or the front
    GET  /api/studies/{name}/export.csv                 all trials as a table
    GET  /api/studies/{name}/advice                     measure again, or somewhere new
    GET  /api/studies/{name}/trials/{number}/replay     the suggestion, derived again
    GET  /api/studies/{name}/trials/{number}/curve      what it reported on its way
    GET  /api/studies/{name}/trials/{number}/should-stop    whether to stop it
    POST /api/studies/{name}/predict                    expected values of points
    POST /api/studies/{name}/feasibility                how likely points keep to every bound
    GET  /api/events                                    server-sent events, see `pathmax.web.events`
    GET  /api/server                                    version, role, storage, limits

Writing:

    POST   /api/studies                                 a new study, from a form or a space.toml
    POST   /api/check                                   what is wrong with one; nothing is stored
    POST   /api/studies/{name}/space                    go on in another space (or preview that)
    POST   /api/studies/{name}/branch                   a new study with the results that fit
    DELETE /api/studies/{name}                          remove it, with all trials
    POST   /api/studies/{name}/ask                      suggestions
    POST   /api/studies/{name}/trials                   a result from before
    POST   /api/studies/{name}/trials/{number}/tell     a result
    POST   /api/studies/{name}/trials/{number}/fail     no result
    POST   /api/studies/{name}/trials/{number}/correct  another result in place of one
    POST   /api/studies/{name}/trials/{number}/annotate a remark, attributes
    POST   /api/studies/{name}/trials/{number}/report   a value on the way
    POST   /api/studies/{name}/trials/{number}/stop     end it early
    POST   /api/studies/{name}/import                   a CSV file as the body

What the model takes long for (ranking, regret, advice, importances, cross-validation) is answered
with 202 and `Retry-After` until it is there. Names of studies stand percent-encoded in paths. Every
error is `{"error": "TrialError", "message": "a sentence", "status": 409}`. Every request that
writes may carry `Idempotency-Key: anything unique`: sent again with the same key, it does nothing
twice; but for DELETE, and `report`, which changes nothing the second time.
"""

from __future__ import annotations

from fastapi import APIRouter

from pathmax.web.api import (
    curves,
    docs,
    event_stream,
    judgements,
    knowledge,
    storage,
    studies,
    tables,
    trials,
)

DESCRIPTION = """\
Which experiment next? JSON over HTTP for all that a pathmax study does.

Send the token as `Authorization: Bearer TOKEN`. Errors are
`{"error": "TrialError", "message": "a sentence that says what to do", "status": 409}`.
A request that writes may carry an `Idempotency-Key`: sent again with the same key, it does nothing
twice and answers as the first time. Only DELETE and reports, which need none, take none.
"""

router = APIRouter(prefix="/api")
for part in (studies, trials, curves, knowledge, judgements, tables, event_stream):
    router.include_router(part.router)
for part in (storage, docs):  # not described: for programs of ours, and for people
    router.include_router(part.router)
