"""A workbook may be uploaded where a CSV file may."""

import io

import openpyxl

from pathmax.web.settings import RequestLimits
from tests.web.conftest import SPACE, client


def test_results_from_a_workbook(api, study):
    made = openpyxl.Workbook()
    made.active.title = "Runs"
    for row in (["temperature", "solvent", "yield"], [50, "DMF", 12.5], [60, "THF", None]):
        made.active.append(row)
    made.create_sheet("Notes").append(["a", "b"])
    body = io.BytesIO()
    made.save(body)
    refused = api.post(f"{study}/import", content=body.getvalue())
    assert refused.status_code == 422 and "which sheet? It has Runs, Notes" in refused.text
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"  # as a browser says
    taken = api.post(
        f"{study}/import",
        params={"sheet": "Runs"},
        content=body.getvalue(),
        headers={"Content-Type": kind},
    )
    assert taken.json()["added"] == 1 and taken.json()["waiting"] == 1
    made["Runs"]["B2"] = "EtOH"
    made.save(body := io.BytesIO())
    wrong = api.post(f"{study}/import", params={"sheet": "Runs"}, content=body.getvalue())
    assert "cell B2, column 'solvent'" in wrong.text and "pathmax-" not in wrong.text


def test_a_workbook_has_the_rows_of_a_table_at_most(serve):
    made = openpyxl.Workbook()
    for row in (["temperature", "solvent", "yield"], *([50 + i, "DMF", 12.5] for i in range(3))):
        made.active.append(row)
    made.save(body := io.BytesIO())
    with client(serve(limits=RequestLimits(rows=2))) as api:
        api.post("/api/studies", json={"space": SPACE})
        refused = api.post("/api/studies/suzuki/import", content=body.getvalue())
        assert refused.status_code == 422 and "2 rows at once" in refused.text
        assert api.get("/api/studies/suzuki").json()["counts"]["total"] == 0
