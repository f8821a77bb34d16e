"""The pictures of the pages in the documentation."""
import pathlib

from browser import Browser, play

IMAGES = pathlib.Path(__file__).resolve().parents[4] / "docs" / "images"


def save(browser: Browser, name: str) -> None:
    """Writes a picture without the focus, which is not what it shows."""
    browser.idle()
    browser.run("document.activeElement.blur()")
    browser.save(IMAGES / f"inspector-{name}.png")


def documents(browser: Browser) -> None:
    browser.open("_default", "people", "_default", "documents")
    browser.see("birthday", ".grid")
    save(browser, "documents")


def plan(browser: Browser) -> None:
    browser.open("Query", "people", "_default", "query")
    browser.fill("Query in SQL++ or JSON", "SELECT name.first AS first, name.last AS last, age\n"
                 "FROM _\nWHERE contact.address.state = 'CA' AND age > 60\nORDER BY name.last, age")
    browser.click("Explain", "button")
    browser.see("Indexes that would help")
    # The directory is another one each time.
    browser.run("for (const code of document.querySelectorAll('pre.code'))"
                " code.textContent = code.textContent.replaceAll(arguments[0], '')",
                f"{browser.directory}/")
    save(browser, "query")


def revisions(browser: Browser) -> None:
    browser.open("Revisions of ada", "people", "_default", "revisions", id="ada")
    browser.expect("the remote's revision", lambda: browser.count(".graph .node.conflict"), 1)
    browser.run("document.querySelector('.graph .node.conflict').dispatchEvent(new Event('click'))")
    browser.see("From this revision to the current one")
    save(browser, "revisions")


def reports(browser: Browser) -> None:
    browser.open("Schema of _default", "people", "_default", "schema")
    save(browser, "schema")
    browser.open("Storage", "people", "stat")
    save(browser, "storage")


def race(browser: Browser) -> None:
    browser.kvtool("put", browser.database(), "eve", '{"name": "Eve", "age": 30, "city": "Oslo"}')
    browser.open("eve", "people", "_default", "document", id="eve", mode="edit")
    browser.kvtool("put", browser.database(), "eve", '{"name": "Eve", "age": 31, "city": "Oslo"}')
    browser.fill("Document as JSON", '{"age": 30, "city": "Rome", "name": "Eve"}')
    browser.click("Review changes", "button")
    with browser.refused(412):
        browser.click("Save", "button")
        browser.see("Their changes")
    save(browser, "editor")


def scenario(browser: Browser) -> None:
    documents(browser)
    plan(browser)
    revisions(browser)
    reports(browser)
    race(browser)


if __name__ == "__main__":
    play(scenario)
