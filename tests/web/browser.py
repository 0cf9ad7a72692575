"""A real browser, and how the tests use it: every look waits until there is something to see."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    JavascriptException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.web.find_browser import ADVICE, Browser, find

PATIENCE = float(os.environ.get("PATHMAX_PATIENCE", "90"))  # seconds, for busy machines
CHROMIUM = (
    "--headless=new", "--disable-gpu", "--disable-background-networking", "--disable-quic",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-default-apps", "--disable-extensions", "--force-color-profile=srgb",
    "--hide-scrollbars",
)  # fmt: skip
PASSING = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)

T = TypeVar("T")


def start() -> webdriver.Chrome | webdriver.Firefox:
    """The browser of this machine, without a window."""
    found = find()
    assert found is not None, ADVICE
    return _firefox(found) if found.is_firefox else _chromium(found)


def _chromium(found: Browser) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    for argument in CHROMIUM:
        options.add_argument(argument)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium's sandbox does not run as root
    options.binary_location = found.path
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService(found.driver))


def _firefox(found: Browser) -> webdriver.Firefox:
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.binary_location = found.path
    return webdriver.Firefox(options, webdriver.FirefoxService(found.driver))


class Page:
    """What somebody sees and does. Elements are named by CSS selectors."""

    def __init__(self, driver: Any, origin: str) -> None:
        self.driver, self.origin = driver, origin

    def open(self, path: str) -> None:
        self.driver.get(self.origin + path)

    def until(self, condition: Callable[[], T], words: str = "") -> T:
        """Wait until something is true, also across replaced elements."""
        wait = WebDriverWait(self.driver, PATIENCE, 0.05, PASSING)
        return wait.until(lambda _: condition(), words)  # type: ignore[return-value]

    def element(self, selector: str) -> WebElement:
        """An element that can be seen."""

        def visible() -> WebElement | None:
            shown = [e for e in self.driver.find_elements(By.CSS_SELECTOR, selector)]
            return next((e for e in shown if e.is_displayed()), None)

        found = self.until(visible, f"no {selector} on {self.driver.current_url}")
        assert found is not None
        return found

    def count(self, selector: str) -> int:
        return len(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def text(self, selector: str) -> str:
        return str(self.until(lambda: self.element(selector).text or " ")).strip()

    def see(self, words: str, selector: str = "body") -> None:
        """Wait until these words stand there."""

        def stands() -> bool:
            shown = self.driver.find_elements(By.CSS_SELECTOR, selector)
            return any(words in element.text for element in shown)

        try:
            self.until(stands)
        except Exception as error:
            there = self.driver.find_element(By.CSS_SELECTOR, "body").text
            raise AssertionError(f"{words!r} is not to be seen in {selector}:\n{there}") from error

    def gone(self, selector: str) -> None:
        """Wait until there is no such element to be seen."""

        def away() -> bool:
            shown = self.driver.find_elements(By.CSS_SELECTOR, selector)
            return not any(element.is_displayed() for element in shown)

        self.until(away, f"{selector} is still there")

    def click(self, selector: str) -> None:
        def clicked() -> bool:
            element = self.element(selector)
            self.run("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True

        self.until(clicked, f"{selector} cannot be clicked")

    def type(self, selector: str, text: str) -> None:
        """Text in place of what stands in a field."""

        def typed() -> bool:
            element = self.element(selector)
            element.clear()
            element.send_keys(text)
            return True

        self.until(typed, f"{selector} cannot be typed in")

    def fill(self, selector: str, text: str) -> None:
        """Long text as if it were pasted in place of what stands in a field."""
        script = (
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('input', {bubbles: true}))"
        )
        self.run(script, self.element(selector), text)

    def press(self, *keys: str) -> None:
        """Keys for whatever has the focus."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def run(self, script: str, *arguments: Any) -> Any:
        try:
            return self.driver.execute_script(script, *arguments)
        except JavascriptException as error:
            raise AssertionError(f"{script}: {error.msg}") from error

    def resize(self, width: int, height: int = 900) -> None:
        """The size of the page itself: a window cannot be as narrow as a phone."""
        if isinstance(self.driver, webdriver.Firefox):
            self.driver.set_window_size(width, height)
            return
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def complaints(self) -> list[str]:
        """What the browser refused or where a script broke; an answer of 4xx is neither."""
        if isinstance(self.driver, webdriver.Firefox):
            return []
        severe = [e["message"] for e in self.driver.get_log("browser") if e["level"] == "SEVERE"]
        return [m for m in severe if "Failed to load resource" not in m and "net::ERR" not in m]
