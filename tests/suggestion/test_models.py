"""`model=`: the paper's own surrogate, and parameters drawn before each path."""

import numpy as np
import pytest

from pathmax import Candidates, Categorical, Float, Grid, Study, gp
from pathmax.errors import SettingsError

SPACE = {"x": Float(0, 1), "y": Float(-1, 1)}


def f(params):
    return float(np.sin(7 * params["x"]) - params["y"] ** 2)


def run(study, n):
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, f(trial.params))
    return study


def test_the_paper_learns_length_scales_alone_every_five_results():
    study = run(Study(SPACE, model="paper", seed=0, initial=5), 16)
    models = [t.info["outcomes"]["value"]["model"] for t in study.trials[5:]]
    for model in models:
        kernel = gp.from_json(model["kernel"])
        assert isinstance(kernel, gp.RBF) and np.size(kernel.lengthscale) == 2
        assert kernel.outputscale == pytest.approx(1.0)
        assert (model["noise"], model["bowl"]) == (pytest.approx(1e-6), None)
        assert model["prior_mean"] == pytest.approx(0.0, abs=1e-9)
    assert [model["fitted_on"] for model in models] == [5] * 5 + [10] * 5 + [15]
    assert study.settings.warp is False
    assert study.best_value > 0.99


def test_the_paper_finds_the_likeliest_length_scales(rng):
    X = rng.random((30, 2))
    y = gp.draw_path(gp.GaussianProcess(gp.RBF([0.2, 0.7]), 1e-6), rng)(X)
    kernel = gp.RBF([0.5, 0.5])
    found = gp.fit(kernel, X, y, noise=1e-6, priors=None, unit=True)
    unit = (y - y.mean()) / y.std()

    def likelihood(scales):
        K = gp.RBF(scales)(X) + 1e-6 / y.var() * np.eye(30)
        L = np.linalg.cholesky(K)
        half = np.linalg.solve(L, unit)
        return -0.5 * half @ half - np.log(np.diagonal(L)).sum()

    at = likelihood(found.kernel.lengthscale)
    around = [
        likelihood([a, b]) for a in np.geomspace(0.05, 5, 25) for b in np.geomspace(0.05, 5, 25)
    ]
    assert at >= max(around) - 0.02
    assert found.mean == pytest.approx(y.mean())


@pytest.mark.parametrize("model", ["paper", "drawn"])
@pytest.mark.parametrize(
    "space",
    [
        SPACE,
        {**SPACE, "c": Categorical(["a", "b"])},
        Grid({"x": np.linspace(0, 1, 6), "y": np.linspace(-1, 1, 5)}),
        Candidates([{"x": i / 12, "y": (i % 5) / 4} for i in range(12)]),
    ],
    ids=["box", "mixed", "grid", "pool"],
)
def test_every_space_and_again_the_same(space, model, tmp_path):
    study = run(
        Study(space, model=model, seed=1, storage=f"sqlite:///{tmp_path}/lab.db", name="s"), 9
    )
    again = Study.load("s", storage=f"sqlite:///{tmp_path}/lab.db", space=space)
    assert again.settings.model == model
    for trial in study.trials:
        assert again.replay(trial) == trial.params
    batch = again.ask(2)
    assert len({tuple(trial.params.values()) for trial in batch}) == 2


def test_drawn_parameters_differ_from_the_most_probable_ones():
    usual, drawn = (run(Study(SPACE, model=m, seed=3), 8) for m in ("pathmax", "drawn"))
    assert usual.trials[4].params == drawn.trials[4].params  # the design
    assert usual.trials[6].params != drawn.trials[6].params


def test_several_outcomes_with_drawn_parameters():
    study = Study(SPACE, objectives={"a": "maximize", "b": "minimize"}, model="drawn", seed=0)
    for _ in range(8):
        trial = study.ask()
        study.tell(trial, {"a": f(trial.params), "b": trial.params["x"]})
    assert study.replay(7) == study.trials[7].params


def test_the_paper_reports_by_its_own_model():
    study = run(Study(SPACE, model="paper", seed=0), 12)
    _, std = study.predict([{"x": 0.3, "y": 0.1}])
    posterior = study.posterior()
    inner = posterior.model.predict(study.space.encode_many([{"x": 0.3, "y": 0.1}]))
    assert std[0] == pytest.approx(inner[1][0] * posterior.transform.scale, rel=1e-6)


def test_other_models_are_refused():
    with pytest.raises(SettingsError, match="model must be one of pathmax, paper, drawn"):
        Study(SPACE, model="gp")
    with pytest.raises(SettingsError, match="refit_every=None keeps the model as it is given"):
        Study(SPACE, model="paper", kernel=gp.RBF(0.2), noise=1e-6, refit_every=None)
