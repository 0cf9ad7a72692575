"""The peers: where each lives, how it is installed, and a client that drives it.

``python -m benchmarks.peers`` makes every environment under benchmarks/.venvs (about 3 GB, mostly
torch twice) and prints which could be made; a peer that does not install is reported and left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Self

HERE = Path(__file__).parent
ENVIRONMENTS = HERE / ".venvs"
BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}  # kept, as it is where people install a package


@dataclass(frozen=True)
class Environment:
    """A virtual environment: `steps` are pip installs in order, `worker` serves it.

    One without steps is that of the benchmark itself, or of another peer, `within`.
    """

    name: str
    steps: tuple[tuple[str, ...], ...]
    worker: str
    within: str | None = None

    @property
    def python(self) -> Path:
        if self.within is not None:
            return ENVIRONMENTS / self.within / "bin" / "python"
        if not self.steps:  # ours: the interpreter that runs the benchmark
            return Path(sys.executable)
        return ENVIRONMENTS / self.name / "bin" / "python"

    @property
    def ready(self) -> bool:
        if self.within is not None:
            return (ENVIRONMENTS / self.within / "made").exists()
        return not self.steps or (ENVIRONMENTS / self.name / "made").exists()

    def make(self) -> None:
        """Install it; raises CalledProcessError with pip's last lines when that fails."""
        if self.ready:
            return
        folder = ENVIRONMENTS / self.name
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        for step in self.steps:
            command = [str(self.python), "-m", "pip", "install", "-q", *step]
            subprocess.run(command, check=True, capture_output=True, text=True)
        (folder / "made").touch()


# torch comes first and pinned: its CPU build, where one is at hand, then satisfies botorch
TORCH = ("torch==2.13.0",)
# HEBO wants numpy below 1.25; left to itself pip searches for its dependencies for an hour
HEBO = (
    TORCH,
    ("numpy==1.24.4", "scipy==1.10.1", "pandas==2.0.3", "scikit-learn==1.3.2"),
    ("numpy==1.24.4", "gpytorch==1.11", "linear_operator==0.5.3", "pymoo==0.6.1.1"),
    ("numpy==1.24.4", "scipy==1.10.1", "catboost", "disjoint-set", "GPy"),
    ("--no-deps", "HEBO"),
)
OURS = Environment("pathmax", (), "with_pathmax.py")
ALL = {
    one.name: one
    for one in (
        OURS,
        Environment("sobol", (), "with_sobol.py"),
        Environment("botorch", (TORCH, ("botorch", "scipy")), "with_botorch.py"),
        Environment("botorch posterior", (), "with_botorch_posterior.py", within="botorch"),
        Environment("turbo", (), "with_turbo.py", within="botorch"),
        Environment("optuna", (TORCH, ("optuna", "scipy", "cmaes")), "with_optuna.py"),
        Environment("skopt", (("scikit-optimize",),), "with_skopt.py"),
        Environment("bayesopt", (("bayesian-optimization",),), "with_bayesopt.py"),
        Environment("physbo", (("physbo",),), "with_physbo.py"),
        Environment("hebo", HEBO, "with_hebo.py"),
        Environment("smac", (("smac",),), "with_smac.py"),
        Environment("baybe", (TORCH, ("baybe",)), "restricted_with_baybe.py"),
        Environment("cmaes", (("cmaes",),), "with_cmaes.py"),
        Environment("ioh", (("ioh==0.3.22",),), "with_ioh.py"),
        # GPSampler and PathmaxSampler in one program
        Environment(
            "optuna samplers",
            (TORCH, ("optuna", "scikit-learn"), ("--editable", str(HERE.parent))),
            "none",
        ),
        # tables of experiments alone: what they need to be read is nothing
        Environment("olympus", (("--no-deps", "olymp==0.0.1b0"),), "none"),
    )
}
# the same environments with several outcomes
ALL |= {
    f"outcomes {name}": replace(ALL[name], worker=f"outcomes_with_{name}.py")
    for name in ("pathmax", "botorch", "optuna")
}
# and with restrictions that are known
ALL |= {
    f"restricted {name}": replace(ALL[name], worker=f"restricted_with_{name}.py")
    for name in ("pathmax", "botorch", "optuna", "smac", "baybe")
}
# and with fidelities
ALL |= {"fidelities botorch": replace(ALL["botorch"], worker="fidelities_with_botorch.py")}
# and with older results
ALL |= {"transfer baybe": replace(ALL["baybe"], worker="transfer_with_baybe.py")}
# and with learning curves
ALL |= {"curves smac": replace(ALL["smac"], worker="curves_with_smac.py")}


# what the page calls a package, and the environment that it is read from
SHOWN = {
    "botorch": "botorch",
    "gpytorch": "botorch",
    "torch": "botorch",
    "optuna": "optuna",
    "scikit-optimize": "skopt",
    "bayesian-optimization": "bayesopt",
    "physbo": "physbo",
    "smac": "smac",
    "baybe": "baybe",
    "HEBO": "hebo",
}


def versions() -> str:
    """The peers that are installed, with their versions."""
    found = []
    for package, name in SHOWN.items():
        packages = (ENVIRONMENTS / name).glob("lib/python*/site-packages")
        for one in distributions(name=package, path=[str(folder) for folder in packages]):
            found.append(f"{package} {one.version}")
            break
    return ", ".join(found)


class PeerError(RuntimeError):
    """A peer answered with an error of its own, or died."""


class Peer(AbstractContextManager["Peer"]):
    """A running worker: `peer.call("ask")` -> result; `peer.seconds` is how long that call took."""

    def __init__(self, name: str, threads: int = 1) -> None:
        environment = ALL[name]
        if not environment.ready:
            raise PeerError(f"{name} is not installed; run python -m benchmarks.peers {name}")
        limits = dict.fromkeys(
            ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads)
        )
        worker = HERE / "workers" / environment.worker
        self.name = name
        self.seconds = 0.0
        self._log = (ENVIRONMENTS / f"{environment.name}.log").open("a")
        self._process = subprocess.Popen(
            [str(environment.python), str(worker)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            bufsize=1,
            env={**os.environ, **limits, **BYTECODE},
        )

    def call(self, do: str, /, **arguments: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"call": do, "with": arguments}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise PeerError(f"{self.name} died during {do}; see {self._log.name}")
        answer = json.loads(line)
        if "error" in answer:
            raise PeerError(f"{self.name}.{do}: {answer['error']}")
        self.seconds = answer["seconds"]
        return answer["result"]

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make(names: Sequence[str]) -> dict[str, str]:
    """Make the named environments; name -> "ready" or the reason why not."""
    ENVIRONMENTS.mkdir(exist_ok=True)
    state = {}
    for name in names:
        try:
            ALL[name].make()
            state[name] = "ready"
        except subprocess.CalledProcessError as error:
            state[name] = (error.stderr or str(error)).strip().splitlines()[-1]
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="which environments to make; all of them if none")
    names = parser.parse_args().names or list(dict.fromkeys(one.name for one in ALL.values()))
    for name, state in make(names).items():
        print(f"{name:10s} {state}")


if __name__ == "__main__":
    main()
