"""`pathmax rank` and `--until`."""

import csv
from pathlib import Path

import pytest

POOL = "name,logp,mass\n" + "".join(f"m{i},{i / 10},{100 + i * i}\n" for i in range(30))


RESULTS = "name,yield\nm2,10\nm9,35\nm15,52\nm22,31\nm28,8\n"


@pytest.fixture
def pool(lab: Path) -> Path:
    (lab / "library.csv").write_text(POOL)
    (lab / "results.csv").write_text(RESULTS)
    return lab


TABLE = ["--data", "results.csv", "--pool", "library.csv", "--id", "name", "--objective", "yield"]


def test_which_five_should_i_make(run, ask, pool) -> None:
    output = run("rank", *TABLE, "-n", 5, "-o", "ranked.csv").output
    assert output.startswith("30 candidates of study table, the likeliest best first:")
    assert "From 1000 sample paths" in output and "if the model is right" in output
    with Path("ranked.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5 and set(rows[0]) >= {"name", "probability", "expected", "std", "tried"}
    shares = [float(row["probability"]) for row in rows]
    assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1
    assert rows[0]["name"] in {f"m{i}" for i in range(10, 22)}
    answer = ask("rank", *TABLE, "-n", 3)
    assert [c["params"]["name"] for c in answer["contenders"]] == [r["name"] for r in rows[:3]]
    assert answer["exact"] and answer["regret"]["mean"] <= answer["regret"]["quantile_95"]


def test_regions_of_a_stored_study(run, ask, space) -> None:
    pairs = [(30, 1.0), (50, 5.0), (70, 9.0), (90, 5.5), (110, 1.5)]
    rows = "".join(f"{temperature},4,THF,{value}\n" for temperature, value in pairs)
    Path("some.csv").write_text("temperature,cycles,solvent,yield\n" + rows)
    run("import", "some.csv")
    output = run("rank", "-n", 2, "--paths", 20).output
    assert "of study suzuki" in output and "temperature (°C)" in output
    best = ask("rank", "-n", 1, "--paths", 20)["contenders"][0]
    low, high = best["extent"]["temperature"]
    assert low <= best["params"]["temperature"] <= high


def test_rank_needs_something_to_rank(run, lab) -> None:
    assert "no study has begun" in run("rank", code=1).output
    Path("results.csv").write_text("x,y\n")
    assert "nothing says what may vary" in run("rank", "--data", "results.csv", code=1).output


def test_until_says_when_nothing_more_is_to_be_gained(run, ask, pool) -> None:
    rows = "".join(f"m{i},{60 - 0.2 * (i - 15) ** 2}\n" for i in range(0, 30, 2))
    Path("results.csv").write_text("name,yield\n" + rows)
    output = run("suggest", *TABLE, "--until", 5).output
    assert output.startswith("Nothing more to try: regret at most 5 with probability")
    assert ("Best: name m1" in output and "expected 60" in output) or "expected 59" in output
    answer = ask("suggest", *TABLE, "--until", 5)
    assert answer["suggestions"] == [] and answer["done"].startswith("regret at most 5")
    Path("results.csv").write_text("name,yield\n" + rows[:60])
    assert "experiment" in run("suggest", *TABLE, "--until", 1e-9).output


def test_until_must_be_a_regret(run, pool) -> None:
    assert "regret must be above 0" in run("suggest", *TABLE, "--until", 0, code=1).output
