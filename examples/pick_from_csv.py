"""Pick from a list of candidates in a CSV file: which solvent next?

`solvents.csv` is a shelf of 39 solvents with their family and four properties (rounded textbook
values: good to learn with, to be looked up before use). One of them is the best for a reaction, and
each experiment takes a day. Nothing is suggested that is not on the shelf, and nothing twice.

    python examples/pick_from_csv.py [trials]
"""

import math
import sys
from pathlib import Path

import pathmax

# `id` says which column names a row. The other columns are what the model learns from: numbers are
# scaled, text ("family") is a category. Semicolons and decimal commas would be understood as well.
shelf = pathmax.Candidates.from_csv(Path(__file__).with_name("solvents.csv"), id="solvent")
print(shelf)


def measured_yield(row):
    """Stands in for the day at the bench: an SN2 reaction, which likes polar, aprotic solvents."""
    polar = 1 - math.exp(-row["dielectric constant"] / 15)
    bound = 0.35 if row["family"] == "protic" else 1.0  # hydrogen bonds hold the nucleophile back
    hot_enough = 1 / (1 + math.exp((110 - row["boiling point (°C)"]) / 15))
    return 100 * polar * bound * (0.4 + 0.6 * hot_enough) * row["dipole moment (D)"] / 5


trials = int(sys.argv[1]) if len(sys.argv) > 1 else 12
study = pathmax.Study(shelf, direction="maximize", seed=0, initial=4)

for day in range(1, trials + 1):
    trial = study.ask()
    row = trial.params  # the whole row of the file, the id included
    study.tell(trial, measured_yield(row))
    print(f"day {day:2}   {row['solvent']:20} {study.trials[-1].value:5.1f} %")

# What has not been tried can be asked about: the expected yield of every solvent on the shelf.
rows = [shelf.params(i) for i in range(len(shelf))]
forecast = study.predict(rows)
tried = {trial.params["solvent"] for trial in study.trials}
promising = sorted(zip(forecast.mean, forecast.std, rows, strict=True), key=lambda item: -item[0])
print("\nthe five most promising, tried or not")
for mean, std, row in promising[:5]:
    mark = "tried" if row["solvent"] in tried else "not tried"
    print(f"    {row['solvent']:20} {mean:5.1f} +- {std:4.1f} %   {mark}")

# The shelf is small enough to look up the truth, which no laboratory can.
ranking = sorted(rows, key=measured_yield, reverse=True)
best = study.best_trial.params["solvent"]
place = [row["solvent"] for row in ranking].index(best) + 1
print(f"\nbest of {len(tried)} solvents tried: {best}, number {place} of {len(shelf)} in truth")
