"""Optuna's samplers for constraints and several objectives behind the line protocol."""

from __future__ import annotations

from typing import Any

import optuna
from link import serve
from with_optuna import distribution

optuna.logging.set_verbosity(optuna.logging.ERROR)
VIOLATIONS = "violations"


def violations(trial: optuna.trial.FrozenTrial) -> list[float]:
    return list(trial.user_attrs[VIOLATIONS])


class Optuna:
    def start(
        self,
        space: list[dict[str, Any]],
        seed: int,
        objectives: list[str],
        constraints: list[str],
        reference: list[float] | None = None,
        method: str = "gp",
    ) -> dict[str, str]:
        samplers = {
            "gp": optuna.samplers.GPSampler,
            "tpe": optuna.samplers.TPESampler,
            "nsga2": optuna.samplers.NSGAIISampler,
            "random": optuna.samplers.RandomSampler,
        }
        options: dict[str, Any] = {"seed": seed}
        if constraints and method != "random":
            options["constraints_func"] = violations
        if method == "nsga2":
            options["population_size"] = 12  # of 60 evaluations 50, the default, leaves none
        self.objectives, self.constraints = objectives, constraints
        self.space = {p["name"]: distribution(p) for p in space}
        self.study = optuna.create_study(
            directions=["minimize"] * len(objectives), sampler=samplers[method](**options)
        )
        self.trial: optuna.Trial | None = None
        return {"version": optuna.__version__}

    def ask(self) -> dict[str, Any]:
        self.trial = self.study.ask(self.space)
        return dict(self.trial.params)

    def tell(self, params: dict[str, Any], outcomes: dict[str, float] | None) -> None:
        assert self.trial is not None
        wanted = {*self.objectives, *self.constraints}
        if outcomes is None or not wanted <= set(outcomes):  # a trial has all values or none
            # which samplers ask for of trials that failed, too
            self.trial.set_user_attr(VIOLATIONS, [1.0] * len(self.constraints))
            self.study.tell(self.trial, state=optuna.trial.TrialState.FAIL)
            return
        self.trial.set_user_attr(VIOLATIONS, [outcomes[c] for c in self.constraints])
        self.study.tell(self.trial, [outcomes[f] for f in self.objectives])

    def add(self, params: list[dict[str, Any]], outcomes: list[dict[str, float]]) -> None:
        for one, told in zip(params, outcomes, strict=True):
            self.study.enqueue_trial(one)
            self.ask()
            self.tell(one, told)


if __name__ == "__main__":
    serve(Optuna())
