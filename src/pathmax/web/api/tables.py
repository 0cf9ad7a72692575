"""Tables in and out: CSV as people have it."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pathmax.errors import DataFileError
from pathmax.web.api.descriptions import described
from pathmax.web.api.idempotency_key import IDEMPOTENT
from pathmax.web.idempotency import IdempotentRequest
from pathmax.web.json_responses import answer
from pathmax.web.kept_answers import answered, keep_answer
from pathmax.web.server import Server, serving
from pathmax.workspace.importing import apply, settle
from pathmax.workspace.results_table import read_results
from pathmax.workspace.trials_table import EUROPEAN, write_trials

router = APIRouter(prefix="/studies/{name:study}", tags=["tables"])

CSV_ANSWER = {"text/csv": {"schema": {"type": "string"}}}
UPLOAD = "the table.csv"
WORKBOOK = b"PK\x03\x04"  # how an .xlsx file begins


@router.post(
    "/import",
    summary="Results from a CSV file or an Excel workbook",
    responses=described(
        {"told": 2, "added": 5, "known": 0, "waiting": 1, "stored": True}, 404, 409, 413
    ),
    openapi_extra={"requestBody": {"required": True, "content": CSV_ANSWER}},
    dependencies=[IDEMPOTENT],
)
async def import_table(
    request: Request,
    name: str,
    ignore: Annotated[list[str], Query(description="A column that is only for you.")] = [],  # noqa: B006
    preview: Annotated[bool, Query(description="Say what would happen; store nothing.")] = False,
    sheet: Annotated[str | None, Query(description="Which sheet of a workbook.")] = None,
) -> Response:
    """The body is the file. Each row finds its trial; all rows are checked before any is stored.

    Rows that are there already are known, so that importing twice changes nothing.
    """
    body = await request.body()
    here, idempotent = serving(request), IdempotentRequest(request, body)

    def work() -> dict[str, Any]:
        if preview:
            return _take_in(here, name, body, tuple(ignore), preview, sheet)
        with here.studies.changing:  # the same table twice at once: the second is known
            record = here.studies.storage.load(name)
            said = answered(record, idempotent.request)
            if said is None:
                said = _take_in(here, name, body, tuple(ignore), preview, sheet)
                keep_answer(here.studies.storage, record.key, idempotent.request, said)
        return said

    return answer(await run_in_threadpool(work))


def _take_in(
    here: Server,
    name: str,
    body: bytes,
    ignore: tuple[str, ...],
    preview: bool,
    sheet: str | None,
) -> dict[str, Any]:
    most = here.settings.limits.rows
    is_workbook = body.startswith(WORKBOOK)
    too_many = DataFileError(f"a table may have {most} rows at once; import it in several parts")
    if not is_workbook and body.count(b"\n") > most + 1:
        raise too_many
    opened = here.studies.hold(name).bench
    outside = {trial.number: trial.params for trial in opened.study.left_out}
    with tempfile.TemporaryDirectory(prefix="pathmax-") as folder:
        path = Path(folder) / (UPLOAD if not is_workbook else "the table.xlsx")
        path.write_bytes(body)
        named = f"{path}#{sheet}" if is_workbook and sheet else path
        try:
            layout, trials = opened.layout.ignoring(ignore), opened.study.trials
            results = read_results(named, layout, outside, trials)
            if len(results.rows) > most:
                raise too_many
            intake = settle(results, opened.study)
        except DataFileError as error:
            raise DataFileError(str(error).replace(str(path), "the table")) from None
    if not preview:
        apply(intake, opened.study)
        here.events.nudge()
    return intake.counts() | {"stored": not preview}


@router.get(
    "/export.csv",
    summary="All trials as a CSV file",
    responses=described("trial,temperature,value,state,note\r\n", 404, media="text/csv"),
)
def export_table(
    request: Request,
    name: str,
    decimal_comma: Annotated[bool, Query(description="For a European Excel.")] = False,
) -> Response:
    """What `pathmax export` writes. Cells that a spreadsheet would run are disarmed."""
    opened = serving(request).studies.hold(name).bench
    text = io.StringIO(newline="")
    write_trials(opened, text, decimal_comma=decimal_comma)
    encoding = EUROPEAN.encoding if decimal_comma else "utf-8"
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in name)
    headers = {
        "Content-Disposition": f'attachment; filename="{plain}.csv"; '
        f"filename*=UTF-8''{quote(name, safe='')}.csv"
    }
    return Response(text.getvalue().encode(encoding), 200, headers, "text/csv; charset=utf-8")
