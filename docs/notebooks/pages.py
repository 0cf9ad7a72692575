"""Pages of the documentation from notebooks as they were stored: a hook of mkdocs.

Cells become Markdown: text as it is, code in fences, and what a cell showed below it. Nothing is
run, and nothing is fetched: tables are HTML and figures are inside the page.
"""

import json
from collections.abc import Iterator
from typing import Any


def on_files(files: Any, config: Any) -> Any:
    """Add a page for each notebook."""
    from mkdocs.structure.files import File

    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        with open(notebook.abs_src_path, encoding="utf-8") as stored:
            text = markdown(json.load(stored), notebook.name)
        uri = notebook.src_uri.removesuffix(".ipynb") + ".md"
        files.append(File.generated(config, uri, content=text))
    return files


def markdown(notebook: dict[str, Any], name: str) -> str:
    """A notebook as Markdown."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        else:
            parts.append(f"```python\n{source}\n```")
            parts += [shown for output in cell["outputs"] for shown in show(output)]
    parts.append(f"[This page as a notebook]({name}.ipynb)")
    return "\n\n".join(parts) + "\n"


def show(output: dict[str, Any]) -> Iterator[str]:
    """What a cell showed, in the richest form that it has."""
    data = output.get("data", {})
    if "image/png" in data:
        picture = "".join("".join(data["image/png"]).split())
        yield f'<img alt="figure" src="data:image/png;base64,{picture}">'
    elif "text/html" in data:
        lines = "".join(data["text/html"]).splitlines()
        # a blank line would end the HTML, and an indented one begin a block of code
        kept = lines if "<pre>" in data["text/html"][0] else [line.strip() for line in lines]
        yield "<div>" + "\n".join(line for line in kept if line.strip()) + "</div>"
    else:
        text = "".join(data.get("text/plain", output.get("text", ""))).rstrip()
        yield f"```text\n{text}\n```"
