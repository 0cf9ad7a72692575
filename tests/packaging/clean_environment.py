"""Install a wheel into an environment of its own and use it there: `make package`.

python -m tests.packaging.clean_environment dist/*.whl
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

# -I: a PYTHONPATH that leads to the sources would have them tried in place of the wheel.
FROM_THERE = """
import sys, pathlib, pathmax
print(pathmax.__version__, pathmax.__file__)
assert pathmax.__version__ == sys.argv[1], f"the wheel is called {sys.argv[1]}"
assert pathlib.Path(pathmax.__file__).is_relative_to(sys.argv[2]), "it is not the one installed"
"""


def try_out(wheel: Path) -> None:
    """Make an environment with the wheel and what it requires, and run what a newcomer runs."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "venv"
        run(sys.executable, "-m", "venv", environment)
        python = environment / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        run(python, "-m", "pip", "install", "--quiet", wheel.resolve())
        version = wheel.name.split("-")[1]
        run(python, "-I", "-W", "error", "-c", FROM_THERE, version, environment, cwd=folder)
        run(python, "-I", "-m", "pathmax", "demo", "--trials", "12", cwd=folder)
        run(python, "-I", "-m", "pathmax", "studies", "--help", cwd=folder)
        print(f"{megabytes(environment):.2f} MB of pathmax itself are installed")


def megabytes(environment: Path) -> float:
    """The size of pathmax's own files, without what Python compiles from them."""
    (package,) = environment.rglob("site-packages/pathmax")
    files = [f for f in package.rglob("*") if f.is_file() and "__pycache__" not in f.parts]
    return sum(f.stat().st_size for f in files) / 1e6


def run(*command: object, cwd: str | None = None) -> None:
    print("$", " ".join(map(str, command)), flush=True)
    subprocess.run([str(part) for part in command], cwd=cwd, check=True)


if __name__ == "__main__":
    for given in sys.argv[1:]:
        try_out(Path(given))
