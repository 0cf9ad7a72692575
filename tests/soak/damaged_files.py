"""Files that a disk, a transfer or another program has damaged: databases, tables, space files.

What must hold: an error of ours, or the part that can be read. A file that is refused stays as it
is, byte for byte.
"""

from __future__ import annotations

import sqlite3
import warnings
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from pathmax import Candidates, Categorical, Float, Study
from pathmax.errors import DamageWarning, ForeignStorageError, PathmaxError
from pathmax.tables import read_cells, read_table
from pathmax.workspace.space_file import read_space

ROWS = 'm1;20,5;a;1,25\nm2;70;b;\n\nm3;"80";a;3e-4\n=m4;90;b;7\n'
TABLE = "name;T (°C);kind;yield\n" + 3 * ROWS
SPACE = """study = "s"
[objective]
name = "yield"
direction = "maximize"
[parameters]
temperature = { low = 20, high = 120, unit = "°C" }
rate = { low = 1e-5, high = 0.1, log = true }
solvent = ["DMF", "THF"]
[settings]
seed = 1
"""
CONTENT = [
    None,
    "x",
    5,
    -1,
    9e999,
    b"\xff\xfe",
    "[",
    "[1]",
    "{}",
    "9" * 400,
    "null",
    '{"x": 1e999}',
]


def run(seed: int, number: int) -> Counter[str]:
    """Damage one file of a kind by chance and use it; what came of it."""
    rng = np.random.default_rng([seed, number])
    kind = ("bytes", "rows", "table", "space")[int(rng.integers(4))]
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DamageWarning)
        ending = {"bytes": _bytes, "rows": _rows, "table": _table, "space": _space}[kind](
            rng, Path(folder)
        )
    return Counter({"files": 1, f"{kind}: {ending}": 1})


@cache
def whole() -> bytes:
    """A database with a study of eight results, a failure and two running trials."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "lab.db"
        space = {"x": Float(0, 1), "c": Categorical(["a", "b"])}
        study = Study(space, name="s", storage=file, seed=0, initial=3)
        for i in range(8):
            study.tell(study.ask(), float(i % 3), note=f"note {i}")
        study.fail(study.ask(), "spilt")
        study.ask(2)
        study.storage.close()
        return file.read_bytes()


def _bytes(rng: np.random.Generator, folder: Path) -> str:
    data, file = spoiled(rng, whole()), folder / "lab.db"
    file.write_bytes(data)
    ending = _use(file)
    if ending == "refused":
        assert file.read_bytes() == data, "a file that was refused has been changed"
    return ending


def _rows(rng: np.random.Generator, folder: Path) -> str:
    file = folder / "lab.db"
    file.write_bytes(whole())
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("PRAGMA writable_schema=ON")  # columns take anything, as a disk does
        database.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
    with closing(sqlite3.connect(file)) as database, database:
        for _ in range(int(rng.integers(1, 4))):
            table = str(rng.choice(["studies", "trials", "trials", "trials", "counters"]))
            columns = [row[1] for row in database.execute(f"PRAGMA table_info(pathmax_{table})")]
            column = str(rng.choice([c for c in columns if c not in ("id", "study_id")]))
            content = CONTENT[int(rng.integers(len(CONTENT)))]
            where = f"WHERE number = {rng.integers(11)}" if table == "trials" else ""
            statement = f"UPDATE OR IGNORE pathmax_{table} SET {column} = ? {where}"
            if rng.random() < 0.15:
                database.execute(f"DELETE FROM pathmax_{table} {where}")
            else:
                database.execute(statement, [content])
    return _use(file)


def _use(file: Path) -> str:
    """What a user does with a study, each with an error of ours or without one."""
    try:
        study = Study.load("s", storage=file)
    except ForeignStorageError:
        return "refused"
    except PathmaxError:
        return "named"
    ending, trials = "read", []
    for call in (
        lambda: trials.extend(study.trials),
        lambda: study.best_trial,
        lambda: study.ask(),
        lambda: study.tell(9, 1.0),
        lambda: study.correct(4, 2.0),
        lambda: study.annotate(4, note="x"),
        lambda: study.replay(5),
        lambda: str(study.explain(5)),
        lambda: study.predict([{"x": 0.5, "c": "a"}]),
    ):
        try:
            call()
        except PathmaxError as error:
            assert str(error)
            ending = "in part"
    study.storage.close()
    return ending


def _table(rng: np.random.Generator, folder: Path) -> str:
    file = folder / "table.csv"
    file.write_bytes(spoiled(rng, TABLE.encode(str(rng.choice(["utf-8", "utf-8-sig", "cp1252"])))))
    endings = set()
    for read in (read_table, read_cells, Candidates.from_csv):
        try:
            read(file)
            endings.add("read")
        except PathmaxError as error:
            assert "table.csv" in str(error)
            endings.add("named")
    return "read" if endings == {"read"} else "named"


def _space(rng: np.random.Generator, folder: Path) -> str:
    file = folder / "space.toml"
    file.write_bytes(spoiled(rng, SPACE.encode()))
    try:
        read_space(file)
    except PathmaxError as error:
        assert str(error)
        return "named"
    return "read"


def spoiled(rng: np.random.Generator, data: bytes) -> bytes:
    """Bytes with some of them changed, lost, doubled or moved."""
    found = bytearray(data)
    for _ in range(int(rng.integers(1, 3))):
        i, j = sorted(int(k) for k in rng.integers(0, len(found) + 1, 2))
        match int(rng.integers(5)):
            case 0:
                for k in rng.integers(0, max(len(found), 1), rng.integers(1, 9)):
                    if k < len(found):
                        found[k] = int(rng.integers(256))
            case 1:
                del found[j:]
            case 2:
                del found[i : min(j, i + 64)]
            case 3:
                found[i:i] = found[i : i + 64]
            case _:
                found[i : i + 16] = bytes(min(16, len(found) - i))
    return bytes(found)
