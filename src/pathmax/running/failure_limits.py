"""Failures that end a run: the fault of the objective or of its workers, not of the points."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import final

from pathmax.errors import ObjectiveError
from pathmax.running.evaluation import Report

# Trials that fail alike before anything succeeds: then it is not the fault of the points.
FIRST_FAILURES = 5
MOST_DEATHS = 5  # of workers in a row, before anything came back

NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")  # errors often quote what they were given


@final
@dataclass(slots=True)
class FailureLimits:
    """What has failed so far in a run."""

    alike: list[str] | None = field(default_factory=list)  # errors, until there is another outcome
    deaths: int = 0

    def came_back(self, report: Report) -> None:
        """A worker returned something, be it an error."""
        self.deaths = 0
        if report.error is None:
            self.alike = None

    def check_alike(
        self, report: Report, n_trials: int | None, nothing_succeeded: Callable[[], bool]
    ) -> None:
        """Count failures that are alike; end the run at `FIRST_FAILURES` without a result."""
        if self.alike is None or report.error is None:
            return
        words = report.error.splitlines()[0]
        self.alike.append(NUMBER.sub("#", words))
        if len(set(self.alike)) > 1:
            self.alike = None
        elif len(self.alike) in (FIRST_FAILURES, n_trials) and nothing_succeeded():
            count = len(self.alike)
            every = f"the first {count} trials" if count > 1 else "the first trial"
            raise ObjectiveError(
                f"{every} failed with the same error: {words}; correct the objective, or go on "
                'regardless with on_error="fail". The trials are kept as failed'
            ) from report.cause

    def check_deaths(self, words: str, error: Exception, finished: int) -> None:
        """Count workers that died; end the run when nothing else has happened."""
        self.deaths += 1
        if self.deaths >= MOST_DEATHS and self.deaths == finished + 1:
            raise ObjectiveError(
                f"{self.deaths} workers died one after the other and none returned anything "
                f"({words}); check that a worker can import the objective: define it in a module, "
                'and start the script under `if __name__ == "__main__":`'
            ) from error
