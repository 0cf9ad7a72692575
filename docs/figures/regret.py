"""Draws figures/regret.png: measured Bayesian regret of PIMS and TS beside their bound.

python docs/figures/regret.py
"""

from pathlib import Path

import numpy as np

from pathmax import gp
from pathmax.experiments.bayesian_regret import World, figure, measure

AXIS = tuple(np.linspace(0, 1, 6).tolist())
WORLD = World(gp.RBF(lengthscale=0.3), (AXIS, AXIS), noise=0.05, horizon=60)


def main() -> None:
    found = [measure(method, WORLD, runs=300, seed=0) for method in ("pims", "ts")]
    for measured in found:
        last = measured.bcr[-1], 2 * measured.bcr_error[-1], WORLD.bound(measured.method)[-1]
        print(f"{measured.method}: {last[0]:.1f} ± {last[1]:.1f}, bound {last[2]:.1f}")
    figure(WORLD, found).savefig(Path(__file__).with_suffix(".png"), dpi=110)


if __name__ == "__main__":
    main()
