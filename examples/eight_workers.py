"""Eight workers on a process pool: eight trials at a time, told as they come in.

The objective stands for a simulation that takes from a tenth to a third of a second. Whenever one
ends, its result is told and the free worker gets the next trial; nobody waits for the slowest. The
seven that are still running are taken into account, so that eight workers try eight different
things.

    python examples/eight_workers.py [trials]
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import pathmax

space = {f"x{i}": pathmax.Float(0, 1) for i in range(1, 7)}

# Hartmann's function of six inputs: four bumps, the highest 3.3224.
HEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])
WIDTHS = np.array(
    [
        [10, 3, 17, 3.5, 1.7, 8],
        [0.05, 10, 17, 0.1, 8, 14],
        [3, 3.5, 1.7, 10, 17, 8],
        [17, 8, 0.05, 10, 0.1, 14],
    ]
)
PEAKS = np.array(
    [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ]
)


def simulation(params):
    """Runs in another process, so it stands at the top level of this file and can be imported."""
    x = np.array(list(params.values()))
    time.sleep(0.1 + 0.2 * params["x1"])  # some take longer than others
    return float(HEIGHTS @ np.exp(-np.sum(WIDTHS * (x - PEAKS) ** 2, axis=1)))


def main():
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    study = pathmax.Study(space, direction="maximize", seed=0)
    started = time.perf_counter()
    with ProcessPoolExecutor(max_workers=8) as executor:
        result = study.optimize(simulation, n_trials=trials, executor=executor)
    seconds = time.perf_counter() - started

    alone = sum(0.1 + 0.2 * trial.params["x1"] for trial in result.trials)
    print(f"{len(result.trials)} trials in {seconds:.1f} s by process {os.getpid()} and 8 workers")
    print(f"one after the other the simulations alone take {alone:.1f} s")
    print(f"best value {result.best_value:.3f} of 3.322 in trial {result.best_trial.number}")


# Worker processes import this file; what must happen once only stands below this line.
if __name__ == "__main__":
    main()
