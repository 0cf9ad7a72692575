"""Problems: their optima, and the emulators against the outputs of the original software."""

import itertools
import math
import pickle
import sys

import numpy as np
import pytest

from pathmax.errors import ModelError
from pathmax.experiments import problems
from pathmax.experiments.emulation import olympus
from pathmax.gp import RBF

# Ten points a data set with what Olympus 0.0.1b0 under TensorFlow gave there: with mean weights,
# averaged over 20,000 weight draws, and the standard deviation of one draw.
REFERENCE = {
    "alkox": [
        ((0.05, 0.5, 2.0, 6.0), 4.619491705815532, 4.585399627685547, 1.6768646240234375),
        ((1.0, 10.0, 8.0, 8.0), 5.819047557304844, 6.032466888427734, 2.425283670425415),
        ((0.525, 5.25, 5.0, 7.0), 16.34072344496445, 16.239566802978516, 0.880925714969635),
        ((0.5, 10.0, 2.0, 6.0), 117.53169977159244, 112.29542541503906, 6.909908294677734),
        ((0.61122, 1.435405, 3.382857, 6.137808), 16.54776593725283, 16.585363388061523,
         1.4618581533432007),
        ((0.56413, 5.816961, 3.80325, 6.183448), 20.42929380480833, 20.508785247802734,
         1.7747840881347656),
        ((0.792075, 2.40073, 6.086266, 6.051733), 20.550969845940298, 20.76268768310547,
         1.441757082939148),
        ((0.925675, 9.113459, 2.341918, 7.214195), 2.8725760819536688, 3.741805076599121,
         2.358555316925049),
        ((0.616182, 4.70615, 2.004722, 7.011371), 7.482025967461788, 8.003783226013184,
         1.4684921503067017),
        ((0.914352, 7.450938, 3.542046, 7.216314), 7.0694023114634135, 7.286902904510498,
         1.2853854894638062),
    ],
    "fullerenes": [
        ((3.0, 1.5, 100.0), 0.5225804464983217, 0.5260133743286133, 0.008785909041762352),
        ((31.0, 6.0, 150.0), 0.44680420532275217, 0.4463596045970917, 0.006877935491502285),
        ((17.0, 3.75, 125.0), 0.7954755450140205, 0.7956439256668091, 0.0024292326997965574),
        ((14.2, 4.2, 100.0), 0.9490587805816662, 0.9492101669311523, 0.0031142644584178925),
        ((11.588282, 1.729194, 107.927855), 0.9001398025425207, 0.9001030325889587,
         0.004003348294645548),
        ((7.709898, 2.926291, 117.727456), 0.931775232492318, 0.9317045211791992,
         0.0033973611425608397),
        ((14.056433, 1.685929, 105.834492), 0.8952763566393217, 0.8950116038322449,
         0.003944776952266693),
        ((9.065934, 2.497845, 129.721508), 0.9172055801093941, 0.9173250794410706,
         0.0033389816526323557),
        ((8.778885, 4.514256, 110.852804), 0.9254664951532408, 0.9258828163146973,
         0.0035679175052791834),
        ((4.347394, 2.931993, 124.877873), 0.9325196169563441, 0.9325726628303528,
         0.0035609391052275896),
    ],
}  # fmt: skip
MAXIMA = {
    "alkox": ((0.536428, 10.0, 2.0, 6.0), 119.005953),
    "fullerenes": ((12.280791, 4.565591, 100.0), 0.952363),
}
EMULATED = {"alkox": problems.alkox, "fullerenes": problems.fullerenes}


def params_of(problem, point):
    return dict(zip(problem.space.names, point, strict=True))


@pytest.mark.parametrize("name", REFERENCE)
def test_mean_weights_agree_with_the_original(name):
    problem = EMULATED[name]()
    for point, mean_weights, _, _ in REFERENCE[name]:
        assert problem(params_of(problem, point)) == pytest.approx(mean_weights, rel=1e-4)


@pytest.mark.parametrize("name", REFERENCE)
def test_averages_of_many_draws_agree_with_the_original(name, rng):
    network = olympus.emulator(name)
    for point, _, average, std in REFERENCE[name]:
        draws = network(np.tile(point, (10_000, 1)), rng)
        error = math.hypot(std / math.sqrt(20_000), std / math.sqrt(len(draws)))
        assert abs(draws.mean() - average) < 4 * error
        assert draws.std() == pytest.approx(std, rel=0.06)  # 4 errors of a std from 10,000 draws


@pytest.mark.parametrize("name", MAXIMA)
def test_the_known_maxima(name, rng):
    problem = EMULATED[name]()
    point, value = MAXIMA[name]
    assert problem.optimum == value
    assert problem(params_of(problem, point)) == pytest.approx(value, rel=1e-6)
    low, high = (np.array([getattr(p, end) for p in problem.space.parameters.values()])
                 for end in ("low", "high"))  # fmt: skip
    network = olympus.emulator(name)
    anywhere = low + (high - low) * rng.random((20_000, len(low)))
    near = np.clip(point + 0.02 * (high - low) * rng.standard_normal(anywhere.shape), low, high)
    assert network(np.concatenate([anywhere, near])).max() <= value * (1 + 1e-6)


@pytest.mark.parametrize("name", MAXIMA)
def test_a_noisy_emulator_draws_anew_and_regret_is_of_the_average(name):
    problem = EMULATED[name](noisy=True, rng=np.random.default_rng(3))
    params = params_of(problem, REFERENCE[name][2][0])
    assert problem(params) != problem(params)
    assert problem.value(params) == problem.value(params)
    assert problem.value(params) == pytest.approx(REFERENCE[name][2][2], rel=0.01)
    again = EMULATED[name](noisy=True, rng=np.random.default_rng(3))
    first = EMULATED[name](noisy=True, rng=np.random.default_rng(3))
    assert again(params) == first(params)
    best = params_of(problem, MAXIMA[name][0])
    assert -1e-6 * problem.optimum <= problem.regret(best) < 0.01 * problem.optimum


def test_a_noisy_emulator_needs_a_generator():
    with pytest.raises(ModelError, match="give it rng="):
        problems.alkox(noisy=True)


def test_the_emulators_import_neither_tensorflow_nor_olympus():
    problems.fullerenes()
    assert not {"olympus", "tensorflow"} & set(sys.modules)


def test_emulators_say_what_they_take():
    with pytest.raises(ModelError, match="alkox, fullerenes"):
        olympus.emulator("suzuki")
    with pytest.raises(ModelError, match="takes 3 columns, got 2"):
        olympus.emulator("fullerenes")(np.zeros((1, 2)))


MINIMA = [
    (problems.ackley(4), (0.0,) * 4),
    (problems.ackley(2), (0.0,) * 2),
    (problems.branin(), (math.pi, 2.275)),
    (problems.branin(), (-math.pi, 12.275)),
    (problems.branin(), (9.42477796, 2.475)),
    (
        problems.hartmann6(),
        (0.20168951, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730053),
    ),
    (problems.shekel(5), (4.00003715, 4.00013328, 4.00003715, 4.00013328)),
    (problems.shekel(7), (4.00057282, 3.99960621, 4.00057282, 3.99960621)),
    (problems.shekel(10), (4.00074687, 3.99950948, 4.00074687, 3.99950948)),
]


@pytest.mark.parametrize(("problem", "point"), MINIMA, ids=lambda x: getattr(x, "name", ""))
def test_the_minimum_is_where_it_should_be(problem, point, rng):
    best = params_of(problem, point)
    assert problem(best) == pytest.approx(problem.optimum, abs=1e-7)
    assert problem.regret(best) == pytest.approx(0.0, abs=1e-7)
    assert problem.direction == "minimize" and problem.dimension == len(point)
    for u in rng.random((200, problem.dimension)):
        assert problem.regret(problem.space.decode(u)) >= 0


def test_a_draw_from_the_prior_has_its_moments():
    """Values of many draws at two neighbours, in the units of the grid: covariance exp(-1/8)."""
    draws = []
    for seed in range(400):
        problem = problems.gp_sample(np.random.default_rng(seed), levels=5, d=2, lengthscale=0.4)
        a, b = {"x1": 0.2, "x2": 0.6}, {"x1": 0.4, "x2": 0.6}
        draws.append((problem.value(a), problem.value(b)))
    covariance = np.cov(np.array(draws).T)
    assert covariance[0, 0] == pytest.approx(1.0, abs=4 * math.sqrt(2 / 400))
    assert covariance[0, 1] == pytest.approx(math.exp(-1 / 8), abs=4 * math.sqrt(2 / 400))


def test_a_draw_from_the_prior_knows_its_optimum_kernel_and_noise():
    problem = problems.gp_sample(np.random.default_rng(0), levels=4, d=3, noise=0.01)
    axis = [0.25, 0.5, 0.75, 1.0]
    every = [
        dict(zip(("x1", "x2", "x3"), x, strict=True)) for x in itertools.product(axis, repeat=3)
    ]
    values = [problem.value(params) for params in every]
    assert problem.optimum == max(values) and len(problem.space) == 64
    assert min(problem.regret(params) for params in every) == 0.0
    noise = np.array([problem(every[0]) - values[0] for _ in range(400)])
    assert abs(noise.mean()) < 4 * 0.1 / math.sqrt(400)
    assert noise.std() == pytest.approx(0.1, rel=4 / math.sqrt(2 * 400))
    # 0.2 on an axis from 0.25 to 1 is 0.2 / 0.75 of its length
    assert problem.kernel == RBF(0.2 / 0.75)


def test_wrong_sizes_are_named(rng):
    with pytest.raises(ModelError, match="m = 5, 7 or 10"):
        problems.shekel(6)
    with pytest.raises(ModelError, match="d must be at least 1"):
        problems.ackley(0)
    with pytest.raises(ModelError, match="levels must be at least 2"):
        problems.gp_sample(rng, levels=1)


@pytest.mark.parametrize(
    "make",
    [
        problems.ackley,
        problems.shekel,
        problems.branin,
        problems.hartmann6,
        problems.alkox,
        problems.fullerenes,
    ],
)
def test_problems_travel_to_other_processes(make):
    problem = make()
    centre = problem.space.decode(np.full(problem.dimension, 0.5))
    assert pickle.loads(pickle.dumps(problem))(centre) == problem(centre)
