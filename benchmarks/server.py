"""How the server stands up to a laboratory: a long study, many viewers, many workers.

    python -m benchmarks.server first-view --trials 50000
    python -m benchmarks.server load --viewers 100 --workers 16 --seconds 60

`first-view` fills a SQLite file, starts `pathmax serve` and times what a browser fetches when it
opens the study for the first time: the page itself, the summary, the first fifty trials, and the
columns of the charts. With a python in benchmarks/.venvs/optuna-dashboard it does the same for
optuna-dashboard: its page and the study with all trials, which its page fetches.

`load` runs workers whose objectives sleep, through the server, first alone and then while viewers
watch: each viewer holds a stream of events open and fetches the summary and the first page of
trials when something changes, at most once a second. The ratio of the two rates is the figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import numpy as np

from pathmax import Categorical, Float, Study
from pathmax.storage import Entry, open_storage

HERE = Path(__file__).parent
RIVAL = HERE / ".venvs" / "optuna-dashboard" / "bin" / "python"
TOKEN = "a-token-for-the-benchmark-0123456789"
PORT, RIVAL_PORT = 8123, 8124
SPACE = {"temperature": Float(20, 120), "minutes": Float(5, 240, log=True),
         "solvent": Categorical(["DMF", "THF", "water"])}  # fmt: skip
PATHS = ("/studies/long", "/api/studies/long", "/api/studies/long/trials?limit=50&sort=-number",
         "/api/studies/long/series")  # fmt: skip

FILL_RIVAL = """
import sys, optuna
from optuna.distributions import FloatDistribution as F, CategoricalDistribution as C
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.create_study(storage=sys.argv[1], study_name="long", direction="maximize")
space = {"temperature": F(20, 120), "minutes": F(5, 240, log=True),
         "solvent": C(["DMF", "THF", "water"])}
import random; random.seed(0)
study.add_trials([optuna.trial.create_trial(params={"temperature": random.uniform(20, 120),
    "minutes": 5 * 48 ** random.random(), "solvent": random.choice(["DMF", "THF", "water"])},
    distributions=space, value=random.random()) for _ in range(int(sys.argv[2]))])
"""


@contextmanager
def started(command: Sequence[str], url: str) -> Iterator[None]:
    """A server as a process of its own, once it answers."""
    environment = {**os.environ, "PATHMAX_TOKEN": TOKEN, "PYTHONPATH": str(HERE.parent / "src")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        while True:
            try:
                fetch(url)
                break
            except OSError:
                if process.poll() is not None:
                    raise SystemExit(f"{command[2]} ended") from None
                time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()


def pathmax_server(storage: str) -> object:
    command = [sys.executable, "-m", "pathmax", "serve", "--storage", storage]
    return started([*command, "--port", str(PORT)], f"http://127.0.0.1:{PORT}/static/api_docs.css")


def fetch(url: str) -> bytes:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/html"}
    with urlopen(Request(url, headers=headers), timeout=600) as answer:
        return answer.read()


def timed(base: str, paths: Sequence[str]) -> float:
    """Seconds for what a browser fetches, one after the other; each is printed."""
    total = 0.0
    for path in paths:
        begun = time.perf_counter()
        size = len(fetch(base + path))
        seconds = time.perf_counter() - begun
        total += seconds
        print(f"    {seconds:7.3f} s  {size / 1e3:9.1f} kB  {path}")
    return total


def first_view(trials: int) -> None:
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/long.db"
        Study(SPACE, name="long", storage=url, seed=0)
        with open_storage(url) as storage:
            for first in range(0, trials, 5000):
                storage.insert_many("long", [entry(rng) for _ in range(min(5000, trials - first))])
        with pathmax_server(url):
            print(f"pathmax, {trials} trials:")
            first = timed(f"http://127.0.0.1:{PORT}", PATHS)
            again = timed(f"http://127.0.0.1:{PORT}", PATHS)
        print(f"first view {first:.2f} s, second view {again:.2f} s")
        if RIVAL.exists():
            rival(folder, trials, first)
        else:
            print(f"{RIVAL} is not there: no comparison with optuna-dashboard")


def rival(folder: str, trials: int, ours: float) -> None:
    url = f"sqlite:///{folder}/optuna.db"
    subprocess.run([str(RIVAL), "-c", FILL_RIVAL, url, str(trials)], check=True)
    command = [str(RIVAL), "-m", "optuna_dashboard._cli", url, "--port", str(RIVAL_PORT)]
    base = f"http://127.0.0.1:{RIVAL_PORT}"
    with started(command, f"{base}/api/meta"):
        number = json.loads(fetch(f"{base}/api/studies"))["study_summaries"][0]["study_id"]
        print(f"optuna-dashboard, {trials} trials:")
        theirs = timed(base, ["/dashboard", "/api/studies", f"/api/studies/{number}"])
    print(f"first view {theirs:.2f} s: {theirs / ours:.1f} times ours")


def entry(rng: np.random.Generator) -> Entry:
    params = {"temperature": rng.uniform(20, 120), "minutes": 5 * 48 ** rng.random(),
              "solvent": ["DMF", "THF", "water"][rng.integers(3)]}  # fmt: skip
    return Entry(params=params, outcomes={"value": rng.random()}, info={"method": "random"})


def load(viewers: int, workers: int, seconds: float, sleep: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with pathmax_server(f"sqlite:///{folder}/lab.db"):
            address = f"http://{TOKEN}@127.0.0.1:{PORT}"
            Study(SPACE, name="long", storage=address, seed=0, method="random")
            alone = rate(address, workers, seconds, sleep)
            print(f"{workers} workers alone: {alone:.2f} trials a second")
            command = [
                sys.executable,
                "-m",
                "benchmarks.server",
                "watch",
                "--viewers",
                str(viewers),
            ]
            watching = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            try:
                print(watching.stdout.readline().strip())  # all are there
                watched = rate(address, workers, seconds, sleep)
            finally:
                watching.kill()
                watching.wait()
            print(f"with {viewers} viewers: {watched:.2f} trials a second")
            print(f"ratio {watched / alone:.3f}")
            check(address)


def rate(address: str, workers: int, seconds: float, sleep: float) -> float:
    """Trials a second that are asked, slept over and told; any error ends the run."""
    done, failures = [0] * workers, []
    end = time.monotonic() + seconds

    def work(i: int) -> None:
        try:
            study = Study.load("long", storage=address)
            while time.monotonic() < end:
                trial = study.ask()
                time.sleep(sleep)
                study.tell(trial, float(trial.params["temperature"]))
                done[i] += 1
        except Exception as error:
            failures.append(error)

    begun = time.monotonic()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(f"{len(failures)} workers failed: {failures[0]!r}")
    return sum(done) / (time.monotonic() - begun)


def check(address: str) -> None:
    trials = Study.load("long", storage=address).trials
    assert [trial.number for trial in trials] == list(range(len(trials)))
    assert all(trial.value == trial.params["temperature"] for trial in trials), "lost or doubled"
    print(f"{len(trials)} trials, none lost and none doubled")


def watch(viewers: int) -> None:
    """So many viewers, until somebody ends this process."""
    import httpx

    async def view(client: httpx.AsyncClient, ready: asyncio.Semaphore) -> None:
        last = 0.0
        async with client.stream("GET", "/api/events") as stream:
            ready.release()
            async for line in stream.aiter_lines():
                if line == "event: changed" and time.monotonic() - last > 1.0:
                    last = time.monotonic()
                    await client.get("/api/studies/long")
                    await client.get("/api/studies/long/trials", params={"sort": "-number"})

    async def all_of_them() -> None:
        ready = asyncio.Semaphore(0)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        base = f"http://127.0.0.1:{PORT}"
        async with httpx.AsyncClient(
            base_url=base, headers=headers, limits=limits, timeout=None
        ) as client:
            tasks = [asyncio.create_task(view(client, ready)) for _ in range(viewers)]
            for _ in tasks:
                await ready.acquire()
            print(f"{viewers} viewers watch", flush=True)
            await asyncio.gather(*tasks)

    asyncio.run(all_of_them())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(required=True, dest="command")
    looking = commands.add_parser("first-view")
    looking.add_argument("--trials", type=int, default=50_000)
    loading = commands.add_parser("load")
    loading.add_argument("--viewers", type=int, default=100)
    loading.add_argument("--workers", type=int, default=16)
    loading.add_argument("--seconds", type=float, default=60.0)
    loading.add_argument("--sleep", type=float, default=1.0, help="seconds of an objective")
    watching = commands.add_parser("watch")
    watching.add_argument("--viewers", type=int, default=100)
    given = vars(parser.parse_args())
    actions = {"first-view": first_view, "load": load, "watch": watch}
    actions[given.pop("command")](**given)


if __name__ == "__main__":
    main()
