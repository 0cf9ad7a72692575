"""Taking times, and saying on what machine and with what versions they were taken."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any


def seconds(
    work: Callable[[], Any],
    repeats: int = 5,
    at_least: float = 0.02,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """The median time of `work`; calls too short for the clock are timed in groups."""
    started = clock()
    work()
    once = clock() - started
    group = max(1, int(at_least / max(once, 1e-7)))
    times = []
    for _ in range(repeats):
        started = clock()
        for _ in range(group):
            work()
        times.append((clock() - started) / group)
    return sorted(times)[len(times) // 2]


def readable(duration: float) -> str:
    """0.00123 -> '1.2 ms'."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if duration >= size or unit == "us":
            number = duration / size
            return f"{number:.0f} {unit}" if number >= 99.5 else f"{number:.2g} {unit}"
    raise AssertionError


def times(ratio: float) -> str:
    """4.81 -> '4.8x'; nothing for what was not measured."""
    if ratio != ratio:
        return "-"
    return f"{ratio:.0f}x" if ratio >= 10.0 else f"{ratio:.1f}x"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def machine() -> str:
    """One line: processor, cores, Python and the libraries that decide."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as info:
            name = next(line.split(":", 1)[1].strip() for line in info if "model name" in line)
    except (OSError, StopIteration):
        pass
    libraries = ", ".join(f"{one} {version(one)}" for one in ("numpy", "scipy", "pathmax"))
    cores = os.cpu_count()
    return f"{name}, {cores} cores, Python {platform.python_version()}, {libraries}"
