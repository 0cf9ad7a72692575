"""Suggestions in a space with a fidelity: where, how closely, and from what."""

import math

import numpy as np
import pytest

import pathmax
from pathmax import Candidates, Categorical, Fidelity, Float, Grid, Int, Study, gp
from pathmax.errors import ExhaustedError, ParamsError, SpaceError, TrialError
from pathmax.suggestion.fidelities import compared

EPOCHS = Fidelity(1, 81, log=True)
SITES = Fidelity(["simulation", "pilot", "plant"], cost=[1, 10, 100])


def learning(params):
    s = np.log(params["epochs"]) / np.log(81)
    return -((params["x"] - 0.3) ** 2) - (params["y"] - 0.6) ** 2 + (1 - s) * 0.2 * params["x"]


def site(params):
    bias = {"simulation": 0.3, "pilot": 0.1, "plant": 0.0}[params["site"]]
    return -((params["x"] - 0.3) ** 2) + bias * (1 - params["x"]) ** 2


def run(study, f, n):
    for _ in range(n):
        trial = study.ask()
        study.tell(trial, f(trial.params))
    return study


def floats(**more):
    return {"x": Float(0, 1), "y": Float(0, 1), "epochs": EPOCHS, **more}


def test_fidelities_differ_and_the_best_is_found_at_the_target():
    study = run(Study(floats(), seed=1), learning, 25)
    used = {trial.params["epochs"] for trial in study.trials}
    assert min(used) < 10
    assert study.recommend()["epochs"] == 81
    assert study.recommend()["x"] == pytest.approx(0.3, abs=0.05)
    assert study.recommend()["y"] == pytest.approx(0.6, abs=0.05)
    assert study.best_trial.params["epochs"] == 81
    chosen = study.trials[-1]
    assert chosen.info["fidelity"] == chosen.params["epochs"]
    assert chosen.info["cost"] == pytest.approx(chosen.params["epochs"] / 81)
    assert chosen.info["told"] > 0


@pytest.mark.parametrize(
    ("fidelity", "first"),
    [
        (EPOCHS, 1),
        (Fidelity(0.1, 1.0, target=0.1, cost=[9, 1]), 1.0),
        (Fidelity(["a", "b", "c"], cost=[2, 1, 3]), "b"),
        (Fidelity(["a", "b"], cost=[1, 1]), "b"),  # where all cost alike: the target
    ],
)
def test_the_first_design_is_at_the_cheapest_fidelity(fidelity, first):
    study = Study({"x": Float(0, 1), "s": fidelity}, seed=0, initial=4)
    batch = study.ask(4)
    assert [trial.params["s"] for trial in batch] == [first] * 4
    assert len({trial.params["x"] for trial in batch}) == 4


def test_levels_by_name():
    study = run(Study({"x": Float(0, 1), "site": SITES}, seed=0), site, 20)
    used = [trial.params["site"] for trial in study.trials]
    assert set(used[:5]) == {"simulation"}  # the first design is cheap
    assert set(used) == {"simulation", "pilot", "plant"}
    assert study.recommend()["site"] == "plant"
    assert study.recommend()["x"] == pytest.approx(0.3, abs=0.1)


def test_a_free_fidelity_is_not_used_where_it_says_nothing(rng: np.random.Generator):
    noise = dict(zip(np.linspace(0, 1, 1000).round(3), rng.standard_normal(1000), strict=True))

    def unrelated(params):
        wild = noise[min(noise, key=lambda u: abs(u - params["x"]))]
        return wild if params["site"] == "simulation" else site(params)

    study = run(Study({"x": Float(0, 1), "site": SITES}, seed=0, initial=12), unrelated, 30)
    later = [trial.params["site"] for trial in study.trials[15:]]
    assert later.count("plant") + later.count("pilot") > 0


@pytest.mark.parametrize("method", ["pims", "ts", "ei", "gp-ucb", "mes", "random"])
def test_every_method_chooses_where_at_the_target(method: str):
    study = run(Study(floats(), seed=2, method=method), learning, 8)
    assert {"x", "y", "epochs"} == set(study.trials[-1].params)
    assert study.recommend()["epochs"] == 81


def test_a_space_of_lists_ends_with_its_last_point():
    space = {"c": Categorical(["a", "b"]), "k": Int(0, 1), "site": SITES}
    study = Study(space, seed=0, initial=2)
    seen = []
    for _ in range(12):
        trial = study.ask()
        assert trial.params not in seen
        seen.append(trial.params)
        study.tell(trial, float(trial.params["k"]) + (trial.params["c"] == "a"))
        if sum(params["site"] == "plant" for params in seen) == 4:
            break
    assert study.recommend() == {"c": "a", "k": 1, "site": "plant"}


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({}, ["x + y <= 1"]),
        ({"z": Float(0, 1, when="c == 'a'"), "c": Categorical(["a", "b"])}, []),
        ({"n": Int(1, 5)}, ["n * x <= 3"]),
    ],
)
def test_known_constraints_and_conditions_hold(more, where):
    study = Study(floats(**more), seed=0, where=where)
    run(study, learning, 9)
    for trial in study.trials:
        assert study.space.where.hold(trial.params)
    assert study.recommend()["epochs"] == 81
    assert study.space.where.hold(study.recommend())


def test_running_trials_are_taken_into_account():
    study = run(Study(floats(), seed=3), learning, 6)
    batch = study.ask(4)
    assert len({(t.params["x"], t.params["y"], t.params["epochs"]) for t in batch}) == 4


def test_several_outcomes():
    study = Study(floats(), objectives={"gain": "maximize"}, constraints={"size": "<= 1.2"}, seed=0)
    for _ in range(10):
        trial = study.ask()
        size = trial.params["x"] + trial.params["y"] + 0.001 * trial.params["epochs"]
        study.tell(trial, {"gain": learning(trial.params), "size": size})
    assert trial.info["fidelity"] == trial.params["epochs"]
    assert study.recommend()["epochs"] == 81
    both = Study(floats(), objectives={"a": "maximize", "b": "minimize"}, seed=0)
    for _ in range(8):
        trial = both.ask()
        both.tell(trial, {"a": learning(trial.params), "b": trial.params["x"]})
    assert {params["epochs"] for params in both.recommend_front()} == {81}


def test_a_suggestion_replays():
    study = run(Study(floats(), seed=4), learning, 9)
    for trial in study.trials:
        assert study.replay(trial) == trial.params


def test_told_costs_move_the_fidelity():
    cheap = run(Study(floats(), seed=5), learning, 6)
    dear = Study(floats(), seed=5)
    for _ in range(6):
        trial = dear.ask()
        dear.tell(trial, learning(trial.params), cost=1000.0 / trial.params["epochs"] ** 2)
    assert dear.ask().params["epochs"] >= cheap.ask().params["epochs"]


def test_predictions_are_of_the_target_unless_they_say_another():
    study = run(Study(floats(), seed=1), learning, 12)
    aimed = study.predict([{"x": 0.8, "y": 0.6}])
    assert aimed == study.predict([{"x": 0.8, "y": 0.6, "epochs": 81}])
    early = study.predict([{"x": 0.8, "y": 0.6, "epochs": 1}])
    assert early.mean[0] != aimed.mean[0]
    with pytest.raises(ParamsError):
        study.predict([{"x": 0.8}])


def test_without_a_result_at_the_target_the_best_is_not_known_yet():
    study = Study(floats(), seed=0)
    study.add({"x": 0.2, "y": 0.2, "epochs": 3}, 1.0)
    with pytest.raises(TrialError, match="no trial at the target fidelity, epochs = 81, has"):
        study.best_trial  # noqa: B018
    assert study.recommend()["epochs"] == 81
    assert study.regret().params["epochs"] == 81
    assert all(c.params["epochs"] == 81 for c in study.best_probabilities(50).top(3))
    study.add({"x": 0.2, "y": 0.2, "epochs": 81}, 0.5)
    assert study.best_value == 0.5


def test_the_fidelities_that_are_compared_end_at_the_target():
    study = Study({"x": Float(0, 1), "mesh": Fidelity(0.01, 1.0, log=True, target=0.01)})
    found = compared(study.space.axes[1])
    assert found[-1] == 0.0
    assert len(set(found.tolist())) == len(found) == 33
    assert compared(Study(floats()).space.axes[2])[-1] == 1.0
    assert compared(Study({"x": Float(0, 1), "s": SITES}).space.axes[1]).tolist() == [0, 1, 2]


def test_the_card_says_which_fidelity_and_why():
    study = run(Study(floats(), seed=1), learning, 7)
    card = study.explain(study.trials[-1])
    assert "the target fidelity, epochs = 81" in card
    assert "tells most about the target" in card


ASSAY = Fidelity(["quick", "full"], cost=[1, 20])


def listed(kind: str, rng: np.random.Generator, n: int = 30, fidelity: Fidelity = ASSAY):
    """Rows of a pool, or points of a grid, with a fidelity."""
    if kind == "grid":
        places = np.linspace(0, 1, 6)
        return Grid({"x": places, "y": places[::-1], "assay": fidelity})
    rows = [{"id": f"m{i}", "x": x, "y": y} for i, (x, y) in enumerate(rng.random((n, 2)))]
    rows += [{"id": "low", "x": 0.0, "y": 0.0}, {"id": "high", "x": 1.0, "y": 1.0}]
    return Candidates(rows, id="id").with_fidelity("assay", fidelity)


def assay(params):
    wrong = 0.1 * np.sin(9 * params["x"]) if params["assay"] != "full" else 0.0
    return -((params["x"] - 0.3) ** 2) - (params["y"] - 0.6) ** 2 + wrong


def entropy_lost(gamma: float, rho: float) -> float:
    """H(y) - H(y | f <= g*) by brute force: densities summed over a fine grid of y."""
    y = np.linspace(-9, 9, 20001)
    normal = np.exp(-(y**2) / 2) / np.sqrt(2 * np.pi)
    tail = np.array([0.5 * (1 + math.erf(t / math.sqrt(2))) for t in [gamma]])[0]
    rest = np.sqrt(max(1 - rho**2, 1e-12))
    below = 0.5 * (1 + np.vectorize(math.erf)((gamma - rho * y) / rest / math.sqrt(2)))
    cut = np.maximum(normal * below / tail, 1e-300)
    step = y[1] - y[0]
    return float(-np.sum(normal * np.log(normal)) * step + np.sum(cut * np.log(cut)) * step)


@pytest.mark.parametrize("kind", ["pool", "grid"])
def test_rows_are_chosen_as_by_brute_force(kind: str, rng: np.random.Generator):
    space, noise = listed(kind, rng), 1e-3
    kernel = gp.Matern52(lengthscale=[0.3, 0.4, 1.5], outputscale=0.2)
    study = Study(space, seed=4, kernel=kernel, noise=noise, refit_every=None)
    run(study, assay, 7)
    for _ in range(12):
        told = list(study.trials)
        model = gp.GaussianProcess(kernel, noise=noise).condition(
            space.encode_many([t.params for t in told]), [t.value for t in told]
        )
        trial = study.ask()
        done = [t.params for t in told if t.params["assay"] == "full"]
        rows = [space.params(i) for i in range(len(space))]
        rows = [row for row in rows if row["assay"] == "full" and row not in done]
        mean, std = model.predict(space.encode_many(rows))
        g_star = trial.info["g_star"]
        best = int(np.argmin((g_star - mean) / std))
        others = {name: value for name, value in rows[best].items() if name != "assay"}
        assert others == {name: v for name, v in trial.params.items() if name != "assay"}
        free = [others | {"assay": level} for level in ("quick", "full")]
        free = [one for one in free if one not in [t.params for t in told]]
        m, C = model.joint(space.encode_many([*free, rows[best]]))
        gains = []
        for i in range(len(free)):
            rho = C[i, -1] / np.sqrt((C[i, i] + noise) * C[-1, -1])
            cost = {"quick": 1, "full": 20}[free[i]["assay"]]
            gains.append(entropy_lost((g_star - m[-1]) / np.sqrt(C[-1, -1]), rho) / cost)
        assert trial.params == free[int(np.argmax(gains))]
        assert trial.info["told"] / trial.info["cost"] == pytest.approx(max(gains), rel=1e-3)
        study.tell(trial, assay(trial.params))


@pytest.mark.parametrize("kind", ["pool", "grid"])
@pytest.mark.parametrize("fidelity", [ASSAY, Fidelity([1, 4, 16], log=True)])
def test_no_row_is_tried_twice_at_a_fidelity_until_all_are_done_at_the_target(
    kind: str, fidelity: Fidelity, rng: np.random.Generator
):
    space = listed(kind, rng, 4, fidelity)
    if kind == "grid":
        space = Grid({"x": [0, 0.5, 1], "y": [0, 1], "assay": fidelity})
    study, seen = Study(space, seed=0, initial=3), []
    with pytest.raises(ExhaustedError, match="all 6 points of the space"):
        for _ in range(len(space) + 1):
            trial = study.ask()
            assert trial.params not in seen
            seen.append(trial.params)
            study.tell(trial, trial.params["x"] - trial.params["y"])
    assert sum(params["assay"] == fidelity.checked("assay").target for params in seen) == 6


@pytest.mark.parametrize("kind", ["pool", "grid"])
def test_a_study_of_rows_speaks_of_the_target_and_replays(kind: str, rng, tmp_path):
    space, storage = listed(kind, rng), f"sqlite:///{tmp_path / 'lab.db'}"
    study = run(Study(space, seed=1, name="lab", storage=storage), assay, 12)
    study = Study.load("lab", storage=storage)
    assert study.space == space and study.space.fidelity == space.fidelity
    assert study.spent == sum(1 if t.params["assay"] == "quick" else 20 for t in study.trials)
    assert study.recommend()["assay"] == study.best_trial.params["assay"] == "full"
    ranking = study.best_probabilities(50)
    tried = [t.params for t in study.trials]
    for contender in ranking.top(10):
        assert contender.params["assay"] == "full"
        assert contender.tried == (contender.params in tried)
    assert study.regret(50).mean >= 0
    assert study.replicate_or_explore(50).params["assay"] == "full"
    for trial in study.trials[5:]:
        assert study.replay(trial) == trial.params
        assert trial.info["x_star"]["assay"] == "full"
        assert "tells most about the target" in str(study.explain(trial))
    mean, _ = study.predict([{k: v for k, v in study.trials[-1].params.items() if k != "assay"}])
    assert np.isfinite(mean).all()


@pytest.mark.parametrize("kind", ["pool", "grid"])
def test_rows_in_a_batch_are_looked_at_quickly_before_closely(kind: str, rng):
    study = run(Study(listed(kind, rng), seed=1), assay, 8)
    batch = [(t.params["x"], t.params["y"]) for t in study.ask(8)]
    assert len(set(batch)) == 8


def test_rows_with_contexts_constraints_and_several_outcomes(rng: np.random.Generator):
    rows = [{"x": x, "y": y, "day": f"day {i % 2}"} for i, (x, y) in enumerate(rng.random((40, 2)))]
    pool = Candidates(rows, context=["day"], where=["x + y <= 1.6"]).with_fidelity("assay", ASSAY)
    study = Study(pool, objectives={"a": "maximize", "b": "minimize"}, seed=0, initial=4)
    for i in range(10):
        trial = study.ask(context={"day": f"day {i % 2}"})
        assert trial.params["day"] == f"day {i % 2}"
        assert trial.params["x"] + trial.params["y"] <= 1.6
        study.tell(trial, {"a": assay(trial.params), "b": trial.params["x"]})
    assert {row["assay"] for row in study.recommend_front(context={"day": "day 1"})} == {"full"}


def test_a_library_has_no_fidelity(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"x": [0.0, 0.5, 1.0]}), tmp_path / "rows.parquet")
    streamed = pathmax.Candidates.from_parquet(tmp_path / "rows.parquet", stream=True)
    with pytest.raises(SpaceError, match="stream=False"):
        streamed.with_fidelity("assay", ASSAY)
