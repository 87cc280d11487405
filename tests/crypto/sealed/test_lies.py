"""Players who lie in a sealed draft: the files of the table name them, and nobody else."""

from pathlib import Path

import pytest

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import NOT_HELD, AnyDraftMessage, CallReply, Complained
from tests.crypto.draft.lies import DEALS, STEPS, at_step, gives_what_it_has_not
from tests.crypto.table import DraftLie, Game, begin
from tests.effort import quick

from .files import accused, checked, sealed_first, sealed_theater


def denies(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """Never shows what it holds."""
    return NOT_HELD if isinstance(said, CallReply) else said


OTHERS: dict[str, DraftLie] = {"denies": denies}
LIES = {name: at_step(forger) for name, forger in STEPS.items()} | DEALS | OTHERS
PLAYERS = {"lays_aside_nothing": 2, "lays_its_pick_aside": 2, "spoils_the_token": 7, "boxes_no_face_down": 7,
           "fixes_another_token": 7}  # fmt: skip
"""For how many players a lie is one, where it is not for four."""


def lied(lie: DraftLie, players: int, by: str, seed: int = 1) -> tuple[Game, int, int]:
    """A game in which the seat that deals the first round, or one after it, lies; and how often it did."""
    game = begin(setup=sealed_first(players), seed=seed, followed=False)
    game.play(until=lambda game: game.state.inquiry is not None)
    liar, count = (game.state.crown + (by != "deal")) % players, 0

    def counted(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
        nonlocal count
        told = lie(hand, said)
        count += told != said
        return told

    game.lies = {liar: counted}
    return game.play(), liar, count


NAMES = sorted(LIES.keys() - {"loses_another"})
"""Quick runs try two of them in whole games; `tests/crypto/draft` finds each in a draft alone."""


@pytest.mark.parametrize("name", quick(NAMES, "deals_another_packet", "lays_aside_nothing"))
def test_who_lies_is_named_and_nobody_else(name: str, tmp_path: Path) -> None:
    game, liar, count = lied(LIES[name], PLAYERS.get(name, 4), "deal" if name in DEALS else "pick")
    assert count
    report = checked(game, tmp_path)
    assert report.code == 1
    assert accused(report) == {("player", liar)}


def complains(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """Complains of a sound box instead of picking."""
    numbers = [number for number, box in enumerate(hand.record.boxes) if box.to == hand.seat]
    return Complained(numbers[0]) if numbers and hand.record.complaint is None else said


def test_who_complains_without_reason_is_named(tmp_path: Path) -> None:
    game, liar, count = lied(at_any(complains), 4, "pick")
    assert count == 1
    assert game.state.phase != "over"
    report = checked(game, tmp_path)
    assert accused(report) == {("player", liar)}
    assert {one.contradiction for one in report.findings if one.accused} == {"draft_complaint"}


def at_any(lie: DraftLie) -> DraftLie:
    return lambda hand, said: lie(hand, said) if not isinstance(said, CallReply) else said


@pytest.mark.slow
def test_who_gives_away_what_it_does_not_hold_is_named(tmp_path: Path) -> None:
    game = begin(setup=sealed_theater(), seed=58, followed=False)
    liars = []

    def lie(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
        told = gives_what_it_has_not(hand, said)
        liars.extend([hand.seat] * (told != said))
        return told

    game.lies = {3: lie}
    game.play()
    assert set(liars) == {3}
    assert accused(checked(game, tmp_path)) == {("player", 3)}
