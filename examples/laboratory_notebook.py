"""Ask and tell by hand: a week at the bench, with a notebook that is a file.

Nobody calls a function here. In the morning the study is asked what to try; in the evening, or a
week later, it is told what came out. In between the computer may be off: everything is in one
SQLite file, and each day below opens it anew, as a program of its own would.

The results come from `bench`, a simulated reaction, so that the example runs without a laboratory.

    python examples/laboratory_notebook.py [days]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import pathmax

# At your bench this is a file that stays, such as "sqlite:///suzuki.db".
notebook = f"sqlite:///{Path(tempfile.mkdtemp()) / 'suzuki.db'}"

space = {
    "temperature": pathmax.Float(40, 120),  # degrees Celsius
    "loading": pathmax.Float(0.1, 5.0, log=True),  # mol % of catalyst
    "base": pathmax.Categorical(["K2CO3", "K3PO4", "Et3N"]),
    "solvent": "dioxane",  # decided; it is written on every suggestion all the same
}


def bench(params, rng):
    """A day's work in one line. Yields above 100 do not exist, errors of two per cent do."""
    good_base = {"K2CO3": 0.8, "K3PO4": 1.0, "Et3N": 0.5}[params["base"]]
    warm = np.exp(-(((params["temperature"] - 88) / 25) ** 2))
    enough = params["loading"] / (params["loading"] + 0.4)
    return 96 * good_base * warm * enough + 2 * rng.standard_normal()


def monday_before():
    """Start the notebook, and enter what is known: old results are as good as new ones."""
    study = pathmax.Study(space, direction="maximize", name="suzuki", storage=notebook, seed=0)
    study.add(
        {"temperature": 60, "loading": 1.0, "base": "K2CO3"}, 24.5, note="Anna's thesis, p. 31"
    )
    study.add({"temperature": 110, "loading": 2.0, "base": "Et3N"}, 17.0)


def morning(day):
    """Three vials fit into the block, so ask for three: each is chosen to complement the others."""
    study = pathmax.Study.load("suzuki", storage=notebook)
    print(f"\nDay {day}")
    for trial in study.ask(3):
        p = trial.params
        print(
            f"    vial {trial.number:2}:  {p['temperature']:5.1f} °C   {p['loading']:4.2f} mol %   "
            f"{p['base']:5}   in {p['solvent']}"
        )


def evening(day, rng):
    """Tell what came out, by the number on the vial."""
    study = pathmax.Study.load("suzuki", storage=notebook)
    vials = [trial for trial in study.trials if trial.state == "running"]
    for trial in vials:
        if day == 2 and trial is vials[0]:
            # A broken vial says nothing about the yield, and the study goes on.
            study.fail(trial, "the stirrer had stopped")
            study.annotate(trial, note="repeat if there is time")
        elif day == 3 and trial is vials[-1]:
            # This one was measured four times: its mean is known better than the others are.
            repeats = [bench(trial.params, rng) for _ in range(4)]
            variance = np.var(repeats, ddof=1) / len(repeats)
            study.tell(trial, np.mean(repeats), noise=variance, note="mean of four injections")
        else:
            study.tell(trial, bench(trial.params, rng), attributes={"NMR": f"NB-{trial.number}"})
    best = study.best_trial
    print(f"    best so far {best.value:.1f} % (vial {best.number})")


def friday_afternoon():
    """What was learnt, and why the last suggestion was made."""
    study = pathmax.Study.load("suzuki", storage=notebook)
    print("\nThe week in one table")
    for trial in study.trials:
        result = f"{trial.value:5.1f} %" if trial.value is not None else f"failed: {trial.error}"
        print(f"    {trial.number:2}   {result}   {trial.note or ''}".rstrip())
    print("\nWhy the last one?")
    print(study.explain(study.trials[-1]))
    recommended = study.recommend()
    forecast = study.predict([recommended])
    print("\nTo be used from now on:", recommended)
    print(f"expected yield {forecast.mean[0]:.1f} +- {forecast.std[0]:.1f} %")


days = int(sys.argv[1]) if len(sys.argv) > 1 else 5
chance = np.random.default_rng(0)
monday_before()
for day in range(1, days + 1):
    morning(day)
    evening(day, chance)
friday_afternoon()
