"""Draws figures/regret.png: measured Bayesian regret of PIMS and TS beside their bound.

At this noise the bound says something: after so many steps it is below what random points lose.

python docs/figures/regret.py
"""

from pathlib import Path

import numpy as np

from pathmax import gp
from pathmax.experiments.bayesian_regret import World, figure, lost_at_random, measure

AXIS = tuple(np.linspace(0, 1, 6).tolist())
WORLD = World(gp.RBF(lengthscale=0.3), (AXIS, AXIS), noise=0.05, horizon=200)


def main() -> None:
    found = [measure(method, WORLD, runs=300, seed=0) for method in ("pims", "ts")]
    bound, at_random = WORLD.bound("pims"), lost_at_random(WORLD, 3000, seed=1)
    for measured in found:
        last = measured.bcr[-1], 2 * measured.bcr_error[-1]
        print(f"{measured.method}: {last[0]:.1f} ± {last[1]:.1f}, bound {bound[-1]:.1f}")
    steps = np.arange(1, WORLD.horizon + 1)
    first = int(steps[bound < at_random * steps][0])
    print(f"points at random: {at_random * WORLD.horizon:.0f}, above the bound from T = {first} on")
    figure(WORLD, found, at_random).savefig(Path(__file__).with_suffix(".png"), dpi=110)


if __name__ == "__main__":
    main()
