"""Import of a file, after a dry run, and export."""
import json

from browser import Browser, play


def documents(browser: Browser) -> int:
    """How many documents there are."""
    answer = json.loads(browser.kvtool("lscoll", browser.database(), "--json"))
    return answer["collections"][0]["documents"]


def receive(browser: Browser) -> None:
    file = browser.directory / "more.ndjson"
    file.write_text('{"_id":"person-0001","name":"Ada"}\n{"_id":"new-1","n":1}\n')
    browser.open("_default", "people", "_default", "documents")
    browser.click("Import and export", "a")
    browser.shows("Import and export")
    browser.check("import")
    browser.click("Dry run", "button")
    browser.see("Choose a file first.")
    browser.field("File").send_keys(str(file))
    browser.click("Dry run", "button")
    browser.see("Dry run of more.ndjson (57 B): nothing was changed")
    browser.expect("what would be done", lambda: browser.texts("main tbody tr"),
                   lambda rows: {"New\t1", "Overwritten\t1"} <= set(rows))
    browser.expect("nothing is changed", lambda: documents(browser), 20)
    browser.check()
    browser.click("Import now", "button")
    browser.see("Import finished", ".toast")
    browser.see("Imported more.ndjson")
    browser.expect("one more document", lambda: documents(browser), 21)
    file.write_text('{"_id":"b"}\n{"_id":\n')
    with browser.refused(400, 422, 500):
        browser.field("File").send_keys(str(file))
        browser.click("Dry run", "button")
        browser.see("line 2", ".notice.error")
    browser.expect("nothing is changed", lambda: documents(browser), 21)


def export(browser: Browser) -> None:
    for label, name in [("JSON lines", "people-_default.ndjson"),
                        ("JSON array", "people-_default.json"),
                        ("CSV", "people-_default.csv")]:
        browser.click(label, "button")
        text = browser.expect(f"the file {name}", lambda: browser.saved(name),
                              lambda content: content.endswith("\n"))
        browser.expect(f"a document in {name}", lambda: '"new-1"' in text or "new-1," in text)
        browser.expect("number of lines", lambda: len(text.splitlines()) >= 21)


def scenario(browser: Browser) -> None:
    receive(browser)
    export(browser)


if __name__ == "__main__":
    play(scenario)
