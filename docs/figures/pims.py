"""Draws figures/pims.png: one PIMS suggestion on a function of one parameter.

python docs/figures/pims.py
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from pathmax import gp

X = np.array([[0.07], [0.28], [0.42], [0.62], [0.95]])
y = np.array([-0.7, 0.35, 0.9, -0.15, -1.1])


def main() -> None:
    x = np.linspace(0, 1, 1001)[:, None]
    model = gp.GaussianProcess(gp.RBF(lengthscale=0.11), noise=1e-3).condition(X, y)
    mean, std = model.predict(x)
    path = gp.draw_path(model, np.random.default_rng(7))
    values = path(x)
    top = values.argmax()
    g_star = values[top]
    z = (g_star - mean) / std
    chosen = z.argmin()
    xi = z[chosen]

    figure, axes = plt.subplots(figsize=(8, 4.4), layout="constrained")
    line = x[:, 0]
    axes.fill_between(line, mean - 2 * std, mean + 2 * std, color="teal", alpha=0.13, lw=0)
    axes.plot(line, mean, color="teal", lw=2, label="what is known: mean ± 2 standard deviations")
    axes.plot(line, values, color="tab:orange", lw=1.2, label="one possible truth: a sample path")
    axes.plot(
        line, mean + xi * std, color="0.35", lw=1, ls="--", label=f"mean + ξ std, ξ = {xi:.2f}"
    )
    axes.axhline(g_star, color="tab:orange", lw=0.9, ls=":")
    axes.plot(line[top], g_star, "v", color="tab:orange", ms=8)
    axes.annotate(
        "g*, its maximum",
        (line[top], g_star),
        (8, 5),
        textcoords="offset points",
        color="tab:orange",
    )
    axes.plot(X[:, 0], y, "ko", ms=6, label="experiments so far")
    floor = axes.get_ylim()[0]
    axes.plot([line[chosen]] * 2, [floor, g_star], color="tab:red", lw=1)
    axes.plot(line[chosen], g_star, "o", color="tab:red", ms=7, mfc="w", mew=2, zorder=5)
    axes.annotate(
        "next experiment",
        (line[chosen], floor),
        (line[chosen] + 0.06, floor + 0.35),
        color="tab:red",
        arrowprops={"arrowstyle": "->", "color": "tab:red"},
    )
    axes.set(xlabel="parameter", ylabel="result", xlim=(0, 1), ylim=(floor, None))
    figure.legend(loc="outside upper center", ncols=2, fontsize=9, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    path = Path(__file__).with_suffix(".png")
    figure.savefig(path, dpi=140)
    print(f"Figure saved: {path.name} (chosen {line[chosen]:.3f}, path maximum at {line[top]:.3f})")


if __name__ == "__main__":
    main()
