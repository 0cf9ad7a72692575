"""StudyView: a snapshot of a study with the words that templates need."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from pathmax.session.opening import older_of
from pathmax.session.session import GRACE
from pathmax.trials.info import Info
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.wording import corrections, outcome, plural
from pathmax.web.study_cache import StudyCache
from pathmax.workspace.attribute_cells import common_attributes
from pathmax.workspace.views.charts import reasons
from pathmax.workspace.views.snapshot import Snapshot
from pathmax.workspace.views.wording import Words, expected

MOST_FRONT = 12  # trials of the front that are listed beside the chart
MOST_CHOICES = 200  # of a parameter in a form; more are typed
MOST_STOPS = 5  # trials that were stopped early, beside the charts
SHOWN_SETTINGS = ("method", "seed", "initial", "noise", "replicates", "stopping")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form for one parameter."""

    name: str
    label: str
    range: str = ""
    choices: tuple[str, ...] = ()
    number: bool = False
    required: bool = True
    value: str | None = None


@dataclass(frozen=True)
class StudyView:
    """What templates ask of a study; what is not here they get from the snapshot."""

    snapshot: Snapshot
    cache: StudyCache

    def __getattr__(self, name: str) -> Any:
        return getattr(self.snapshot, name)

    @cached_property
    def words(self) -> Words:
        return Words(self.snapshot.layout)

    @property
    def single(self) -> bool:
        """Whether a result is one number and not several by name."""
        return self.snapshot.layout.goals is None

    @property
    def bounded(self) -> bool:
        return bool(self.snapshot.goals.constraints)

    @property
    def first_column(self) -> str:
        return self.snapshot.objectives[0]

    @property
    def goal_words(self) -> str:
        """What the study is for, in a line."""
        return ", ".join(self.wanted(column, named=True) for column in self.snapshot.columns)

    def wanted(self, column: str, *, named: bool = False) -> str:
        """What is wanted of an outcome, in words."""
        goal = self.snapshot.goal(column)
        unit = unit_after(self.words, column)
        shown = {end: f"{self.words.result(getattr(goal, end))}{unit}" for end in ("low", "high")}
        low, high = (abs(bound) < float("inf") for bound in (goal.low, goal.high))
        bounds = ""
        if low and high:
            bounds = f"{shown['low']} to {shown['high']}"
        elif low or high:
            bounds = f"at least {shown['low']}" if low else f"at most {shown['high']}"
        direction = f"{goal.direction} {self.words.label(column)}" if named else str(goal.direction)
        if not goal.is_objective:
            return f"{column} {bounds}" if named else bounds
        if goal.reference is not None:
            bounds += f"{', ' if bounds else ''}worth something from {goal.reference:g}{unit}"
        return f"{direction} ({bounds})" if bounds else direction

    def names(self, trial: Trial) -> list[str]:
        """The parameters of a trial, those of the space first."""
        domain = self.snapshot.layout.domain
        known = [name for name in domain.names if name in trial.params]
        return known + [name for name in trial.params if name not in domain.names]

    @property
    def front_listed(self) -> list[Trial]:
        """The latest trials of the front, by their first objective."""
        latest = sorted(self.snapshot.front, key=lambda trial: -trial.number)[:MOST_FRONT]
        name = self.snapshot.goals.first.name
        return sorted(latest, key=lambda trial: trial.outcomes[name])

    @property
    def failures(self) -> list[tuple[str, list[Trial]]]:
        return reasons(self.snapshot.failed)

    @property
    def stops(self) -> list[Trial]:
        """The latest trials that were stopped early, the last one first."""
        return list(self.snapshot.stopped[: -MOST_STOPS - 1 : -1])

    def lacking(self, trial: Trial) -> dict[str, str]:
        """The outcomes of a result that are still to come, by column."""
        if trial.state is not TrialState.COMPLETE:
            return {}
        columns = self.snapshot.columns.items()
        return {column: name for column, name in columns if name not in trial.outcomes}

    def is_chosen(self, trial: Trial) -> bool:
        """Whether a trial is the best, or on the front."""
        best = self.snapshot.best
        return trial.number in self._front or (best is not None and best.number == trial.number)

    @cached_property
    def _front(self) -> frozenset[int]:
        return frozenset(trial.number for trial in self.snapshot.front)

    def is_quiet(self, trial: Trial) -> bool:
        """Whether a worker that should send heartbeats has stopped."""
        return trial.heartbeat_at is not None and time.time() - trial.heartbeat_at > GRACE

    def info(self, trial: Trial) -> Info:
        """What explains a trial: a snapshot has none of it."""
        return Info(self.cache.explained([trial])[0].info)

    def expectation(self, trial: Trial) -> str:
        """What was expected of a suggestion, in a line, and what its model left out."""
        info = self.info(trial)
        if info.method == "design":
            return "First design: spread over the space."
        if info.method == "random":
            return "Drawn at random."
        told = []
        for column, name in self.snapshot.columns.items():
            section = info.section(name)
            if {"mean", "std"} <= section.keys():
                head = "" if self.single else f"{column} "
                mean, std = section["mean"], section["std"]
                told.append(f"{head}{expected(mean, std)}{unit_after(self.words, column)}")
        if told and self.snapshot.target:
            told[-1] += f", at the target {self.snapshot.target}"
        remark = f". {info.remark[:1].upper()}{info.remark[1:]}." if info.remark else ""
        return f"Expected when suggested: {', '.join(told)}{remark}" if told else ""

    def reported(self, trial: Trial) -> str:
        """What a trial reported last: step 12, loss 0.61; empty when it never did."""
        curve = self.snapshot.curves.get(trial.number)
        if curve is None or curve.last_step is None:
            return ""
        seen = curve.points[curve.last_step]
        told = [
            f"{column} {self.words.result(seen[name])}{unit_after(self.words, column)}"
            for column, name in self.snapshot.columns.items()
            if name in seen
        ]
        return f"step {curve.last_step:,}: {', '.join(told)}"

    def expected_end(self, trial: Trial, column: str) -> str:
        """What the curve of a stopped trial led to expect, with its unit; empty for nothing."""
        end = trial.expected_end.get(self.snapshot.columns[column])
        if end is None:
            return ""
        return f"{expected(end[0], math.sqrt(end[1]))}{unit_after(self.words, column)}"

    def cost(self, trial: Trial) -> str:
        """What a trial cost or will; empty where costs do not matter or are not known."""
        found = self.snapshot.cost(trial) if self.snapshot.has_costs else None
        return "" if found is None else f"{found:.4g}"

    def remark(self, trial: Trial) -> str:
        """The note of a trial, why it failed or was stopped, and how often it was corrected."""
        ended = trial.state in (TrialState.FAILED, TrialState.STOPPED)
        parts = [trial.note or "", trial.error or "" if ended else ""]
        parts += [f"corrected, was {outcome(was)}" for was in corrections(trial)[-1:]]
        return "; ".join(part for part in parts if part)

    @cached_property
    def attributes(self) -> list[str]:
        """The names of all attributes, those that most trials have first."""
        return common_attributes(self.snapshot.trials)

    @property
    def header(self) -> str:
        """The columns that a table needs."""
        return ", ".join((*self.snapshot.layout.required, *self.snapshot.columns))

    @property
    def filter_example(self) -> str:
        """A sentence about this study, to show what the filter understands."""
        domain = self.snapshot.layout.domain
        for name in domain.names:
            numbers = domain.range_of(name)
            if name.isidentifier() and numbers is not None:
                return f"{name} > {(numbers.low + numbers.high) / 2:.3g}"
        column = self.first_column
        return f"{column} > 0" if column.isidentifier() else "trial > 10"

    @cached_property
    def fields(self) -> list[Field]:
        """What a form asks for to add a result."""
        domain = self.snapshot.layout.domain
        names = domain.names if domain.key is None else self.snapshot.layout.required
        return [self._field(name) for name in names]

    @cached_property
    def contexts(self) -> list[Field]:
        """What a form asks for to suggest: what is given and not chosen."""
        return [self._field(name) for name in self.snapshot.layout.domain.context_names]

    def _field(self, name: str) -> Field:
        domain, label = self.snapshot.layout.domain, self.words.label(name)
        numbers, choices = domain.range_of(name), domain.choices(name)
        if numbers is not None:
            bounds = f"{numbers.low:g} to {numbers.high:g}"
            return Field(name, label, bounds, number=True, required=numbers.when is None)
        if choices is None:
            return Field(name, label, required=name in self.snapshot.layout.required)
        if name not in domain.searched_names:
            return Field(name, label, value=self.words.setting(name, choices[0]))
        few = choices if len(choices) <= MOST_CHOICES else ()
        return Field(name, label, choices=tuple(self.words.setting(name, one) for one in few))

    @property
    def described(self) -> list[tuple[str, str]]:
        """Each parameter and what it may be, in words."""
        domain = self.snapshot.layout.domain
        return [(n, domain.describe(n, partial(self.words.setting, n))) for n in domain.names]

    @property
    def sentences(self) -> list[str]:
        """What is known to hold of all settings."""
        domain = self.snapshot.layout.domain
        known = domain.where
        mixtures = domain.mixtures
        told = [f"{' + '.join(each.components)} = {each.total:g}" for each in mixtures]
        told += [f"at most {m.at_most} of {', '.join(m.components)}" for m in mixtures if m.at_most]
        told += [str(each) for each in known.sentences]
        return told + [each.name for each in known.functions]

    @property
    def size(self) -> str:
        count = self.snapshot.layout.domain.cardinality
        return "" if count is None else f"{count:,} in all"

    @property
    def settings(self) -> list[tuple[str, str]]:
        """How the study suggests."""
        stored = self.cache.record.settings
        shown = [(key, _said(stored[key])) for key in SHOWN_SETTINGS if stored.get(key) is not None]
        older = [
            f"{one.name} ({plural(len(one), 'result')})" for one in older_of(self.cache.record)
        ]
        return shown + ([("learns from", ", ".join(older))] if older else [])


def _said(value: Any) -> str:
    """A setting in words: yes and no, and of a rule with details all of them."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(str(v) if k == "rule" else f"{k} {v}" for k, v in value.items())
    return str(value)


def unit_after(words: Words, column: str) -> str:
    """The unit of a column as it follows a number; empty when there is none."""
    unit = words.unit(column)
    return f" {unit}" if unit else ""
