"""What a database contains: schema, indexes, storage, verify, search, blobs."""
import json
import re

from browser import Browser, play


def schema(browser: Browser) -> None:
    browser.open("_default", "people", "_default", "documents")
    browser.click("Schema", "nav.tabs a")
    browser.shows("Schema of _default")
    browser.see(re.compile(r"^age\s+integer\s+99 %", re.MULTILINE), "table")
    browser.see(re.compile("Inferred from 303 of 303 documents"))
    browser.check("schema")


def indexes(browser: Browser) -> None:
    browser.click("Indexes", "#sidebar a")
    browser.shows("Indexes")
    browser.see("2 indexes")
    browser.check("indexes")
    browser.click("Create an index", "summary")
    browser.fill("Name", "byCity")
    browser.fill("Expressions", "contact.address.city")
    browser.check()
    browser.click("Create index", "button")
    browser.see("Created the index byCity", ".toast")
    browser.see("3 indexes")
    browser.click("byCity", "main table a")
    browser.shows("byCity")
    browser.see("303", ".facts")
    browser.see("person-", ".grid")
    browser.check("index")
    browser.click("Delete", "main button")
    browser.confirm("Delete")
    browser.shows("Indexes")
    browser.see("2 indexes")
    with browser.refused(400):
        browser.click("Create an index", "summary")
        browser.fill("Name", "wrong")
        browser.fill("Expressions", "age +")
        browser.click("Create index", "button")
        browser.see(re.compile("line 1, column"), "form .notice")


def storage(browser: Browser) -> None:
    browser.click("Storage", "#sidebar a")
    browser.shows("Storage")
    browser.see("Properties of _default by size")
    browser.expect("bars", lambda: browser.count(".bars .bar"), lambda number: number > 20)
    browser.expect("the largest collection has the whole width", lambda: browser.run(
        "const [bar] = document.querySelectorAll('.bars .bar');"
        "return bar.lastChild.getBoundingClientRect().right / bar.getBoundingClientRect().right"),
        lambda share: 0.99 < share <= 1)
    browser.check("storage")
    browser.click("Verify", "#sidebar a")
    browser.shows("Verify")
    browser.click("Verify", "main button")
    browser.see("The database is intact.")
    browser.see(re.compile("Checked: .*2 indexes, 2 blobs"))
    browser.check("verify")


def search(browser: Browser) -> None:
    browser.click("Search", "#sidebar a")
    browser.shows("Search")
    browser.check()
    browser.fill("Text", "running machine")
    browser.click("Search", "main button")
    browser.see("1 match, ")
    browser.expect("marked words", lambda: browser.texts("mark"), ["machines", "run", "machine"])
    browser.see("rank", ".hits")
    browser.check("search")
    browser.choose("Search in", "All values of all documents")
    browser.fill("Text", "Olga")
    browser.click("Search", "main button")
    browser.see(re.compile(r"\d+ matches"))
    browser.see("name.first", ".hits code")
    browser.check()


def blobs(browser: Browser) -> None:
    browser.click("Blobs", "#sidebar a")
    browser.shows("Blobs")
    browser.see("2 blobs")
    browser.click("_default/text", "main table a")
    browser.shows("text")
    browser.click("blob, 11 B", ".tree a")
    browser.shows("Blobs")
    browser.see("hello <b>x", "pre.code")
    browser.check("blobs")
    picture = browser.run("return [...document.querySelectorAll('tbody tr')].find((row) =>"
                          " row.innerText.includes('image/png')).querySelector('button').innerText")
    browser.click(picture, "main button")
    browser.expect("the picture", lambda: browser.run(
        "return document.querySelector('img.preview')?.naturalWidth"), 2)
    browser.check()
    browser.click("Save", ".card button")
    browser.expect("a saved file", lambda: [path.read_bytes()[:4] for path in
                                            browser.downloads.glob("sha1-*")
                                            if path.suffix != ".crdownload"],
                   lambda heads: heads == [b"\x89PNG"])


def similar(browser: Browser) -> None:
    browser.open("text", "people", "_default", "document", id="text")
    browser.expect("no button without a vector index",
                   lambda: "Similar" in browser.texts(".head a"), False)
    for name, place in [("near", [1, 2]), ("nearer", [1, 1]), ("far", [90, 9])]:
        browser.kvtool("put", browser.database(), name, json.dumps(
            {"place": place, "title": f"<i>{name}</i>"}))
    browser.kvtool("mkindex", browser.database(), "byPlace", "place", "--vector",
                   "--dimensions", "2")
    browser.open("near", "people", "_default", "document", id="near")
    browser.click("Similar", ".head a")
    browser.shows("Similar to near")
    browser.expect("the nearest first", lambda: browser.texts(".hits a"), ["nearer", "far"])
    browser.see("distance ", ".hits")
    browser.see("title: <i>nearer</i>", ".hits")
    browser.check("similar")
    browser.click("nearer", ".hits a")
    browser.shows("nearer")
    with browser.refused(404):
        browser.open("Not found", "people", "_default", "similar", id="text")
        browser.see("has no vector of the document", "main [role=alert]")


def fill(browser: Browser) -> None:
    """Adds blobs, and a text for the full-text index."""
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000002000000020802000000fdd49a730000000e49444154"
        "789c63f8cfc000440cff000ef903fd6efcc0a10000000049454e44ae426082")
    for name, kind, content in [("picture", "image/png", png),
                                ("text", "text/plain", b"hello <b>x\n")]:
        path = browser.directory / name
        path.write_bytes(content)
        blob = browser.kvtool("blob", "put", browser.database(), str(path), "--type", kind)
        browser.kvtool("put", browser.database(), name, json.dumps({"file": json.loads(blob)}))
    browser.kvtool("put", browser.database(), "note", json.dumps(
        {"text": "Old machines run. A machine is a thing. " + "Word after word. " * 30}))
    browser.kvtool("mkindex", browser.database(), "byText", "text", "--fts",
                   "--language", "en")
    browser.kvtool("mkindex", browser.database(), "byAge", "age")


def scenario(browser: Browser) -> None:
    fill(browser)
    schema(browser)
    indexes(browser)
    storage(browser)
    search(browser)
    blobs(browser)
    similar(browser)


if __name__ == "__main__":
    play(scenario)
