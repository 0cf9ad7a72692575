"""A kernel of one's own in a study, and in a process that does not know its class."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pathmax import Candidates, Float, Study, gp
from pathmax.errors import ModelError
from tests.own_kernels import Periodic, RationalQuadratic

SPACE = {"x": Float(0, 1), "y": Float(-1, 1)}
OWN = {
    "sum": gp.RBF() + gp.Linear(),
    "rational": RationalQuadratic([0.5, 0.5], alpha=2.0),
    "with a sum": RationalQuadratic(0.4) * gp.Matern52() + gp.Linear(),
}


def told(study, n):
    for _ in range(n):
        trial = study.ask()
        value = np.cos(6 * trial.params["x"]) - (trial.params["y"] - 0.3) ** 2
        study.tell(trial, float(value))


@pytest.mark.parametrize("name", OWN)
def test_a_study_learns_and_replays_with_it(name, tmp_path):
    file = f"sqlite:///{tmp_path}/lab.db"
    study = Study(SPACE, name="own", storage=file, kernel=OWN[name], seed=1)
    told(study, 12)
    assert study.trials[-1].info["kernel"]["kernel"] == type(OWN[name]).__name__
    again = Study.load("own", storage=file)
    assert [again.replay(i) for i in (7, 11)] == [study.trials[i].params for i in (7, 11)]
    assert again.ask().params == pytest.approx(Study.load("own", storage=file).replay(12))
    assert study.best_trial.value > 0.5


def test_a_sum_fixed_for_ever_is_kept(tmp_path):
    kernel = gp.RBF(0.3) + gp.Linear(2.0, outputscale=0.5)
    study = Study(SPACE, kernel=kernel, noise=1e-4, refit_every=None, seed=1)
    told(study, 8)
    assert gp.from_json(study.trials[-1].info["kernel"]) == kernel


ELSEWHERE = """
import json, sys
from pathmax import Study
from pathmax.errors import ModelError
study = Study.load("own", storage=sys.argv[1])
running = [trial.number for trial in study.trials if trial.state.name == "RUNNING"]
study.tell(running[0], 0.25)
said = []
for ask in (study.ask, lambda: study.predict([{"x": 0.5, "y": 0.0}]), lambda: study.replay(7)):
    try:
        ask()
    except ModelError as error:
        said.append(str(error))
print(json.dumps([study.best_trial.number, len(study.trials), said]))
"""


def test_in_a_process_without_it_results_are_read_and_told_and_ask_says_what_to_do(tmp_path):
    file = f"sqlite:///{tmp_path}/lab.db"
    kernel = RationalQuadratic(0.4) + gp.Linear()
    study = Study(SPACE, name="own", storage=file, kernel=kernel, seed=1)
    told(study, 9)
    running = study.ask()
    elsewhere = [sys.executable, "-c", ELSEWHERE, file]
    done = subprocess.run(elsewhere, cwd=tmp_path, capture_output=True, text=True, check=True)
    best, count, said = json.loads(done.stdout)
    assert (best, count, len(said)) == (study.best_trial.number, 10, 3)
    for message in said:
        assert "the kernel RationalQuadratic" in message
        assert "pathmax.gp.register(RationalQuadratic)" in message
    assert study.trials[running.number].value == 0.25
    told(study, 1)  # and where it is known the study goes on
    stored = Study.load("own", storage=file).trials[-1].info["settings"]["kernel"]
    assert stored == kernel.to_json()


def test_a_process_that_registers_it_goes_on(tmp_path):
    file = f"sqlite:///{tmp_path}/lab.db"
    study = Study(SPACE, name="own", storage=file, kernel=RationalQuadratic(0.4), seed=1)
    told(study, 9)
    script = "import sys; from pathmax import Study; import tests.own_kernels\n"
    script += "print(Study.load('own', storage=sys.argv[1]).replay(8))"
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", script, file]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert eval(done.stdout) == study.trials[8].params


def test_a_kernel_without_features_chooses_from_a_pool():
    rows = [{"a": float(a), "b": float(b)} for a in range(8) for b in range(6)]
    study = Study(Candidates(rows), kernel=Periodic(1.0, 2.0), seed=0)
    for _ in range(8):
        trial = study.ask()
        study.tell(trial, float(np.sin(trial.params["a"])))
    assert study.trials[-1].info["g_star"] > study.trials[-1].info["mean"]


@pytest.mark.parametrize("method", ["pims", "ts", "mes", "gp-est"])
def test_a_kernel_without_features_chooses_in_a_space(method):
    """A product with what decays, of period 1 / 2: twice as good as nine random points."""
    study = Study(
        {"x": Float(0, 1)}, kernel=Periodic(1.0, 0.5) * gp.RBF(1.0), method=method, seed=0
    )
    for _ in range(12):
        trial = study.ask()
        study.tell(trial, float(np.sin(4 * np.pi * trial.params["x"]) + trial.params["x"]))
    assert study.best_trial.params["x"] == pytest.approx(0.63, abs=0.05)


def test_an_unregistered_kernel_is_stored_as_it_came():
    from pathmax.gp.kernels.registry import read_or_keep

    stored = {"kernel": "Sum", "outputscale": 1.0, "terms": [{"kernel": "RBF"}, {"kernel": "Mine"}]}
    assert read_or_keep(stored).to_json() == stored
    with pytest.raises(ModelError, match=r"uses the kernel Mine, .* pathmax.gp.register\(Mine\)"):
        read_or_keep(stored).theta  # noqa: B018
