"""The cards to choose from, and other lines that are just as long as there is room: what fits is not cut."""

from collections.abc import Sequence

import pytest
from rich.cells import cell_len

from citadels_lan.front.glyphs import UNICODE
from citadels_lan.texts import load
from citadels_lan.texts.cards import summary
from citadels_lan.ui.drawings.doing import Doing, draw_doings, fits
from citadels_lan.ui.table import hand
from citadels_lan.ui.table.draft import LEAST, TALLEST, dealt, draft, has_note, lines_with_text
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.table.turn_bar import without_name
from citadels_lan.ui.table.views import befallen
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.look import DARK, Look
from tests.effort import one_case, quick

from .fake import FakeSession


def scene(players: int, language: str) -> Scene:
    made = FakeSession(players, seed=3)
    assert made.state is not None
    return Scene(made.state, 0, made.names, load(language), Look(DARK, UNICODE))


def lines(drawing: Drawing) -> Sequence[str]:
    return [line.plain for line in drawing.lines]


@one_case("language", quick(["en", "it"], "it"))
@pytest.mark.parametrize("players", quick(range(2, 9), 2, 6, 8))
@pytest.mark.parametrize("width", [80, 100, 113, 120, 139])
def test_a_card_says_all_that_its_character_does_or_nothing(players: int, width: int, language: str) -> None:
    shown = scene(players, language)
    for height in range(LEAST, TALLEST + 1):
        cards = lines(draft(shown, "", width, height))
        told = 0 < lines_with_text(shown, width) <= height
        assert all(cell_len(line) <= width for line in cards)
        assert not any(UNICODE.cut in line for line in cards[1:])
        first = summary(shown.texts, shown.edition, dealt(shown)[0]).split()[0]
        assert any(first in line for line in cards) == told


@one_case("language", quick(["en", "it"], "it"))
@pytest.mark.parametrize("players", range(2, 9))
def test_the_chosen_character_says_it_below_where_no_name_is_broken(players: int, language: str) -> None:
    shown = scene(players, language)
    chosen = dealt(shown)[-1]
    below = lines(draft(shown, chosen, 80, LEAST))[-1].strip()
    assert has_note(shown, 80) == (below == summary(shown.texts, shown.edition, chosen))
    assert has_note(shown, 80) == (not any("-" in line for line in lines(draft(shown, "", 80, LEAST))))


@one_case("width", range(60, 90))
def test_a_hand_that_fits_shows_its_last_card(width: int) -> None:
    shown = scene(4, "it")
    cards = lines(hand.hand(shown, width, hand.hand_lines(shown, width)))[1:]
    assert not any("+" in line for line in cards)
    assert all(cell_len(line) <= width for line in cards)


def test_whose_turn_it_is_is_not_said_twice_where_the_rest_has_no_room() -> None:
    assert without_name("Your turn (Magician): gather; you may also swap.") == "Gather; you may also swap."
    assert without_name("Choose your character.") == "Choose your character."


def test_a_blow_that_fits_is_not_cut() -> None:
    shown = scene(4, "it")
    said = "Cosimo ha ucciso il Re, il tuo personaggio: salti quel turno."
    assert said in lines(befallen(shown, [said], 80, 1))[0]
    line = lines(befallen(shown, [said, said], 80, 1))[0]
    assert "(+1)" in line
    assert cell_len(line) <= 80


def test_what_can_be_done_is_said_in_full_where_the_columns_have_room() -> None:
    doings = [Doing(letter, f"do {letter}" * 3, "and why " * number) for number, letter in enumerate("abcdefg")]
    look = Look(DARK, UNICODE)
    assert fits(doings, 199, 3)
    assert not fits(doings, 60, 3)
    for width in range(60, 200):
        drawing = Drawing()
        draw_doings(look, drawing, doings, "", width, columns=3, details=True)
        shown = "\n".join(lines(drawing))
        assert UNICODE.cut not in shown or not fits(doings, width, 3)
        assert all(cell_len(line.rstrip()) <= width for line in lines(drawing))
        assert len(drawing.lines) == 3
