"""Optuna's samplers (GPSampler, TPE, and any named one) behind the line protocol."""

from __future__ import annotations

from typing import Any

import optuna
from link import serve

optuna.logging.set_verbosity(optuna.logging.ERROR)


def distribution(parameter: dict[str, Any]) -> optuna.distributions.BaseDistribution:
    if parameter["kind"] == "categorical":
        return optuna.distributions.CategoricalDistribution(parameter["choices"])
    log = bool(parameter.get("log"))
    if parameter["kind"] == "int":
        return optuna.distributions.IntDistribution(parameter["low"], parameter["high"], log=log)
    return optuna.distributions.FloatDistribution(parameter["low"], parameter["high"], log=log)


class Optuna:
    def start(self, space: list[dict[str, Any]], seed: int, method: str = "gp") -> dict[str, str]:
        samplers = {
            "gp": optuna.samplers.GPSampler,
            "tpe": optuna.samplers.TPESampler,
            "qmc": optuna.samplers.QMCSampler,
            "cmaes": optuna.samplers.CmaEsSampler,
        }
        self.space = {p["name"]: distribution(p) for p in space}
        self.study = optuna.create_study(sampler=samplers[method](seed=seed))
        self.trial: optuna.Trial | None = None
        return {"version": optuna.__version__}

    def ask(self) -> dict[str, Any]:
        self.trial = self.study.ask(self.space)
        return dict(self.trial.params)

    def ask_batch(self, size: int) -> list[dict[str, Any]]:
        self.batch = [self.study.ask(self.space) for _ in range(size)]
        return [dict(trial.params) for trial in self.batch]

    def tell_batch(self, values: list[float]) -> None:
        for trial, value in zip(self.batch, values, strict=True):
            self.study.tell(trial, value)

    def tell(self, params: dict[str, Any], value: float) -> None:
        if self.trial is not None and self.trial.params == params:
            self.study.tell(self.trial, value)
            self.trial = None
        else:
            self.add([params], [value])

    def add(self, params: list[dict[str, Any]], values: list[float]) -> None:
        for one, value in zip(params, values, strict=True):
            self.study.add_trial(
                optuna.trial.create_trial(params=one, distributions=self.space, value=value)
            )


if __name__ == "__main__":
    serve(Optuna())
