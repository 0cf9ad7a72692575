"""The three domains come back from JSON by their kind, and changes of kind are told."""

import json

import numpy as np
import pytest

from pathmax.errors import SpaceError
from pathmax.space.any_space import difference, from_json
from pathmax.space.candidates import Candidates
from pathmax.space.grid import Grid
from pathmax.space.parameters import Float, Int
from pathmax.space.space import Space

DOMAINS = [
    Space({"x": Float(0, 1), "n": Int(1, 3)}),
    Candidates([{"x": 1.0, "s": "a"}, {"x": 2.0, "s": "b"}]),
    Grid({"x": [1, 2], "s": ["a", "b"]}),
]


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: type(domain).__name__)
def test_each_kind_comes_back(domain):
    stored = json.loads(json.dumps(domain.to_json()))
    assert from_json(stored) == domain
    assert difference(stored, domain) == []
    for other in DOMAINS:
        if other is not domain:
            before, after = type(domain).__name__, type(other).__name__
            assert difference(stored, other) == [f"a {before} became a {after}"]


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: type(domain).__name__)
def test_what_they_share(domain):
    u = np.zeros(domain.dimension)
    params = domain.decode(u) if isinstance(domain, Space) else domain.params(0)
    assert tuple(params) == domain.names
    assert domain.validate(params) == params
    np.testing.assert_array_equal(domain.encode(params), u)
    np.testing.assert_array_equal(domain.encode_many([params, params]), [u, u])
    assert len(domain.axes) == len(domain.searched_names) == domain.dimension


def test_changes_of_a_large_pool_are_seen_without_its_rows(rng):
    X = rng.random((30_000, 2))
    stored = json.loads(json.dumps(Candidates(X).to_json()))
    assert difference(stored, Candidates(X)) == []
    assert difference(stored, Candidates(X[1:])) == ["the pool had 30000 rows and has 29999 now"]


def test_a_kind_from_the_future_is_refused():
    with pytest.raises(SpaceError, match="kind 'manifold'; it was written by a newer version"):
        from_json({"kind": "manifold"})
