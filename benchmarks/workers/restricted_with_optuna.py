"""Optuna's TPE with known restrictions behind the line protocol.

Optuna has none that it keeps: conditions are asked for one by one, as its users do, the last
component of a mixture is what is left of the whole, and what breaks a restriction is reported
through `constraints_func`.
"""

from __future__ import annotations

from typing import Any

import optuna
from link import serve
from with_optuna import distribution

optuna.logging.set_verbosity(optuna.logging.ERROR)
BROKEN = "broken"


class Optuna:
    def start(self, problem: dict[str, Any], seed: int) -> dict[str, str]:
        options: dict[str, Any] = {"seed": seed}
        if problem["linear"] or problem["forbidden"]:
            options["constraints_func"] = lambda trial: [trial.user_attrs[BROKEN]]
        self.space = problem["space"]
        self.whole = next((one for one in problem["linear"] if one["is"] == "equal"), None)
        self.study = optuna.create_study(sampler=optuna.samplers.TPESampler(**options))
        self.worst = 0.0
        return {"version": optuna.__version__}

    def ask(self) -> dict[str, Any]:
        self.trial = self.study.ask()
        params: dict[str, Any] = {}
        asked = self.space if self.whole is None else self.space[:-1]
        for p in asked:
            condition = p.get("when")
            if condition is None or params.get(condition["name"]) in condition["in"]:
                params[p["name"]] = self.trial._suggest(p["name"], distribution(p))
        if self.whole is not None:
            params[self.space[-1]["name"]] = self.whole["bound"] - sum(params.values())
        return params

    def tell(self, params: dict[str, Any], value: float | None, broken: float) -> None:
        if value is not None:
            self.worst = max(self.worst, value)
        self.trial.set_user_attr(BROKEN, broken)
        self.study.tell(self.trial, self.worst if value is None else value)


if __name__ == "__main__":
    serve(Optuna())
