"""The page in a real browser: headless Chromium, at a real host."""

import asyncio
import os
import signal
import sys

import pytest

from .chromium import BROWSER, Browser, Tab
from .hosting import WebHost, children

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
SCREEN = (
    "Array.from({length: fronts.screens.terminal.rows}, (_, at) =>"
    " fronts.screens.terminal.buffer.active.getLine(at)?.translateToString() ?? '').join('\\n')"
)
WATCHED = (
    "var wasLost = false; new MutationObserver(() => wasLost ||= !byId('lost').hidden)"
    ".observe(byId('lost'), {attributes: true})"
)
AWAY = "The host closed the game. When the host resumes it, you continue here."
LINES = "byId('touch').textContent"
WIDE, PHONE = (1280, 800), (390, 844)


async def opened(tab: Tab, host: WebHost, size: tuple[int, int] = WIDE) -> None:
    await tab.size(*size, mobile=size == PHONE)
    await tab.go(host.link)


async def at_the_door(tab: Tab, host: WebHost, size: tuple[int, int] = WIDE) -> None:
    """Open the page, and wait until it asks for a name, because earlier input would be lost."""
    await opened(tab, host, size)
    await tab.until("!byId('door').hidden")


async def seated(tab: Tab, host: WebHost, name: str, size: tuple[int, int] = WIDE) -> None:
    """Join by typing; the field for the name has the focus."""
    await at_the_door(tab, host, size)
    await tab.type(name)
    await tab.press("Enter", 13, "\r")
    await tab.until(LINES if size == PHONE else SCREEN, lambda text: name in str(text))


async def test_reopened_browsers_keep_their_own_seats(host: WebHost, chromium: Browser) -> None:
    anna, bruno = await chromium.tab(), await chromium.tab()
    await seated(anna, host, "Anna")
    await seated(bruno, host, "Bruno")
    await anna.type("r")  # ready; the page has the keys at once
    await bruno.type("r")
    await anna.until(SCREEN, lambda text: "Your hand" in str(text))
    await bruno.until(SCREEN, lambda text: "Your hand" in str(text))
    hands = {"Anna": await hand(anna), "Bruno": await hand(bruno)}
    assert hands["Anna"] != hands["Bruno"]
    for order in (("Anna", "Bruno"), ("Bruno", "Anna"), ("Anna", "Bruno")):
        people = {"Anna": anna.context, "Bruno": bruno.context}
        await anna.close()
        await bruno.close()
        tabs = {}
        for name in order:
            tabs[name] = await chromium.tab(people[name])
            await opened(tabs[name], host)
            await tabs[name].until(SCREEN, lambda text: "Your hand" in str(text))
            assert await hand(tabs[name]) == hands[name]
        anna, bruno = tabs["Anna"], tabs["Bruno"]
    clients = [one for one in children(host.process.pid).values() if "citadels_lan join" in one]
    assert len(clients) == 2


async def test_seat_survives_reload_second_tab_and_killed_processes(host: WebHost, chromium: Browser) -> None:
    anna = await chromium.tab()
    await seated(anna, host, "Anna")
    assert await anna.run("location.href") == f"{host.origin}/"  # the key is no longer in the address
    before = await drawn(anna)
    await anna.reload()
    await anna.until(SCREEN, lambda text: text == before)
    other = await chromium.tab(anna.context)
    await opened(other, host)
    await other.until(SCREEN, lambda text: text == before)
    assert "another window" in await anna.until("!byId('said').hidden && byId('sentence').textContent")
    await anna.run("byId('again').click()")
    await other.until("!byId('said').hidden")
    await anna.until("byId('said').hidden")
    (server,) = (pid for pid, command in children(host.process.pid).items() if "citadels_lan.web" in command)
    await anna.run(WATCHED)  # a new server may have started before this check
    os.kill(server, signal.SIGKILL)
    await anna.until("wasLost && byId('lost').hidden")
    await anna.until(SCREEN, lambda text: "Anna" in str(text))
    (client,) = (pid for pid, command in children(host.process.pid).items() if "--name=Anna" in command)
    os.kill(client, signal.SIGKILL)
    crashed = await anna.until("!byId('said').hidden && byId('sentence').textContent")
    assert crashed == "Your game stopped because of an error. Your seat is kept. Join again to continue."
    await anna.run("byId('again').click()")
    await anna.until("byId('said').hidden")
    await anna.until(SCREEN, lambda text: "Anna" in str(text))


async def test_name_with_markup_is_shown_as_text(host: WebHost, chromium: Browser) -> None:
    name = "<b id=evil>\x1b]8;;x:y"
    anna, bruno = await chromium.tab(), await chromium.tab()
    await at_the_door(anna, host)
    await anna.run(f"byId('name').value = {name!r}")
    await anna.run("byId('door').requestSubmit()")
    await anna.until(SCREEN, lambda text: "<b id=evil>" in str(text))
    await seated(bruno, host, "Bruno", PHONE)
    await bruno.until(LINES, lambda text: "<b id=evil>" in str(text))
    await bruno.run("fronts.touch.send({type: 'say', text: '<img src=x id=evil> http://evil.example'})")
    await bruno.until(LINES, lambda text: "<img src=x id=evil>" in str(text))
    await anna.until(SCREEN, lambda text: "<img" in str(text))
    await anna.type("c")  # chat, into which text is pasted as one message
    await anna.run("fronts.screens.terminal.paste('pasted <i id=evil>\\r\\n' + 'x'.repeat(1000))")
    await anna.until("!byId('notice').hidden && byId('notice').textContent", lambda text: "1000" in str(text))
    await anna.run("fronts.screens.terminal.paste('pasted <i id=evil>')")
    await anna.until(SCREEN, lambda text: "pasted <i id=evil>" in str(text))
    await anna.press("Enter", 13, "\r")
    await bruno.until(LINES, lambda text: "pasted <i id=evil>" in str(text))
    for tab in (anna, bruno):
        assert await tab.run("document.querySelectorAll('#evil, img, a:not([download])').length") == 0


async def test_page_says_that_the_host_closed_the_game_and_can_be_left(host: WebHost, chromium: Browser) -> None:
    anna = await chromium.tab()
    await anna.send("Emulation.setTouchEmulationEnabled", enabled=True)
    await seated(anna, host, "Anna", PHONE)
    host.process.send(signal.SIGTERM)
    await anna.until("!byId('lost').hidden && byId('lost').textContent", lambda text: text == AWAY)
    await anna.run("byId('line').value = 'hello'")
    await anna.tap("#chat")
    assert await anna.run("byId('line').value") == "hello", "it can be sent once the host is back"
    await anna.tap("#more")
    await anna.tap("#leave")
    await anna.tap("#sure")
    await anna.until("!byId('said').hidden && byId('sentence').textContent", lambda text: "left" in str(text))
    assert await anna.run("byId('lost').hidden")


async def test_page_shows_languages_themes_and_the_reason_of_a_rejection(host: WebHost, chromium: Browser) -> None:
    anna = await chromium.tab()
    await anna.prefer("dark")
    await at_the_door(anna, host)
    await anna.run("byId('language').value = 'it', byId('language').onchange({target: byId('language')})")
    await anna.until("byId('risk').textContent", lambda text: "Giochi attraverso" in str(text))
    assert await anna.run("getComputedStyle(document.body).backgroundColor") == "rgb(17, 21, 27)"
    await anna.prefer("light")
    assert await anna.run("getComputedStyle(document.body).backgroundColor") == "rgb(236, 234, 228)"
    await anna.go(f"{host.origin}/?anew#{'b' * 26}")
    await anna.until("!byId('door').hidden")
    await anna.type("Anna")
    await anna.press("Enter", 13, "\r")
    assert "Codice" in await anna.until("!byId('refused').hidden && byId('refused').textContent")
    assert await anna.run("byId('words').hidden") is False


async def drawn(tab: Tab) -> str:
    """Return the text of the screen, once it has not changed for half a second."""
    before = ""
    while before != (now := str(await tab.run(SCREEN))):
        before = now
        await asyncio.sleep(0.5)
    return now


async def hand(tab: Tab) -> str:
    """Return the lines on the screen that show the player's cards."""
    lines = str(await tab.run(SCREEN)).splitlines()
    at = next(number for number, line in enumerate(lines) if "Your hand" in line)
    return "\n".join(line[:60] for line in lines[at : at + 6])
