"""The page in a real browser: Chromium without a window, at a real host."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from citadels_lan.plain.messages import OVER

from .chromium import BROWSER, Browser, Tab, browser
from .hosting import WebHost, children, web_host

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
SCREEN = (
    "Array.from({length: made.screens.terminal.rows}, (_, at) =>"
    " made.screens.terminal.buffer.active.getLine(at)?.translateToString() ?? '').join('\\n')"
)
WATCHED = (
    "var wasLost = false; new MutationObserver(() => wasLost ||= !byId('lost').hidden)"
    ".observe(byId('lost'), {attributes: true})"
)
QUESTION = "made.lines.question && made.lines.question.id"
SETTLED = "performance.now() - made.lines.shownAt > SETTLE"
WATCH = """var sent = [], notices = [];
    function watch() {
        const lines = made.lines, send = lines.send;
        lines.send = (message) => { sent.push(message); send(message); };
        const noted = () => notices.push(byId('notice').textContent);
        new MutationObserver(noted).observe(byId('notice'), {childList: true});
    }"""
AWAY = "The host closed the game. When the host resumes it, you continue here."
LINES = "made.lines.log.textContent"
WIDE, PHONE = (1280, 800), (390, 844)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[WebHost]:
    with web_host(tmp_path / "host", "--players=4", "--bots=random,random") as one:
        yield one


@pytest.fixture
async def chromium(tmp_path: Path) -> AsyncIterator[Browser]:
    async with browser(tmp_path / "browser") as one:
        yield one


async def opened(tab: Tab, host: WebHost, size: tuple[int, int] = WIDE) -> None:
    await tab.size(*size, mobile=size == PHONE)
    await tab.go(host.link)


async def at_the_door(tab: Tab, host: WebHost, size: tuple[int, int] = WIDE) -> None:
    """The page has heard from the host and asks for a name: only now does anything typed into it stay."""
    await opened(tab, host, size)
    await tab.until("!byId('door').hidden")


async def seated(tab: Tab, host: WebHost, name: str, size: tuple[int, int] = WIDE) -> None:
    """Through the door by typing alone: the field for the name has the keys."""
    await at_the_door(tab, host, size)
    await tab.type(name)
    await tab.press("Enter", 13, "\r")
    await tab.until(LINES if size == PHONE else SCREEN, lambda text: name in str(text))


async def test_two_browsers_are_closed_and_opened_and_have_their_own_seats(
    host: WebHost, chromium: Browser
) -> None:
    anna, bruno = await chromium.tab(), await chromium.tab()
    await seated(anna, host, "Anna")
    await seated(bruno, host, "Bruno")
    await anna.type("r")  # ready; the page has the keys at once
    await bruno.type("r")
    await anna.until(SCREEN, lambda text: "4 cards in hand" in str(text))
    await bruno.until(SCREEN, lambda text: "4 cards in hand" in str(text))
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
            await tabs[name].until(SCREEN, lambda text: "4 cards in hand" in str(text))
            assert await hand(tabs[name]) == hands[name]
        anna, bruno = tabs["Anna"], tabs["Bruno"]
    clients = [one for one in children(host.process.pid).values() if "citadels_lan join" in one]
    assert len(clients) == 2


async def test_reload_another_tab_a_killed_server_and_a_killed_client(host: WebHost, chromium: Browser) -> None:
    anna = await chromium.tab()
    await seated(anna, host, "Anna")
    assert await anna.run("location.href") == f"{host.origin}/"  # the key is gone from the address
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
    await anna.run(WATCHED)  # a new server may stand before anybody looks
    os.kill(server, signal.SIGKILL)
    await anna.until("wasLost && byId('lost').hidden")
    await anna.until(SCREEN, lambda text: "Anna" in str(text))
    (client,) = (pid for pid, command in children(host.process.pid).items() if "--name=Anna" in command)
    os.kill(client, signal.SIGKILL)
    crashed = await anna.until("!byId('said').hidden && byId('sentence').textContent")
    assert crashed == "Your game stopped because of an error. Your seat is kept. Sit down again to continue."
    await anna.run("byId('again').click()")
    await anna.until("byId('said').hidden")
    await anna.until(SCREEN, lambda text: "Anna" in str(text))


async def test_a_name_with_tags_and_escapes_is_text(host: WebHost, chromium: Browser) -> None:
    name = "<b id=evil>\x1b]8;;x:y"
    anna, bruno = await chromium.tab(), await chromium.tab()
    await at_the_door(anna, host)
    await anna.run(f"byId('name').value = {name!r}")
    await anna.run("byId('door').requestSubmit()")
    await anna.until(SCREEN, lambda text: "<b id=evil>" in str(text))
    await seated(bruno, host, "Bruno", PHONE)
    await bruno.until(LINES, lambda text: "<b id=evil>" in str(text))
    await bruno.run("made.lines.send({type: 'say', text: '<img src=x id=evil> http://evil.example'})")
    await bruno.until(LINES, lambda text: "<img src=x id=evil>" in str(text))
    await anna.until(SCREEN, lambda text: "<img" in str(text))
    await anna.type("c")  # chat, into which text is pasted as one message
    await anna.run("made.screens.terminal.paste('pasted <i id=evil>\\r\\n' + 'x'.repeat(1000))")
    await anna.until("!byId('notice').hidden && byId('notice').textContent", lambda text: "1000" in str(text))
    await anna.run("made.screens.terminal.paste('pasted <i id=evil>')")
    await anna.until(SCREEN, lambda text: "pasted <i id=evil>" in str(text))
    await anna.press("Enter", 13, "\r")
    await bruno.until(LINES, lambda text: "pasted <i id=evil>" in str(text))
    for tab in (anna, bruno):
        assert await tab.run("document.querySelectorAll('#evil, img, a:not([download])').length") == 0


@pytest.mark.long
async def test_a_phone_has_a_button_for_each_choice(host: WebHost, chromium: Browser) -> None:
    anna, bruno = await chromium.tab(), await chromium.tab()
    await seated(anna, host, "Anna", PHONE)
    await seated(bruno, host, "Bruno", PHONE)
    for tab in (anna, bruno):
        await tab.until("byId('commands').firstElementChild.click(), true")
    async with asyncio.TaskGroup() as tasks:  # chance decides who chooses first
        for tab in (anna, bruno):
            tasks.create_task(keep_the_first(tab))
    assert await anna.run("document.documentElement.scrollWidth <= innerWidth")
    await anna.run("byId('switch').click()")
    await anna.until("typeof made.screens === 'object'")
    await anna.until(SCREEN, lambda text: "cards in hand" in str(text) or "more room" in str(text))


async def test_taps_of_a_phone_answer_one_question_each_and_commands_work_at_any_time(
    host: WebHost, chromium: Browser
) -> None:
    anna, other = await chromium.tab(), await chromium.tab()
    await seated(anna, host, "Anna", PHONE)
    await seated(other, host, "-- z", PHONE)
    for tab in (anna, other):
        await tab.send("Emulation.setTouchEmulationEnabled", enabled=True)
        await tab.tap("#commands button")
    asked, waiting = await _first_asked(anna, other)

    # Out of turn: the table, the hand and chat. A name that looks like a turn changes nothing for the others.
    await waiting.tap("#commands button:nth-child(2)")
    await waiting.until(LINES, lambda text: "Round 1. Deck:" in str(text))
    await waiting.tap("#commands button:nth-child(3)")
    await waiting.until(LINES, lambda text: "Gold: 2. Hand:" in str(text))
    before = await asked.run(QUESTION)
    await waiting.run("byId('line').value = '-- Turn of z'")
    await waiting.tap("#chat")
    await asked.until(LINES, lambda text: ": -- Turn of z" in str(text))
    assert await asked.run(QUESTION) == before
    await waiting.run("made.lines.send({type: 'answer', question: 1, choices: [1]})")
    await waiting.until("!byId('notice').hidden && byId('notice').textContent", lambda text: text == OVER)

    # A double tap on a character of the draft.
    await asked.run(f"{WATCH} watch(); var old = document.querySelector('#choices button'); void 0")
    await asked.until(SETTLED)
    await asked.tap("#choices button", times=2)
    await asked.until(LINES, lambda text: "You keep" in str(text))
    assert await asked.run("sent.filter((one) => one.question !== " + str(before) + ").length") == 0

    # A late tap on a button that is gone.
    await keep_the_first(waiting)
    await asked.until(f"made.lines.question && made.lines.question.id > {before}")
    now = await asked.run(QUESTION)
    await asked.until(SETTLED)
    await asked.run("notices.length = 0, old.click()")
    assert await asked.until("notices[0]") == OVER
    assert await asked.run(QUESTION) == now

    # Two taps of which the second comes before the answer to the first, and one on choices that have just come.
    await asked.run(
        "notices.length = 0, old = document.querySelector('#choices button'), old.click(), old.click()"
    )
    assert await asked.until("notices[0]") == OVER
    assert await asked.run("sent.filter((one) => one.question > " + str(now) + ").length") == 0
    await asked.run(
        "made.lines.ask({...made.lines.question, id: 1}), document.querySelector('#choices button').click()"
    )
    assert "just changed" in await asked.until("notices[1]")

    await waiting.tap("#commands button:last-child")
    await waiting.tap("#stay")
    await waiting.tap("#commands button:last-child")
    await waiting.tap("#leave")
    await waiting.until("!byId('said').hidden && byId('sentence').textContent", lambda text: "left" in str(text))


async def _first_asked(*tabs: Tab) -> tuple[Tab, Tab]:
    """The page with the first question of two, and the other one."""
    while True:
        for tab in tabs:
            if await tab.run("document.querySelector('#choices button') !== null"):
                (other,) = (one for one in tabs if one is not tab)
                return tab, other
        await asyncio.sleep(0.1)


async def keep_the_first(tab: Tab) -> None:
    """The first character that is offered, once it is this tab's turn to choose."""
    await tab.until("document.querySelector('#choices button') !== null")
    await tab.run("made.lines.shownAt = -1000; document.querySelector('#choices button').click()")
    await tab.until(LINES, lambda text: "You keep" in str(text))


async def test_page_says_that_the_host_closed_the_game_and_can_be_left(host: WebHost, chromium: Browser) -> None:
    anna = await chromium.tab()
    await anna.send("Emulation.setTouchEmulationEnabled", enabled=True)
    await seated(anna, host, "Anna", PHONE)
    host.process.send(signal.SIGTERM)
    await anna.until("!byId('lost').hidden && byId('lost').textContent", lambda text: text == AWAY)
    await anna.run("byId('line').value = 'hello'")
    await anna.tap("#chat")
    assert await anna.run("byId('line').value") == "hello", "it can be sent once the host is back"
    await anna.tap("#commands button:last-child")
    await anna.tap("#leave")
    await anna.until("!byId('said').hidden && byId('sentence').textContent", lambda text: "left" in str(text))
    assert await anna.run("byId('lost').hidden")


async def test_both_languages_both_lights_and_a_refusal(host: WebHost, chromium: Browser) -> None:
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
    assert "tavolo" in await anna.until("!byId('refused').hidden && byId('refused').textContent")
    assert await anna.run("byId('words').hidden") is False


async def drawn(tab: Tab) -> str:
    """The screen, once half a second changes nothing on it."""
    before = ""
    while before != (now := str(await tab.run(SCREEN))):
        before = now
        await asyncio.sleep(0.5)
    return now


async def hand(tab: Tab) -> str:
    """The lines of the screen that have the own cards."""
    lines = str(await tab.run(SCREEN)).splitlines()
    at = next(number for number, line in enumerate(lines) if "cards in hand" in line)
    return "\n".join(line[:60] for line in lines[at : at + 6])
