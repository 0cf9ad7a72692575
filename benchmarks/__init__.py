"""This project and its peers, side by side in one run.

Each module is a program: ``python -m benchmarks.gp``, ``.latency``, ``.pools``, ``.startup``,
``.growth``, ``.efficiency``. Peers live in virtual environments of their own (``peers.py``) and are
driven through a line of JSON at a time (``workers/``), so that no peer's pins or threads touch
another's.
"""
