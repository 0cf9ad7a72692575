"""How large each room of the house is: lines of code without blanks, comments and docstrings.

python -m benchmarks.sizes              this tree
python -m benchmarks.sizes OTHER/src    beside another checkout, and what became of its modules
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent.parent / "src"


def code_lines(text: str) -> set[int]:
    """The numbers of the lines that hold code: neither blank, nor comment, nor docstring."""
    said: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                if isinstance(first.value.value, str):
                    said.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    quiet = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in quiet and token.type != tokenize.ENDMARKER:
            code.update(range(token.start[0], token.end[0] + 1))
    return code - said


def lines_of_code(text: str) -> int:
    return len(code_lines(text))


def rooms(source: Path) -> dict[str, tuple[int, int]]:
    """Modules and lines of code by room; what lies flat is "(top)"."""
    package = source / "pathmax"
    modules, lines = Counter[str](), Counter[str]()
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        room = parts[0] if len(parts) > 1 else "(top)"
        modules[room] += 1
        lines[room] += lines_of_code(path.read_text(encoding="utf-8"))
    return {room: (modules[room], lines[room]) for room in sorted(modules)}


def compare(other: Path) -> str:
    """What became of the modules of another checkout, by their paths."""

    def sizes(source: Path) -> dict[str, int]:
        package = source / "pathmax"
        files = {path.relative_to(package).as_posix(): path for path in package.rglob("*.py")}
        return {name: lines_of_code(p.read_text(encoding="utf-8")) for name, p in files.items()}

    here, there = sizes(HERE), sizes(other)
    kept = here.keys() & there.keys()
    return (
        f"{len(kept)} modules of both: {sum(there[n] for n in kept)} lines there, "
        f"{sum(here[n] for n in kept)} here; only here {len(here) - len(kept)} modules, "
        f"{sum(here[n] for n in here.keys() - kept)} lines; only there "
        f"{len(there) - len(kept)} modules, {sum(there[n] for n in there.keys() - kept)} lines"
    )


def main() -> None:
    found = {"here": rooms(HERE)}
    for other in sys.argv[1:]:
        found[other] = rooms(Path(other))
    names = sorted(set().union(*found.values()))
    print(f"{'room':<14}" + "".join(f"{name:>26}" for name in found))
    for room in names:
        cells = [sizes.get(room, (0, 0)) for sizes in found.values()]
        print(f"{room:<14}" + "".join(f"{m:>10} modules {n:>7}" for m, n in cells))
    totals = [tuple(map(sum, zip(*sizes.values(), strict=True))) for sizes in found.values()]
    print(f"{'all':<14}" + "".join(f"{m:>10} modules {n:>7}" for m, n in totals))
    for other in sys.argv[1:]:
        print(compare(Path(other)))


if __name__ == "__main__":
    main()
