"""Contradictions about hidden moves and their openings."""

from collections.abc import Callable

from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening, committed, plain
from citadels_lan.crypto.log import FINISHED, Close, Move, TableMove
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import GAME

from .changing import added, beginning_of, change, misplaced, resealed, retold, says, tells, where
from .rows import VERIFY, Case, Games, contradicts


@contradicts("commitment_again")
def _(games: Games) -> Case:
    entries = drafts(games.four)
    first = find(entries, Move, hidden=True)
    again = find(entries, Move, hidden=True, after=first + 1)
    change(entries, again, what=entries[first].entry.what)  # type: ignore[union-attr]
    return Case(entries, again + 1)


@contradicts("opening", "another nonce")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, tells(11))
    openings = entries[at].entry.openings  # type: ignore[union-attr]
    change(entries, at, openings=tuple(replace(one, nonce=bytes(32)) for one in openings))
    return Case(entries, at + 1)


for _what, _place in (
    ("another round", {"round_": 1}),
    ("another seat", {"seat": 1}),
    ("another slot", {"slot": 1}),
):

    @contradicts("opening", f"of {_what}")
    def _(games: Games, place: dict[str, int] = _place) -> Case:
        return misplaced(games.duel, **place)


for _what, _stars in (
    ("two stars", lambda words: [f"{word}*" for word in words]),
    ("no star", lambda words: words),
    ("another character", lambda words: [*words[:-1], "queen*"]),
    ("another order", lambda words: [f"{words[-1]}*", *words[:-1]]),
):

    @contradicts("opening", f"of a seal with {_what}")
    def _(games: Games, stars: Callable[[list[str]], list[str]] = _stars) -> Case:
        return resealed(games.marked, stars)


@contradicts("opening", "too early")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    last = max(at for at, one in enumerate(entries) if isinstance(one.entry, Move) and not one.entry.openings)
    change(entries, last, openings=close.openings[:1])
    change(entries, len(entries) - 1, openings=close.openings[1:])
    return Case(entries, last + 1)


@contradicts("opening", "twice")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = find(entries, Close)
    openings = entries[at].entry.openings  # type: ignore[union-attr]
    entries.insert(at + 1, Draft(Close(FINISHED, openings[:1], b"", (), ()), {}))
    return Case(entries, at + 2)


@contradicts("revealed", "another character")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, tells(11))
    retold(entries, at, 11, 2, lambda old: "king" if old != "king" else "bishop")
    return Case(entries, at + 1)


@contradicts("revealed", "without its opening")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, tells(11))
    change(entries, at, openings=())
    return Case(entries, at + 1)


@contradicts("withheld")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    change(entries, len(entries) - 1, openings=close.openings[1:])
    return Case(entries, len(entries))


@contradicts("hidden", "an open move that hides")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, Move, hidden=True)
    change(entries, at, what="pick king")
    return Case(entries, at + 1)


@contradicts("hidden", "a sealed move without its seal")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("warrant"))
    change(entries, at, what=plain(str(entries[at].entry.what)))  # type: ignore[union-attr]
    return Case(entries, at + 1)


@contradicts("hidden", "a hidden move that hides nothing")
def _(games: Games) -> Case:
    """The contradiction is found in the opening. It is the last move of its seat in the round, so no other
    slot changes."""
    entries = drafts(games.duel)
    end = beginning_of(entries, 2)
    at = max(at for at, one in enumerate(entries[:end]) if isinstance(one.entry, Move) and one.entry.what == "end")
    move = entries[at].entry
    assert isinstance(move, Move)
    moves = [one.entry for one in entries[:at] if isinstance(one.entry, Move)]
    slot = sum(one.seat == move.seat and isinstance(one.what, bytes) for one in moves)
    opening = Opening(1, move.seat, slot, "end", "end", bytes([88]) * 32)
    change(entries, at, what=committed(GAME, opening))
    close = entries[-1].entry
    assert isinstance(close, Close)
    change(entries, len(entries) - 1, openings=(*close.openings, opening))
    return Case(entries, at + 1, by=VERIFY)


# Contradictions about placed and revealed markers


@contradicts("placed", "others than the move says")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("warrant", "threaten"))
    retold(entries, at, 51, 3, lambda old: old[1:])
    return Case(entries, at + 1)


@contradicts("placed", "by a move that places none")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("gather"))
    added(entries, at, [51, "warrant", 0, ["king"], "?"])
    return Case(entries, at + 1)


@contradicts("placed", "by the table")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = find(entries, TableMove, after=10)
    added(entries, at, [51, "warrant", 0, ["king"], "?"])
    return Case(entries, at + 1)


for _line, _kind_of in (("confiscate yes", "warrant"), ("reveal yes", "threaten")):

    @contradicts("seal_unopened", _line)
    def _(games: Games, line: str = _line, kind: str = _kind_of) -> Case:
        entries = drafts(games.marked)
        at = where(entries, says(line))
        openings = entries[at].entry.openings  # type: ignore[union-attr]
        change(entries, at, openings=tuple(one for one in openings if one.kind != kind))
        return Case(entries, at + 1)


@contradicts("shown", "a flower where none is")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("reveal yes"))
    retold(entries, at, 53, 2, lambda old: not old)
    return Case(entries, at + 1)


@contradicts("shown", "a confiscation from somebody else")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("confiscate yes"))
    retold(entries, at, 35, 5, lambda old: "queen" if old != "queen" else "king")
    return Case(entries, at + 1)


@contradicts("shown", "a confiscation by somebody else")
def _(games: Games) -> Case:
    entries = drafts(games.marked)
    at = where(entries, says("confiscate yes"))
    retold(entries, at, 35, 1, lambda old: (old + 1) % 4)
    return Case(entries, at + 1)
