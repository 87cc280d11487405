"""Contradictions about the signatures of moves, and about who moves for a seat."""

from msgspec.structs import replace

from citadels_lan.crypto.auditor import Committed
from citadels_lan.crypto.commitments import SEALED, WIDTH, Opening, committed, starred
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import AWAY, BACK, BOT, OWNER, SUBSTITUTE, AnyEntry, Close, CoSigned, Move, SeatChange
from citadels_lan.crypto.signatures import Absence, sign_back
from tests.crypto.forging import Draft, drafts, find
from tests.crypto.table import GAME, Game, player
from tests.crypto.tables import markers_of_substitutes

from .changing import added, change, changed, reopened, retold, where
from .rows import Case, Games, contradicts


@contradicts("move_signature")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, Move) + 1
    return Case(entries, at, forged=(at,))


@contradicts("move_signature", "of another move of the same seat")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, Move)
    first = entries[at].entry
    assert isinstance(first, Move)
    other = where(entries, lambda move: move.seat == first.seat, after=at + 1)
    change(entries, at, sig=entries[other].entry.sig)  # type: ignore[union-attr]
    return Case(entries, at + 1, players=False)


@contradicts("mover", "a bot's move although no bot plays the seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Move, by=lambda _: SUBSTITUTE, sig=lambda _: b""), players=False)


def inserted(game: Game, entry: AnyEntry, before: type[AnyEntry]) -> Case:
    """Return the case with `entry` inserted before the first entry of the kind `before`."""
    entries = drafts(game)
    at = find(entries, before)
    entries.insert(at, Draft(entry, {}))
    return Case(entries, at + 1)


def absence(games: Games) -> Absence:
    """Return the first absence in which a substitute bot plays."""
    return games.stood.host_log.audit.absences.all[0]


@contradicts("order", "a player is away before the co-signatures")
def _(games: Games) -> Case:
    return inserted(games.duel, SeatChange(1, AWAY, "", b""), CoSigned)


@contradicts("away", "twice")
def _(games: Games) -> Case:
    entries, first = drafts(games.stood), absence(games)
    entries.insert(first.n, Draft(SeatChange(first.seat, AWAY, "", b""), {}))
    return Case(entries, first.n + 1)


for _what, _level in (("a player who is not away", "random"), ("a player who is not away, by no known bot", "x")):

    @contradicts("substitute", _what)
    def _(games: Games, level: str = _level) -> Case:
        return inserted(games.duel, SeatChange(1, BOT, level, b""), Move)


@contradicts("substitute", "a second one")
def _(games: Games) -> Case:
    entries, first = drafts(games.stood), absence(games)
    assert first.bot is not None
    entries.insert(first.bot, Draft(SeatChange(first.seat, BOT, "random", b""), {}))
    return Case(entries, first.bot + 1)


for _what, _change in (
    ("nobody is away", (AWAY, "", b"")),
    ("nobody is back", (BACK, "", bytes(64))),
    ("a bot for nobody", (BOT, "random", b"")),
):

    @contradicts("seats", _what)
    def _(games: Games, change: tuple[int, str, bytes] = _change) -> Case:
        return inserted(games.duel, SeatChange(2, *change), Move)


@contradicts("back", "nobody was away")
def _(games: Games) -> Case:
    return inserted(games.duel, SeatChange(1, BACK, "", bytes(64)), Move)


def returning(games: Games, key: Identity, changed_absence: Absence, head: bytes) -> Case:
    """Return the case in which the first player who returns signs with `key`, for the absence
    `changed_absence` whose *away* entry has the hash `head`."""
    entries, first = drafts(games.stood), absence(games)
    assert first.until is not None
    entries[first.until - 1].entry = sign_back(key, GAME, changed_absence, head)
    return Case(entries, first.until, players=False)


@contradicts("back", "without a signature")
def _(games: Games) -> Case:
    entries, first = drafts(games.stood), absence(games)
    assert first.until is not None
    change(entries, first.until - 1, sig=bytes(64))
    return Case(entries, first.until, players=False)


@contradicts("back", "signed by another player")
def _(games: Games) -> Case:
    first = absence(games)
    return returning(games, player(0), first, games.stood.host_log.heads[first.n])


@contradicts("back", "from another absence")
def _(games: Games) -> Case:
    first = absence(games)
    return returning(games, player(first.seat), replace(first, n=first.n - 1), first.head)


@contradicts("back", "after another history")
def _(games: Games) -> Case:
    first = absence(games)
    return returning(games, player(first.seat), first, bytes(32))


@contradicts("mover", "the player's move while a bot plays the seat")
def _(games: Games) -> Case:
    entries, first = drafts(games.stood), absence(games)
    change(entries, first.moves[0] - 1, by=OWNER, sig=bytes(64))
    return Case(entries, first.moves[0])


@contradicts("mover", "a bot's move after the player is back")
def _(games: Games) -> Case:
    entries, first = drafts(games.stood), absence(games)
    assert first.until is not None
    at = where(entries, lambda move: move.seat == first.seat, after=first.until)
    change(entries, at, by=SUBSTITUTE, sig=b"")
    return Case(entries, at + 1)


@contradicts("withheld", "what a substitute has hidden")
def _(games: Games) -> Case:
    entries, marks = drafts(games.stood), markers_of_substitutes(games.stood)
    for draft in entries:
        if isinstance(draft.entry, Close):
            kept = tuple(one for one in draft.entry.openings if one not in marks)
            draft.entry = replace(draft.entry, openings=kept)
    return Case(entries, len(entries))


def first_markers(games: Games) -> tuple[Committed, Opening]:
    """Return place and opening of the first markers that a substitute bot has placed."""
    substitutes = games.stood.host_log.audit.concealed.substitutes
    return next(one for one in substitutes if one[1].kind in SEALED)


@contradicts("placed", "two kinds of markers in one move of a bot")
def _(games: Games) -> Case:
    entries = drafts(games.stood)
    (place, _) = first_markers(games)
    event = next(event for event in entries[place.n - 1].entry.events if event[0] == 51)  # type: ignore[union-attr]
    added(entries, place.n - 1, list(event))
    return Case(entries, place.n)


@contradicts("placed", "markers of a bot with the one that counts")
def _(games: Games) -> Case:
    entries = drafts(games.stood)
    (place, opening) = first_markers(games)
    retold(entries, place.n - 1, 51, 4, starred(opening))
    return Case(entries, place.n)


@contradicts("substitute_nonce")
def _(games: Games) -> Case:
    """The nonce does not follow from the host's secret; the commitment and the opening match."""
    entries, log = drafts(games.stood), games.stood.host_log
    place, opening = log.audit.concealed.substitutes[-1]
    move = entries[place.n - 1].entry
    assert isinstance(move, Move)
    assert isinstance(move.what, bytes)
    new = replace(opening, nonce=bytes(32))
    at = WIDTH * place.index
    change(entries, place.n - 1, what=move.what[:at] + committed(GAME, new) + move.what[at + WIDTH :])
    reopened(entries, lambda one: one == opening, new)
    return Case(entries, len(entries))
