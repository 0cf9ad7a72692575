"""Find a browser for the tests of the page; `make test` runs this first.

    python tests/web/find_browser.py

Chromium, Chrome or Firefox will do, and PATHMAX_BROWSER may name one. Where there is none, or no
driver for it, and this runs as root with apt, Debian's Chromium is installed with its driver; else,
without a browser, it ends with what to install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "PATHMAX_BROWSER"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FIREFOXES = ("firefox", "firefox-esr")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files/Mozilla Firefox/firefox.exe",
)
PACKAGES = ("chromium", "chromium-driver")
ADVICE = (
    "the tests of the page need a browser, and there is no Chromium, Chrome or Firefox here; "
    f"install one (Debian, Ubuntu: apt install {' '.join(PACKAGES)}), "
    f"or name yours: {VARIABLE}=/path/to/chrome make test"
)


@dataclass(frozen=True)
class Browser:
    """Where a browser is, and the driver that goes with it; None: Selenium fetches one."""

    path: str
    driver: str | None

    @property
    def is_firefox(self) -> bool:
        return "firefox" in Path(self.path).name.lower()


def find() -> Browser | None:
    """The browser of this machine."""
    named = os.environ.get(VARIABLE)
    paths = [named] if named else [shutil.which(name) for name in (*CHROMIUMS, *FIREFOXES)]
    paths += [] if named else [path for path in ELSEWHERE if os.path.exists(path)]
    path = next((path for path in paths if path), None)
    if path is None:
        return None
    firefox = "firefox" in Path(path).name.lower()
    return Browser(path, shutil.which("geckodriver" if firefox else "chromedriver"))


def install() -> None:
    """Debian's Chromium and its driver."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *PACKAGES]):
        subprocess.run(["apt-get", "-qq", *command], check=True, env=quiet)


def main() -> int:
    """0 when there is a browser, or is now."""
    found = find()
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    able = root and shutil.which("apt-get") is not None
    if found is not None and (found.driver is not None or not able):
        return 0  # without a driver Selenium fetches the one that goes with the browser
    if able:
        print("Installing Chromium for the tests of the page ...", file=sys.stderr)
        try:
            install()
        except subprocess.CalledProcessError as error:
            print(f"apt-get failed with status {error.returncode}; {ADVICE}", file=sys.stderr)
            return 1
    if find() is None:
        print(ADVICE, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
