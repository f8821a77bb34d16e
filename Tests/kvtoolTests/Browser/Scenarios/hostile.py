"""Documents that try to run scripts, to break the layout, or to block the page."""
import json
import re
import time

from browser import Browser, play

SCRIPT = "<script>hacked()</script>"
IMAGE = '<img src=x onerror="hacked()">'
IDS = [
    SCRIPT, IMAGE, "a/b//c", "what?#%25%", "../../etc/passwd", '"quotes" and \'more\'',
    "👩‍👩‍👧 family", "שלום עולם", "\u202eevil.txt", "e\u0301\u0327\u0334 combining",
    "javascript:hacked()", " spaces ", "x" * 200, "<b>&amp;</b>", "{{7*7}}${7*7}", "日本語の文書",
]


def hostile() -> list[dict]:
    """Documents whose IDs, names and values are hostile."""
    value = {"name": SCRIPT, IMAGE: IMAGE, "__proto__": {"x": 1}, "constructor": SCRIPT,
             "שם": "שלום", "rtl": "abc \u202e def", "toString": "x", "10": 1, "2": 2,
             "url": "javascript:hacked()", "long word": "w" * 3000, "": "empty name"}
    return [{"_id": id, **value} for id in IDS]


def huge() -> list[dict]:
    """Documents that are long, wide and deep."""
    deep: object = SCRIPT
    for _ in range(45):
        deep = {"in": [deep]}
    return [
        {"_id": "large", "text": "5 MB " + "<b>x</b>" * 650_000},
        {"_id": "wide", **{f"{IMAGE} {number}": number for number in range(10_000)}},
        {"_id": "deep", "deep": deep},
    ]


def add(browser: Browser, documents: list[dict]) -> None:
    """Imports documents."""
    file = browser.directory / "hostile.ndjson"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents))
    browser.kvtool("import", browser.database(), str(file))


def quickly(browser: Browser, what: str, seconds: float, action) -> None:
    """Does something, after which the page must answer soon."""
    started = time.monotonic()
    action()
    browser.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    taken = time.monotonic() - started
    browser.expect(f"seconds until {what}", lambda: taken, lambda value: value < seconds)


def table(browser: Browser) -> None:
    browser.open("_default", "people", "_default", "documents")
    browser.expect("all IDs", lambda: browser.texts(".grid tr[data-index] th"),
                   lambda ids: {SCRIPT, IMAGE, "a/b//c", "\\u202eevil.txt"} <= set(ids))
    browser.check("hostile-documents")


def each(browser: Browser) -> None:
    for id in IDS:
        browser.click(shown(id)[:60], ".grid a")
        browser.shows(lambda title, id=id: title == shown(id))
        browser.see(SCRIPT, ".tree")
        browser.check("hostile-document" if id == SCRIPT else "")
        browser.driver.back()
        browser.shows("_default")
    browser.open("Revisions of " + IMAGE, "people", "_default", "revisions", id=IMAGE)
    browser.see(SCRIPT, ".tree")
    browser.check()


def shown(id: str) -> str:
    """An ID as the pages show it."""
    text = re.sub("[\\u0000-\\u0008\\u000b-\\u001f\\u202e]",
                  lambda match: f"\\u{ord(match.group()):04x}", id)
    return re.sub(r"\s+", " ", text).strip()


def large(browser: Browser) -> None:
    quickly(browser, "the table is shown", 20,
            lambda: browser.open("_default", "people", "_default", "documents"))
    browser.check()
    quickly(browser, "5 MB are shown", 20,
            lambda: browser.open("large", "people", "_default", "document", id="large"))
    browser.see("5 MB", ".tree")
    browser.check()
    quickly(browser, "all characters are shown", 20,
            lambda: browser.click("Show all 5,200,005 characters", "button"))
    browser.check()
    quickly(browser, "the text is shown", 20, lambda: browser.click("Raw", "button"))
    browser.see("use Copy or Save for all of it", "pre")
    browser.check()


def wide(browser: Browser) -> None:
    quickly(browser, "10,000 properties are shown", 10,
            lambda: browser.open("wide", "people", "_default", "document", id="wide"))
    browser.see("9,900 of 10,000 not shown", ".tree")
    quickly(browser, "500 more are shown", 10, lambda: browser.click("Show 500 more", "button"))
    browser.see("9,400 of 10,000 not shown", ".tree")
    browser.check()
    browser.open("deep", "people", "_default", "document", id="deep")
    browser.click("deep", ".tree button")
    browser.check()


def edit(browser: Browser) -> None:
    browser.open(SCRIPT, "people", "_default", "document", id=SCRIPT, mode="edit")
    text = json.loads(browser.value("Document as JSON"))
    browser.expect("all properties", lambda: {"_id": SCRIPT} | text, hostile()[0])
    browser.fill("Document as JSON", json.dumps({"name": IMAGE}))
    browser.click("Review changes", "button")
    browser.see("<img src=x onerror=", ".diff tr.new")
    browser.check()
    browser.click("Save", "button")
    browser.see(IMAGE, ".tree")
    browser.open("Query", "people", "_default", "query", q="SELECT * FROM _ LIMIT 15")
    browser.see("15 rows")
    browser.check()
    browser.open("Schema of _default", "people", "_default", "schema")
    browser.see(IMAGE)
    browser.check()
    browser.open("Search", "people", "find", text="onerror")
    browser.see(re.compile("matches"))
    browser.check()


def scenario(browser: Browser) -> None:
    add(browser, hostile())
    table(browser)
    each(browser)
    add(browser, huge())
    large(browser)
    wide(browser)
    edit(browser)


if __name__ == "__main__":
    play(scenario)
