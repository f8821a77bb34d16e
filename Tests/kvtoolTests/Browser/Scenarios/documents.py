"""From the databases to one document, on a server that only reads: overview, table, tree, text."""
import re

from browser import NARROW, Browser, play


SCROLL = """
const box = document.querySelector(".grid");
box.scrollTop = box.scrollHeight;
return box.querySelector("tr[data-index='2999']")?.innerText ?? "";
"""


def overview(browser: Browser) -> None:
    browser.open("Databases")
    browser.check("home")
    browser.click("people", "main a")
    browser.shows("people")
    browser.see("3,000", ".tiles")
    browser.see("Read-only", "#sidebar")
    browser.check("overview")


def table(browser: Browser) -> None:
    browser.click("_default", "#sidebar a")
    browser.shows("_default")
    browser.see("3,000 documents")
    browser.expect("columns of the schema", lambda: browser.texts(".grid th[scope=col]"),
                   lambda titles: {"ID", "name.first", "age", "Sequence"} <= set(titles))
    browser.expect("the first row", lambda: browser.text(".grid tr[data-index='0']"),
                   re.compile(r"^person-0001\s"))
    browser.check("documents")
    # Scrolling reads page after page; only what is visible is in the page.
    browser.expect("the row at the end, by scrolling", lambda: browser.run(SCROLL),
                   re.compile(r"^person-3000\s"))
    browser.run("document.querySelector('.grid').scrollTop = 28 * 1500")
    browser.expect("a row in the middle", lambda: browser.text(".grid tr[data-index='1505']"),
                   re.compile(r"^person-1506\s"))
    rows = browser.count(".grid tr[data-index]")
    browser.expect("few rows are in the page", lambda: rows, lambda number: number < 100)


def filters(browser: Browser) -> None:
    browser.fill("Condition (SQL++)", "age > 88 AND active")
    browser.click("Apply", "button")
    browser.click("Count matches", "button")
    found = browser.see(re.compile(r"\d+ documents match"))
    number = int(re.search(r"(\d+) documents match", found).group(1))
    browser.expect("the rows of the filter",
                   lambda: browser.text("table[role=grid]") and browser.run(
                       "return document.querySelector('table[role=grid]').ariaRowCount"),
                   str(number + 1))
    with browser.refused(400):
        browser.fill("Condition (SQL++)", "age >")
        browser.click("Apply", "button")
        browser.see(re.compile("line 1, column"), ".notice")
        browser.check()
    browser.fill("Condition (SQL++)", "")
    browser.fill("ID pattern", "person-12*")
    browser.choose("Order", "ID, descending")
    browser.expect("the last ID first", lambda: browser.text(".grid tr[data-index='0']"),
                   re.compile(r"^person-1299\s"))
    browser.fill("ID pattern", "nobody*")
    browser.click("Apply", "button")
    browser.see("No documents match the filter.")
    browser.check()
    browser.click("Show all documents", "a")
    browser.expect("all rows", lambda: browser.text(".grid tr[data-index='0']"),
                   re.compile(r"^person-0001\s"))


def document(browser: Browser) -> None:
    browser.click("person-0001", ".grid a")
    browser.shows("person-0001")
    browser.see("Tanaka", ".tree")
    browser.check("document")
    browser.click("name", ".tree button")
    browser.expect("name is closed", lambda: browser.text(".tree"),
                   re.compile(r"^name \{2\} "))
    browser.click("name", ".tree button")
    browser.see("first: ", ".tree")
    browser.click("Raw", "button")
    browser.see('"last": "Tanaka"', "pre.code")
    browser.expect("the address has the mode", browser.path, re.compile("mode=raw"))
    browser.check()
    browser.click("Copy", "summary")
    browser.click("kvtool command", "button")
    browser.see("Command copied", ".toast")
    browser.expect("the clipboard", lambda: browser.run("return navigator.clipboard.readText()"),
                   re.compile("^kvtool cat .*people.cblite2 -- person-0001$"))
    for name in ["Edit", "Delete", "Purge", "New document"]:
        browser.expect(f"no {name} on a server that only reads",
                       lambda: name in browser.texts("main a, main button"), False)
    browser.click(".json", "a")
    browser.see('"revision":', "dialog pre")
    browser.check()
    browser.confirm("Close")
    with browser.refused(404):
        browser.open("nobody", "people", "_default", "document", id="nobody")
        browser.see("Document not found")
        browser.never("Create it")
        browser.check()
        browser.open("Not found", "people", "nothing")
        browser.check()


def phone(browser: Browser) -> None:
    browser.resize(NARROW)
    browser.open("people", "people", "info")
    browser.click("Menu", "button")
    browser.check()
    browser.resize(NARROW)
    browser.click("Storage", "#sidebar a")
    browser.shows("Storage")
    browser.expect("the menu is closed", lambda: browser.run(
        "return document.getElementById('sidebar').checkVisibility({visibilityProperty: true})"),
        False)
    browser.check()


def theme(browser: Browser) -> None:
    def back() -> int:
        return browser.run(
            "return Number(getComputedStyle(document.documentElement).backgroundColor"
            ".match(/\\d+/)[0])")
    browser.paint("light")
    browser.expect("a light page", back, lambda red: red > 200)
    browser.click("Switch between light and dark", "button")
    browser.expect("a dark page", back, lambda red: red < 50)
    browser.driver.refresh()
    browser.shows("Storage")
    browser.expect("a dark page, still", back, lambda red: red < 50)
    browser.check()


def scenario(browser: Browser) -> None:
    overview(browser)
    table(browser)
    filters(browser)
    document(browser)
    phone(browser)
    theme(browser)


if __name__ == "__main__":
    play(scenario)
