"""Revisions as a picture, and a conflict that is resolved."""
import json
import re

from browser import Browser, Keys, play


def revisions(browser: Browser) -> None:
    browser.open("people", "people", "info")
    browser.click("Conflicts", "#sidebar a")
    browser.shows("Conflicts")
    browser.see("ada", "table")
    browser.check("conflicts")
    browser.click("ada", "main table a")
    browser.shows("Conflict in ada")
    browser.see("Changed in different ways")
    browser.expect("columns for the sides", lambda: browser.texts("main thead th"),
                   ["Property", "Ancestor", "Local", "Remote"])
    browser.expect("the values of the property", lambda: browser.texts("main tbody tr"),
                   ["city\tLondon\tParis\tRome"])
    browser.check("conflict")
    browser.click("Revisions", "main a")
    browser.shows("Revisions of ada")
    browser.expect("a current revision", lambda: browser.count(".graph .node.current"), 1)
    browser.expect("one in conflict", lambda: browser.count(".graph .node.conflict"), 1)
    browser.expect("lines between them", lambda: browser.count(".graph .edge"),
                   lambda number: number > 0)
    browser.see("Body")
    browser.check("revisions")
    # By keyboard: the revision in conflict, compared with the current one.
    browser.run("document.querySelector('.graph .node.conflict').focus()")
    browser.type(Keys.ENTER)
    browser.see("From this revision to the current one")
    browser.see(re.compile(r'\+\s+"city": "Paris"'), ".diff")
    browser.check()


def resolve(browser: Browser) -> None:
    browser.click("Resolve conflict", "a")
    browser.shows("Conflict in ada")
    browser.click("Merge in the editor", "button")
    browser.see("The text has the local values of: city.")
    browser.check("merge")
    browser.expect("the merged text", lambda: json.loads(browser.value("Document as JSON")),
                   {"age": 37, "city": "Paris", "name": "Ada"})
    browser.click("Review changes", "button")
    browser.click("Resolve with this document", "button")
    browser.shows("ada")
    browser.see("Conflict resolved", ".toast")
    browser.expect("no conflict", lambda: json.loads(browser.kvtool(
        "resolve", browser.database(), "--json"))["documents"], [])
    browser.see('name: "Ada"', ".tree")
    browser.click("Conflicts", "#sidebar a")
    browser.see("No conflicts.")


def scenario(browser: Browser) -> None:
    revisions(browser)
    resolve(browser)


if __name__ == "__main__":
    play(scenario)
