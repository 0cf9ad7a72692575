"""PHYSBO on a pool, exact or with random features, behind the line protocol."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
import physbo
from link import serve
from shared_pool import known, pool


class Physbo:
    def pool_start(self, rows: int, d: int, n: int, features: int = 0) -> dict[str, str]:
        tried, values = known(rows, d, n)
        self.features = features
        self.policy = physbo.search.discrete.Policy(
            test_X=pool(rows, d), initial_data=(tried, values)
        )
        self.policy.set_seed(0)
        return {"version": version("physbo")}

    def pool_ask(self) -> int:
        found: Any = self.policy.bayes_search(
            max_num_probes=1, simulator=None, score="TS", interval=0, is_disp=False,
            num_rand_basis=self.features,
        )  # fmt: skip
        return int(np.asarray(found).reshape(-1)[0])


if __name__ == "__main__":
    serve(Physbo())
