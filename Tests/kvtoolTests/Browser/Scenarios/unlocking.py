"""A page without the token, and a database without its key."""
import re

from browser import Browser, play


def token(browser: Browser) -> None:
    browser.driver.get(browser.url + "/")
    browser.shows("Token required")
    browser.check("token")
    with browser.refused(401):
        browser.fill("Address or token", "wrong")
        browser.click("Continue", "button")
        browser.expect("the field is empty again",
                       lambda: browser.value("Address or token"), "")
        browser.shows("Token required")
        browser.fill("Address or token", f"{browser.url}/#token={browser.token}")
        browser.click("Continue", "button")
        browser.shows("Databases")
    browser.expect("no token in the address", lambda: browser.run("return location.href"),
                   browser.url + "/")


def key(browser: Browser) -> None:
    browser.expect("databases", lambda: browser.texts("main h2"), ["people", "secret locked"])
    browser.check("locked")
    with browser.refused(403):
        browser.fill("Key", "wrong")
        browser.click("Unlock", "button")
        browser.see("key", ".notice.error")
    browser.check()
    browser.fill("Key", "open sesame")
    browser.click("Unlock", "button")
    browser.expect("no database is locked", lambda: browser.texts("main h2"), ["people", "secret"])
    browser.click("secret", "main a")
    browser.shows("secret")
    browser.see(re.compile(r"Encrypted\s+yes"))
    browser.click("_default", "#sidebar a")
    browser.see("person-0001", ".grid")
    browser.check()


def scenario(browser: Browser) -> None:
    token(browser)
    key(browser)


if __name__ == "__main__":
    play(scenario)
