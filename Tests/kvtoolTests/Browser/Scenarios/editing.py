"""Changing documents: creating, editing, comparing, losing a race, deleting and purging."""
import json
import re

from browser import Browser, Keys, play


def write(browser: Browser, text: str) -> None:
    """Replaces the text of the editor."""
    browser.fill("Document as JSON", text)


def create(browser: Browser) -> None:
    browser.open("_default", "people", "_default", "documents")
    browser.click("New document", "a")
    browser.shows("New document")
    browser.fill("ID", "ada/1 ?#%")
    write(browser, '{"name": "Ada",')
    browser.see(re.compile("Line 1, column 16: expected a property name in quotes"))
    browser.expect("nothing can be reviewed", lambda: browser.run(
        "return document.querySelector('main button.primary').disabled"))
    browser.click("Go to error", "button")
    browser.type(' "age": 36, "big": 12345678901234567890}')
    browser.see("Valid JSON, 3 properties")
    browser.check("editor")
    browser.click("Format", "button")
    browser.click("Review changes", "button")
    browser.see('"name": "Ada"', ".diff tr.new:nth-child(3)")
    browser.check()
    browser.click("Create", "button")
    browser.shows("ada/1 ?#%")
    browser.see("12345678901234567890", ".tree")
    browser.expect("the document", lambda: browser.kvtool(
        "cat", browser.database(), "ada/1 ?#%", "--raw").strip(),
        '{"_id":"ada/1 ?#%","name":"Ada","age":36,"big":12345678901234567890}')


def edit(browser: Browser) -> None:
    browser.click("Edit", "button")
    write(browser, '{"name": "Ada", "age": 37, "big": 12345678901234567890}')
    browser.press(Keys.CONTROL, Keys.ENTER)
    browser.expect("what is removed", lambda: browser.texts(".diff tr.old"),
                   lambda rows: len(rows) == 1 and '"age": 36' in rows[0])
    browser.expect("what is added", lambda: browser.texts(".diff tr.new"),
                   lambda rows: len(rows) == 1 and '"age": 37' in rows[0])
    browser.check("difference")
    browser.click("Back to the editor", "button")
    browser.click("Review changes", "button")
    browser.click("Save", "button")
    browser.see("Saved", ".toast")
    browser.see("age: 37", ".tree")


def lose_race(browser: Browser) -> None:
    browser.click("Edit", "button")
    browser.kvtool("put", browser.database(), "ada/1 ?#%", '{"name":"Ada L.","age":37}')
    write(browser, '{"name": "Ada", "age": 38, "city": "London"}')
    browser.click("Review changes", "button")
    with browser.refused(412):
        browser.click("Save", "button")
        browser.see("The document was changed after you began to edit it. Nothing was saved.")
        browser.expect("both sides with the base", lambda: browser.texts(".sides h3"),
                       ["Your changes", "Their changes"])
        browser.see('"city": "London"', ".sides section:nth-child(1)")
        browser.see('"name": "Ada L."', ".sides section:nth-child(2)")
        browser.check("lost-race")
    browser.click("Merge in the editor", "button")
    browser.expect("the merged text", lambda: json.loads(browser.value("Document as JSON")),
                   {"name": "Ada L.", "age": 38, "city": "London"})
    browser.click("Review changes", "button")
    browser.see('"city": "London"', ".diff")
    browser.click("Save", "button")
    browser.see("city: ", ".tree")
    browser.expect("the document", lambda: json.loads(browser.kvtool(
        "cat", browser.database(), "ada/1 ?#%", "--raw")),
        {"_id": "ada/1 ?#%", "name": "Ada L.", "age": 38, "city": "London"})


def discard(browser: Browser) -> None:
    browser.click("Edit", "button")
    write(browser, "{}")
    browser.click("Overview", "#sidebar a")
    browser.expect("a question before changes are lost",
                   lambda: browser.driver.switch_to.alert.text,
                   "Discard the changes you have not saved?")
    browser.driver.switch_to.alert.dismiss()
    browser.expect("the text stays", lambda: browser.value("Document as JSON"), "{}")
    address = browser.driver.current_url
    browser.driver.back()
    browser.expect("the same question for Back", lambda: browser.driver.switch_to.alert.text,
                   "Discard the changes you have not saved?")
    browser.driver.switch_to.alert.dismiss()
    browser.expect("the text stays", lambda: browser.value("Document as JSON"), "{}")
    browser.expect("its address, too", lambda: browser.driver.current_url, address)
    browser.click("Cancel", "button")
    browser.see("city: ", ".tree")


def keep_numbers(browser: Browser) -> None:
    """What is not edited is saved as it was."""
    numbers = '"whole":10.0,"large":9007199254740993'
    browser.kvtool("put", browser.database(), "numbers", f'{{{numbers},"n":1}}')
    browser.open("numbers", "people", "_default", "document", id="numbers")
    browser.click("Edit", "button")
    browser.expect("the numbers", lambda: browser.value("Document as JSON"),
                   re.compile(r'"whole": 10\.0,\s+"large": 9007199254740993,'))
    write(browser, browser.value("Document as JSON").replace('"n": 1', '"n": 2'))
    browser.click("Review changes", "button")
    browser.expect("what is added", lambda: browser.texts(".diff tr.new"),
                   lambda rows: len(rows) == 1 and '"n": 2' in rows[0])
    browser.click("Save", "button")
    browser.see("Saved", ".toast")
    browser.expect("the document", lambda: browser.kvtool(
        "cat", browser.database(), "numbers", "--raw").strip(),
        f'{{"_id":"numbers",{numbers},"n":2}}')
    browser.kvtool("purge", browser.database(), "numbers", "--yes")
    browser.open("ada/1 ?#%", "people", "_default", "document", id="ada/1 ?#%")


def remove(browser: Browser) -> None:
    browser.click("Delete", "main button")
    browser.check()
    browser.confirm("Delete")
    browser.shows("_default")
    browser.see("20 documents, 1 deleted")
    browser.click("Deleted", "label")
    browser.see("ada/1 ?#%", ".grid tr.deleted")
    browser.click("ada/1 ?#%", ".grid a")
    browser.shows("ada/1 ?#%")
    browser.see("This document is deleted.")
    browser.click("Purge", "main button")
    browser.confirm("Purge")
    browser.see("0 deleted")


def scenario(browser: Browser) -> None:
    create(browser)
    edit(browser)
    lose_race(browser)
    discard(browser)
    keep_numbers(browser)
    remove(browser)


if __name__ == "__main__":
    play(scenario)
