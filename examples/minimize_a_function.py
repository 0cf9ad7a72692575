"""Minimise a function: the shortest way from a question to an answer.

Branin's function is a classic of this field: two inputs, three valleys of the same depth, and a
formula that an optimiser does not get to see. Thirty evaluations find the floor of a valley.

    python examples/minimize_a_function.py [trials]
"""

import math
import sys

import pathmax


def branin(params):
    """Any function will do that takes a dict of parameters and returns one number."""
    x, y = params["x"], params["y"]
    valley = y - 5.1 / (4 * math.pi**2) * x**2 + 5 / math.pi * x - 6
    return valley**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


# What may be tried: each parameter has a name and its bounds.
space = {
    "x": pathmax.Float(-5, 10),
    "y": pathmax.Float(0, 15),
}

trials = int(sys.argv[1]) if len(sys.argv) > 1 else 30

# The seed makes the run repeatable: the same seed, the same thirty points.
result = pathmax.minimize(branin, space, n_trials=trials, seed=0)

print(f"lowest value found  {result.best_value:.4f}")
print("the minimum         0.3979")
print(f"found at            x = {result.best_params['x']:.3f}, y = {result.best_params['y']:.3f}")
print(f"in trial            {result.best_trial.number + 1} of {len(result.trials)}")

# Every trial is kept, in order: its parameters, its value, and why it was chosen.
last = result.trials[-1]
print(f"the last one        {last.value:.4f}, chosen by {last.info['method']}")

# With matplotlib installed, the whole run becomes a figure.
result.plot("branin.png")
print("figure saved        branin.png")
