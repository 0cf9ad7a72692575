"""How the server stands up to a laboratory: a long study, many viewers, many workers.

    python -m benchmarks.server first-view --trials 50000
    python -m benchmarks.server load --viewers 100 --workers 16 --seconds 20 --rounds 3
    python -m benchmarks.server commands --trials 10000

`first-view` fills a SQLite file, starts `pathmax serve` and times what a browser fetches when it
opens the study for the first time: the page itself and the data of its charts. With a python in
benchmarks/.venvs/optuna-dashboard (`python -m venv`, then `pip install optuna-dashboard`) it does
the same for optuna-dashboard: its page and the study with all trials, which its page fetches.

`load` runs workers whose objectives sleep, through the server, in turns alone and while viewers
watch: threads of one process with random suggestions, which cost nothing, and then processes with
the default method, which compute on the same cores as the server and the viewers. A viewer does
what the page does: it holds a stream of events open, and when something changes it waits up to
10 ms for each viewer that there is, fetches the page and its charts again, with the tags of what it
has, and then rests for 0.4 s or six times as long as that took; what needs a model it fetches
beside, when it may. The ratio of the two rates is the figure, and what a viewer's update costs the
server in processor time, which does not depend on what else the machine does (Linux).

`commands` prints the processor time of `pathmax show` and `pathmax export` on a long study.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
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
PATHS = ("/studies/long", "/data/progress/long", "/data/parallel/long")

# One by one, as Optuna adds them, 50,000 trials take an hour: the others are copies of the first.
FILL_RIVAL = """
import random, sqlite3, sys
import optuna
from optuna.distributions import FloatDistribution as F, CategoricalDistribution as C
path, count = sys.argv[1], int(sys.argv[2])
optuna.logging.set_verbosity(optuna.logging.ERROR)
study = optuna.create_study(storage=f"sqlite:///{path}", study_name="long", direction="maximize")
space = {"temperature": F(20, 120), "minutes": F(5, 240, log=True),
         "solvent": C(["DMF", "THF", "water"])}
params = {"temperature": 50.0, "minutes": 60.0, "solvent": "THF"}
study.add_trial(optuna.trial.create_trial(params=params, distributions=space, value=0.5))
random.seed(0)
with sqlite3.connect(path) as db:
    first = db.execute("SELECT study_id, state, datetime_start, datetime_complete FROM trials")
    study_id, *rest = first.fetchone()
    spaces = dict(db.execute("SELECT param_name, distribution_json FROM trial_params"))
    (kind,) = db.execute("SELECT value_type FROM trial_values").fetchone()
    numbers = range(1, count)
    drawn = {"temperature": lambda: random.uniform(20, 120),
             "minutes": lambda: 5 * 48 ** random.random(), "solvent": lambda: random.randrange(3)}
    db.executemany("INSERT INTO trials (trial_id, number, study_id, state, datetime_start, "
                   "datetime_complete) VALUES (?, ?, ?, ?, ?, ?)",
                   ((n + 1, n, study_id, *rest) for n in numbers))
    db.executemany("INSERT INTO trial_params (trial_id, param_name, param_value, distribution_json)"
                   " VALUES (?, ?, ?, ?)",
                   ((n + 1, name, drawn[name](), spaces[name]) for n in numbers for name in drawn))
    db.executemany("INSERT INTO trial_values (trial_id, objective, value, value_type) "
                   "VALUES (?, 0, ?, ?)", ((n + 1, random.random(), kind) for n in numbers))
trials = optuna.load_study(storage=f"sqlite:///{path}", study_name="long").get_trials()
assert len(trials) == count and trials[-1].params.keys() == space.keys() and trials[-1].value
"""


@contextmanager
def started(
    command: Sequence[str], url: str, stderr: int | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A server as a process of its own, once it answers."""
    environment = {**os.environ, "PATHMAX_TOKEN": TOKEN, "PYTHONPATH": str(HERE.parent / "src")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=stderr)
    try:
        while True:
            try:
                fetch(url)
                break
            except OSError:
                if process.poll() is not None:
                    raise SystemExit(f"{command[2]} ended") from None
                time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.wait()


def pathmax_server(storage: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "pathmax", "serve", "--storage", storage]
    return started([*command, "--port", str(PORT)], f"http://127.0.0.1:{PORT}/static/api_docs.css")


def fetch(url: str) -> bytes:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/html"}
    with urlopen(Request(url, headers=headers), timeout=600) as answer:
        return answer.read()


def timed(base: str, paths: Sequence[str], server: subprocess.Popen[bytes]) -> float:
    """Seconds for what a browser fetches, one after the other; each is printed."""
    total = 0.0
    for path in paths:
        computed, begun = processor_time(server), time.perf_counter()
        size = len(fetch(base + path))
        seconds = time.perf_counter() - begun
        total += seconds
        computed = processor_time(server) - computed
        print(f"    {seconds:7.3f} s, computing {computed:5.2f} s  {size / 1e3:9.1f} kB  {path}")
    return total


def first_view(trials: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/long.db"
        fill(url, trials)
        with pathmax_server(url) as server:
            print(f"pathmax, {trials} trials:")
            first = timed(f"http://127.0.0.1:{PORT}", PATHS, server)
            print(
                f"processor time of the server, its start included: {processor_time(server):.2f} s"
            )
            again = timed(f"http://127.0.0.1:{PORT}", PATHS, server)
        print(f"first view {first:.2f} s, second view {again:.2f} s")
        if RIVAL.exists():
            rival(folder, trials, first)
        else:
            print("optuna-dashboard is not installed in benchmarks/.venvs: no comparison with it")


def fill(url: str, trials: int) -> None:
    """A study of so many results, each with the explanation that a real suggestion has."""
    rng = np.random.default_rng(0)
    small = Study(SPACE, seed=1)
    for _ in range(14):
        small.tell(small.ask(), rng.random())
    info = small.trials[-1].info
    Study(SPACE, name="long", storage=url, seed=0)
    with open_storage(url) as storage:
        for first in range(0, trials, 5000):
            count = min(5000, trials - first)
            storage.insert_many("long", [entry(rng, info) for _ in range(count)])


def rival(folder: str, trials: int, ours: float) -> None:
    path = f"{folder}/optuna.db"
    subprocess.run([str(RIVAL), "-c", FILL_RIVAL, path, str(trials)], check=True)
    url = f"sqlite:///{path}"
    command = [str(RIVAL), "-m", "optuna_dashboard._cli", url, "--port", str(RIVAL_PORT)]
    base = f"http://127.0.0.1:{RIVAL_PORT}"
    with started(command, f"{base}/api/meta", stderr=subprocess.DEVNULL) as server:
        number = json.loads(fetch(f"{base}/api/studies"))["study_summaries"][0]["study_id"]
        fetched = ["/dashboard", "/api/studies", f"/api/studies/{number}"]
        print(f"optuna-dashboard, {trials} trials:")
        theirs = timed(base, fetched, server)
        again = timed(base, fetched, server)
    print(f"first view {theirs:.2f} s, second view {again:.2f} s: first {theirs / ours:.1f} x ours")


def entry(rng: np.random.Generator, info: Mapping[str, Any]) -> Entry:
    params = {"temperature": rng.uniform(20, 120), "minutes": 5 * 48 ** rng.random(),
              "solvent": ["DMF", "THF", "water"][rng.integers(3)]}  # fmt: skip
    return Entry(params=params, outcomes={"value": rng.random()}, info=info)


def load(
    viewers: int, workers: int, seconds: float, sleep: float, rounds: int, workers_are: str
) -> None:
    kinds = {"threads": ("random", in_threads), "processes": ("pims", in_processes)}
    for kind in kinds if workers_are == "both" else [workers_are]:
        method, run = kinds[kind]
        print(f"workers are {kind}, method {method}; load average {os.getloadavg()[0]:.1f}")
        with tempfile.TemporaryDirectory() as folder:
            with pathmax_server(f"sqlite:///{folder}/lab.db") as server:
                address = f"http://{TOKEN}@127.0.0.1:{PORT}"
                Study(SPACE, name="long", storage=address, seed=0, method=method)
                work = partial(run, address, workers, seconds, sleep)
                measure(work, server, viewers, rounds)
                check(address)
        print(f"load average {os.getloadavg()[0]:.1f}", flush=True)


def measure(
    work: Callable[[], float], server: subprocess.Popen[bytes], viewers: int, rounds: int
) -> None:
    """In turns alone and watched: trials a second, and what that costs the server."""
    alone, watched, spent, updates = [], [], [0.0, 0.0], 0
    for _ in range(rounds):
        begun = processor_time(server)
        alone.append(work())
        between = processor_time(server)
        with watching(viewers) as seen:
            watched.append(work())
        spent[0] += between - begun
        spent[1] += processor_time(server) - between
        updates += seen()
    each = (spent[1] - spent[0]) / max(1, updates)
    print(f"  workers alone: {np.round(alone, 2)} trials a second")
    print(
        f"  with {viewers} viewers: {np.round(watched, 2)}; ratio {sum(watched) / sum(alone):.3f}"
    )
    print(f"  processor time of the server: {spent[0]:.1f} s alone, {spent[1]:.1f} s watched")
    print(f"  {updates} updates of viewers, {1000 * each:.2f} ms each")


@contextmanager
def watching(viewers: int) -> Iterator[Callable[[], int]]:
    """Viewers in a process of their own; what is yielded tells, afterwards, their updates."""
    command = [sys.executable, "-m", "benchmarks.server", "watch", "--viewers", str(viewers)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE.parent
    )
    process.stdout.readline()  # all are there
    said: list[str] = []
    yield lambda: int(said[0])
    said.append(process.communicate("enough\n")[0])


def processor_time(process: subprocess.Popen[bytes]) -> float:
    """Seconds that a process has computed, all its threads together."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def in_threads(address: str, workers: int, seconds: float, sleep: float) -> float:
    """Trials a second that threads ask for, sleep over and tell; any error ends the run."""
    done, failures = [0] * workers, []
    end = time.monotonic() + seconds

    def run(i: int) -> None:
        try:
            done[i] = work_until(end, Study.load("long", storage=address), sleep)
        except Exception as error:
            failures.append(error)

    begun = time.monotonic()
    threads = [threading.Thread(target=run, args=(i,)) for i in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise SystemExit(f"{len(failures)} workers failed: {failures[0]!r}")
    return sum(done) / (time.monotonic() - begun)


def in_processes(address: str, workers: int, seconds: float, sleep: float) -> float:
    """The same with workers that are processes of their own; their start is not counted."""
    given = ["--seconds", str(seconds), "--sleep", str(sleep)]
    command = [sys.executable, "-m", "benchmarks.server", "work", "--address", address, *given]
    started_ = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE.parent
        )
        for _ in range(workers)
    ]
    for process in started_:
        process.stdout.readline()  # it has opened the study
    begun = time.monotonic()
    for process in started_:
        process.stdin.write("go\n")
        process.stdin.flush()
    done = [process.communicate()[0] for process in started_]
    if any(process.returncode for process in started_):
        raise SystemExit("a worker failed")
    return sum(map(int, done)) / (time.monotonic() - begun)


def work(address: str, seconds: float, sleep: float) -> None:
    """One worker: begins when a line comes, and prints how many trials it has told."""
    study = Study.load("long", storage=address)
    print("ready", flush=True)
    sys.stdin.readline()
    print(work_until(time.monotonic() + seconds, study, sleep))


def work_until(end: float, study: Study, sleep: float) -> int:
    done = 0
    while time.monotonic() < end:
        trial = study.ask()
        time.sleep(sleep)
        study.tell(trial, float(trial.params["temperature"]))
        done += 1
    return done


def check(address: str) -> None:
    trials = Study.load("long", storage=address).trials
    assert [trial.number for trial in trials] == list(range(len(trials)))
    assert all(trial.value == trial.params["temperature"] for trial in trials), "lost or doubled"
    print(f"  {len(trials)} trials, none lost and none doubled")


DEEP = "/data/regret/long"


class Browser:
    """A connection that stays open, with the tags of what was fetched over it."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT)

    async def send(self, path: str) -> None:
        known = f"If-None-Match: {self.tags[path]}\r\n" if path in self.tags else ""
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nAuthorization: Bearer {TOKEN}\r\n"
        self.writer.write(f"{head}Accept: text/html\r\n{known}\r\n".encode())

    async def fetch(self, path: str) -> float:
        """Fetch, and how many seconds the server asks to wait before it is fetched again."""
        await self.send(path)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:-2])
        assert head.split()[1] in ("200", "202", "304", "409"), head
        await self.reader.readexactly(int(fields.get("content-length", 0)))
        if "etag" in fields:
            self.tags[path] = fields["etag"]
        return float(fields.get("retry-after", 0))


class Viewer:
    """Somebody who has the page of a study open."""

    def __init__(self) -> None:
        self.updates, self.changed, self.apart = 0, asyncio.Event(), 0.0

    async def listen(self, events: Browser) -> None:
        while line := await events.reader.readline():
            if line.startswith(b"event: changed"):
                data = json.loads((await events.reader.readline()).partition(b":")[2])
                self.apart = random.random() * min(2.0, 0.01 * data["viewers"])
                self.changed.set()

    async def ask_the_model(self) -> None:
        begun, aside = time.monotonic(), Browser()
        await aside.connect()
        wait = await aside.fetch(DEEP)
        aside.writer.close()
        await asyncio.sleep(wait + 1 if wait else 2 * (time.monotonic() - begun))

    async def view(self, ready: asyncio.Semaphore) -> None:
        events, browser = Browser(), Browser()
        await events.connect()
        await events.send("/api/events")
        await browser.connect()
        listening = asyncio.create_task(self.listen(events))
        asking = asyncio.create_task(self.ask_the_model())
        ready.release()
        while not listening.done():
            await self.changed.wait()
            await asyncio.sleep(self.apart)
            self.changed.clear()
            begun = time.monotonic()
            for path in PATHS:
                await browser.fetch(path)
            if asking.done():
                asking = asyncio.create_task(self.ask_the_model())
            self.updates += 1
            await asyncio.sleep(max(0.4, 6 * (time.monotonic() - begun)))


def watch(viewers: int) -> None:
    """So many viewers, until a line comes; then how often they were updated."""

    async def all_of_them() -> None:
        ready, all_viewers = asyncio.Semaphore(0), [Viewer() for _ in range(viewers)]
        tasks = [asyncio.create_task(viewer.view(ready)) for viewer in all_viewers]
        for _ in tasks:
            await ready.acquire()
        print(f"{viewers} viewers watch", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        print(sum(viewer.updates for viewer in all_viewers), flush=True)
        os._exit(0)  # the streams never end by themselves

    asyncio.run(all_of_them())


def commands(trials: int) -> None:
    """Processor time of commands on a long study, whose trials have real explanations."""
    with tempfile.TemporaryDirectory() as folder:
        for name, count in (("long", trials), ("short", 5)):
            fill(f"sqlite:///{folder}/{name}.db", count)
        for command in ("show", "export"):
            spent = {name: [] for name in ("long", "short")}
            for _ in range(5):
                for name, seconds in spent.items():
                    place = ["--storage", f"sqlite:///{folder}/{name}.db"]
                    seconds.append(computed([sys.executable, "-m", "pathmax", command, *place]))
            shown = ", ".join(f"{name} {min(each):.2f} s" for name, each in spent.items())
            print(f"pathmax {command}: {shown} of processor time ({trials} and 5 trials)")


def computed(command: Sequence[str]) -> float:
    before = os.times()
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "src")}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands_ = parser.add_subparsers(required=True, dest="command")
    looking = commands_.add_parser("first-view")
    looking.add_argument("--trials", type=int, default=50_000)
    loading = commands_.add_parser("load")
    loading.add_argument("--viewers", type=int, default=100)
    loading.add_argument("--workers", type=int, default=16)
    loading.add_argument("--seconds", type=float, default=60.0)
    loading.add_argument("--sleep", type=float, default=4.0, help="seconds of an objective")
    loading.add_argument("--rounds", type=int, default=3)
    loading.add_argument("--workers-are", choices=["threads", "processes", "both"], default="both")
    working = commands_.add_parser("work")
    working.add_argument("--address", required=True)
    working.add_argument("--seconds", type=float, required=True)
    working.add_argument("--sleep", type=float, required=True)
    timing = commands_.add_parser("commands")
    timing.add_argument("--trials", type=int, default=10_000)
    watching = commands_.add_parser("watch")
    watching.add_argument("--viewers", type=int, default=100)
    given = vars(parser.parse_args())
    actions = {
        "first-view": first_view,
        "load": load,
        "watch": watch,
        "work": work,
        "commands": commands,
    }
    actions[given.pop("command")](**given)


if __name__ == "__main__":
    main()
