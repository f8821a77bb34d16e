"""Everything by keyboard alone: palette, shortcuts, tables, dialogs; with a visible focus."""
import re

from browser import Browser, Keys, play


def palette(browser: Browser) -> None:
    browser.open("Databases")
    for text, title in [("people database", "people"), ("storage", "Storage"),
                        ("_default documents", "_default")]:
        browser.press(Keys.CONTROL, "k")
        browser.see("All databases", "dialog")
        browser.check()
        browser.type(text, Keys.ENTER)
        browser.shows(title)
    browser.press(Keys.CONTROL, "k")
    browser.type("person-0007", Keys.ENTER)
    browser.shows("person-0007")
    browser.press(Keys.CONTROL, "k")
    browser.type("s")
    browser.type(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ESCAPE)
    browser.expect("the palette is closed", lambda: browser.count("dialog"), 0)
    browser.type("?")
    browser.see("Keyboard shortcuts", "dialog")
    browser.check()
    browser.type(Keys.ESCAPE)
    browser.expect("the keys are closed", lambda: browser.count("dialog"), 0)


def table(browser: Browser) -> None:
    browser.open("_default", "people", "_default", "documents")
    browser.see("person-0003", ".grid")
    browser.type("j")
    browser.expect("the table has the focus", lambda: browser.run(
        "return document.activeElement.className"), "grid")
    browser.type("jj", Keys.ARROW_DOWN, "k")
    browser.expect("the second row is selected",
                   lambda: browser.text("tr[aria-selected='true']"), re.compile("^person-0002"))
    browser.expect("the row is the active one", lambda: browser.run(
        "return document.getElementById(document.activeElement.getAttribute("
        "'aria-activedescendant')).dataset.index"), "1")
    browser.type(Keys.ENTER)
    browser.shows("person-0002")
    browser.driver.back()
    browser.shows("_default")
    browser.type("/")
    browser.type("person-01*", Keys.ENTER)
    browser.expect("the rows of the pattern",
                   lambda: browser.text(".grid tr[data-index='0']"), re.compile("^person-0100"))


def focus(browser: Browser) -> None:
    views = [("_default", ["_default", "documents"]), ("person-0001", ["_default", "document"]),
             ("Query", ["_default", "query"]), ("Schema of _default", ["_default", "schema"]),
             ("Changes", ["watch"]), ("Indexes", ["indexes"]), ("Storage", ["stat"]),
             ("Search", ["find"]), ("Verify", ["verify"]),
             ("Revisions of person-0001", ["_default", "revisions"]),
             ("Import and export", ["_default", "import"])]
    for title, path in views:
        takes_id = path[-1] in ("document", "revisions")
        browser.open(title, "people", *path, **({"id": "person-0001"} if takes_id else {}))
        browser.tab_through()


def skip(browser: Browser) -> None:
    browser.run("document.querySelector('.skip').focus()")
    browser.check()
    browser.expect("the link is visible", lambda: browser.run(
        "return document.querySelector('.skip').getBoundingClientRect().top >= 0"))
    browser.type(Keys.ENTER)
    browser.expect("the main part has the focus",
                   lambda: browser.run("return document.activeElement.id"), "main")


def scenario(browser: Browser) -> None:
    palette(browser)
    table(browser)
    focus(browser)
    skip(browser)


if __name__ == "__main__":
    play(scenario)
