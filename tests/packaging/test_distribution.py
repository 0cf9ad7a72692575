"""What would be uploaded: complete, small, with the base dependencies and no more."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import pathmax
from tests.packaging import pythons

ROOT = Path(__file__).parents[2]
BASE = ["click", "numpy", "rich", "scipy", "sqlalchemy", "threadpoolctl"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and a source distribution, built here without asking a registry for the builder."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


def test_both_pass_the_strict_check(built: Path):
    files = [str(file) for file in built.iterdir()]
    command = [sys.executable, "-m", "twine", "check", "--strict", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("PASSED") == 2, done.stdout


def test_the_wheel_has_every_file_and_stays_small(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        inside = {info.filename: info.file_size for info in archive.infolist()}
    ours = {name: size for name, size in inside.items() if name.startswith("pathmax/")}
    source = ROOT / "src"
    there = {
        file.relative_to(source).as_posix()
        for file in (source / "pathmax").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert set(ours) == there and "pathmax/py.typed" in ours
    assert sum(ours.values()) < 3_500_000  # unpacked; the sources alone are 3.0 million
    assert wheel.stat().st_size < 1_500_000
    others = {name.split("/")[0] for name in inside} - {"pathmax"}
    assert len(others) == 1 and others.pop().endswith(".dist-info")


def test_the_version_is_the_same_everywhere(wheel: Path):
    cited = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited is not None and cited[1] == pathmax.__version__
    assert wheel.name.split("-")[1] == pathmax.__version__
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(pathmax.__version__)}\b", changes, re.MULTILINE)


def test_every_requirement_stands_with_its_licence_on_the_page():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    ours = {"all", "test", "docs", "dev"}
    required = {"pathmax": project["dependencies"]}
    required |= {f"[{name}]": needed for name, needed in extras.items() if name not in ours}
    page = (ROOT / "docs" / "licences.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w, -]+) \| ([^|]+) \| [^|]+ \|$", page, re.MULTILINE)
    listed = {(package, row[1]) for row in rows for package in row[0].split(", ")}
    missing = [
        (package[0], where)
        for where, needed in required.items()
        for each in needed
        if (package := re.match(r"[\w-]+", each))
        and not any(name == package[0] and where in said for name, said in listed)
    ]
    assert missing == []


def test_what_it_says_of_itself(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith("METADATA")]
        said = Parser().parsestr(archive.read(name).decode())
    required = [line for line in said.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert sorted(re.match(r"[\w-]+", line)[0].lower() for line in required) == BASE
    assert said["Requires-Python"] == ">=3.11"
    classified = said.get_all("Classifier", [])
    for version in pythons.VERSIONS:
        assert f"Programming Language :: Python :: {version}" in classified


def test_licences_of_what_others_made_go_with_it(built: Path, wheel: Path):
    """The direction numbers of the Sobol sequence came without theirs."""
    with zipfile.ZipFile(wheel) as archive:
        kept = {name: archive.read(name) for name in archive.namelist() if "/licenses/" in name}
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for needed in project["license-files"]:
        (found,) = [text for name, text in kept.items() if name.endswith(f"licenses/{needed}")]
        assert found == (ROOT / needed).read_bytes() and needed in names
    assert any(b"Frances Y. Kuo and Stephen Joe" in text for text in kept.values())


def test_the_source_distribution_has_what_its_tests_need(built: Path):
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in ("src/pathmax/__init__.py", "tests/conftest.py", "docs/index.md", "Makefile",
                   "examples/demo.py", "benchmarks/__init__.py", "LICENSE"):  # fmt: skip
        assert needed in names
    assert not [name for name in names if "__pycache__" in name or ".venv" in name]


def test_every_relative_link_of_a_page_leads_to_a_file_of_the_source_distribution(built: Path):
    """README linked to a report that was left out."""
    (file,) = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = {str(parent) for name in names for parent in Path(name).parents}
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "examples" / "README.md"]
    dead = []
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)#\s]+)", text):
            if re.match(r"[a-z]+:", link):
                continue
            target = os.path.relpath(page.parent / link, ROOT)
            dead += [] if {target, target.rstrip("/")} & {*names, *folders} else [(page.name, link)]
    assert len(pages) > 30 and dead == []


def test_the_wheel_runs_from_where_it_is_installed(wheel: Path, tmp_path: Path):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, "--target", str(tmp_path / "site"), str(wheel)], check=True)
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    script = "import pathmax; print(pathmax.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(done.stdout.strip()).is_relative_to(tmp_path)
    demo = [sys.executable, "-m", "pathmax", "demo", "--trials", "6"]
    done = subprocess.run(demo, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_interpreters_are_found_and_told_apart(tmp_path: Path):
    here = ".".join(map(str, sys.version_info[:2]))
    assert pythons.is_version(Path(sys.executable), here)
    assert not pythons.is_version(Path(sys.executable), "3.9")
    assert pythons.installed(here) is not None
    assert pythons.installed("3.999") is None
