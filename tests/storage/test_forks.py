"""Forks while other threads are inside imports: no child waits for a thread that it does not have.

Each is a program of its own, since a fork copies all threads of the process.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")

MODULE = """
import os, __main__ as program
if os.getpid() == program.parent:
    program.begun.set()
    program.go.wait()
made_by = os.getpid()
"""

PROGRAM = """
import os, threading, time, warnings
from pathmax.storage import forks
warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads: that is the point
parent, begun, go = os.getpid(), threading.Event(), threading.Event()
forks.LONGEST_WAIT = 0.05
{setting}
def load():
    import slow
thread = threading.Thread(target=load)
thread.start()
begun.wait()
pid = os.fork()
if not pid:
    import slow
    os._exit(0 if slow.made_by == parent else 1)
deadline = time.monotonic() + 30.0
while not (found := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < deadline:
    time.sleep(0.01)
if not found[0]:
    os.kill(pid, 9)
go.set()
thread.join()
print(os.waitstatus_to_exitcode(found[1]) if found[0] else "stuck")
"""


def outcome(setting: str, folder: Path) -> str:
    (folder / "slow.py").write_text(MODULE)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(setting=setting)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_a_fork_waits_for_an_import_of_another_thread(tmp_path: Path):
    """It gave up after two seconds, which a busy machine needs for the models; the child hung."""
    assert outcome("threading.Timer(0.3, go.set).start()", tmp_path) == "0"


def test_what_is_never_imported_to_its_end_is_imported_anew_in_the_child(tmp_path: Path):
    assert outcome("forks.LONGEST_IMPORT = 0.1", tmp_path) == "1"


def test_a_fork_in_the_middle_of_an_import_does_not_wait_for_those_who_wait_for_it(tmp_path: Path):
    (tmp_path / "forking.py").write_text(
        """
import os, threading, time, __main__ as program
thread = threading.Thread(target=program.load)
thread.start()
while not program.waits_for_me():
    time.sleep(0.001)
began = time.monotonic()
pid = os.fork()
if not pid:
    os._exit(0)
took = time.monotonic() - began
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""
    )
    program = """
import warnings
from pathmax.storage import forks
warnings.simplefilter("ignore", DeprecationWarning)
forks.LONGEST_WAIT = 0.05
import _frozen_importlib
def load():
    import other
def waits_for_me():
    return "other" in _frozen_importlib._module_locks
import forking
forking.thread.join()
print(forking.code, forking.took < 20.0)
"""
    (tmp_path / "other.py").write_text("import forking")
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )
    assert (done.stdout.strip(), done.stderr) == ("0 True", "")
