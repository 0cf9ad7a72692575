"""The limit on threads of BLAS, in processes that fork."""

import os
import subprocess
import sys

import pytest

LOOKS = """
import ctypes, os, threading, time, warnings
import scipy.linalg, threadpoolctl
from pathmax.gp import blas_threads
warnings.simplefilter("ignore", DeprecationWarning)  # of forking with threads: that is the point
libc, begun, parent = ctypes.CDLL(None), threading.Event(), os.getpid()
Look = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p)

def slow_look(*_):  # the loader is locked meanwhile
    begun.set()
    time.sleep(0.3 if os.getpid() == parent else 0.0)
    return 1

class Slow(threadpoolctl.ThreadpoolController):
    def __init__(self):
        libc.dl_iterate_phdr(Look(slow_look), b"")
        super().__init__()

threadpoolctl.ThreadpoolController = Slow

def work():
    with blas_threads.small_blas(10):
        pass

thread = threading.Thread(target=work)
thread.start()
begun.wait()
pid = os.fork()
if not pid:
    work()
    libc.dl_iterate_phdr(Look(slow_look), b"")
    os._exit(0)
deadline = time.monotonic() + 30.0
while not (found := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < deadline:
    time.sleep(0.01)
if not found[0]:
    os.kill(pid, 9)
thread.join()
work()
print(os.waitstatus_to_exitcode(found[1]) if found[0] else "stuck")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the loader of Linux")
def test_no_process_forks_while_libraries_are_looked_for():
    """A child had the lock of the C library shut for ever, and hung in its first suggestion."""
    done = subprocess.run(
        [sys.executable, "-c", LOOKS], capture_output=True, text=True, timeout=120, env=os.environ
    )
    assert (done.stdout.strip(), done.stderr) == ("0", "")
