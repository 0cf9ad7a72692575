"""Yield against cost, impurity at most 0.5 %: the front of a reaction in 40 experiments.

The reaction is simulated, so that the example runs anywhere: A turns into the product B, and B goes
on to waste C, both the faster the warmer it is. Time on the reactor, heating and the solvent cost
money. No single experiment is the best: more yield costs more, and beyond some temperature the
product is not pure enough to be sold.
"""

import argparse

import numpy as np

import pathmax

SPACE = {
    "temperature": pathmax.Float(20, 120),  # degrees Celsius
    "minutes": pathmax.Float(5, 240, log=True),
    "solvent": pathmax.Categorical(["DMF", "THF", "water"]),
}
# How much each solvent speeds up the wanted step and the loss of the product, and what it costs.
SOLVENTS = {"DMF": (1.0, 1.0, 30.0), "THF": (0.6, 0.2, 22.0), "water": (0.15, 0.5, 4.0)}
N_TRIALS = 40
MOST_IMPURE = 0.5  # per cent


def reaction(temperature, minutes, solvent):
    """Yield and impurity in per cent, cost in euros: two first-order steps, in closed form."""
    wanted, loss, price = SOLVENTS[solvent]
    colder = (1 / (273.15 + temperature) - 1 / 343.15) / 8.314e-3  # than 70 degrees; mol/kJ
    k1 = 0.02 * wanted * np.exp(-55 * colder)  # per minute
    k2 = 0.001 * loss * np.exp(-95 * colder)
    a = np.exp(-k1 * minutes)
    b = k1 / (k2 - k1) * (a - np.exp(-k2 * minutes))
    return {
        "yield": 100 * b,
        "cost": price + 0.35 * minutes + 0.12 * (temperature - 20),
        "impurity": 100 * (1 - a - b) / (1 - a),  # of what came out, A aside
    }


def true_front(n=200_000):
    """The front of many conditions drawn at random: what can be had."""
    rng = np.random.default_rng(0)
    points = []
    for solvent in SOLVENTS:
        found = reaction(rng.uniform(20, 120, n), 5 * 48 ** rng.random(n), solvent)
        points.append(np.array([found["cost"], found["yield"], found["impurity"]]).T)
    cost, gain, impurity = np.concatenate(points).T
    order = np.argsort(cost)
    order = order[impurity[order] <= MOST_IMPURE]
    best = np.maximum.accumulate(gain[order])
    return cost[order], best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=int, nargs="?", default=N_TRIALS, help="experiments")
    parser.add_argument("--seed", type=int, default=0, help="another seed, another run")
    parser.add_argument("--figure", default="pathmax-front.png", help="where the figure goes")
    arguments = parser.parse_args()

    study = pathmax.Study(
        SPACE,
        objectives={"cost": "minimize", "yield": "maximize"},
        constraints={"impurity": f"<= {MOST_IMPURE}"},
        name="amide",
        seed=arguments.seed,
    )
    study.optimize(lambda params: reaction(**params), arguments.trials, progress=False)

    print(f"{arguments.trials} experiments: yield against cost, impurity at most {MOST_IMPURE:g} %")
    print("\nThe front, cheapest first:")
    for trial in sorted(study.front, key=lambda trial: trial.outcomes["cost"]):
        what, came = trial.params, trial.outcomes
        print(
            f"  {came['cost']:5.1f} euros  {came['yield']:5.1f} %, {came['impurity']:.2f} % impure"
            f"   {what['temperature']:3.0f} degrees, {what['minutes']:3.0f} min, {what['solvent']}"
        )
    print(f"\nHow far the results are from the front: {study.regret(n_paths=32)!r}")

    cost, best = true_front()
    figure = study.plot("front")
    axes = figure.axes[0]
    axes.plot(cost, best, color="k", linewidth=1, linestyle=":", label="what can be had")
    axes.legend(loc="lower right", fontsize=8)
    axes.set(xlabel="cost (euros), minimize", ylabel="yield (%), maximize")
    axes.set_title(f"Yield against cost, impurity at most {MOST_IMPURE:g} %")
    figure.savefig(arguments.figure, dpi=150)
    print(f"Figure saved: {arguments.figure}")


if __name__ == "__main__":
    main()
