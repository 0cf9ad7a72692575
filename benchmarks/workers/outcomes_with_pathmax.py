"""pathmax with several outcomes, through `Study` alone, behind the line protocol."""

from __future__ import annotations

from typing import Any

from link import serve
from with_pathmax import parameter

import pathmax


class Pathmax:
    def start(
        self,
        space: list[dict[str, Any]],
        seed: int,
        objectives: list[str],
        constraints: list[str],
        reference: list[float] | None = None,
        method: str = "pims",
        told: bool = False,
        within: dict[str, float] | None = None,
        **settings: Any,
    ) -> dict[str, str]:
        bounds: dict[str, Any] = dict.fromkeys(constraints, "<= 0")
        bounds |= {name: (-width, width) for name, width in (within or {}).items()}
        self.study = pathmax.Study(
            {p["name"]: parameter(p) for p in space},
            objectives=dict.fromkeys(objectives, "minimize"),
            constraints=bounds or None,
            reference=dict(zip(objectives, reference, strict=True)) if told and reference else None,
            method=method,
            seed=seed,
            **settings,
        )
        self.trial: Any = None
        return {"version": pathmax.__version__}

    def ask(self) -> dict[str, Any]:
        self.trial = self.study.ask()
        return dict(self.trial.params)

    def tell(self, params: dict[str, Any], outcomes: dict[str, float] | None) -> None:
        if outcomes is None:
            self.study.fail(self.trial)
        elif self.trial is not None:
            self.study.tell(self.trial, outcomes)
            self.trial = None
        else:
            self.study.add(params, outcomes)

    def add(self, params: list[dict[str, Any]], outcomes: list[dict[str, float]]) -> None:
        for one, told in zip(params, outcomes, strict=True):
            self.study.add(one, told)


if __name__ == "__main__":
    serve(Pathmax())
