"""PIMS goes on: it looks elsewhere when its choice is known, to the resolution or to the noise."""

import math

import numpy as np
import pytest

from pathmax import gp
from pathmax.acquisition import choose
from pathmax.acquisition.pims import TO_NOISE, known_below
from pathmax.acquisition.surfaces.searched_surface import Searched
from pathmax.search.box import Box
from pathmax.search.constrained_domain import Constrained
from pathmax.search.mixed_domain import Mixed
from pathmax.search.rows import Pool
from pathmax.space import Float, Mixture, Space
from pathmax.space.axes import Axis


def test_known_is_known_to_the_resolution_or_to_the_noise():
    assert known_below(1e-3, 0.0) == 1e-3
    assert known_below(1e-3, 0.04) == pytest.approx(TO_NOISE * 0.2)


def test_under_noise_it_looks_elsewhere_when_the_choice_is_known_to_the_noise():
    """The best is measured a hundred times; half of the interval was never looked at."""
    noise = 0.3**2
    X = np.concatenate([np.full(100, 0.2), np.linspace(0.0, 0.4, 9)])[:, None]
    y = 1.0 - 4.0 * (X[:, 0] - 0.2) ** 2
    model = gp.GaussianProcess(gp.RBF(0.15), noise).condition(X, y)
    looked = 0
    for seed in range(30):
        rng = np.random.default_rng([seed, 3])
        choice = choose("pims", model, Box(1), rng, resolution=1e-3)
        if choice.info.get("looked_elsewhere"):
            looked += 1
            assert choice.info["g_star"] > 1.0
        elif choice.info["std"] < TO_NOISE * math.sqrt(noise):
            first = np.random.default_rng([seed, 3])
            same = choose("pims", model, Box(1), first, resolution=0.0)
            assert choice.u == pytest.approx(same.u)
    assert looked > 0


def objective(x):
    return np.sin(3.0 * x) + 0.5 * np.sin(11.0 * x + 1.0)


def test_500_steps_on_a_line_with_noise_of_1e_minus_6(rng):
    X = rng.random((3, 1))
    model = gp.GaussianProcess(gp.RBF(0.2), 1e-6)
    model = model.condition(X, objective(X[:, 0]) + 1e-3 * rng.standard_normal(3))
    repeats = run = longest = 0
    for t in range(1, 501):
        choice = choose("pims", model, Box(1), rng, t=t, effort=0.1)
        assert choice.info["g_star"] >= choice.info["mean"] - 8 * choice.info["std"]
        same = bool((np.abs(model.X - choice.u) < 1e-12).any())
        repeats, run = repeats + same, run + 1 if same else 0
        longest = max(longest, run)
        y = objective(choice.u) + 1e-3 * rng.standard_normal(1)
        model = model.condition(choice.u[None], y)
    assert repeats <= 25 and longest <= 3  # an optimum at the edge would be met again and again
    best = objective(np.linspace(0, 1, 10_001)).max()
    assert best - objective(model.X[:, 0]).max() < 1e-5
    assert len(np.unique(np.round(model.X[:, 0], 6))) > 200


def known_hill(height):
    """Eleven results on a hill at 0.2, which they settle; the right half is unseen."""
    X = np.linspace(0.1, 0.3, 11)[:, None]
    y = height - 40.0 * (X[:, 0] - 0.2) ** 2
    return gp.GaussianProcess(gp.RBF(0.1), 1e-12).condition(X, y)


def choices(model, resolution, seeds=40):
    return [
        choose("pims", model, Box(1), np.random.default_rng(s), resolution=resolution)
        for s in range(seeds)
    ]


def test_with_a_resolution_what_is_known_is_left_for_a_path_that_sees_more():
    model = known_hill(height=1.5)
    paper, ours = choices(model, 0.0), choices(model, 1e-3)
    known = [choice.info["std"] < 1e-3 for choice in paper]
    assert 10 < sum(known) < 40  # most paths have their maximum on the hill, not all
    left = 0
    for settled, before, after in zip(known, paper, ours, strict=True):
        info = after.info
        if "looked_elsewhere" not in info:  # eight paths may see nothing either
            assert np.array_equal(before.u, after.u) and before.info == info
        else:
            assert settled
            left += 1
            assert after.u[0] > 0.35 and info["g_star"] > 1.5 + 1e-3
            assert info["mean"] + info["xi"] * info["std"] == pytest.approx(info["g_star"])
    assert left > 0.7 * sum(known)


def test_a_resolution_changes_nothing_where_no_path_sees_more():
    model = known_hill(height=20.0)  # twenty standard deviations: nothing can be above it
    for before, after in zip(choices(model, 0.0, 8), choices(model, 1e-3, 8), strict=True):
        assert np.array_equal(before.u, after.u) and before.info["xi"] == after.info["xi"]


def settled_middle(d, depth):
    """A hill in the middle that is known; what a bowl expects of the rest of the cube is little."""
    U = 0.5 + 0.3 * (np.random.default_rng(0).random((40, d)) - 0.5)
    y = 2.5 - 20.0 * np.sum((U - 0.5) ** 2, axis=1)
    bowl = gp.Bowl(depth, tuple(range(d)))
    prior = gp.GaussianProcess(gp.Matern52(0.25), 1e-8, -bowl.average, bowl=bowl)
    return prior.condition(U, y)


def test_it_looks_elsewhere_without_expecting_little_of_corners():
    shallow, deep = settled_middle(3, 0.0), settled_middle(3, 12.0)
    elsewhere, far = [], []
    for seed in range(30):
        made = [
            choose("pims", model, Box(3), np.random.default_rng(seed), resolution=0.1, looks=2048)
            for model in (shallow, deep)
        ]
        elsewhere.append([choice.info.get("looked_elsewhere", False) for choice in made])
        if elsewhere[-1][1]:
            far.append(np.abs(made[1].u - 0.5).max() > 0.2)
    assert np.mean(far) > 0.8  # one path in twenty-four is highest in the middle after all
    assert all(np.sum(elsewhere, axis=0) >= 5)  # no path that has the bowl is above the hill


def test_what_is_expected_elsewhere_is_what_the_model_says_with_its_bowl():
    model, looked = settled_middle(3, 12.0), 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        choice = choose("pims", model, Box(3), rng, resolution=0.1, looks=2048)
        looked += bool(choice.info.get("looked_elsewhere"))
        mean, std = model.predict(choice.u[None])
        assert (choice.info["mean"], choice.info["std"]) == pytest.approx((mean[0], std[0]))
        assert choice.info["xi"] * std[0] == pytest.approx(choice.info["g_star"] - mean[0])
    assert looked >= 3


def test_what_was_seen_elsewhere_is_not_lost_among_few_points():
    model, resolution = settled_middle(3, 0.0), 0.1
    looked = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        info = choose("pims", model, Box(3), rng, resolution=resolution, looks=2048).info
        if info.get("looked_elsewhere"):
            looked += 1
            assert "looks" not in info
            assert info["g_star"] > model.fitted.max() + resolution
    assert looked >= 5


def model_of(d, rng, n=20, lengthscale=None):
    X = rng.random((n, d))
    kernel = gp.Matern52(0.5 * math.sqrt(d) if lengthscale is None else lengthscale)
    return gp.GaussianProcess(kernel, 1e-4).condition(X, np.cos(4.0 * X[:, 0]))


def test_among_some_points_a_path_promises_no_more_than_everywhere(rng):
    model = model_of(8, rng)
    for seed in range(5):
        everywhere, among = (
            choose("pims", model, Box(8), np.random.default_rng(seed), looks=looks)
            for looks in (0, 512)
        )
        assert 160 <= among.info["looks"] <= 512 and "looks" not in everywhere.info
        assert among.info["g_star"] <= everywhere.info["g_star"] + 1e-9
        assert among.info["g_star"] >= model.fitted.max() - 0.1  # the data are among them


def test_xi_is_bounded_as_on_a_finite_set(rng):
    """E[xi^2] <= 2 + 2 log(|X_t| / 2), where a search of the whole cube goes far beyond."""
    model, looks = model_of(60, rng, lengthscale=1.5), 62
    xi = {
        n: [
            choose("pims", model, Box(60), np.random.default_rng(seed), looks=n, effort=0.1).info[
                "xi"
            ]
            for seed in range(40 if n else 5)
        ]
        for n in (looks, 0)
    }
    bound = 2.0 + 2.0 * math.log((looks + model.n) / 2)
    assert np.mean(np.maximum(xi[looks], 0.0) ** 2) <= bound
    assert np.mean(np.square(xi[0])) > bound


def test_on_finite_sets_every_point_is_looked_at_anyway(rng):
    model, pool = model_of(2, rng), Pool(rng.random((200, 2)))
    same = [choose("pims", model, pool, np.random.default_rng(3), looks=n).index for n in (0, 16)]
    assert same[0] == same[1]


def test_points_grow_with_the_results_and_are_now_and_then_many(rng):
    for n in (4, 16):
        surface = Searched(model_of(3, rng, n), Box(3), rng)
        drawn = np.array([surface.looks(2048) for _ in range(4000)])
        assert drawn.min() >= 8 * n and drawn.max() == 2048
        for m in (16 * n, 64 * n):  # more than m with probability 8 n / m
            share = 8 * n / m
            assert np.mean(drawn > m) == pytest.approx(share, abs=4 * math.sqrt(share / 4000))
        assert surface.looks(9) == 9


@pytest.mark.parametrize(("d", "looks"), [(5, 0), (2, 2048)])
def test_a_search_everywhere_draws_no_number_of_points(d, looks, rng):
    surface = Searched(model_of(d, rng), Box(d), rng)
    before = rng.bit_generator.state
    assert surface.looks(looks) == 0
    assert rng.bit_generator.state == before  # so that trials of earlier engines are derived again


def test_where_points_would_fill_the_space_the_path_is_searched(rng):
    model = model_of(2, rng)
    same = [choose("pims", model, Box(2), np.random.default_rng(3), looks=n).u for n in (0, 2048)]
    assert (same[0] == same[1]).all()


def test_where_the_mean_is_above_what_the_path_promises_it_is_followed():
    X = np.random.default_rng(1).random((12, 3))
    y = -10.0 * np.sum((X - 0.4) ** 2, axis=1)  # highest between the results
    model = gp.GaussianProcess(gp.RBF(0.5), 1e-6).condition(X, y)
    axis = np.linspace(0.2, 0.6, 41)
    grid = np.stack(np.meshgrid(axis, axis, axis), axis=-1).reshape(-1, 3)
    mean = model.predict(grid)[0]
    made = [
        choose("pims", model, Box(3), np.random.default_rng(seed), looks=32) for seed in range(40)
    ]
    followed = [one for one in made if one.info["xi"] == 0.0]
    assert 5 < len(followed) < 40
    for one in followed:
        assert one.u == pytest.approx(grid[np.argmax(mean)], abs=0.01)
        assert one.info["g_star"] == one.info["mean"] == pytest.approx(mean.max(), abs=1e-3)
    assert all(one.info["xi"] >= 0.0 for one in made)
    paper = [choose("pims", model, Box(3), np.random.default_rng(seed)) for seed in range(40)]
    assert any(one.info["xi"] < 0.0 for one in paper)  # as it stands there


def test_with_lists_among_few_coordinates_the_path_is_searched(rng):
    for d, looks in ((4, 0), (8, 2048)):
        domain = Mixed([Axis("int", np.linspace(0.0, 1.0, 4)), *[Axis("float")] * (d - 1)])
        assert Searched(model_of(d, rng), domain, rng).looks(2048) == looks


def test_under_known_constraints_points_are_as_many_as_without(rng):
    space = Space({name: Float(0, 1) for name in "abcd"}, ["a + b + c <= 1.5", "a * d >= 0.1"])
    domain = Constrained(space.axes, space.limits)
    surface = Searched(model_of(4, rng, 16), domain, rng)
    drawn = np.array([surface.looks(2048) for _ in range(400)])
    assert drawn.min() >= 8 * 16
    assert drawn.max() == 2048
    assert np.mean(drawn > 2 * 8 * 16) == pytest.approx(0.5, abs=0.1)


def test_coordinates_that_nothing_is_chosen_in_do_not_count(rng):
    held = Box(4, [0.0, 0.0, 0.3, 0.0], [1.0, 1.0, 0.3, 1.0])
    assert Searched(model_of(4, rng), held, rng).looks(2048) > 0  # three are free
    held = Box(4, [0.0, 0.0, 0.3, 0.4], [1.0, 1.0, 0.3, 0.4])
    assert Searched(model_of(4, rng), held, rng).looks(2048) == 0
    blend = Space({"blend": Mixture({"A": (0, 60), "B": (0, 60), "C": (0, 60)}, total=100)})
    domain = Constrained(blend.axes, blend.limits)  # the third is what is left of the whole
    assert domain.varying == 2
    assert Searched(model_of(3, rng), domain, rng).looks(2048) == 0
    few = Space({"blend": Mixture({f"c{i}": (0, 60) for i in range(5)}, total=100, at_most=2)})
    domain = Constrained(few.axes, few.limits)  # which of them are present is a choice
    assert not domain.is_real
    assert Searched(model_of(5, rng), domain, rng).looks(2048) == 0


def test_where_nothing_is_left_to_know_xi_is_a_number():
    """A linear function is known to be 0 at 0, where a falling one is highest."""
    X = np.random.default_rng(0).random((5, 2))
    for level in (0.0, 7.7):
        prior = gp.GaussianProcess(gp.Linear(), 1e-6, mean=level)
        model, at_zero = prior.condition(X, level - X.sum(axis=1)), 0
        for seed in range(20):
            choice = choose("pims", model, Box(2), np.random.default_rng(seed))
            assert abs(choice.info["xi"]) < 1e6
            at_zero += choice.info["std"] == 0.0
        assert at_zero
