"""A workbook may be uploaded where a CSV file may."""

import io

import openpyxl


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
