"""pathmax as a user gets it, through `Study` alone, behind the line protocol."""

from __future__ import annotations

from typing import Any

from link import serve
from shared_pool import known, pool

import pathmax


def parameter(one: dict[str, Any]) -> Any:
    if one["kind"] == "categorical":
        return pathmax.Categorical(one["choices"])
    kind = pathmax.Int if one["kind"] == "int" else pathmax.Float
    return kind(one["low"], one["high"], log=bool(one.get("log")))


class Pathmax:
    def start(
        self, space: list[dict[str, Any]], seed: int, method: str = "pims", **settings: Any
    ) -> dict[str, str]:
        self.study = pathmax.Study(
            {p["name"]: parameter(p) for p in space},
            direction="minimize",
            method=method,
            seed=seed,
            **settings,
        )
        self.trial: Any = None
        return {"version": pathmax.__version__}

    def ask(self) -> dict[str, Any]:
        self.trial = self.study.ask()
        return dict(self.trial.params)

    def tell(self, params: dict[str, Any], value: float) -> None:
        if self.trial is not None:
            self.study.tell(self.trial, value)
            self.trial = None
        else:
            self.study.add(params, value)

    def add(self, params: list[dict[str, Any]], values: list[float]) -> None:
        for one, value in zip(params, values, strict=True):
            self.study.add(one, value)

    def add_rows(self, params: list[dict[str, Any]], values: list[float]) -> None:
        pairs = zip(params, values, strict=True)
        self.study.add([one | {"value": value} for one, value in pairs])

    def count(self) -> int:
        return len(self.study.trials)

    def pool_start(self, rows: int, d: int, n: int) -> dict[str, str]:
        tried, values = known(rows, d, n)
        candidates = pathmax.Candidates(pool(rows, d))
        self.study = pathmax.Study(candidates, seed=0, initial=0)
        for row, value in zip(tried, values, strict=True):
            self.study.add(candidates.params(int(row)), float(value))
        self.candidates = candidates
        return {"version": pathmax.__version__}

    def pool_ask(self) -> int:
        trial = self.study.ask()
        return self.candidates.index(trial.params)


if __name__ == "__main__":
    serve(Pathmax())
