"""The line protocol between a benchmark and a peer: one JSON object a line, both ways.

A worker is a script that runs inside a peer's own virtual environment, so this file needs nothing
but the standard library. A request names the method to call and its arguments::

    -> {"call": "ask", "with": {}}
    <- {"result": {...}, "seconds": 0.0123}      the time of the call alone, on the worker's clock
    <- {"error": "ValueError: ..."}

Everything that the peer prints goes to standard error, out of the way of the answers.
"""

from __future__ import annotations

import json
import math
import resource
import sys
import time
import traceback
import warnings
from typing import Any


def serve(service: Any) -> None:
    """Answer requests from standard input with the methods of `service` until it closes."""
    answers = sys.stdout
    sys.stdout = sys.stderr
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["call"] == "peak_megabytes":
                result: Any = peak_megabytes()
                seconds = 0.0
            elif request["call"] == "processor_seconds":
                result, seconds = time.process_time(), 0.0
            else:
                method = getattr(service, request["call"])
                started = time.perf_counter()
                result = method(**request.get("with", {}))
                seconds = time.perf_counter() - started
            answer = {"result": result, "seconds": seconds}
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def peak_megabytes() -> float:
    """The most memory that this process ever had.

    `ru_maxrss` begins with what the parent had when it forked; the peak of /proc does not.
    """
    try:
        with open("/proc/self/status") as status:
            return next(float(line.split()[1]) / 1024 for line in status if "VmHWM" in line)
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# A parameter as the benchmarks describe it to every peer:
# {"name": "rate", "kind": "float" | "int" | "categorical", "low", "high", "log", "choices"}


def to_unit(parameter: dict[str, Any], value: Any) -> float:
    """A numeric parameter's value on [0, 1], for peers that know boxes only."""
    low, high = float(parameter["low"]), float(parameter["high"])
    if parameter.get("log"):
        return (math.log(value) - math.log(low)) / (math.log(high) - math.log(low))
    return (float(value) - low) / (high - low)


def from_unit(parameter: dict[str, Any], u: float) -> float | int:
    """The inverse of `to_unit`; integers are rounded to the nearest one."""
    low, high = float(parameter["low"]), float(parameter["high"])
    u = min(max(float(u), 0.0), 1.0)
    if parameter.get("log"):
        value = math.exp(math.log(low) + u * (math.log(high) - math.log(low)))
    else:
        value = low + u * (high - low)
    value = min(max(value, low), high)
    return round(value) if parameter["kind"] == "int" else value
