"""How many lines of code that were there at a commit later commits took out, and what they put in.

    python -m benchmarks.lines_taken_out fae5ea7 COMMIT ...

A line that is taken out is old when `git blame` says that it comes from the first commit or from
one before it, wherever it was moved since. Of the lines that a hunk puts in, as large a share
counts as put in the place of old ones as is old of what it takes out; a hunk that only puts in is
counted apart.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

from benchmarks.sizes import code_lines

HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def count(commit: str, old: set[str]) -> Counter[str]:
    """What a commit took out of the package, and what it put in."""
    found = Counter[str]()
    changed = git("diff", "--name-status", "-M", f"{commit}^", commit, "--", "src/*.py")
    for kind, *names in (line.split("\t") for line in changed.splitlines()):
        before = git("show", f"{commit}^:{names[0]}") if kind != "A" else ""
        after = git("show", f"{commit}:{names[-1]}") if kind != "D" else ""
        there, here = code_lines(before), code_lines(after)
        blame = git("blame", "-lswCC", f"{commit}^", "--", names[0]) if before else ""
        origins = [line.lstrip("^").split(" ")[0] for line in blame.splitlines()]
        diff = git("diff", "-U0", "-M", f"{commit}^", commit, "--", *dict.fromkeys(names))
        for first, n, second, m in HUNK.findall(diff):
            out = there & set(range(int(first), int(first) + int(n or 1)))
            put = len(here & set(range(int(second), int(second) + int(m or 1))))
            if not out:
                found["added"] += put
                continue
            aged = sum(origins[line - 1] in old for line in out)
            replaced = round(put * aged / len(out))
            found["old out"] += aged
            found["newer out"] += len(out) - aged
            found["in place of old"] += replaced
            found["in place of newer"] += put - replaced
    return found


def main() -> None:
    since, *commits = sys.argv[1:]
    old = set(git("rev-list", since).split())
    total = Counter[str]()
    for commit in commits:
        total += (found := count(commit, old))
        print(git("log", "-1", "--format=%h %s", commit).strip()[:60], dict(found))
    print("in all", dict(total))


if __name__ == "__main__":
    main()
