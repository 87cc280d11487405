"""Contradictions about the players in the seats."""

from typing import Any

from msgspec.structs import replace

from citadels_lan.crypto.log import CalledOff, SeatKind
from citadels_lan.crypto.signatures import claim, endorse
from tests.crypto.forging import drafts
from tests.crypto.table import FP, GAME, HOST, OWNER, identity, player

from .changing import claimed, header, players
from .rows import Case, Games, contradicts
from .seed import own


@contradicts("order")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    del entries[1]
    return Case(entries, 2)


@contradicts("order", "nothing after the end")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries.append(entries[-1])
    return Case(entries, len(entries))


@contradicts("order", "a second beginning")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries.insert(1, entries[0])
    return Case(entries, 2)


contradicts("header", "another game")(lambda games: header(games.duel, game_id=bytes(16)))


contradicts("header", "other rules")(lambda games: header(games.duel, rules=bytes(32)))


contradicts("header", "another certificate")(lambda games: header(games.duel, fp=bytes(32)))


for _what, _starts in (
    ("one start called off twice", (CalledOff(bytes(32), (0,)), CalledOff(bytes(32), (1,)))),
    ("a seat missing twice", (CalledOff(bytes(32), (0, 0)),)),
):

    @contradicts("header", _what)
    def _(games: Games, starts: tuple[CalledOff, ...] = _starts) -> Case:
        return header(games.duel, called_off=starts)


@contradicts("key", "a seat's key that proves nothing")
def _(games: Games) -> Case:
    return header(games.duel, players=players(games.duel, 1, key=bytes(32)))


@contradicts("key", "one key at two seats")
def _(games: Games) -> Case:
    same = players(games.duel, 0)[0].key
    return header(games.duel, players=players(games.duel, 1, key=same))


@contradicts("key", "the host's key at a seat")
def _(games: Games) -> Case:
    return header(games.duel, players=players(games.duel, 1, key=HOST.public))


@contradicts("host")
def _(games: Games) -> Case:
    """No one is accused: a file that the host of its header has not signed is damaged."""
    other = identity("another host").public
    signed = endorse(OWNER, GAME, FP, other)
    return own(header(games.duel, hostkey=other, endorsement=signed, players=claimed(games.duel, other)))


@contradicts("own_key", "another key at the own seat")
def _(games: Games) -> Case:
    other, name = identity("another seat"), "Player 0"
    signed = claim(other, GAME, FP, HOST.public, name, SeatKind.PLAYER)
    return own(header(games.duel, players=players(games.duel, 0, key=other.public, claim=signed)))


@contradicts("own_key", "no such seat")
def _(games: Games) -> Case:
    return own(header(games.duel, viewer=1, players=players(games.duel, 0)[:1]))


for _what, _changes in (
    ("another name", {"name": "Somebody"}),
    ("another kind", {"kind": SeatKind.BOT}),
    ("no signature", {"claim": bytes(64)}),
):

    @contradicts("claim", _what)
    def _(games: Games, changes: dict[str, Any] = _changes) -> Case:
        return header(games.duel, viewer=1, players=players(games.duel, 0, **changes))


for _what, _table in (
    ("of another game", {"game": bytes(16)}),
    ("of another certificate", {"fp": bytes(32)}),
    ("of another host", {"host": bytes(32)}),
):

    @contradicts("claim", _what)
    def _(games: Games, table: dict[str, bytes] = _table) -> Case:
        """A signature for one table is invalid at another."""
        where_ = {"game": GAME, "fp": FP, "host": HOST.public} | table
        signed = claim(player(1), where_["game"], where_["fp"], where_["host"], "Player 1", SeatKind.BOT)
        return header(games.duel, players=players(games.duel, 1, claim=signed))

    @contradicts("endorsement", _what)
    def _(games: Games, table: dict[str, bytes] = _table) -> Case:
        where_ = {"game": GAME, "fp": FP, "host": HOST.public} | table
        return header(games.duel, endorsement=endorse(OWNER, where_["game"], where_["fp"], where_["host"]))


@contradicts("endorsement", "by nobody")
def _(games: Games) -> Case:
    return header(games.duel, endorsement=replace(endorse(OWNER, GAME, FP, HOST.public), signature=bytes(64)))


@contradicts("endorsement", "of somebody else")
def _(games: Games) -> Case:
    return header(games.duel, endorsement=replace(endorse(OWNER, GAME, FP, HOST.public), key=player(0).public))
