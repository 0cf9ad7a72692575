"""Find good conditions for a reaction in 40 experiments: `make demo`.

The reaction is simulated, so that the demo runs anywhere: A turns into the product B, and B goes
on to waste C. Both steps speed up with temperature (Arrhenius) and catalyst, and each solvent helps
and harms in its own way. Too mild and nothing happens; too harsh and the product is gone. Every
measurement carries an error of half a per cent, as in a laboratory.
"""

import argparse

import numpy as np

import pathmax

SPACE = {
    "temperature": pathmax.Float(20, 120),  # degrees Celsius
    "minutes": pathmax.Float(5, 240, log=True),
    "catalyst": pathmax.Float(0.1, 5, log=True),  # mol %
    "solvent": pathmax.Categorical(["DMF", "THF", "water"]),
}
# How much each solvent speeds up the wanted step and the loss of the product.
SOLVENTS = {"DMF": (1.0, 1.0), "THF": (0.6, 0.2), "water": (0.15, 0.5)}
N_TRIALS = 40


def reaction_yield(temperature, minutes, catalyst, solvent):
    """Per cent of B after the given time: two first-order steps in a row, in closed form."""
    wanted, loss = SOLVENTS[solvent]
    colder = (1 / (273.15 + temperature) - 1 / 343.15) / 8.314e-3  # than 70 degrees; mol/kJ
    k1 = 0.02 * wanted * np.exp(-55 * colder) * catalyst**0.8  # per minute
    k2 = 0.004 * loss * np.exp(-95 * colder) * (1 + 0.15 * catalyst**2)
    return 100 * k1 / (k2 - k1) * (np.exp(-k1 * minutes) - np.exp(-k2 * minutes))


def random_experiments(rng, n):
    """Yields of experiments drawn at random, without error: what blind search would see."""
    temperature = rng.uniform(20, 120, n)
    minutes = 5 * 48 ** rng.random(n)
    catalyst = 0.1 * 50 ** rng.random(n)
    solvent = rng.choice(list(SOLVENTS), n)
    each = [reaction_yield(temperature, minutes, catalyst, name) for name in SOLVENTS]
    return np.select([solvent == name for name in SOLVENTS], each)


def best_yield():
    """The best that can be had, by trying a million conditions, the limits included."""
    axes = np.linspace(20, 120, 101), np.geomspace(5, 240, 61), np.geomspace(0.1, 5, 61)
    conditions = np.meshgrid(*axes)
    return max(reaction_yield(*conditions, solvent).max() for solvent in SOLVENTS)


def describe(item):
    """One condition in a few characters: `temperature 53.6`, `solvent THF`."""
    name, value = item
    return f"{name} {value}" if isinstance(value, str) else f"{name} {value:.3g}"


def draw(trials, best, random_best, possible, path):
    """Left: progress. Right: the true yield around the best found, with the experiments made."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.6), layout="constrained")
    progress, chart = figure.subplots(1, 2)

    values = [trial.value for trial in trials]
    steps = np.arange(1, len(values) + 1)
    progress.plot(steps, values, "o", ms=4, color="0.6", label="experiments")
    best_so_far = np.maximum.accumulate(values)
    progress.step(steps, best_so_far, where="post", color="teal", lw=2, label="best so far")
    progress.plot(steps, random_best, "--", color="tab:orange", label="random search, mean best")
    progress.axhline(possible, ls=":", color="k", lw=1, label="best possible")
    progress.set(xlabel="experiment", ylabel="yield (%)", title="Progress", ylim=(-3, 103))
    progress.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, fontsize=8)

    temperature, catalyst = np.meshgrid(np.linspace(20, 120, 121), np.geomspace(0.1, 5, 121))
    truth = reaction_yield(temperature, best["minutes"], catalyst, best["solvent"])
    levels = np.arange(0, 101, 10)
    filled = chart.contourf(temperature, catalyst, truth, levels=levels, cmap="GnBu")
    figure.colorbar(filled, ax=chart, label="true yield (%)")
    for solvent, marker in zip(SOLVENTS, "o^s", strict=True):
        rows = [trial.params for trial in trials if trial.params["solvent"] == solvent]
        where = [row["temperature"] for row in rows], [row["catalyst"] for row in rows]
        style = {"ms": 5, "mfc": "tab:orange", "mec": "k", "mew": 0.5, "clip_on": False}
        chart.plot(*where, marker, **style, label=f"in {solvent}")
    where = best["temperature"], best["catalyst"]
    chart.plot(*where, "*", ms=16, mfc="tab:red", mec="w", clip_on=False, label="best found")
    chart.set(xlabel="temperature (°C)", ylabel="catalyst (mol %)", yscale="log", ylim=(0.1, 5))
    ticks = [0.1, 0.2, 0.5, 1, 2, 5]
    chart.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    chart.minorticks_off()
    chart.set_title(f"The truth in {best['solvent']} after {best['minutes']:.0f} minutes")
    chart.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, fontsize=8)
    figure.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=N_TRIALS, help="how many experiments")
    # Of seeds 0 to 7 five come to 88 % and the others to 80, 84 and 86: this is the median
    parser.add_argument("--seed", type=int, default=3, help="another seed, another run")
    parser.add_argument("--figure", default="pathmax-demo.png", help="where the figure goes")
    arguments = parser.parse_args()

    errors = np.random.default_rng(1)

    def experiment(params):
        return reaction_yield(**params) + 0.5 * errors.standard_normal()

    print(f"{arguments.trials} experiments on a simulated reaction, chosen by PIMS:")
    result = pathmax.maximize(experiment, SPACE, n_trials=arguments.trials, seed=arguments.seed)

    rng = np.random.default_rng(2)
    possible = best_yield()
    blind = random_experiments(rng, 1000 * arguments.trials).reshape(1000, -1)
    random_best = np.maximum.accumulate(blind, axis=1).mean(axis=0)

    best = result.best_params
    print(f"\nBest measured yield  {result.best_value:5.1f} %")
    print(f"True yield there     {reaction_yield(**best):5.1f} %")
    print(f"Best possible        {possible:5.1f} %  (of a million conditions)")
    print(
        f"Random search        {random_best[-1]:5.1f} %  (with as many experiments, mean of 1,000)"
    )
    print("Conditions           " + ", ".join(map(describe, best.items())))
    draw(result.trials, best, random_best, possible, arguments.figure)
    print(f"\nFigure saved: {arguments.figure}")


if __name__ == "__main__":
    main()
