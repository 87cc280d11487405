"""Contradictions about seals, and about who moves for a seat."""

from typing import Any

from msgspec.structs import replace

from citadels_lan.crypto.audit.signed import Signed, move_fields, move_tag
from citadels_lan.crypto.frames import u8, u64
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    AnyEntry,
    Back,
    Close,
    Move,
    Opened,
    Present,
    Seal,
    StandIn,
)
from citadels_lan.crypto.stand_ins import Stint, sign_back
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import GAME, Game, identity, player
from tests.crypto.tables import sealed_to_the_end

from .changing import change, changed, constants, others, where
from .rows import Case, Games, contradicts


@contradicts("seal")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Seal, 1, signatures=lambda one: one.signatures[:-1]), players=False)


@contradicts("move_signature")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    return Case(entries, find(entries, Seal) + 1, forged=(find(entries, Move) + 1,))


@contradicts("move_signature", "of another move of the same seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Seal, 1, signatures=lambda one: one.signatures[::-1]), players=False)


def handing_over(games: Games, kind: type[StandIn | Back], *, players: bool = False, **changes: Any) -> Case:
    """The first stand-in, or the first owner that is back, with other fields."""
    return replace(changed(games.stood, kind, **constants(changes)), players=players)


def inserted(game: Game, entry: AnyEntry, before: type[AnyEntry]) -> Case:
    """One entry more, before the first one of a kind."""
    entries = drafts(game)
    at = find(entries, before)
    entries.insert(at, Draft(entry, {}))
    return Case(entries, at + 1)


def unsigned(seat: int) -> StandIn:
    """A stand-in for a seat, whose key and claim are still to be made."""
    return StandIn(seat, bytes(32), "random", bytes(64))


def first_stint(games: Games) -> Stint:
    return games.stood.host_log.audit.movers.stints[0]


@contradicts("order", "a stand-in between rounds")
def _(games: Games) -> Case:
    return inserted(games.duel, unsigned(1), Present)


@contradicts("stand_in", "a second one")
def _(games: Games) -> Case:
    return inserted(games.stood, unsigned(first_stint(games).seat), Back)


@contradicts("seats", "a stand-in for nobody")
def _(games: Games) -> Case:
    return inserted(games.duel, unsigned(2), Move)


@contradicts("seats", "nobody is back")
def _(games: Games) -> Case:
    return inserted(games.duel, Back(2, False, bytes(64)), Move)


for _what, _handed in (
    ("of another seat", {"seat": 3}),
    ("of another level", {"level": "sensible"}),
    ("with a key that proves nothing", {"key": bytes(32)}),
    ("with no signature", {"claim": bytes(64)}),
):

    @contradicts("stand_in_claim", _what)
    def _(games: Games, changes: dict[str, Any] = _handed) -> Case:
        return handing_over(games, StandIn, **changes)


def claiming(games: Games, key: Identity, n: int) -> Case:
    """The first stand-in has this key, which has signed that it moves from entry `n` on."""
    stint = first_stint(games)
    fields = (GAME, u64(n), stint.before, u8(stint.seat), stint.level)
    return handing_over(games, StandIn, key=key.public, claim=key.sign("stand-in", *fields))


@contradicts("stand_in_claim", "of another entry")
def _(games: Games) -> Case:
    return claiming(games, identity("stand-in"), first_stint(games).n + 1)


@contradicts("stand_in_claim", "by another player")
def _(games: Games) -> Case:
    return claiming(games, player(0), first_stint(games).n)


@contradicts("back", "nobody was away")
def _(games: Games) -> Case:
    return inserted(games.duel, Back(1, False, bytes(64)), Move)


@contradicts("back", "with no signature")
def _(games: Games) -> Case:
    return handing_over(games, Back, signature=bytes(64))


@contradicts("back", "without the dispute that its owner has signed")
def _(games: Games) -> Case:
    return handing_over(games, Back, disputes=False)


def returning(games: Games, key: Identity, stint: Stint) -> Case:
    """The first owner that is back says so with this key, and of this stint."""
    return handing_over(games, Back, signature=sign_back(key, GAME, stint, disputes=True).signature)


@contradicts("back", "signed by the stand-in")
def _(games: Games) -> Case:
    stint = first_stint(games)
    return returning(games, games.stood.host_log.signing_key(stint), stint)


@contradicts("back", "from another time")
def _(games: Games) -> Case:
    stint = first_stint(games)
    return returning(games, player(stint.seat), replace(stint, n=stint.n - 1))


def signed_by(games: Games, n: int, key: Identity) -> Case:
    """The move in entry `n` has a signature by this key."""
    entries, log = drafts(games.stood), games.stood.host_log
    at = find(entries, Seal, after=n)
    move, seal = entries[n - 1].entry, entries[at].entry
    assert isinstance(move, Move)
    assert isinstance(seal, Seal)
    since = max((n for n, one in enumerate(entries[:at], 1) if isinstance(one.entry, Seal)), default=0)
    index = sum(isinstance(one.entry, Move) for one in entries[since : n - 1])
    signed = key.sign(move_tag(move.what), *move_fields(GAME, Signed(n, log.head_at(n - 1), move.seat, move.what)))
    change(entries, at, signatures=others(seal.signatures, index, signed))
    return Case(entries, at + 1, players=False)


@contradicts("move_signature", "of the owner while a stand-in moves")
def _(games: Games) -> Case:
    stint = first_stint(games)
    return signed_by(games, stint.moves[0], player(stint.seat))


@contradicts("move_signature", "of a stand-in whose owner is back")
def _(games: Games) -> Case:
    """Both in one seal: what counts is who moved for the seat when the move was made."""
    stint = first_stint(games)
    assert stint.until is not None
    own = where(drafts(games.stood), lambda move: move.seat == stint.seat, after=stint.until) + 1
    return signed_by(games, own, games.stood.host_log.signing_key(stint))


@contradicts("withheld", "what a stand-in has sealed")
def _(games: Games) -> Case:
    entries, sealed = drafts(games.stood), sealed_to_the_end(games.stood)
    for draft in entries:
        if isinstance(draft.entry, Opened | Close):
            kept = tuple(one for one in draft.entry.openings if one not in sealed)
            draft.entry = replace(draft.entry, openings=kept)
    return Case(entries, len(entries))
