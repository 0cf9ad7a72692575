"""The surrogate depends on the stored history alone, bit for bit, and grows by n^2 a trial."""

import dataclasses

import numpy as np
import pytest

import pathmax
from pathmax import gp
from pathmax.gp.borrowed import Lender
from pathmax.gp.parameter_posterior import is_doubted
from pathmax.space.parameters import Categorical, Float, Int
from pathmax.space.space import Space
from pathmax.suggestion.default_kernel import default_kernel
from pathmax.suggestion.fitted_models import Fit, Surrogate, schedule
from pathmax.suggestion.kept_rows import EXTENSION_BLOCK, cuts
from pathmax.suggestion.settings import Settings
from pathmax.suggestion.source_models import NamedLender
from pathmax.suggestion.surrogate import Modeller
from pathmax.trials import info
from pathmax.trials.history import Observations, Place, read_history
from pathmax.trials.trial import Trial, TrialState
from pathmax.trials.value_transform import standardise

SPACE = Space({"a": Float(0, 1), "b": Float(0, 1)})


def trials_of(values: np.ndarray, rng: np.random.Generator, **extra: object) -> list[Trial]:
    return [
        Trial(
            number=i,
            params={"a": float(rng.random()), "b": float(rng.random())},
            state=TrialState.COMPLETE,
            outcomes={"value": float(value)},
            told_at=float(i),
            **extra,
        )
        for i, value in enumerate(values)
    ]


def history_of(trials: list[Trial]) -> Observations:
    return read_history(trials, lambda trial: Place(SPACE.encode(trial.params)), 2).of("value")


def modeller(**settings: object) -> Modeller:
    chosen = Settings(**settings)
    return Modeller(chosen, 1.0, default_kernel(SPACE.axes, separable=False))


def with_info(trials: list[Trial], surrogate: Surrogate) -> list[Trial]:
    """The history after a suggestion from this surrogate, which then failed."""
    stored = Trial(
        number=len(trials),
        params={"a": 0.5, "b": 0.5},
        state=TrialState.RUNNING,
        info={
            "version": info.INFO_VERSION,
            "outcomes": {"value": {"model": surrogate.fit.to_json()}},
        },
    )
    return [*trials, stored]


def test_a_kept_surrogate_changes_nothing_not_even_a_bit(rng: np.random.Generator):
    make = modeller(refit_every=200)
    trials = trials_of(rng.standard_normal(150), rng)
    first = make.surrogate(history_of(trials[:10]))
    kept = first
    for n in (11, 12, 40, 74, 75, 140, 150):
        known = with_info(trials[:n], first)
        past = history_of(known)
        kept = make.surrogate(past, kept)
        fresh = make.surrogate(past)
        assert fresh.fit.n == kept.fit.n == 10
        np.testing.assert_array_equal(fresh.model.cholesky, kept.model.cholesky)
        np.testing.assert_array_equal(fresh.model.alpha, kept.model.alpha)


def test_a_kept_surrogate_is_really_used(rng: np.random.Generator, monkeypatch):
    make = modeller(refit_every=200)
    trials = trials_of(rng.standard_normal(50), rng)
    first = make.surrogate(history_of(trials[:20]))
    kept = make.surrogate(history_of(with_info(trials[:30], first)), first)
    sizes = []
    condition = gp.GaussianProcess.condition
    monkeypatch.setattr(
        gp.GaussianProcess,
        "condition",
        lambda self, X, *rest: sizes.append((self.n, len(X))) or condition(self, X, *rest),
    )
    make.surrogate(history_of(with_info(trials[:31], first)), kept)
    assert sizes == [(30, 1)]


@pytest.mark.parametrize("change", ["value", "noise", "deleted", "another fit"])
def test_a_kept_surrogate_is_dropped_when_history_changed(rng: np.random.Generator, change: str):
    make = modeller(refit_every=200)
    trials = trials_of(rng.standard_normal(30), rng, noise=0.1)
    first = make.surrogate(history_of(trials[:20]))
    kept = make.surrogate(history_of(with_info(trials, first)), first)
    changed = list(trials)
    if change == "value":
        changed[25] = Trial(**(changed[25].to_json() | {"outcomes": {"value": 9.0}}))
        changed[25] = Trial.from_json(changed[25].to_json())
    elif change == "noise":
        changed[3] = Trial.from_json(changed[3].to_json() | {"noise": 0.9})
    elif change == "deleted":
        del changed[25]
    else:
        first = make.surrogate(history_of(trials[:10]))
    past = history_of(with_info(changed, first))
    np.testing.assert_array_equal(
        make.surrogate(past, kept).model.alpha, make.surrogate(past).model.alpha
    )


def test_parameters_are_learnt_on_schedule(rng: np.random.Generator):
    make = modeller(refit_every=5)
    trials = trials_of(rng.standard_normal(20), rng)
    first = make.surrogate(history_of(trials[:10]))
    assert first.fit.n == 10
    assert make.surrogate(history_of(with_info(trials[:14], first))).fit.n == 10
    assert make.surrogate(history_of(with_info(trials[:15], first))).fit.n == 15


@pytest.mark.parametrize(("surprise", "learnt"), [(0.0, 40), (3.0, 41)])
def test_a_surprising_value_calls_for_learning_at_once(surprise: float, learnt: int):
    """What a result is expected to be, and that by three standard deviations off."""
    rng = np.random.default_rng(5)
    make, trials = modeller(), trials_of(rng.standard_normal(41), rng)
    first = make.surrogate(history_of(trials[:40]))
    mean, std = first.model.predict(history_of(trials).X[40:])
    y = mean + surprise * np.sqrt(std**2 + first.fit.noise)
    value = float(first.transform.outward(y)[0])
    trials[40] = Trial.from_json(trials[40].to_json() | {"outcomes": {"value": value}})
    assert make.surrogate(history_of(with_info(trials, first))).fit.n == learnt
    by_hand = modeller(refit_every=5).surrogate(history_of(with_info(trials, first)))
    assert by_hand.fit.n == 40


def test_a_value_far_off_the_scale_calls_for_learning_at_once(rng: np.random.Generator):
    make = modeller(refit_every=100)
    trials = trials_of(np.append(rng.standard_normal(10), 1e9), rng)
    first = make.surrogate(history_of(trials[:10]))
    assert make.surrogate(history_of(with_info(trials, first))).fit.n == 11


@pytest.mark.parametrize("seed", [3, 4, 6])
def test_a_value_far_off_the_scale_calls_for_a_second_look_at_the_others(seed: int):
    rng, n = np.random.default_rng(seed), 26
    assert not is_doubted(n, n + 1)
    X, unknown = rng.random((n + 1, 2)), np.full(n + 1, np.nan)
    values = np.append(np.sin(6.0 * X[:n, 0]) + X[:n, 1], -50.0)
    trials = [
        Trial(number=i, params={"a": a, "b": b}, state=TrialState.COMPLETE,
              outcomes={"value": float(value)}, told_at=float(i))
        for i, ((a, b), value) in enumerate(zip(X.tolist(), values, strict=True))
    ]  # fmt: skip
    make = modeller()
    first = make.surrogate(history_of(trials[:n]))
    observed = history_of(with_info(trials, first))
    cold = make.surrogate(Observations(X, values, unknown)).fit
    warm = make.surrogate(observed).fit
    assert make._evidence(warm, observed) > make._evidence(cold, observed) - 0.5


def test_a_fit_of_another_kind_of_kernel_is_not_gone_on_with(rng: np.random.Generator):
    trials = trials_of(rng.standard_normal(12), rng)
    first = modeller(refit_every=100).surrogate(history_of(trials[:10]))
    past = history_of(with_info(trials, first))
    rbf = Modeller(Settings(refit_every=100), 1.0, gp.RBF(lengthscale=[1.0, 1.0]))
    assert isinstance(rbf.surrogate(past).fit.kernel, gp.RBF)
    assert rbf.surrogate(past).fit.n == 12


def test_a_fixed_model_takes_values_as_they_are(rng: np.random.Generator):
    kernel = gp.RBF(lengthscale=0.2, outputscale=4.0)
    settings = Settings(kernel=kernel, noise=1e-4, refit_every=None)
    trials = trials_of(100.0 + rng.standard_normal(70), rng)
    past = history_of(trials)
    surrogate = Modeller(settings, -1.0, kernel).surrogate(past)
    expected = gp.GaussianProcess(kernel, 1e-4).condition(past.X, -past.values)
    np.testing.assert_allclose(surrogate.model.alpha, expected.alpha, rtol=1e-6)
    assert surrogate.model.kernel == kernel
    assert surrogate.transform.outward(-100.0) == 100.0


def test_noise_is_learnt_only_where_it_is_not_given(rng: np.random.Generator):
    trials = trials_of(3.0 * rng.standard_normal(12), rng)
    trials[4] = Trial.from_json(trials[4].to_json() | {"noise": 2.0})
    surrogate = modeller().surrogate(history_of(trials))
    scale = surrogate.transform.scale
    assert surrogate.model.noises[4] == pytest.approx(2.0 / scale**2)
    others = np.delete(surrogate.model.noises, 4)
    assert (others == surrogate.fit.noise).all()
    given = modeller(noise=0.5).surrogate(history_of(trials)).model.noises
    assert np.delete(given, 4) == pytest.approx(0.5 / scale**2)


def test_what_was_learnt_survives_json(rng: np.random.Generator):
    fit = modeller().surrogate(history_of(trials_of(rng.standard_normal(8), rng))).fit
    assert Fit.from_json(fit.to_json()).to_json() == fit.to_json()


def test_observations_come_in_the_order_they_were_told(rng: np.random.Generator):
    trials = trials_of(np.arange(3.0), rng)
    late = Trial.from_json(trials[0].to_json() | {"told_at": 10.0})
    past = read_history([late, *trials[1:]], lambda trial: Place(SPACE.encode(trial.params)), 2)
    assert past.numbers == (1, 2, 0)
    assert past.of("value").values.tolist() == [1.0, 2.0, 0.0]


@pytest.mark.parametrize("start", [0, 5, 70])
@pytest.mark.parametrize("n", [70, 71, 134, 300])
def test_steps_end_where_all_agree(start: int, n: int):
    found = cuts(start, n)
    assert found == sorted(set(found))
    assert found[-1] == n
    blocks = [cut for cut in found if (cut - start) % EXTENSION_BLOCK == 0]
    assert found[: len(blocks)] == blocks
    assert len(found) - len(blocks) < EXTENSION_BLOCK


def test_the_schedule_slows_down_as_data_grow():
    assert [schedule("auto", n) for n in (1, 39, 40, 100, 1000)] == [1, 1, 2, 5, 50]
    assert schedule(7, 1000) == 7


def test_the_default_kernel_has_a_factor_for_what_there_is():
    mixed = Space({"a": Float(0, 1), "c": Categorical(["x", "y"]), "b": Float(0, 1)}).axes
    names = [type(f).__name__ for f in default_kernel(mixed, separable=False).factors]
    assert names == ["Matern52", "Categorical"]
    separable = default_kernel(mixed, separable=True)
    assert separable.axis_kernels(3) is not None
    assert isinstance(default_kernel(SPACE.axes, separable=False), gp.Matern52)


def grid_history(n: int, rng: np.random.Generator) -> tuple[pathmax.Grid, Observations]:
    grid = pathmax.Grid({"a": np.linspace(0, 1, 9), "b": np.linspace(0, 1, 8)})
    rows = rng.permutation(len(grid))[:n]
    trials = [
        Trial(
            number=i,
            params=grid.params(int(row)),
            state=TrialState.COMPLETE,
            outcomes={"value": float(rng.standard_normal())},
            told_at=float(i),
        )
        for i, row in enumerate(rows)
    ]
    return grid, read_history(
        trials, lambda t: Place(grid.encode(t.params), grid.index(t.params)), 2
    ).of("value")


def test_on_a_grid_the_whole_posterior_is_kept_and_is_the_same_bit_for_bit(
    rng: np.random.Generator,
):
    grid, past = grid_history(70, rng)
    kernel = gp.RBF(lengthscale=0.3)
    settings = Settings(kernel=kernel, noise=1e-4, refit_every=None)
    make = Modeller(settings, 1.0, kernel, tuple(grid.axis_values))
    kept = None
    for n in (3, 4, 5, 64, 65, 70):
        part = first(past, n)
        kept = make.surrogate(part, kept)
        fresh = make.surrogate(part)
        assert isinstance(kept.posterior, gp.GridPosterior)
        assert isinstance(fresh.posterior, gp.GridPosterior)
        np.testing.assert_array_equal(kept.posterior.mean, fresh.posterior.mean)
        np.testing.assert_array_equal(kept.posterior.std, fresh.posterior.std)
        plain = gp.GaussianProcess(kernel, 1e-4).condition(part.X, part.values)
        mean, std = plain.predict(grid.encode_rows(range(len(grid))))
        np.testing.assert_allclose(kept.posterior.mean, mean, atol=1e-7)
        np.testing.assert_allclose(kept.posterior.std, std, atol=1e-5)


def test_a_kernel_that_is_no_product_has_a_plain_model_on_a_grid(rng: np.random.Generator):
    grid, past = grid_history(6, rng)
    kernel = gp.Matern52(lengthscale=0.3)
    make = Modeller(Settings(kernel=kernel), 1.0, kernel, tuple(grid.axis_values))
    assert isinstance(make.surrogate(past).posterior, gp.GaussianProcess)


def first(past: Observations, n: int) -> Observations:
    return dataclasses.replace(
        past, X=past.X[:n], values=past.values[:n], noises=past.noises[:n], rows=past.rows[:n]
    )


def model_of(trial: Trial) -> dict[str, object]:
    return trial.info["outcomes"]["value"]["model"]


def test_the_middle_of_the_ranges_is_expected_to_be_good_unless_a_kernel_is_given() -> None:
    """Numbers of a space with a real one among them; nothing where all points are gone through."""
    space = {"a": Float(0, 1), "n": Int(1, 9), "c": Categorical(["x", "y"])}
    for given, on in [({}, (0, 1)), ({"kernel": gp.RBF()}, ())]:
        study = pathmax.Study(space, direction="maximize", seed=0, **given)
        for _ in range(8):
            trial = study.ask()
            study.tell(trial, -((trial.params["a"] - 0.4) ** 2) - 0.1 * trial.params["n"])
        bowl = model_of(study.ask())["bowl"]
        assert (tuple(bowl["on"]) if bowl else ()) == on
    for finite in (pathmax.Space({"n": Int(1, 9)}), pathmax.Grid({"n": [1, 2, 5], "m": [0, 1, 2]})):
        study = pathmax.Study(finite, direction="maximize", seed=0)
        for _ in range(6):
            trial = study.ask()
            study.tell(trial, -float(trial.params["n"]))
        assert model_of(study.ask())["bowl"] is None


def bounded(values: np.ndarray, X: np.ndarray) -> Fit:
    """What is learnt of an outcome that is to stay below 0."""
    make = dataclasses.replace(modeller(), sign=-1.0, bound=0.0)
    return make.surrogate(Observations(X, values, np.full(len(X), np.nan))).fit


def test_a_bounded_outcome_is_bent_about_its_bound_where_that_explains_it_better(rng):
    X = rng.random((30, 2))
    cliff = 0.02 / X[:, 0] ** 3 - 1.0  # from -0.98 to thousands
    bowl = np.square(X - 0.4).sum(axis=1) - 0.1
    assert bounded(cliff, X).transform.about_bound
    assert not bounded(bowl, X).transform.about_bound


def test_an_objective_is_never_bent_about_a_bound(rng):
    X = rng.random((30, 2))
    values = 0.02 / X[:, 0] ** 3 - 1.0
    fit = modeller().surrogate(Observations(X, values, np.full(30, np.nan))).fit
    assert not fit.transform.about_bound


def test_an_objective_beside_others_has_the_unit_of_its_better_half_where_bad_values_explode(rng):
    X = rng.random((30, 2))
    cliff = -1.0 / (0.03 + X[:, 0] * X[:, 1]) ** 3  # from -0.9 to -37,000
    bowl = -np.square(X - 0.4).sum(axis=1)
    alone, beside = modeller(), dataclasses.replace(modeller(), front=True, beside_others=True)
    constraint = dataclasses.replace(modeller(), front=True)

    def learnt(make: Modeller, values: np.ndarray, n: int = 30) -> Fit:
        return make.surrogate(Observations(X[:n], values[:n], np.full(n, np.nan))).fit

    assert learnt(beside, cliff).transform.by_better
    assert not learnt(beside, cliff, n=9).transform.by_better  # so few differ by chance
    assert not learnt(beside, bowl).transform.by_better
    assert not learnt(alone, cliff).transform.by_better
    assert not learnt(constraint, cliff).transform.by_better


def test_values_are_bent_where_the_process_explains_them_better_so(rng):
    """Both look skewed: one is a power of something smooth, the other smooth with noise."""
    X = rng.random((40, 2))
    smooth = np.sin(3.0 * X[:, 0]) + X[:, 1]
    X_near = np.concatenate([X[:12], 0.5 + 0.05 * rng.standard_normal((28, 2))])
    near = -10.0 * np.square(X_near - 0.5).sum(axis=1) + 0.05 * rng.standard_normal(40)
    shapes = []
    for points, values in ((X, np.exp(3.0 * smooth)), (X_near, near)):
        assert standardise(1.0, values).shape == "bent"
        seen = Observations(points, values, np.full(40, np.nan))
        shapes.append(modeller().surrogate(seen).fit.transform.shape)
    assert shapes == ["bent", "straight"]
    many = dataclasses.replace(modeller(), front=True)
    assert many.surrogate(seen).fit.transform.shape == "bent"


def test_whether_values_are_bent_is_asked_again_when_a_fit_is_doubted():
    """From a fit to values as they are, of values that had better be bent."""
    rng = np.random.default_rng(2)
    X = rng.random((32, 2))
    values = np.exp(3.0 * (np.sin(3.0 * X[:, 0]) + X[:, 1]))
    trials = [
        Trial(number=i, params={"a": a, "b": b}, state=TrialState.COMPLETE,
              outcomes={"value": float(value)}, told_at=float(i))
        for i, ((a, b), value) in enumerate(zip(X.tolist(), values, strict=True))
    ]  # fmt: skip
    make = modeller()
    assert make.surrogate(history_of(trials)).fit.transform.shape == "bent"
    shapes = {True: set[str](), False: set[str]()}
    for n in range(26, 32):
        straight = modeller(warp=False).surrogate(history_of(trials[:n]))
        fit = make.surrogate(history_of(with_info(trials[: n + 1], straight))).fit
        assert fit.n == n + 1
        shapes[is_doubted(n, n + 1)].add(fit.transform.shape)
    assert shapes == {True: {"bent"}, False: {"straight"}}


@pytest.mark.parametrize("front", [False, True])
def test_where_older_results_say_nothing_the_model_is_that_without_them(front, rng):
    alone = dataclasses.replace(modeller(), front=front)
    X, unknown = rng.random((12, 2)), np.full(12, np.nan)
    older = alone.surrogate(Observations(rng.random((12, 2)), rng.standard_normal(12), unknown))
    lender = NamedLender("older", Lender(older.model), older.transform)
    observed = Observations(X, np.sin(6.0 * X[:, 0]), unknown)
    fit = dataclasses.replace(alone, lenders=(lender,)).surrogate(observed).fit
    plain = alone.surrogate(observed).fit
    assert not fit.borrowed["older"]
    assert fit.to_json() == plain.to_json() | {"borrowed": {"older": 0.0}}  # to the last bit


def test_the_evidence_is_that_of_the_values_in_their_own_units(rng):
    X, y = rng.random((8, 2)), rng.standard_normal(8)
    make = modeller()
    evidences = []
    for factor in (1.0, 1000.0):
        observed = Observations(X, factor * y, np.full(8, np.nan))
        evidences.append(make._evidence(make.surrogate(observed).fit, observed))
    assert evidences[0] - evidences[1] == pytest.approx(8 * np.log(1000.0), abs=1e-3)


@pytest.mark.parametrize(
    ("n", "noise", "kept"), [(30, 0.1, False), (19, 0.1, True), (30, 0.0, True)]
)
def test_the_bowl_is_given_up_where_enough_results_are_noisy(
    n: int, noise: float, kept: bool
) -> None:
    rng = np.random.default_rng(3)
    X = rng.random((n, 2))
    y = -4.0 * (X[:, 0] - 0.1) ** 2 + X[:, 1] + noise * rng.standard_normal(n)
    study = pathmax.Study({"a": pathmax.Float(0, 1), "b": pathmax.Float(0, 1)}, seed=0)
    study.add([{"a": float(a), "b": float(b)} for a, b in X], list(y))
    assert (model_of(study.ask())["bowl"] is not None) is kept
    again = study.replay(n)
    assert again == study.trials[n].params
