"""pathmax with known restrictions, through `Study` alone, behind the line protocol."""

from __future__ import annotations

from typing import Any

from link import serve
from with_pathmax import parameter

import pathmax


def sentence_of(one: dict[str, Any]) -> str:
    terms = " + ".join(f"{factor!r} * {name}" for name, factor in one["of"].items())
    return f"{terms} {'==' if one['is'] == 'equal' else '<='} {one['bound']!r}"


def forbidding(pair: dict[str, Any]) -> str:
    return "not (" + " and ".join(f"{name} == {value!r}" for name, value in pair.items()) + ")"


def conditional(one: dict[str, Any]) -> Any:
    plain = parameter(one)
    if "when" not in one:
        return plain
    values = ", ".join(repr(value) for value in one["when"]["in"])
    sentence = f"{one['when']['name']} in [{values}]"
    if one["kind"] == "categorical":
        return pathmax.Categorical(one["choices"], when=sentence)
    return type(plain)(one["low"], one["high"], log=bool(one.get("log")), when=sentence)


class Pathmax:
    def start(self, problem: dict[str, Any], seed: int, method: str = "pims") -> dict[str, str]:
        where = [*map(sentence_of, problem["linear"]), *map(forbidding, problem["forbidden"])]
        parameters: dict[str, Any] = {p["name"]: conditional(p) for p in problem["space"]}
        if problem["kind"] == "mixtures":
            ranges = {p["name"]: (p["low"], p["high"]) for p in problem["space"]}
            total = problem["linear"][0]["bound"]
            finely = 1e-6 * total  # the others do not round to what can be weighed
            parameters = {"mixture": pathmax.Mixture(ranges, total=total, step=finely)}
            where = []
        self.study = pathmax.Study(
            parameters, where=where or None, direction="minimize", method=method, seed=seed
        )
        return {"version": pathmax.__version__}

    def ask(self) -> dict[str, Any]:
        self.trial = self.study.ask()
        return dict(self.trial.params)

    def tell(self, params: dict[str, Any], value: float | None, broken: float) -> None:
        assert value is not None, "what pathmax suggests keeps what it was told"
        self.study.tell(self.trial, value)


if __name__ == "__main__":
    serve(Pathmax())
