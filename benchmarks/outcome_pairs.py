"""Tables of runs with several outcomes that not every method has: two methods at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import ranks
from benchmarks.clock import table


def pairs(kinds: Mapping[str, ranks.Traces], at: Sequence[int], ours: str = "pathmax") -> str:
    """Ours against each other method on the runs that these two share, for each kind of problem."""
    lines = []
    for kind, traces in kinds.items():
        for method in traces:
            if method == ours or not (shared := set(traces.get(ours, {})) & set(traces[method])):
                continue
            two = {ours: traces[ours], method: traces[method]}
            lead = ranks.differences(two, ours, at)[method]
            cells = [f"{mean:+.0%} ({low:+.0%} to {high:+.0%})" for mean, low, high in lead]
            problems = len({name for name, _ in shared})
            lines.append([method, kind, f"{len(shared)} of {problems}", *cells])
    if not lines:
        return f"No run is shared with {ours}."
    head = ["method", "problems", "runs of problems"]
    head += [f"{ours} ahead minus behind, after {n}" for n in at]
    says = f"{ours} against each other method, on the runs that the two share:"
    return says + "\n\n" + table(head, lines)


def feasible_counts(runs: Mapping[str, Mapping[tuple[str, int], Mapping[str, Any]]]) -> str:
    """In how many runs of each problem whose bounds bind something feasible was found."""
    bound = {
        name
        for found in runs.values()
        for (name, _), row in found.items()
        if "0" in row["feasible"]
    }
    lines = []
    for name in sorted(bound):
        cells = []
        for found in runs.values():
            words = [row["feasible"] for (problem, _), row in found.items() if problem == name]
            cells.append(f"{sum('1' in word for word in words)} of {len(words)}" if words else "-")
        lines.append([name, *cells])
    says = "Runs with a feasible result, of problems whose bounds bind:"
    return says + "\n\n" + table(["problem", *runs], lines)
