"""For every contradiction that verification knows: entries of a host that contradict so, and are signed well.

    @contradicts("own_part", "another commitment")
    def _(games): ...          the entries, and how they are forged and read

A code of `findings.CONTRADICTIONS` without a row here fails `log/test_contradictions.py`. The shape of entries
stands in the helpers; rows name what is changed.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.beacons import seats_in, sign_here
from citadels_lan.crypto.claims import claim, endorse
from citadels_lan.crypto.commitments import WIDTH, Opening, commitment, conceal
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    AnyEntry,
    Beacons,
    Close,
    Commits,
    Endorsement,
    Header,
    Move,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    TableMove,
    Told,
    decode_private,
    encode_private,
)
from citadels_lan.crypto.sealed_moves import plain

from .forging import Draft, drafts, find
from .table import FP, GAME, HOST, OWNER, Game, identity, link, nonce_key, player, seated

CLIENT: Final = "client"
VERIFY: Final = "verify"


class Case(Struct, frozen=True):
    """Entries that contradict: `n` is where, if that is known. `by` says who notices: a client at once, or only
    whoever verifies the game when it is closed. `forged` and `players` are those of `Forge`."""

    entries: list[Draft]
    n: int | None = None
    by: str = CLIENT
    viewer: int = 0
    forged: tuple[int, ...] = ()
    players: bool = True


class Games(Struct, frozen=True):
    """Whole games that rows take entries from: two players, four, four with sealed moves, and four with a round
    that is begun anew twice."""

    duel: Game
    four: Game
    marked: Game
    again: Game


Build = Callable[[Games], Case]
ELSEWHERE: Final = frozenset({"impossible_event"})
"""What is noticed by whoever shows the game on a screen alone; see tests/net/client."""
ROWS: Final[dict[tuple[str, str], Build]] = {}
"""By code and by what is done."""


def contradicts(code: str, what: str = "") -> Callable[[Build], Build]:
    """What follows builds entries that contradict with this code."""

    def register(build: Build) -> Build:
        assert (code, what) not in ROWS
        ROWS[code, what] = build
        return build

    return register


# How entries are changed


def change(entries: list[Draft], at: int, **changes: Any) -> None:
    """Other fields of an entry."""
    entries[at].entry = replace(entries[at].entry, **changes)


def changed(game: Game, kind: type[AnyEntry], number: int = 0, *, at: int = 0, **how: Any) -> Case:
    """The `number`th entry of a kind with other fields: `how` gives each from the old entry. It is noticed there,
    or `at` entries later."""
    entries = drafts(game)
    index = [index for index, one in enumerate(entries) if isinstance(one.entry, kind)][number]
    entry = entries[index].entry
    change(entries, index, **{name: new(entry) for name, new in how.items()})
    return Case(entries, index + 1 + at)


def header(game: Game, viewer: int = 0, **changes: Any) -> Case:
    """Another table in the first entry."""
    return replace(changed(game, Open, header=lambda one: replace(one.header, **changes)), viewer=viewer)


def players(game: Game, seat: int, **changes: Any) -> tuple[Any, ...]:
    """Those of the header, one of them changed."""
    first = drafts(game)[0].entry
    assert isinstance(first, Open)
    found = list(first.header.players)
    found[seat] = replace(found[seat], **changes)
    return tuple(found)


def others(values: tuple[bytes, ...], seat: int, size: int = 32) -> tuple[bytes, ...]:
    """The same, but of one seat."""
    return (*values[:seat], bytes([77]) * size, *values[seat + 1 :])


def retold(entries: list[Draft], at: int, tag: int, field: int, value: Any) -> None:
    """Another field of an event of an entry; a function gives it from the old one."""
    events = [list(event) for event in entries[at].entry.events]  # type: ignore[union-attr]
    event = next(event for event in events if event[0] == tag)
    event[field] = value(event[field]) if callable(value) else value
    change(entries, at, events=events)


def added(entries: list[Draft], at: int, event: list[Any]) -> None:
    change(entries, at, events=[*entries[at].entry.events, event])  # type: ignore[union-attr]


def where(entries: list[Draft], wanted: Callable[[Move], bool]) -> int:
    """The index of the first move that is so."""
    return next(at for at, one in enumerate(entries) if isinstance(one.entry, Move) and wanted(one.entry))


def says(*beginnings: str) -> Callable[[Move], bool]:
    """Whether a move is open or sealed and begins so."""
    return lambda move: isinstance(move.what, str) and move.what.startswith(beginnings)


def tells(tag: int) -> Callable[[Move], bool]:
    """Whether an event with this tag came of a move."""
    return lambda move: any(event[0] == tag for event in move.events)


def beginning_of(entries: list[Draft], round_: int) -> int:
    """The index of the entry in which a round begins."""
    rounds = [at for at, one in enumerate(entries) if isinstance(one.entry, Beacons)]
    return rounds[round_ - 1] + 1


def reopened(entries: list[Draft], old: Callable[[Opening], bool], new: Opening) -> None:
    """Another opening, wherever the old one is shown."""
    for draft in entries:
        if isinstance(draft.entry, (Move, Opened, Close)):
            openings = tuple(new if old(one) else one for one in draft.entry.openings)
            draft.entry = replace(draft.entry, openings=openings)


def misplaced(game: Game, round_: int = 0, seat: int = 0, slot: int = 0) -> Case:
    """The first hidden move is committed to for another place than it has; the opening fits the commitment."""
    entries = drafts(game)
    at = find(entries, Move, hidden=True)
    move = entries[at].entry
    assert isinstance(move, Move)
    line = game.host_log.line(at + 1)
    place = (1 + round_, (move.seat + seat) % len(game.state.players), slot)
    what, (opening, *_) = conceal(nonce_key(move.seat), GAME, *place, line)
    own = move.seat
    reopened(entries, lambda one: (one.round, one.seat, one.slot, one.kind) == (1, own, 0, "pick"), opening)
    assert isinstance(move.what, bytes)
    change(entries, at, what=what[:WIDTH] + move.what[WIDTH:])
    return Case(entries)


def resealed(game: Game, star: Callable[[list[str]], list[str]]) -> Case:
    """The first warrants are sealed, and opened, with another line than one of those with a single star."""
    entries = drafts(game)
    at = where(entries, says("warrant"))
    move = entries[at].entry
    assert isinstance(move, Move)
    old = game.host_log.audit.opened[at + 1, 0]
    verb, *words = plain(str(move.what)).split()
    new = replace(old, line=" ".join([verb, *star(words)]))
    commit = commitment(GAME, new.kind, new.round, new.seat, new.slot, new.line, new.nonce)
    change(entries, at, what=f"{plain(str(move.what))} sealed {commit.hex()}")
    reopened(entries, lambda one: one == old, new)
    return Case(entries)


# Who sits there


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


@contradicts("header", "another game")
def _(games: Games) -> Case:
    return header(games.duel, game_id=bytes(16))


@contradicts("header", "other rules")
def _(games: Games) -> Case:
    return header(games.duel, rules="other/7")


@contradicts("header", "another certificate")
def _(games: Games) -> Case:
    return header(games.duel, fp=bytes(32))


@contradicts("key", "a seat's key that proves nothing")
def _(games: Games) -> Case:
    return header(games.duel, players=players(games.duel, 1, key=bytes(32)))


@contradicts("key", "one key at two seats")
def _(games: Games) -> Case:
    same = players(games.duel, 0)[0].key
    return header(games.duel, players=players(games.duel, 1, key=same))


@contradicts("host")
def _(games: Games) -> Case:
    return header(games.duel, hostkey=identity("another host").public)


@contradicts("own_key", "another key at the own seat")
def _(games: Games) -> Case:
    return header(games.duel, players=players(games.duel, 0, **claiming(identity("another seat"))))


def claiming(
    key: Identity,
    name: str = "Player 0",
    bot: bool = False,
    game: bytes = GAME,
    fp: bytes = FP,
    host: Identity = HOST,
) -> dict[str, Any]:
    """A player of the header with its own claim."""
    signature = claim(key, game, fp, host.public, name, bot)
    return {"name": name, "key": key.public, "bot": bot, "claim": signature}


for _what, _changes in (
    ("another name", {"name": "Anna"}),
    ("a person that is said to be a bot", {"bot": True}),
    ("another key", {"key": identity("another seat").public}),
    ("no signature", {"claim": bytes(64)}),
    ("of another seat", {"claim": seated(1).claim}),
    ("for another game", {"claim": claiming(player(0), game=bytes(16))["claim"]}),
    ("for another certificate", {"claim": claiming(player(0), fp=bytes(32))["claim"]}),
    ("for another host", {"claim": claiming(player(0), host=OWNER)["claim"]}),
    ("signed by the host", claiming(HOST) | {"key": player(0).public}),
):

    @contradicts("claim", _what)
    def _(games: Games, changes: dict[str, Any] = _changes) -> Case:
        return header(games.duel, viewer=1, players=players(games.duel, 0, **changes))


_ENDORSED = endorse(OWNER, GAME, FP, HOST.public)
for _what, _endorsement in (
    ("of nobody", replace(_ENDORSED, signature=bytes(64))),
    ("of another person", replace(_ENDORSED, key=player(1).public)),
    ("of a key that proves nothing", replace(_ENDORSED, key=bytes(32))),
    ("for another host", endorse(OWNER, GAME, FP, OWNER.public)),
    ("for another game", endorse(OWNER, bytes(16), FP, HOST.public)),
    ("for another certificate", endorse(OWNER, GAME, bytes(32), HOST.public)),
):

    @contradicts("endorsement", _what)
    def _(games: Games, endorsement: Endorsement = _endorsement) -> Case:
        return header(games.duel, endorsement=endorsement)


@contradicts("own_key", "no such seat")
def _(games: Games) -> Case:
    return header(games.duel, viewer=1, players=players(games.duel, 0)[:1])


# The seed


@contradicts("own_part", "another commitment")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, commits=lambda one: others(one.commits, 0))


@contradicts("own_part", "another anchor")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, anchors=lambda one: others(one.anchors, 0))


_BY_SEAT = {Commits: ("commits", "anchors", "signatures"), Parts: ("parts", "signatures")}
for _kind, _name in ((kind, name) for kind, names in _BY_SEAT.items() for name in names):
    for _what, _count in (("a seat too few", slice(0, 1)), ("a seat too many", slice(0, 3))):

        @contradicts("seats", f"{_kind.__name__} {_name}: {_what}")
        def _(games: Games, name: str = _name, kind: type[AnyEntry] = _kind, count: slice = _count) -> Case:
            def some(one: AnyEntry) -> tuple[bytes, ...]:
                values = getattr(one, name)
                return (*values, values[0])[count]

            case = changed(games.duel, kind, **{name: some})  # type: ignore[arg-type]  # no field is called `at`
            return replace(case, players=name != "signatures")


@contradicts("seats", "a seat that is not there takes part")
def _(games: Games) -> Case:
    return changed(games.duel, Present, present=lambda one: 0b101)


@contradicts("seats", "a seat disputes that does not take part")
def _(games: Games) -> Case:
    return changed(games.again, Present, 3, disputed=lambda one: 0b100)


@contradicts("seats", "a move of a seat that is not there")
def _(games: Games) -> Case:
    return changed(games.duel, Move, seat=lambda one: 5)


for _seat in (0, 1):

    @contradicts("part", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Parts, parts=lambda one: others(one.parts, seat))
        return replace(case, viewer=1 - seat)

    @contradicts("part_signature", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        """Nobody else may sign for it, and no signature is none."""
        case = changed(games.duel, Parts, signatures=lambda one: others(one.signatures, seat, 64))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, signatures=lambda one: others(one.signatures, seat, 64))
        return replace(case, players=False)

    @contradicts("here", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Present, 1, signatures=lambda one: others(one.signatures, seat, 64))
        return replace(case, players=False)

    @contradicts("beacon", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return changed(games.duel, Beacons, 1, links=lambda one: others(one.links, seat))


@contradicts("part_signature", "of another seat")
def _(games: Games) -> Case:
    case = changed(games.duel, Parts, signatures=lambda one: one.signatures[::-1])
    return replace(case, players=False)


@contradicts("beacon", "of a spectator's view, another anchor")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, anchors=lambda one: others(one.anchors, 1), at=3)


@contradicts("secret")
def _(games: Games) -> Case:
    return changed(games.duel, Close, secret=lambda one: bytes(32))


# Rounds

for _what, _round in (("the next", 1), ("the one before", -1), ("far away", 60)):

    @contradicts("present", f"for a round that is not: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        return changed(games.duel, Present, 2, round=lambda one: one.round + more)

    @contradicts("round", f"another number than its beacons: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        entries = drafts(games.duel)
        at = beginning_of(entries, 3)
        retold(entries, at, 2, 1, 3 + more)
        return Case(entries, at + 1)


@contradicts("beacons", "a link too few")
def _(games: Games) -> Case:
    return changed(games.duel, Beacons, 1, links=lambda one: one.links[:-1])


@contradicts("beacons", "a link too many")
def _(games: Games) -> Case:
    return changed(games.duel, Beacons, 1, links=lambda one: (*one.links, bytes(32)))


@contradicts("beacons", "one seat is said to be away, and its link is there")
def _(games: Games) -> Case:
    return changed(games.duel, Present, 1, present=lambda one: 0b10, at=1)


# Who takes part


for _what, _some in (("too few", slice(0, 1)), ("too many", slice(0, 3))):

    @contradicts("present", f"signatures: {_what}")
    def _(games: Games, some: slice = _some) -> Case:
        case = changed(games.duel, Present, 1, signatures=lambda one: (*one.signatures, bytes(64))[some])
        return replace(case, players=False)


@contradicts("present", "nobody, before the end")
def _(games: Games) -> Case:
    return changed(games.duel, Present, 1, present=lambda one: 0)


@contradicts("present", "whose link has just not come")
def _(games: Games) -> Case:
    return changed(games.again, Present, 2, present=lambda one: one.present | 0b100)


@contradicts("present", "whose link did not come before another's")
def _(games: Games) -> Case:
    return changed(games.again, Present, 3, present=lambda one: one.present | 0b100)


def saying(played: Game, number: int, seat: int, **changes: Any) -> Case:
    """A seat's word in a `present` is one that it has given for something else."""
    case = changed(played, Present, number)
    assert case.n is not None
    entry, n = case.entries[case.n - 1].entry, case.n - 1
    assert isinstance(entry, Present)
    told = {"game": GAME, "n": n, "head": played.host_log.head_at(n), "round_": entry.round, "disputes": False}
    signature = sign_here(player(seat), **(told | changes))
    at = seats_in(entry.present).index(seat)
    signatures = (*entry.signatures[:at], signature, *entry.signatures[at + 1 :])
    change(case.entries, n, signatures=signatures)
    return replace(case, players=False)


for _what, _changes in (
    ("of another game", {"game": bytes(16)}),
    ("of another entry", {"n": 3}),
    ("of another history", {"head": bytes(32)}),
    ("of another round", {"round_": 3}),
    ("that disputes, which is left out", {"disputes": True}),
):

    @contradicts("here", _what)
    def _(games: Games, changes: dict[str, Any] = _changes) -> Case:
        return saying(games.duel, 1, 1, **changes)


@contradicts("here", "that disputes nothing, which is added")
def _(games: Games) -> Case:
    return saying(games.again, 3, 3, disputes=False)


@contradicts("here", "from before a restart")
def _(games: Games) -> Case:
    entries = drafts(games.again)
    first, second = [one.entry for one in entries if isinstance(one.entry, Present)][1:3]
    case = changed(games.again, Present, 2, signatures=lambda one: (first.signatures[0], *one.signatures[1:]))
    assert first.round == second.round
    return replace(case, players=False)


# Links that do not come


@contradicts("restart", "for nobody")
def _(games: Games) -> Case:
    return changed(games.again, Restart, missing=lambda one: 0)


@contradicts("restart", "for a seat that was missed already")
def _(games: Games) -> Case:
    return changed(games.again, Restart, 1, missing=lambda one: 0b100)


@contradicts("restart", "for a seat that is not there")
def _(games: Games) -> Case:
    return changed(games.again, Restart, missing=lambda one: one.missing | 1 << 7)


for _what, _attempt in (("of the round, not of the attempt", 2), ("of the attempt before", 3), ("of the next", 5)):

    @contradicts("beacon", _what)
    def _(games: Games, attempt: int = _attempt) -> Case:
        """In round 2 the fourth attempt in all brought the links."""
        return changed(games.again, Beacons, 1, links=lambda one: (link(0, attempt), *one.links[1:]))


for _what, _kinds in (
    ("a restart after a restart", (Restart, Restart)),
    ("links after a restart", (Restart, Beacons)),
    ("who takes part, twice", (Present, Present)),
):

    @contradicts("order", _what)
    def _(games: Games, kinds: tuple[type, type] = _kinds) -> Case:
        entries = drafts(games.again)
        first = find(entries, kinds[0])
        entries.insert(first + 1, entries[find(entries, kinds[1])])
        return Case(entries, first + 2)


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
    entries[at] = Draft(TableMove([]), {})
    return Case(entries, at + 2)


# Seals


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


# Hidden moves


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
    at = find(entries, Opened)
    openings = entries[at].entry.openings  # type: ignore[union-attr]
    entries.insert(at + 1, Draft(Opened(openings[:1]), {}))
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
    """Only its opening tells."""
    entries = drafts(games.duel)
    at = find(entries, Seal) - 1  # so that no hidden move of the seat comes after it in this round
    move = entries[at].entry
    assert isinstance(move, Move)
    assert isinstance(move.what, str)
    round_ = sum(isinstance(one.entry, Beacons) for one in entries[:at])
    before = [one.entry for one in entries[beginning_of(entries, round_) : at] if isinstance(one.entry, Move)]
    slot = sum(one.seat == move.seat and isinstance(one.what, bytes) for one in before)
    place = (round_, move.seat, slot)
    nonce = bytes([88]) * 32
    opening = Opening(*place, move.what.split()[0], move.what, nonce)
    change(entries, at, what=commitment(GAME, opening.kind, *place, opening.line, nonce))
    close = entries[-1].entry
    assert isinstance(close, Close)
    change(entries, len(entries) - 1, openings=(*close.openings, opening))
    return Case(entries, at + 1, by=VERIFY)


# Markers


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


# Bytes that say nothing


@contradicts("malformed", "no entry")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[20].public = b"\x93\x04\x90\x90"
    return Case(entries, 21)


@contradicts("malformed", "an event in another encoding")
def _(games: Games) -> Case:
    """One field is left out that could be left out, so it would be the same event."""
    entries = drafts(games.duel)
    shorter = 4
    at = next(at for at, one in enumerate(entries) if any(event[0] == shorter for event in told(one)))
    events = [list(event)[:-1] if event[0] == shorter else event for event in told(entries[at])]
    change(entries, at, events=events)
    return Case(entries, at + 1)


def told(draft: Draft) -> list[Any]:
    """The events of an entry."""
    return draft.entry.events if isinstance(draft.entry, (Move, TableMove)) else []


for _number in (0, 1, 2, 3, 4):

    @contradicts("leaves", f"where nobody is told anything: entry {_number + 1}")
    def _(games: Games, number: int = _number) -> Case:
        entries = drafts(games.duel)
        entries[number].private = {1: b"\x90"}
        return Case(entries, number + 1)


def told_otherwise(games: Games, event: list[Any], index: int = 0) -> Case:
    """Seat 0 is told an event of the deal otherwise than the others are."""
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    entries[at].private[0] = encode_private([Told(index, event)])
    return Case(entries, at + 1)


@contradicts("private_event", "of another kind")
def _(games: Games) -> Case:
    return told_otherwise(games, [15])


@contradicts("private_event", "of no event")
def _(games: Games) -> Case:
    return told_otherwise(games, [15], 200)


# Only who plays the game again sees it


def verified(case: Case) -> Case:
    return replace(case, by=VERIFY)


@contradicts("edition")
def _(games: Games) -> Case:
    """It accuses nobody."""
    return verified(header(games.duel, edition="of_tomorrow"))


@contradicts("setup")
def _(games: Games) -> Case:
    first = drafts(games.duel)[0].entry
    assert isinstance(first, Open)
    kept: Header = first.header
    return verified(header(games.duel, cast=(kept.cast[0],) * len(kept.cast)))


@contradicts("no_table")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, TableMove) + 1
    while isinstance(entries[at].entry, TableMove):
        at += 1
    entries.insert(at, Draft(TableMove([]), {}))
    return verified(Case(entries, at + 1))


@contradicts("illegal")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather"))
    change(entries, at, what="taxes")
    return verified(Case(entries, at + 1))


@contradicts("notation")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather"))
    change(entries, at, what=str(entries[at].entry.what).replace(" ", "  "))  # type: ignore[union-attr]
    return verified(Case(entries, at + 1))


@contradicts("event", "more gold than is taken")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    retold(entries, at, 20, 2, lambda old: old + 1)
    return verified(Case(entries, at + 1))


@contradicts("event_count", "one too many")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather"))
    added(entries, at, told(entries[at])[-1])
    return verified(Case(entries, at + 1))


@contradicts("event_count", "one too few")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    change(entries, at, events=told(entries[at])[:-1])
    return verified(Case(entries, at + 1))


@contradicts("private", "another card")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    card, *others = decode_private(entries[at].private[1])
    tag, seat, hand, *more = card.event
    changed_hand = ["palace" if hand[0] != "palace" else "tavern", *hand[1:]]
    entries[at].private[1] = encode_private([replace(card, event=[tag, seat, changed_hand, *more]), *others])
    return verified(Case(entries, at + 1))


@contradicts("private", "to somebody who is told nothing")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    entries[at].private[1] = b"\x90"
    return verified(Case(entries, at + 1))
