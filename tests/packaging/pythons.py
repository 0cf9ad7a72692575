"""Run the tests on every CPython from 3.11 to 3.14 that is installed: `make test-pythons`.

    python -m tests.packaging.pythons tests/space tests/gp

Looks on the path and among the versions of pyenv. Each gets an environment of its own in
.venv-3.12 and so on; says at the end which passed, which failed and which are not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PYTHON = Path("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def installed(version: str) -> Path | None:
    """An interpreter of that version, if there is one that works."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [*sorted(pyenv.glob(f"{version}*/{PYTHON}"))]
    on_path = shutil.which(f"python{version}")
    found += [Path(on_path)] if on_path else []
    if version == ".".join(map(str, sys.version_info[:2])):
        found.append(Path(sys.executable))
    return next((python for python in reversed(found) if is_version(python, version)), None)


def is_version(python: Path, version: str) -> bool:
    """A name on the path may belong to a version manager that has no such Python."""
    script = "import sys; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"
    done = subprocess.run([python, "-c", script], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.split() == [version, "cpython"]


def run_tests(python: Path, version: str, tests: list[str]) -> bool:
    """Install what the tests need, if it is not there, and run them."""
    environment = Path(f".venv-{version}")
    inside = environment / PYTHON
    if not inside.exists():
        subprocess.run([python, "-m", "venv", environment], check=True)
    pip = [inside, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--editable", ".[test]"], check=True)
    return subprocess.run([inside, "-m", "pytest", "-q", "-n", "2", *tests]).returncode == 0


def main(tests: list[str]) -> int:
    said = {}
    for version in VERSIONS:
        python = installed(version)
        if python is None:
            said[version] = "not installed"
            continue
        print(f"Python {version}: {python}", flush=True)
        try:
            said[version] = "passed" if run_tests(python, version, tests) else "FAILED"
        except subprocess.CalledProcessError as error:
            said[version] = f"FAILED to install: {error}"
    print("\n".join(f"Python {version}: {words}" for version, words in said.items()))
    return int(any(words.startswith("FAILED") for words in said.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
