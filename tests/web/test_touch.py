"""The page for a phone in a real browser, used only by touch."""

import asyncio
import sys
from pathlib import Path

import pytest

from citadels_lan.engine import EDITIONS
from citadels_lan.line_mode.page_messages import OVER

from .chromium import BROWSER, Browser, Tab
from .hosting import WebHost, web_host

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc"),
]
PORTRAIT, LANDSCAPE = (360, 640), (640, 360)
QUESTION = "fronts.touch.question && fronts.touch.question.id"
ASKED = "fronts.touch.stage === 'over' || document.querySelector('#choices button') !== null"
NEWS = "byId('news').textContent"
NOTICE = "!byId('notice').hidden && byId('notice').textContent"
LOST = "is offline"
SWITCHING = "Switching the view…"
MOST = 60 * 1024
"""Largest number of bytes that a page may load before its guest can make the first choice."""
COUNT = """window.received = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', (event) => { received += new Blob([event.data]).size; });
        }
    };"""
LOADED = """performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
    .reduce((sum, one) => sum + one.transferSize, received)"""
CALLS = """window.vibrated = 0; window.tones = 0;
    Object.defineProperty(navigator, 'vibrate', { value: () => { vibrated += 1; return true; } });
    const begin = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) { tones += 1; begin.call(this, when); };"""
WATCH = """var sent = [], notices = [];
    function watch() {
        const page = fronts.touch, send = page.send;
        page.send = (message) => { sent.push(message); return send(message); };
        const noted = () => notices.push(byId('notice').textContent);
        new MutationObserver(noted).observe(byId('notice'), {childList: true});
    }"""


async def phone(chromium: Browser, host: WebHost, name: str, script: str = "", language: str = "en") -> Tab:
    """A phone whose guest has sat down. `script` runs before those of the page."""
    tab = await chromium.tab()
    await tab.size(*PORTRAIT, mobile=True)
    await tab.speak(language)
    await tab.send("Emulation.setTouchEmulationEnabled", enabled=True)
    if script:
        await tab.send("Page.enable")
        await tab.send("Page.addScriptToEvaluateOnNewDocument", source=script)
    await tab.go(host.link)
    await tab.until("!byId('door').hidden")
    await tab.type(name)
    await tab.tap("#door button")
    await tab.until("byId('seats').textContent", lambda text: name in str(text))
    return tab


async def answer(tab: Tab) -> None:
    """Touch the first choice, or as many cards as the question needs, after the time that a guest needs to
    read it."""
    before = await tab.run(f"fronts.touch.shownAt = -1e6; {QUESTION}")
    several = await tab.run("document.querySelector('#choices [aria-pressed]') !== null")
    for number in range(await tab.run("fronts.touch.question.least") if several else 0):
        await tab.tap(f"#choices [aria-pressed][value='{number + 1}']")
    await tab.tap("#choices [aria-pressed] ~ button:not([aria-pressed])" if several else "#choices button")
    await tab.until(f"fronts.touch.stage === 'over' || ({QUESTION}) !== {before}")


async def check_layout(tab: Tab) -> None:
    """Check that each choice is shown once, can be touched and read, and that nothing is wider than the page."""
    choices = await tab.run(
        "[...document.querySelectorAll('#choices button:not([aria-pressed])')].map((one) => one.textContent)"
    )
    assert len(set(choices)) == len(choices)
    assert await tab.run("document.querySelectorAll('#choices :disabled').length") == 0
    for size in (LANDSCAPE, PORTRAIT):
        await tab.size(*size, mobile=True)
        await tab.until(f"innerWidth === {size[0]}")
        assert await tab.run("document.documentElement.scrollWidth <= innerWidth && visualViewport.scale === 1")
        assert await tab.run(
            "Math.min(...[...document.querySelectorAll('#choices button')].map((one) => one.clientHeight)) >= 40"
        )
        assert await tab.run(
            "[...byId('choices').querySelectorAll('button')].every((b) => b.scrollHeight <= b.clientHeight + 1)"
        )
        assert await tab.run("byId('choices').clientHeight >= 40 && byId('table').clientHeight >= 40")
        assert await tab.run("byId('bar').getBoundingClientRect().bottom <= innerHeight")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("edition", EDITIONS)
async def test_whole_game_is_played_by_touch(edition: str, tmp_path: Path, chromium: Browser) -> None:
    language = "it" if edition == "classic" else "en"
    bots = "--bots=sensible,sensible,sensible"
    with web_host(tmp_path / "host", "--players=4", bots, f"--edition={edition}") as host:
        anna = await phone(chromium, host, "Anna", COUNT, language)
        await anna.tap("#ready")
        await anna.until("document.querySelector('#choices button:not(#ready)') !== null")
        assert await anna.run(LOADED) <= MOST
        await check_layout(anna)
        answers = 0
        while await anna.until(ASKED) and await anna.run("fronts.touch.stage") != "over":
            if answers in (5, 15, 30):
                await check_layout(anna)
            await answer(anna)
            answers += 1
        assert answers > 20
        winner = await anna.until("!byId('over').hidden && byId('status').textContent")
        assert ("partita" if language == "it" else "game is over") in winner
        await anna.until(NEWS, lambda text: "citadels-lan verify" in str(text))
        await anna.until("document.querySelector('#over a').href", lambda link: str(link).startswith("blob:"))
        assert await anna.run("byId('said').hidden"), "the result stays in sight"


async def both_ready(chromium: Browser, host: WebHost, script: str = "") -> tuple[Tab, Tab]:
    """Let two guests begin a game on phones. Return the phones, first that of the guest who has to choose."""
    tabs = [await phone(chromium, host, name, script) for name in ("Anna", "-- z")]
    for tab in tabs:
        await tab.tap("#ready")
    while True:
        for tab, other in (tabs, tabs[::-1]):
            if await tab.run(QUESTION):
                return tab, other
        await asyncio.sleep(0.05)


async def test_each_touch_answers_only_the_question_it_was_made_for(host: WebHost, chromium: Browser) -> None:
    asked, waiting = await both_ready(chromium, host)
    before = await asked.run(QUESTION)

    # Out of turn: views and chat. Text of another player does not change the choices.
    await waiting.tap("#more")
    await waiting.tap("#shown button:nth-child(3)")
    await waiting.until("byId('sheet').open && byId('shown').textContent", lambda text: "Assassin" in str(text))
    await waiting.tap("#close")
    await waiting.run("byId('line').value = '-- Turn of z'")
    await waiting.tap("#chat")
    await asked.until(NEWS, lambda text: ": -- Turn of z" in str(text))
    await waiting.run("byId('line').value = '/city'")
    await waiting.tap("#chat")
    await waiting.until(NEWS, lambda text: "Type table to see them" in str(text))
    assert await asked.run(QUESTION) == before
    await waiting.run("fronts.touch.send({type: 'answer', question: 1, choices: [1]})")
    await waiting.until(NOTICE, lambda text: text == OVER)

    # A double tap on a character, and a late tap on a button that is gone.
    await asked.run(f"{WATCH} watch(); var old = document.querySelector('#choices button'); void 0")
    await asked.until("performance.now() - fronts.touch.shownAt > SETTLE")
    await asked.tap("#choices button", times=2)
    await asked.until(NEWS, lambda text: "You choose" in str(text))
    assert await asked.run(f"sent.filter((one) => one.question !== {before}).length") == 0
    await asked.run("notices.length = 0, fronts.touch.shownAt = -1e6, old.click()")
    assert await asked.until("notices[0]") == OVER

    # A tap on choices that have just appeared.
    await waiting.until(QUESTION)
    await waiting.run(
        "fronts.touch.ask({...fronts.touch.question}), document.querySelector('#choices button').click()"
    )
    await waiting.until(NOTICE, lambda text: "just changed" in str(text))


async def test_long_press_explains_and_chooses_nothing(host: WebHost, chromium: Browser) -> None:
    asked, _ = await both_ready(chromium, host)
    question = await asked.run(f"fronts.touch.shownAt = -1e6; {QUESTION}")
    label = await asked.run("document.querySelector('#choices button').textContent")
    await asked.tap("#choices button", hold="byId('sheet').open")
    name = await asked.run("byId('shown').firstElementChild.textContent")
    assert name in label
    await asked.tap("#close")
    await asked.tap("#hand button")
    assert "District" in await asked.until("byId('sheet').open && byId('shown').textContent")
    assert await asked.run(QUESTION) == question


async def test_players_turn_is_announced_with_title_sound_and_vibration(host: WebHost, chromium: Browser) -> None:
    asked, waiting = await both_ready(chromium, host, CALLS)
    await asked.until("vibrated && tones")
    assert await waiting.run("vibrated + tones") == 0
    await waiting.run("Object.defineProperty(document, 'hidden', { value: true }), fronts.touch.answeredAt = -1e6")
    await answer(asked)
    await waiting.until("document.title", lambda title: "Your move" in str(title))
    assert await waiting.until("vibrated && tones") == 2
    await waiting.run("dispatchEvent(new Event('focus'))")
    assert await waiting.run("document.title") == "Citadels"


async def test_guest_who_switches_between_touch_page_and_screens_stays_connected(
    host: WebHost, chromium: Browser
) -> None:
    anna, bruno = await phone(chromium, host, "Anna"), await phone(chromium, host, "Bruno")
    await anna.tap("#ready")
    await bruno.until("byId('seats').textContent", lambda text: "Annaready" in str(text))
    await bruno.run(
        "var boards = [], draw = fronts.touch.draw.bind(fronts.touch);"
        " fronts.touch.draw = (board) => { boards.push(JSON.stringify(board)); draw(board); }; void 0"
    )
    await _to_screens_and_back(anna)
    await bruno.tap("#ready")
    for tab in (anna, bruno):  # Anna is still ready: the game begins
        await tab.until("fronts.touch.stage === 'game'")
    await _to_screens_and_back(anna)
    await bruno.run("byId('line').value = 'still here'")
    await bruno.tap("#chat")
    await anna.until(NEWS, lambda text: "Bruno: still here" in str(text))
    assert LOST not in await bruno.run(NEWS)
    assert not [board for board in await bruno.run("boards") if "away" in board or "no connection" in board]


async def _to_screens_and_back(tab: Tab) -> None:
    await tab.tap("#more")
    await tab.run(
        "[...document.querySelectorAll('#shown button')].find((one) => one.textContent === texts.screens).click()"
    )
    assert await tab.run(NOTICE) == SWITCHING
    await tab.until("byId('notice').hidden")
    await tab.until(
        "fronts.screens.terminal.buffer.active.getLine(0).translateToString()", lambda line: str(line).strip()
    )
    await tab.run("fronts.touch.board = null")
    assert await tab.run("byId('lost').hidden")
    await tab.tap("#switch")
    await tab.until("front.kind === 'touch' && fronts.touch.board && byId('seats').childElementCount")
