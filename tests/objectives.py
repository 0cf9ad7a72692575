"""Objectives at the top level of a module, so that worker processes can import them."""

import os
import random
import signal
import threading


def parabola(params: dict[str, float]) -> float:
    return -((params["x"] - 0.3) ** 2)


def by_chance(params: dict[str, float]) -> float:
    return random.random()


def fails_above_half(params: dict[str, float]) -> float:
    if params["x"] > 0.5:
        raise ValueError("too hot")
    return params["x"]


def kills_its_worker_above_half(params: dict[str, float]) -> float:
    if params["x"] > 0.5:
        os.kill(os.getpid(), signal.SIGKILL)
    return params["x"]


def always_kills_its_worker(params: dict[str, float]) -> float:
    os._exit(1)


class Together:
    """Returns only when `count` threads are in it, and knows the most that ever were."""

    def __init__(self, count: int) -> None:
        self.barrier = threading.Barrier(count, timeout=60)
        self.lock = threading.Lock()
        self.running = self.most = 0

    def __call__(self, params: dict[str, float]) -> float:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.barrier.wait()
        with self.lock:
            self.running -= 1
        return params["x"]


class UnpicklableError(Exception):
    """An exception that cannot be pickled."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__("strange")
        self.lock = threading.Lock()


def raises_the_unpicklable(params: dict[str, float]) -> float:
    raise UnpicklableError(1, 2)
