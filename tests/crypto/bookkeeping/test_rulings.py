"""The bookkeeping accepts the moves of all executable rulings (examples of the rules that a test runs). They
contain events that are rare in random games."""

from collections.abc import Callable
from typing import Any

import pytest

from citadels_lan import engine
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.commitments import BREAKING, SEALED, WIDTH, Opening, manner, verb_of
from citadels_lan.crypto.log import OWNER, Mismatch, Move
from citadels_lan.engine.state import SECRET_MARKS
from tests.crypto.table import header
from tests.effort import quick
from tests.facts import first_game
from tests.rulings import play
from tests.rulings.runner import played
from tests.rulings.test_rulings import cases

NOT_AS_IN_A_GAME = {"copies"}
"""Codes of contradictions that are ignored here, because the table of a ruling may have more copies of a card
than the deck."""


def entry_of(
    seat: int, action: engine.Action, events: list[engine.Event], unsealed: str | None, round_: int
) -> Move:
    """Return the entry of a move, as a table with sealed markers writes it."""
    line = str(action)
    what: str | bytes = bytes(WIDTH) if manner(line) == "hidden" else line
    if verb_of(line) in SEALED:
        what = f"{line} sealed {'00' * WIDTH}"
    openings: tuple[Opening, ...] = ()
    if unsealed is not None:
        openings = (Opening(round_, seat, 0, BREAKING[line], f"{BREAKING[line]} {unsealed}*", bytes(WIDTH)),)
    raw = [engine.encode_event(engine.redact(event, None)) for event in events]
    return Move(seat, OWNER, what, raw, openings, bytes(64))


def as_in_a_game(state: engine.State) -> engine.State:
    """Return the state of a ruling in which the unique districts in hands also belong to the deck."""
    uniques = engine.edition_of(state).uniques
    held = {card for player in state.players for card in player.hand if card in uniques}
    laid_out = state.copy()
    laid_out.districts = (*state.districts, *sorted(held.difference(state.districts)))
    return laid_out


def possible(state: engine.State) -> bool:
    """Return whether the state of a ruling can occur in a game."""
    try:
        engine.check_state(state)
    except engine.Impossible:
        return False
    return True


def judge(state: engine.State, entry: Move, events: list[engine.Event]) -> None:
    """Add an entry to the bookkeeping of each viewer; `state` is before it. Raises Mismatch."""
    if not possible(state):
        return
    state = after = as_in_a_game(state)
    for event in events:
        after = engine.evolve(after, event)
    for viewer in (None, *range(len(state.players))):
        books = Bookkeeping(header(first_game(4)), viewer)
        books.state = engine.view(state, viewer)
        books.state.marks = [
            mark.but(character=engine.HIDDEN) if mark.kind in SECRET_MARKS and mark.by != viewer else mark
            for mark in state.marks
        ]
        try:
            books.follow(5, entry, [engine.redact(one, viewer) for one in events])
        except Mismatch as found:
            if found.code not in NOT_AS_IN_A_GAME:
                raise
        else:
            assert books.state == engine.view(after, viewer)


def judging(judged: list[str]) -> Callable[..., list[engine.Event]]:
    """Return a replacement for the engine's `decide`, which also adds the events to the bookkeeping of all
    viewers. It adds the name of each checked move to `judged`."""

    def watched(
        state: engine.State, seat: int, action: engine.Action, chance: engine.Chance, unsealed: str | None = None
    ) -> Any:
        events = engine.decide(state, seat, action, chance, unsealed)
        judge(state, entry_of(seat, action, events, unsealed, state.round), events)
        judged.append(str(action))
        return events

    return watched


QUICK = 150
"""The quick suite checks one of this many rulings."""


@pytest.mark.parametrize("every", quick([QUICK, 1], QUICK))
def test_moves_of_rulings_are_accepted(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for case in cases()[::every]:
        assert case.ruling is not None
        judged: list[str] = []
        monkeypatch.setattr(play, "decide", judging(judged))
        try:
            played(case.ruling, sealed=True)
        except Exception as error:
            error.add_note(case.id)
            raise
        assert judged or all(line.refused for line in case.ruling.when), case.id
