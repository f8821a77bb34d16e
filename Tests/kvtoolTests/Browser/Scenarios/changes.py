"""Changes as other processes commit them."""
import re

from browser import Browser, play


def scenario(browser: Browser) -> None:
    browser.open("people", "people", "info")
    browser.click("Changes", "#sidebar a")
    browser.shows("Changes")
    browser.see("No changes yet.")
    browser.check()
    # The stream may begin after the first change.
    browser.expect("a change of another process", lambda: browser.kvtool(
        "put", browser.database(), "first", '{"n": 1}') and browser.count(".grid tr[data-index]"),
        lambda rows: rows > 0)
    browser.kvtool("put", browser.database(), "ada", '{"name": "Ada"}')
    browser.see(re.compile(r"^ada\s.*_default.*Ada", re.DOTALL), ".grid tr[data-index='0']")
    browser.kvtool("mkcoll", browser.database(), "hr.staff")
    browser.kvtool("put", f"{browser.database()}//hr.staff/bob", '{"name": "Bob"}')
    browser.see(re.compile(r"^bob\s+hr\.staff"), ".grid tr[data-index='0']")
    browser.kvtool("rm", browser.database(), "ada")
    browser.see(re.compile(r"^ada\s.*deleted", re.DOTALL), ".grid tr[data-index='0']")
    browser.check("changes")
    browser.click("Pause", "button")
    browser.kvtool("put", browser.database(), "eve", '{"name": "Eve"}')
    browser.see("Paused, 1 change waiting")
    browser.never("eve", ".grid")
    browser.click("Continue", "button")
    browser.see(re.compile(r"^eve\s"), ".grid tr[data-index='0']")
    browser.fill("Filter", "bob")
    browser.expect("the rows of the filter", lambda: browser.texts(".grid tr[data-index] th"),
                   ["bob"])
    # The list of collections is read again with the page.
    browser.driver.refresh()
    browser.shows("Changes")
    browser.choose("Collection", "hr.staff")
    browser.see("No changes yet.")
    browser.click("Overview", "#sidebar a")
    browser.shows("people")


if __name__ == "__main__":
    play(scenario)
