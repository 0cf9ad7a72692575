"""Thompson sampling (Algorithm 1): the maximiser of a sample path.

g ~ posterior,   x_t = argmax g,   eta_t = (g(x_t) - mean(x_t)) / std(x_t)

The appendix's discretised variant is `discretization=` of `choose`. The paper there evaluates the
point of X_t that is nearest to argmax g; here g is maximised over X_t itself, as for PIMS. The
bound stands: E f([x*]_t) <= E max f over X_t = E g(x_t), where its proof has equality.
"""

from __future__ import annotations

from pathmax.acquisition.step import Choice, Step


def thompson(step: Step) -> Choice:
    (path,) = step.surface.samples(1)
    best = path.top()
    choice = step.choose(best, g_star=best.value)
    choice.info["eta"] = (best.value - choice.info["mean"]) / choice.info["std"]  # Lemma 3.2
    return choice
