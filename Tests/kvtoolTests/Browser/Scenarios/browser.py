"""A browser that a scenario uses as a person does: it reads, clicks and types, and waits for what
has to come. Each view is checked: no errors, accessible, readable in light and dark, not too wide.

A scenario is run as `python3 SCENARIO.py URL KVTOOL DIRECTORY`: the URL that kvtool serve printed,
the tool, and the directory with the databases.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import traceback
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

PATIENCE_SECONDS = 120
POLL_SECONDS = 0.02
WIDE = (1280, 800)
NARROW = (390, 800)
AUDIT = pathlib.Path(__file__).with_name("audit.js").read_text()

# What is clicked or filled is found by the text that a person sees, or hears.
FIND = r"""
const [selector, text, within] = arguments;
const plain = (element) => (element.getAttribute("aria-label") ?? element.innerText
  ?? element.textContent).trim().replace(/\s+/g, " ");
const all = [...document.querySelectorAll(within)].flatMap(
  (box) => [...box.querySelectorAll(selector)]).filter((item) => item.checkVisibility());
return all.find((item) => plain(item) === text) ?? all.find((item) => plain(item).startsWith(text));
"""
FIELD = r"""
const [name, within] = arguments;
const all = [...document.querySelectorAll(within)].flatMap(
  (box) => [...box.querySelectorAll("input, select, textarea")]);
return all.find((item) => item.checkVisibility() && (item.getAttribute("aria-label") === name
  || [...item.labels].some((label) => (label.querySelector("span") ?? label).textContent.trim()
    === name)));
"""


class Mismatch(Exception):
    """Something is not as a scenario expects it."""


class Browser:
    """A window of headless Chromium, and kvtool beside it."""

    def __init__(self, url: str, kvtool: str, directory: str):
        self.url, self.token = url.split("/#token=")
        self.kvtool_path = kvtool
        self.directory = pathlib.Path(directory)
        self.downloads = self.directory / "downloads"
        self.scheme = "light"
        self.permitted: set[int] = set()
        # What checks of views have found; it is reported at the end, all of it.
        self.problems: list[str] = []
        self.driver = self._driver()
        self._prepare()

    @staticmethod
    def _driver() -> webdriver.Chrome:
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--disable-dev-shm-usage", "--disable-gpu",
                         "--disable-background-networking", "--no-first-run",
                         "--force-device-scale-factor=1", "--hide-scrollbars",
                         "--font-render-hinting=none", "--lang=en"]:
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # Where there is no Chromium, the driver looks for Chrome.
        options.binary_location = shutil.which("chromium") or ""
        service = webdriver.ChromeService(shutil.which("chromedriver"))
        return webdriver.Chrome(options=options, service=service)

    def _prepare(self) -> None:
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=AUDIT)
        self.devtools("Browser.setDownloadBehavior", behavior="allow",
                      downloadPath=str(self.downloads))
        self.devtools("Browser.grantPermissions", permissions=[
            "clipboardReadWrite", "clipboardSanitizedWrite"])
        self.resize(WIDE)
        self.paint("light")

    def devtools(self, method: str, **parameters) -> dict:
        """Sends a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(method, parameters)

    def run(self, script: str, *arguments):
        """The result of a script, `return …`."""
        return self.driver.execute_script(script, *arguments)

    def kvtool(self, *arguments: str, stdin: str = "") -> str:
        """What another process of the tool prints."""
        result = subprocess.run([self.kvtool_path, *arguments], input=stdin, text=True,
                                capture_output=True, check=False)
        if result.returncode != 0:
            raise Mismatch(f"kvtool {' '.join(arguments)[:500]}: {result.stderr}")
        return result.stdout

    def database(self, name: str = "people") -> str:
        """The path of a database."""
        return str(self.directory / f"{name}.cblite2")

    # Waiting.

    def expect(self, what: str, probe, wanted=True):
        """Waits until a probe returns what is wanted: a value, a pattern, or a condition of it."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                seen = probe()
                if _fits(seen, wanted):
                    return seen
            except WebDriverException as error:
                # The element was replaced, or another one is above it at this moment.
                seen = error.msg
            if time.monotonic() > end:
                raise Mismatch(f"{what}\nexpected: {_shown(wanted)}\nseen:     {seen!r}")
            time.sleep(POLL_SECONDS)

    def text(self, selector: str) -> str | None:
        """The visible text of an element; None without it."""
        return self.run("return document.querySelector(arguments[0])?.innerText ?? null", selector)

    def texts(self, selector: str) -> list[str]:
        """The visible texts of all elements."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map("
            "(item) => item.innerText ?? item.textContent)", selector)

    def value(self, name: str, within: str = "body") -> str:
        """The content of a field."""
        return self.field(name, within).get_property("value")

    def see(self, wanted, selector: str = "main"):
        """Waits until an element has a text, or one that matches a pattern."""
        pattern = wanted if isinstance(wanted, re.Pattern) else re.compile(re.escape(wanted))
        return self.expect(f"the text of {selector}", lambda: self.text(selector), pattern)

    def never(self, text: str, selector: str = "main") -> None:
        """Checks that an element does not have a text now."""
        seen = self.text(selector)
        if seen is not None and text in seen:
            raise Mismatch(
                f"the text of {selector}\nexpected: without {text!r}\nseen:     {seen!r}")

    def count(self, selector: str) -> int:
        """The number of elements."""
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def saved(self, name: str) -> str:
        """The content of a file that the browser has saved; empty until it is there."""
        path = self.downloads / name
        return path.read_bytes().decode() if path.exists() else ""

    # Going to views.

    def address(self, *segments: str, **parameters: str) -> str:
        """The address of a view."""
        path = "/" + "/".join(urllib.parse.quote(part, safe="") for part in segments)
        return path + ("?" + urllib.parse.urlencode(parameters) if parameters else "")

    def open(self, title, *segments: str, **parameters: str) -> None:
        """Loads a view by its address, with the token, and waits for its title."""
        fragment = f"#token={self.token}"
        self.driver.get(self.url + self.address(*segments, **parameters) + fragment)
        self.shows(title)

    def shows(self, title) -> None:
        """Waits for a view's title, and until nothing more is read."""
        self.expect("the title of the view", lambda: self.text("main h1"), title)
        self.idle()

    def idle(self) -> None:
        """Waits until the page reads nothing."""
        self.expect("the page is idle", lambda: self.run(
            "return document.getElementById('progress').hidden"))

    def path(self) -> str:
        """The path and the query of the address."""
        return self.run("return location.pathname + location.search")

    # Clicking and typing.

    def click(self, text: str, selector: str = "a, button, summary, label, option",
              within: str = "body") -> None:
        """Clicks what has a text."""
        def attempt() -> bool:
            element = self.run(FIND, selector, text, within)
            if element is None or not element.is_enabled():
                return False
            element.click()
            return True
        self.expect(f"“{text}” can be clicked", attempt)

    def press(self, *keys: str) -> None:
        """Presses keys together."""
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()

    def type(self, *texts: str) -> None:
        """Types into what has the focus."""
        ActionChains(self.driver).send_keys(*texts).perform()

    def field(self, name: str, within: str = "body"):
        """The field with a label."""
        return self.expect(f"the field “{name}”", lambda: self.run(FIELD, name, within),
                           lambda found: found is not None)

    def fill(self, name: str, text: str, within: str = "body") -> None:
        """Replaces the text of a field."""
        field = self.field(name, within)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text or Keys.BACKSPACE)

    def choose(self, name: str, option: str, within: str = "body") -> None:
        """Chooses an option of a list."""
        Select(self.field(name, within)).select_by_visible_text(option)

    def confirm(self, action: str) -> None:
        """Presses a button of the dialog that has opened."""
        self.click(action, "button", "dialog[open]")
        self.expect("the dialog is closed", lambda: self.count("dialog[open]"), 0)

    # Checks.

    def resize(self, size: tuple[int, int]) -> None:
        """Gives the window another size."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                      deviceScaleFactor=1, mobile=False)

    def paint(self, scheme: str) -> None:
        """Prefers another colour scheme."""
        self.scheme = scheme
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    @contextlib.contextmanager
    def refused(self, *statuses: int):
        """Permits that the server refuses requests with these statuses."""
        self.check_console()
        self.permitted = set(statuses)
        yield
        self.check_console()
        self.permitted = set()

    def console(self) -> list[str]:
        """New errors of the browser's console, and what the page has recorded."""
        entries = [entry["message"] for entry in self.driver.get_log("browser")
                   if entry["level"] in ("SEVERE", "WARNING")]
        refused = re.compile("status of (?:%s) " % "|".join(map(str, self.permitted)))
        found = [text for text in entries if not (self.permitted and refused.search(text))]
        return found + self.run("return window.inspection?.problems.splice(0) ?? []")

    def check_console(self) -> None:
        """Checks that there were no errors, no scripts of documents, and no violations."""
        self.problems += [f"{self.path()}: in the console: {text}" for text in self.console()]

    def check(self, name: str = "") -> None:
        """Checks a view, in both colour schemes, and on a narrow screen."""
        self.idle()
        self.check_console()
        self._no_problems("accessible", "return inspection.audit()")
        self.paint("dark" if self.scheme == "light" else "light")
        self._no_problems(f"readable in {self.scheme}", "return inspection.contrast()")
        self.resize(NARROW)
        self._no_problems("at most 390 px wide", "return inspection.overflow()")
        self.resize(WIDE)
        self._no_problems("at most 1280 px wide", "return inspection.overflow()")
        if name:
            self.picture(name)

    def _no_problems(self, what: str, script: str) -> None:
        for problem in self.run(script):
            self.problems.append(f"{self.path()}: not {what}: {problem}")

    def picture(self, name: str) -> None:
        """Draws a view in both schemes and sizes, if STORE_SCREENSHOTS names a directory."""
        directory = os.environ.get("STORE_SCREENSHOTS")
        if not directory:
            return
        scheme = self.scheme
        for self.scheme in ["light", "dark"]:
            self.paint(self.scheme)
            for size in [WIDE, NARROW]:
                self.resize(size)
                self.save(pathlib.Path(directory) / f"{name}-{self.scheme}-{size[0]}.png")
        self.resize(WIDE)
        self.paint(scheme)

    def save(self, path: pathlib.Path) -> None:
        """Writes what the window shows, once it is drawn: two pictures are the same."""
        self.run("document.activeElement.style.caretColor = 'transparent';"
                 "document.querySelector('.toast')?.remove()")
        pictures = [b"", self.driver.get_screenshot_as_png()]
        while pictures[-1] != pictures[-2]:
            pictures.append(self.driver.get_screenshot_as_png())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pictures[-1])

    def tab_through(self) -> None:
        """Presses Tab until each element of the view had the focus, which must be visible there."""
        def press() -> list[str]:
            number = self.run("return inspection.missed().length")
            ActionChains(self.driver).send_keys(*[Keys.TAB] * number).perform()
            return self.run("return inspection.missed()")
        self.expect(f"what Tab does not reach at {self.path()}", press, [])
        self.problems += [f"{self.path()}: the focus is not visible at {name}"
                          for name in self.run("return inspection.hiddenFocus")]


def _fits(seen, wanted) -> bool:
    if isinstance(wanted, re.Pattern):
        return isinstance(seen, str) and wanted.search(seen) is not None
    return bool(wanted(seen)) if callable(wanted) else seen == wanted


def _shown(wanted) -> str:
    if callable(wanted):
        return "what the scenario's condition says"
    return f"/{wanted.pattern}/" if isinstance(wanted, re.Pattern) else repr(wanted)


def play(scenario) -> None:
    """Runs a scenario; prints what went wrong, and ends the program with the status."""
    started = time.monotonic()
    browser = Browser(*sys.argv[1:4])
    status = 1
    try:
        scenario(browser)
        browser.check_console()
        status = 0
    except Exception:  # Of whatever kind: it is reported with what the page shows.
        _report(browser)
    finally:
        browser.driver.quit()
    for problem in browser.problems:
        print(problem)
    if os.environ.get("STORE_TIMES"):
        print(f"{time.monotonic() - started:.1f} s")
    sys.exit(status or bool(browser.problems))


def _report(browser: Browser) -> None:
    traceback.print_exc(limit=-4)
    with contextlib.suppress(WebDriverException):
        print(f"at {browser.path()}, {browser.scheme}")
        print("console:", json.dumps(browser.console(), indent=2, ensure_ascii=False))
        print("page:", (browser.text("body") or "")[:2000])
        directory = os.environ.get("STORE_SCREENSHOTS")
        if directory:
            browser.save(pathlib.Path(directory) / f"failed-{pathlib.Path(sys.argv[0]).stem}.png")
