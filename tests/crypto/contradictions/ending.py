"""Contradictions about a handover, and about an end that players agree on."""

from msgspec.structs import replace

from citadels_lan.crypto.log import AGREED, Close, EndSignature, Handover, Move
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import Game, identity

from .rows import Case, Games, contradicts


@contradicts("handover", "that the successor has not accepted")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, Move)
    entries.insert(at, Draft(Handover(0, identity("second host").public, bytes(32), bytes(64)), {}))
    return Case(entries, at + 1)


def ended(game: Game, *sigs: EndSignature) -> Case:
    """The game ends in its first round, with these signatures of players."""
    entries = drafts(game)
    at = find(entries, Move) + 3
    closing = next(one.entry for one in entries if isinstance(one.entry, Close) and one.entry.secret)
    assert isinstance(closing, Close)
    close = replace(closing, why=AGREED, openings=(), sigs=sigs)
    return Case([*entries[:at], Draft(close, {})], at + 1)


@contradicts("end", "that a seat at the table has not signed")
def _(games: Games) -> Case:
    return ended(games.duel, EndSignature(1, bytes(64)))


@contradicts("end_signature", "of the only person")
def _(games: Games) -> Case:
    return ended(games.duel, EndSignature(0, bytes(64)))
