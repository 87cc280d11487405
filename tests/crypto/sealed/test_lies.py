"""Players who lie in a sealed draft: the files of the table name their keys, and no other one."""

from pathlib import Path

import pytest

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.record import NOT_HELD, AnyDraftMessage, CallReply, Complained, PassedOn
from citadels_lan.crypto.log import LIED, CheckWords, Close, CoSigned
from tests.crypto.draft.lies import (
    DEALS,
    STEPS,
    at_step,
    complains_with_another_secret,
    gives_another_face_down,
    gives_no_face_down,
    gives_what_it_has_not,
)
from tests.crypto.table import DraftLie, Game, begin

from .files import accused, checked, sealed_first, sealed_theater, theater_first


def denies(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
    """Never shows what it holds."""
    return NOT_HELD if isinstance(said, CallReply) else said


OTHERS: dict[str, DraftLie] = {lie.__name__: lie for lie in (denies, gives_another_face_down, gives_no_face_down)}
LIES = {name: at_step(forger) for name, forger in STEPS.items()} | DEALS | OTHERS
PLAYERS = {
    "lays_aside_nothing": 2,
    "lays_its_pick_aside": 2,
    "gives_no_face_down": 7,
    "gives_another_face_down": 7,
}
"""For how many players a lie is one, where it is not for four."""
OF_DEALER = {*DEALS, "gives_no_face_down", "gives_another_face_down"}


def lied(lie: DraftLie, players: int, by: str, seed: int = 1) -> tuple[Game, int, int]:
    """A game in which the seat that deals the first round, or the one after it, lies; and how often it did."""
    game = begin(setup=sealed_first(players), seed=seed, followed=False)
    game.play(until=lambda game: game.state.inquiry is not None)
    liar, count = (game.state.crown + (by != "deal")) % players, 0

    def counted(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
        nonlocal count
        told = lie(hand, said, head)
        count += told != said
        return told

    game.lies = {liar: counted}
    return game.play(), liar, count


@pytest.mark.parametrize("name", ["boxes_noise", "passes_on_too_few"])
def test_true_complaint_ends_the_game_as_lied(name: str, tmp_path: Path) -> None:
    game, liar, _ = lied(LIES[name], 4, "pick")
    *_, signed, words, close = game.host_log.entries()
    assert isinstance(signed, CoSigned)
    assert isinstance(words, CheckWords)
    assert isinstance(close, Close)
    assert close.why == LIED
    assert game.state.phase != "over"
    assert accused(checked(game, tmp_path)) == {("player", liar)}


def complains(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
    """Complains of a sound box instead of picking."""
    boxes = [box.n for box in hand.record.boxes if box.to == hand.seat and box.n not in hand.record.complaints]
    return Complained(boxes[0], hand.secret.box) if boxes and isinstance(said, PassedOn) else said


@pytest.mark.parametrize("secret", [True, False])
def test_false_complaint_names_its_seat_and_the_game_continues_to_its_end(secret: bool, tmp_path: Path) -> None:
    def lie(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
        told = complains(hand, said, head)
        return told if secret or told == said else complains_with_another_secret(hand, told, head)

    game, liar, count = lied(lie, 4, "pick")
    assert count > 1
    assert game.state.phase == "over"
    report = checked(game, tmp_path)
    assert accused(report) == {("player", liar)}
    assert {one.contradiction for one in report.findings if one.accused} == {
        "draft_complaint" if secret else "draft_secret"
    }


@pytest.mark.slow
def test_seat_that_gives_away_what_it_does_not_hold_is_named(tmp_path: Path) -> None:
    liars: list[int] = []

    def lie(hand: DraftHand, said: AnyDraftMessage, head: bytes) -> AnyDraftMessage:
        told = gives_what_it_has_not(hand, said, head)
        liars.extend([hand.seat] * (told != said))
        return told

    with theater_first():
        game = begin(setup=sealed_theater(2), followed=False)
        game.lies = {1: lie}
        game.play()
        assert set(liars) == {1}
        assert accused(checked(game, tmp_path)) == {("player", 1)}
