"""A Dask cluster as the executor: the same study, on as many machines as there are.

Dask's `client.get_executor()` is one more `concurrent.futures.Executor`, so `optimize` needs to
know nothing of Dask. Here the cluster is two worker processes on this computer. For a real one,
write `Client("tcp://scheduler:8786")` and change nothing else.

    pip install "pathmax[dask]"
    python examples/dask_cluster.py [trials]
"""

import sys

from distributed import Client, LocalCluster

import pathmax

space = {
    "depth": pathmax.Int(1, 64, log=True),
    "width": pathmax.Int(8, 4096, log=True),
    "rate": pathmax.Float(1e-5, 1e-1, log=True),
}


def loss(params):
    """Runs on a worker of the cluster. It fails where a network this large would not fit."""
    import math  # what a worker needs, it imports itself

    size = params["depth"] * params["width"]
    if size > 65_536:
        raise MemoryError(f"{size} units do not fit")
    best_rate = 0.1 / math.sqrt(params["width"])
    return (
        math.log10(params["rate"] / best_rate) ** 2
        + (math.log2(params["depth"]) - 3) ** 2 / 10
        + 300 / params["width"]
    )


def main():
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        client.get_executor() as executor,
    ):
        study = pathmax.Study(space, direction="minimize", seed=0)
        result = study.optimize(loss, n_trials=trials, executor=executor)

    failed = [trial for trial in result.trials if trial.state == "failed"]
    print(f"{len(result.trials)} trials, {len(failed)} of them failed, and the study went on")
    if failed:
        print(f"    trial {failed[0].number}: {failed[0].error.splitlines()[0]}")
    print(f"lowest loss {result.best_value:.3f} with {result.best_params}")


if __name__ == "__main__":
    main()
