"""The query workbench: results, errors, plans, advice, saved queries, and live results."""
import json
import re

from browser import Browser, Keys, play


def query(browser: Browser, text: str) -> None:
    """Types a query."""
    browser.fill("Query in SQL++ or JSON", text)


def run(browser: Browser) -> None:
    browser.open("people", "people", "info")
    browser.click("Query", "#sidebar a")
    browser.shows("Query")
    query(browser, "SELECT META().id, age FROM _ WHERE age > $least ORDER BY age DESC, META().id")
    browser.click("Parameters", "summary")
    browser.fill("Parameters as JSON", '{"least": 85}')
    browser.click("Run", "button")
    rows = browser.kvtool("query", browser.database(), "SELECT 1 FROM _ WHERE age > 85", "--ndjson")
    browser.see(f"{len(rows.splitlines())} rows, ")
    browser.expect("columns", lambda: browser.texts(".grid th[scope=col]"), ["id", "age"])
    browser.see(re.compile(r"^person-\d{4}\s+8\d$"), ".grid tr[data-index='0']")
    browser.check("query")
    browser.click("JSON", "main button")
    browser.see('"age": 8', "main pre.code.tall")
    browser.click("Save as CSV", "button")
    browser.expect("the file", lambda: browser.saved("result.csv"),
                   re.compile(r"^id,age\r?\nperson-\d{4},8\d\r?\n"))
    browser.expect("the address has the query", browser.path, re.compile(r"q=SELECT.*p=%7B"))


def fail(browser: Browser) -> None:
    query(browser, "SELECT name\nFROM _\nWHERE age >> 3")
    with browser.refused(400):
        browser.press(Keys.CONTROL, Keys.ENTER)
        browser.see(re.compile("line 3, column 11"), ".bench [role=alert]")
    browser.expect("the caret below the error", lambda: browser.text("pre.caret"),
                   "WHERE age >> 3\n          ^")
    browser.expect("the cursor at the error", lambda: browser.run(
        "const {value, selectionStart} = document.activeElement;"
        "return value.slice(selectionStart)"), ">> 3")
    browser.check()
    query(browser, "DELETE FROM _ WHERE age > 85")
    browser.click("Run", "button")
    browser.see("This statement changes the documents", "dialog")
    browser.check()
    browser.confirm("Cancel")


def explain(browser: Browser) -> None:
    query(browser, "SELECT META().id FROM _ WHERE age > 85 ORDER BY name.last")
    browser.fill("Parameters as JSON", "")
    browser.click("Explain", "button")
    browser.see("The query reads every document.", ".notice")
    browser.expect("steps of the plan", lambda: browser.texts(".picture .step .kind"),
                   ["full scan", "sort"])
    browser.check("plan")
    browser.click("Measure in a copy", "button")
    browser.see(re.compile(r"s without, .*s with it; .*s to create"), ".card")
    browser.check()
    browser.click("Create index", "button")
    browser.see(re.compile("Created the index"))
    browser.see(re.compile("The query uses: "), ".notice.good")
    browser.expect("steps of the plan", lambda: browser.texts(".picture .step .kind"),
                   lambda kinds: "full scan" not in kinds)
    browser.expect("one index", lambda: len(json.loads(browser.kvtool(
        "index", "ls", browser.database(), "--json"))["indexes"]), 1)
    browser.check()


def save(browser: Browser) -> None:
    browser.click("Save this query", "button")
    browser.fill("Name", "Old people", "dialog")
    browser.check()
    browser.confirm("Save")
    query(browser, "SELECT 1")
    browser.click("Old people", "aside button")
    browser.expect("the saved query", lambda: browser.value("Query in SQL++ or JSON"),
                   re.compile("ORDER BY name.last$"))
    browser.click("History", "summary")
    browser.click("SELECT META().id, age FROM _ WHERE age > $least", "aside button")
    browser.expect("its parameters", lambda: browser.value("Parameters as JSON"),
                   '{"least": 85}')
    browser.click("Full text", "aside button")
    browser.expect("an example", lambda: browser.value("Query in SQL++ or JSON"),
                   re.compile("MATCH"))
    browser.check()
    browser.driver.refresh()
    browser.shows("Query")
    browser.see("Old people", "aside")
    browser.click("Remove Old people", "button")
    browser.expect("it is removed", lambda: "Old people" in browser.text("aside"), False)


def live(browser: Browser) -> None:
    query(browser, "SELECT META().id, age FROM _ WHERE age > 80 ORDER BY age DESC, META().id")
    browser.click("Live", "button")
    rows = browser.kvtool("query", browser.database(), "SELECT 1 FROM _ WHERE age > 80", "--ndjson")
    before = len(rows.splitlines())
    browser.see(f"Live, {before} rows")
    browser.kvtool("put", browser.database(), "zeno", '{"age": 2500}')
    browser.see(re.compile(r"^zeno\s+2500$"), ".grid tr[data-index='0']")
    browser.see(f"Live, {before + 1} rows")
    browser.see(re.compile(r"^inserted.*zeno"), ".log li")
    browser.check("live-query")
    browser.kvtool("put", browser.database(), "zeno", '{"age": 2501}')
    browser.see(re.compile(r"^zeno\s+2501$"), ".grid tr[data-index='0']")
    browser.kvtool("rm", browser.database(), "zeno")
    browser.see(f"Live, {before} rows")
    browser.see(re.compile(r"^removed.*zeno"), ".log li")
    browser.click("Stop", "button")
    browser.see("Stopped")


def scenario(browser: Browser) -> None:
    run(browser)
    fail(browser)
    explain(browser)
    save(browser)
    live(browser)


if __name__ == "__main__":
    play(scenario)
