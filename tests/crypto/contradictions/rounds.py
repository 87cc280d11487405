"""Contradictions about rounds: their numbers, and the co-signatures after them."""

from msgspec.structs import replace

from citadels_lan.crypto import log
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import Game, identity

from .changing import beginning_of, changed, others, retold
from .rows import Case, Games, contradicts

for _what, _round in (("the next", 1), ("the one before", -1), ("far away", 60)):

    @contradicts("round", f"another number: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        entries = drafts(games.duel)
        at = beginning_of(entries, 3)
        retold(entries, at, 2, 1, 3 + more)
        return Case(entries, at + 1)


@contradicts("round", "it begins twice")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = beginning_of(entries, 2)
    entries.insert(at + 1, Draft(entries[at].entry, {}))
    return Case(entries, at + 2)


@contradicts("round", "a move before it")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = beginning_of(entries, 2)
    entries[at] = Draft(log.TableMove([]), {})
    return Case(entries, at + 2)


@contradicts("order", "a round without co-signatures before it")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = [at for at, one in enumerate(entries) if isinstance(one.entry, log.CoSigned)][1]
    del entries[at : at + 2]
    return Case(entries, at + 1)


for _name, _kind in (("co-signatures", log.CoSigned), ("their words", log.CheckWords)):

    @contradicts("order", f"twice: {_name}")
    def _(games: Games, kind: type[log.AnyEntry] = _kind) -> Case:
        entries = drafts(games.duel)
        at = [at for at, one in enumerate(entries) if isinstance(one.entry, kind)][1]
        entries.insert(at + 1, entries[at])
        return Case(entries, at + 2)


@contradicts("order", "words of no one")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = [at for at, one in enumerate(entries) if isinstance(one.entry, log.CoSigned)][1]
    entries[at] = Draft(log.CoSigned(()), {})
    return Case(entries, at + 2)


for _seat in (0, 1):

    @contradicts("cosignature", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, log.CoSigned, 1, seats=lambda one: others(one.seats, seat, signature=bytes(64)))
        return replace(case, players=False)

    @contradicts("cosignature", f"it does not protest: seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, log.CoSigned, 1, seats=lambda one: others(one.seats, seat, protest=1))
        return replace(case, players=False)

    @contradicts("cosignature", f"of another commitment: seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, log.CoSigned, 1, seats=lambda one: others(one.seats, seat, commit=bytes(32)))
        return replace(case, players=False)

    @contradicts("word", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return changed(games.duel, log.CheckWords, 1, words=lambda one: others(one.words, seat, word=bytes(16)))

    @contradicts("words", f"without seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return changed(games.duel, log.CheckWords, 1, words=lambda one: (one.words[1 - seat],))


@contradicts("cosignature", "of the round before")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    first, second = [at for at, one in enumerate(entries) if isinstance(one.entry, log.CoSigned)][:2]
    entries[second] = entries[first]
    return Case(entries, second + 1, players=False)


for _what, _seats in (
    ("out of order", lambda one: one.seats[::-1]),
    ("twice the same", lambda one: (one.seats[0], one.seats[0])),
    ("not at the table", lambda one: (*one.seats, replace(one.seats[1], seat=2))),
):

    @contradicts("seats", f"a co-signature: {_what}")
    def _(games: Games, seats: object = _seats) -> Case:
        return changed(games.duel, log.CoSigned, 1, seats=seats)


@contradicts("words", "in another order")
def _(games: Games) -> Case:
    return changed(games.duel, log.CheckWords, 1, words=lambda one: one.words[::-1])


# Contradictions about a handover, and about an end that players agree on


@contradicts("handover", "that the successor has not accepted")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, log.Move)
    entries.insert(at, Draft(log.Handover(0, identity("second host").public, bytes(32), bytes(64)), {}))
    return Case(entries, at + 1)


def ended(game: Game, *sigs: log.EndSignature) -> Case:
    """Return the case in which a game is ended in its first round with these signatures of an agreed end."""
    entries = drafts(game)
    at = find(entries, log.Move) + 3
    closing = next(one.entry for one in entries if isinstance(one.entry, log.Close) and one.entry.secret)
    assert isinstance(closing, log.Close)
    close = replace(closing, why=log.AGREED, openings=(), sigs=sigs)
    return Case([*entries[:at], Draft(close, {})], at + 1)


@contradicts("end", "that a seat at the table has not signed")
def _(games: Games) -> Case:
    return ended(games.duel, log.EndSignature(1, bytes(64)))


@contradicts("end_signature", "that no player has made")
def _(games: Games) -> Case:
    return ended(games.duel, log.EndSignature(0, bytes(64)), log.EndSignature(1, bytes(64)))
