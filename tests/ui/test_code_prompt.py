"""The prompt for a code: typed, pasted, in one line or several."""

import pytest
from textual import events
from textual.pilot import Pilot

from citadels_lan.front.glyphs import UNICODE
from citadels_lan.texts import load
from citadels_lan.ui.app import CitadelsApp
from citadels_lan.ui.widgets.code_prompt import CodePrompt
from citadels_lan.ui.widgets.page import LineInput, LinePrompt

from .fake import FakeLauncher
from .keys import settle
from .pictures import shown

LINK = "citadels://192.168.1.7:47110/#abcdefghijklmnopqrstuvwx27"
COMMAND = "$ citadels-lan join --code lotto andante slalom -- 192.168.1.7"
KEYS = {"\r": "enter", "\n": "ctrl+j", "\t": "tab"}


async def asked(pilot: Pilot[None]) -> list[object]:
    """The prompt on the screen; its answers."""
    results: list[object] = []
    pilot.app.push_screen(CodePrompt(load("en"), UNICODE), results.append)
    await settle(pilot)
    return results


async def type_at_once(pilot: Pilot[None], text: str) -> None:
    for char in text:
        pilot.app.post_message(events.Key(KEYS.get(char, char), char))
    await settle(pilot)


async def paste(pilot: Pilot[None], text: str) -> None:
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)


@pytest.mark.slow
async def test_words_typed_with_any_separator_are_one_code() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        for gap in (" ", "\r", "\n", "\t", ",", " - ", "\r\r"):
            results = await asked(pilot)
            await type_at_once(pilot, f"\r{gap.join(('lotto', 'andante', 'slalom'))}\r")
            (code,) = results
            assert str(code).replace(",", " ").replace("-", " ").split() == ["lotto", "andante", "slalom"]


async def test_pasted_lines_are_one_answer() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        for text in ("\nlotto\nandante\r\nslalom\n", f"{LINK}\n", f"\n{COMMAND}\n"):
            results = await asked(pilot)
            await paste(pilot, text)
            await pilot.press("enter")
            await settle(pilot)
            assert results == [" ".join(text.split())]


async def test_one_word_and_two_enters_ask_for_more_words() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        results = await asked(pilot)
        await type_at_once(pilot, "iceberg\r\r")
        assert results == []
        assert isinstance(pilot.app.screen, CodePrompt)
        assert any("More to type: 2." in line for line in shown(pilot.app))


async def test_garbage_gets_one_sentence_and_the_prompt_stays() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        for text in ("x" * 10_000, "a\x00b \x1b[31m c d", "\ufffd\ufffd \ufffd lotto", "1 2 3"):
            results = await asked(pilot)
            await paste(pilot, text)
            await pilot.press("enter")
            await settle(pilot)
            assert results == []
            assert isinstance(pilot.app.screen, CodePrompt)
            said = "\n".join(shown(pilot.app))
            assert ("That is no code." in said) != ("More to type" in said)
            await pilot.press("escape")


async def test_paste_takes_the_place_of_what_is_selected() -> None:
    async with CitadelsApp(launcher=FakeLauncher(), language="en").run_test() as pilot:
        pilot.app.push_screen(LinePrompt("Which?", "wrong"))
        await settle(pilot)
        field = pilot.app.screen.query_one(LineInput)
        field.select_all()
        await paste(pilot, "two\nlines")
        assert field.value == "two lines"


@pytest.mark.slow
async def test_invitation_for_another_address_joins_there_and_names_it() -> None:
    launcher = FakeLauncher()
    launcher.code = "lotto andante slalom"
    async with CitadelsApp(launcher=launcher, language="en").run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        await pilot.press("j")
        await settle(pilot)
        await paste(pilot, "10.0.0.9\n")
        await pilot.press("enter")
        await settle(pilot)
        launcher.code = "citadels-lan join 10.0.0.8 --code lotto andante slalom"  # what the fake table compares
        await paste(pilot, launcher.code)
        await pilot.press("enter")
        await settle(pilot)
        assert launcher.opened == [("10.0.0.9", ""), ("10.0.0.8", launcher.code)]
        assert [note.message for note in pilot.app._notifications] == [
            "The invitation names 10.0.0.8: joining there."
        ]
