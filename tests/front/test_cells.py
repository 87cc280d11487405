"""Text in cells, text of strangers, and the signs of the table."""

import pytest
from rich.cells import cell_len

from citadels_lan.front.cells import clean, cut, pad, wrap
from citadels_lan.front.glyphs import ASCII, UNICODE, suitable
from citadels_lan.front.log import chat_line


@pytest.mark.parametrize("text", ["short", "国国国国国国国国", "e\u0301" * 12, "", "a" * 50, "x国" * 9])
def test_text_is_cut_by_cells(text: str) -> None:
    for width in range(12):
        assert cell_len(cut(text, width)) <= width
        assert cell_len(pad(text, width)) == width


def test_wrapping_keeps_every_word() -> None:
    text = "one two three " + "x" * 30 + " 国国国国国国 end"
    for width in (1, 2, 5, 8, 40):
        lines = wrap(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert width < 3 or all(cell_len(line) <= width for line in lines)


def test_text_of_strangers_is_made_harmless() -> None:
    assert clean("\x1b[2J\u202eA\u200bda\ufe0f\n\t!") == "[2JAda !"
    assert chat_line("A\x07", "b\u2066").name == "A"


def test_signs_are_one_cell_and_ascii_is_ascii() -> None:
    for signs in (UNICODE, ASCII):
        for sign in signs:
            assert all(cell_len(char) == 1 for char in sign)
    assert all(sign.isascii() for sign in ASCII)
    assert suitable({"TERM": "dumb"}, "utf-8") is ASCII
    assert suitable({}, "latin-1") is ASCII
    assert suitable({"TERM": "xterm"}, "utf-8") is UNICODE
