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

from citadels_lan.crypto.audit import Signed, move_fields, move_tag
from citadels_lan.crypto.beacons import seats_in
from citadels_lan.crypto.chain import LEAF, join_leaves, leaf_hash, salt
from citadels_lan.crypto.claims import claim, endorse
from citadels_lan.crypto.commitments import WIDTH, Opening, commitment, conceal
from citadels_lan.crypto.frames import u8, u64
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import (
    Agreed,
    AnyEntry,
    Back,
    Beacons,
    Close,
    Commits,
    Header,
    Move,
    NewHost,
    Open,
    Opened,
    Parts,
    Present,
    Restart,
    Seal,
    SharedOut,
    StandIn,
    TableMove,
    Told,
    decode_private,
    encode_private,
)
from citadels_lan.crypto.sealed_moves import plain
from citadels_lan.crypto.stand_ins import Stint, sign_back

from .forging import Draft, drafts, find
from .table import FP, GAME, HOST, OWNER, SECRET, Game, identity, link, nonce_key, player
from .tables import sealed_to_the_end

CLIENT: Final = "client"
VERIFY: Final = "verify"
OWN: Final = "own"
REFEREE: Final = frozenset(
    {"ruling", "ruling_count", "no_move", "offer", "uncalled", "copies", "impossible_event", "snapshot"}
)
"""What only a referee finds: `tests/crypto/referee`, and `tests/net/host/test_snapshots.py`."""


class Case(Struct, frozen=True):
    """Entries that contradict: `n` is where, if that is known. `by` says who notices: a client at once, as does
    whoever verifies its file; only the client whose `own` secret it is; or only whoever verifies the game when it
    is closed. `forged` and `players` are those of `Forge`."""

    entries: list[Draft]
    n: int | None = None
    by: str = CLIENT
    viewer: int = 0
    forged: tuple[int, ...] = ()
    players: bool = True


class Games(Struct, frozen=True):
    """Whole games that rows take entries from: two players, four, four with sealed moves, one with stand-ins, and
    three players of whom two together could go on as the host."""

    duel: Game
    four: Game
    marked: Game
    stood: Game
    shared: Game


Build = Callable[[Games], Case]
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


def claimed(game: Game, host: bytes) -> tuple[Any, ...]:
    """Those of the header, who have signed their names at a table with this key of the host."""
    first = drafts(game)[0].entry
    assert isinstance(first, Open)
    return tuple(
        replace(one, claim=claim(player(seat), GAME, FP, host, one.name, one.bot))
        for seat, one in enumerate(first.header.players)
    )


def again(game: Game, number: int, first: int, missing: int, second: int, attempt: int) -> Case:
    """Before round `number` there are the seats of the bitmap `first`, the links of `missing` do not come, and
    then there are those of `second`, who reveal their links of an attempt. Nothing more."""
    entries = drafts(game)
    at = beginning_of(entries, number) - 2
    links = tuple(link(seat, attempt) for seat in seats_in(second))
    between: tuple[AnyEntry, ...] = (
        Present(number, first, 0, signatures(first)),
        Restart(missing),
        Present(number, second, 0, signatures(second)),
        Beacons(links),
    )
    return Case([*entries[:at], *(Draft(one, {}) for one in between)], at + 1)


def constants(fields: dict[str, Any]) -> dict[str, Any]:
    """For `changed`: these fields, whatever they were."""
    return {name: lambda _, new=new: new for name, new in fields.items()}


def signatures(seats: int) -> tuple[bytes, ...]:
    """One for each seat of a bitmap, still to be made."""
    return (bytes(64),) * len(seats_in(seats))


def others(values: tuple[bytes, ...], seat: int, new: bytes = bytes([77]) * 32) -> tuple[bytes, ...]:
    """The same, but of one seat."""
    return (*values[:seat], new, *values[seat + 1 :])


def retold(entries: list[Draft], at: int, tag: int, field: int, value: Any) -> None:
    """Another field of an event of an entry; a function gives it from the old one."""
    events = [list(event) for event in entries[at].entry.events]  # type: ignore[union-attr]
    event = next(event for event in events if event[0] == tag)
    event[field] = value(event[field]) if callable(value) else value
    change(entries, at, events=events)


def added(entries: list[Draft], at: int, event: list[Any]) -> None:
    change(entries, at, events=[*entries[at].entry.events, event])  # type: ignore[union-attr]


def where(entries: list[Draft], wanted: Callable[[Move], bool], *, after: int = 0) -> int:
    """The index of the first move that is so."""
    moves = ((at, one.entry) for at, one in enumerate(entries) if isinstance(one.entry, Move))
    return next(at for at, move in moves if at >= after and wanted(move))


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
    other = identity("another host").public
    signed = endorse(OWNER, GAME, FP, other)
    return header(games.duel, hostkey=other, endorsement=signed, players=claimed(games.duel, other))


@contradicts("own_key", "another key at the own seat")
def _(games: Games) -> Case:
    other, name = identity("another seat"), "Player 0"
    signed = claim(other, GAME, FP, HOST.public, name, bot=False)
    return own(header(games.duel, players=players(games.duel, 0, key=other.public, claim=signed)))


@contradicts("own_key", "no such seat")
def _(games: Games) -> Case:
    return own(header(games.duel, viewer=1, players=players(games.duel, 0)[:1]))


for _what, _changes in (
    ("another name", {"name": "Somebody"}),
    ("a bot that is none", {"bot": True}),
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
        """Signed once, it is of no use at another table."""
        where_ = {"game": GAME, "fp": FP, "host": HOST.public} | table
        signed = claim(player(1), where_["game"], where_["fp"], where_["host"], "Player 1", bot=True)
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


# The seed


def own(case: Case) -> Case:
    return replace(case, by=OWN)


@contradicts("own_part", "another commitment")
def _(games: Games) -> Case:
    """Signed in its name: its key is in other hands."""
    return own(changed(games.duel, Commits, commits=lambda one: others(one.commits, 0)))


@contradicts("own_part", "another anchor")
def _(games: Games) -> Case:
    return own(changed(games.duel, Commits, anchors=lambda one: others(one.anchors, 0)))


for _name, _kind in (
    ("commits", Commits),
    ("anchors", Commits),
    ("signatures", Commits),
    ("parts", Parts),
    ("signatures", Parts),
):
    for _what, _count in (("a seat too few", slice(0, 1)), ("a seat too many", slice(0, 3))):

        @contradicts("seats", f"{_name} in {_kind.__name__}: {_what}")
        def _(games: Games, name: str = _name, kind: type[AnyEntry] = _kind, count: slice = _count) -> Case:
            def some(one: AnyEntry) -> tuple[bytes, ...]:
                values = getattr(one, name)
                return (*values, values[0])[count]

            case = changed(games.duel, kind, **{name: some})  # type: ignore[arg-type]  # no field is called `at`
            return replace(case, players=name != "signatures")


for _what, _fields in (
    ("a seat that is not at the table takes part", {"present": 0b101}),
    ("it disputes", {"disputed": 0b100}),
    ("one that does not take part disputes", {"present": 0b01, "disputed": 0b10, "signatures": signatures(1)}),
):

    @contradicts("seats", _what)
    def _(games: Games, fields: dict[str, Any] = _fields) -> Case:
        return changed(games.duel, Present, 1, **constants(fields))


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
        case = changed(games.duel, Parts, signatures=lambda one: others(one.signatures, seat, bytes(64)))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, signatures=lambda one: others(one.signatures, seat, bytes(64)))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat} to another commitment")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, commits=lambda one: others(one.commits, seat))
        return replace(case, players=False)

    @contradicts("agreement", f"of seat {_seat} to another anchor")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Commits, anchors=lambda one: others(one.anchors, seat))
        return replace(case, players=False)

    @contradicts("here", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        case = changed(games.duel, Present, 1, signatures=lambda one: others(one.signatures, seat, bytes(64)))
        return replace(case, players=False)

    @contradicts("here", f"it does not dispute: seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return replace(changed(games.duel, Present, 1, disputed=lambda one: 1 << seat), players=False)

    @contradicts("beacon", f"of seat {_seat}")
    def _(games: Games, seat: int = _seat) -> Case:
        return changed(games.duel, Beacons, 1, links=lambda one: others(one.links, seat))


@contradicts("part_signature", "of another seat")
def _(games: Games) -> Case:
    case = changed(games.duel, Parts, signatures=lambda one: one.signatures[::-1])
    return replace(case, players=False)


@contradicts("agreement", "of another seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Commits, signatures=lambda one: one.signatures[::-1]), players=False)


@contradicts("agreement", "to another table")
def _(games: Games) -> Case:
    """The header that it has signed is in hash[1]."""
    return replace(header(games.duel, program="citadels-lan of others"), n=2, players=False)


@contradicts("here", "of another seat")
def _(games: Games) -> Case:
    return replace(changed(games.duel, Present, 1, signatures=lambda one: one.signatures[::-1]), players=False)


@contradicts("here", "of the round before")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    first, second = [at for at, one in enumerate(entries) if isinstance(one.entry, Present)][:2]
    change(entries, second, signatures=entries[first].entry.signatures)  # type: ignore[union-attr]
    return Case(entries, second + 1, players=False)


@contradicts("beacon", "to another anchor")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, anchors=lambda one: others(one.anchors, 1), at=3)


@contradicts("secret")
def _(games: Games) -> Case:
    return changed(games.duel, Close, secret=lambda one: bytes(32))


# Rounds

for _what, _round in (("the next", 1), ("the one before", -1), ("far away", 60)):

    @contradicts("present", f"in a round that is not: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        return changed(games.duel, Present, 2, round=lambda one: one.round + more)

    @contradicts("round", f"another number than its beacons: {_what}")
    def _(games: Games, more: int = _round) -> Case:
        entries = drafts(games.duel)
        at = beginning_of(entries, 3)
        retold(entries, at, 2, 1, 3 + more)
        return Case(entries, at + 1)


for _what, _count in (("too few", slice(0, 1)), ("too many", slice(0, 3))):

    @contradicts("present", f"signatures: {_what}")
    def _(games: Games, count: slice = _count) -> Case:
        case = changed(games.duel, Present, 1, signatures=lambda one: (*one.signatures, bytes(64))[count])
        return replace(case, players=False)

    @contradicts("beacons", f"links: {_what}")
    def _(games: Games, count: slice = _count) -> Case:
        return changed(games.duel, Beacons, 1, links=lambda one: (*one.links, bytes(32))[count])


@contradicts("present", "nobody at all, before the end")
def _(games: Games) -> Case:
    return changed(games.duel, Present, 1, present=lambda one: 0, signatures=lambda one: ())


@contradicts("present", "whose link was missing before this round")
def _(games: Games) -> Case:
    case = again(games.duel, 2, 0b11, 0b10, 0b11, 3)
    return replace(case, n=(case.n or 0) + 2)


@contradicts("beacons", "links of others than take part")
def _(games: Games) -> Case:
    return changed(games.duel, Present, 1, present=lambda one: 0b10, signatures=lambda one: signatures(1), at=1)


@contradicts("beacon", "of the attempt before")
def _(games: Games) -> Case:
    """Everybody has seen it when the first attempt came to nothing."""
    case = again(games.duel, 2, 0b11, 0b10, 0b01, 2)
    return replace(case, n=(case.n or 0) + 3)


@contradicts("beacon", "of the attempt after")
def _(games: Games) -> Case:
    case = again(games.duel, 2, 0b11, 0b10, 0b01, 4)
    return replace(case, n=(case.n or 0) + 3)


for _what, _first, _missing in (
    ("nobody's links", 0b11, 0),
    ("of a seat that did not take part", 0b01, 0b10),
    ("of a seat that is not at the table", 0b11, 0b110),
):

    @contradicts("restart", _what)
    def _(games: Games, first: int = _first, missing: int = _missing) -> Case:
        case = again(games.duel, 2, first, missing, 0b01, 3)
        return replace(case, n=(case.n or 0) + 1)


for _what, _missing_kind in (
    ("nobody has said who takes part", Present),
    ("no chance", Beacons),
    ("no seal", Seal),
):

    @contradicts("order", f"before a round: {_what}")
    def _(games: Games, kind: type[AnyEntry] = _missing_kind) -> Case:
        entries = drafts(games.duel)
        at = [at for at, one in enumerate(entries) if isinstance(one.entry, kind)][-2]
        del entries[at]
        return Case(entries, at + 1)


for _what, _again in (("who takes part", Present), ("its chance", Beacons)):

    @contradicts("order", f"before a round twice: {_what}")
    def _(games: Games, kind: type[AnyEntry] = _again) -> Case:
        entries = drafts(games.duel)
        at = [at for at, one in enumerate(entries) if isinstance(one.entry, kind)][1]
        entries.insert(at + 1, entries[at])
        return Case(entries, at + 2)


@contradicts("order", "a round whose links have not come")
def _(games: Games) -> Case:
    case = again(games.duel, 2, 0b11, 0b10, 0b01, 3)
    at = (case.n or 0) + 1
    return Case([*case.entries[:at], *case.entries[at + 1 :]], at + 1)


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


# Who moves for a seat


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
    """Only its opening tells. It is the last of its seat in the round, so that no slot is another."""
    entries = drafts(games.duel)
    end = beginning_of(entries, 2)
    at = max(at for at, one in enumerate(entries[:end]) if isinstance(one.entry, Move) and one.entry.what == "end")
    move = entries[at].entry
    assert isinstance(move, Move)
    moves = [one.entry for one in entries[:at] if isinstance(one.entry, Move)]
    slot = sum(one.seat == move.seat and isinstance(one.what, bytes) for one in moves)
    place = (1, move.seat, slot)
    nonce = bytes([88]) * 32
    opening = Opening(*place, "end", "end", nonce)
    change(entries, at, what=commitment(GAME, "end", *place, "end", nonce))
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


@contradicts("malformed", "something private that says nothing")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[find(entries, TableMove)].private[0] = b"\x91\x00"
    return Case(entries, find(entries, TableMove) + 1)


@contradicts("leaves", "where nobody is told anything")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    entries[1].private = {1: b"\x90"}
    return Case(entries, 2)


def leaving(games: Games, leaves: Callable[[bytes], bytes]) -> Case:
    """The deal with other leaves, for whoever has none of them."""
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    kept = entries[at].private
    made = join_leaves(
        {seat: leaf_hash(GAME, at + 1, seat, salt(SECRET, at + 1, seat), data) for seat, data in kept.items()}
    )
    entries[at] = Draft(entries[at].entry, {}, leaves=leaves(made))
    return Case(entries, at + 1)


@contradicts("leaves", "that are not whole")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[:-1])


@contradicts("leaves", "two of a seat")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[:LEAF] * 2)


@contradicts("leaves", "of seats that do not rise")
def _(games: Games) -> Case:
    return leaving(games, lambda made: made[LEAF:] + made[:LEAF])


def told_otherwise(games: Games, *told: Told) -> Case:
    """Seat 0 is told events of the deal otherwise than the others."""
    entries = drafts(games.duel)
    at = find(entries, TableMove)
    entries[at].private[0] = encode_private(list(told))
    return Case(entries, at + 1)


def dealt(games: Games) -> list[Told]:
    """What seat 0 is told of the deal."""
    entries = drafts(games.duel)
    return decode_private(entries[find(entries, TableMove)].private[0])


@contradicts("private_event", "of another kind")
def _(games: Games) -> Case:
    return told_otherwise(games, Told(0, [15]))


@contradicts("private_event", "of no event")
def _(games: Games) -> Case:
    return told_otherwise(games, Told(200, [15]))


@contradicts("private_event", "twice")
def _(games: Games) -> Case:
    return told_otherwise(games, dealt(games)[0], dealt(games)[0])


@contradicts("private_event", "other cards than everybody is told of")
def _(games: Games) -> Case:
    """One too many: the public event has as many unknown ones as there were."""
    told = dealt(games)[0]
    kind, seat, cards, why = told.event
    return told_otherwise(games, Told(told.index, [kind, seat, [*cards, cards[0]], why]))


@contradicts("private_event", "another reason")
def _(games: Games) -> Case:
    told = dealt(games)[0]
    return told_otherwise(games, Told(told.index, [*told.event[:-1], "gift"]))


# Another host


for _what, _boxes in (
    ("none", None),
    ("a seat too few", (bytes([9]) * 32,)),
    ("of small order", (bytes(32),) * 3),
):

    @contradicts("box", _what)
    def _(games: Games, boxes: tuple[bytes, ...] | None = _boxes) -> Case:
        return changed(games.shared, Commits, **constants({"boxes": boxes}))


@contradicts("box", "where there are no shares")
def _(games: Games) -> Case:
    return changed(games.duel, Commits, boxes=lambda one: (bytes([9]) * 32,) * 2)


@contradicts("own_part", "another key of the share")
def _(games: Games) -> Case:
    return own(changed(games.shared, Commits, boxes=lambda one: others(one.boxes, 0)))


@contradicts("shared", "a share too few")
def _(games: Games) -> Case:
    return changed(games.shared, SharedOut, shares=lambda one: one.shares[:2])


@contradicts("shared", "more shares are needed than there are")
def _(games: Games) -> Case:
    case = header(games.shared, migrate=4)
    return replace(case, n=find(case.entries, SharedOut) + 1)


@contradicts("order", "no shares")
def _(games: Games) -> Case:
    entries = drafts(games.shared)
    del entries[(at := find(entries, SharedOut))]
    return Case(entries, at + 1)


@contradicts("order", "another host after the end")
def _(games: Games) -> Case:
    entries = drafts(games.shared)
    return Case([*entries, Draft(newcomer(1), {})], len(entries) + 1)


@contradicts("own_share", "another one")
def _(games: Games) -> Case:
    return own(changed(games.shared, SharedOut, shares=lambda one: others(one.shares, 0, bytes([77]) * 49)))


@contradicts("own_share", "another commitment to it")
def _(games: Games) -> Case:
    return own(changed(games.shared, SharedOut, commits=lambda one: others(one.commits, 0)))


for _what, _escrow in (("none", None), ("too short", bytes(79)), ("too long", bytes(81))):

    @contradicts("escrow", _what)
    def _(games: Games, escrow: bytes | None = _escrow) -> Case:
        return changed(games.shared, Move, 3, **constants({"escrow": escrow}))


@contradicts("escrow", "where nobody could go on")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = find(entries, Move, hidden=False)
    change(entries, at, escrow=bytes(80))
    return Case(entries, at + 1)


def newcomer(*seats: int) -> NewHost:
    """Another host, by the word of the old one: nobody has signed that."""
    return NewHost(1, HOST.public, FP, tuple(Agreed(seat, bytes(64)) for seat in seats))


for _what, _seats in (("by nobody's signature", (0, 1, 2)), ("of too few", (1,)), ("without itself", (0, 2))):

    @contradicts("new_host", _what)
    def _(games: Games, seats: tuple[int, ...] = _seats) -> Case:
        entries = drafts(games.shared)
        entries.insert(at := find(entries, Seal), Draft(newcomer(*seats), {}))
        return Case(entries, at + 1)


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


@contradicts("shared", "a share for somebody else, that does not fit")
def _(games: Games) -> Case:
    return verified(changed(games.shared, SharedOut, shares=lambda one: others(one.shares, 2, bytes([77]) * 49)))


@contradicts("escrow", "of another move")
def _(games: Games) -> Case:
    return verified(
        changed(games.shared, Move, 3, escrow=lambda one: one.escrow[:-1] + bytes([one.escrow[-1] ^ 1]))
    )


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
    entries[at].private[1] = entries[at].private[0]
    return verified(Case(entries, at + 1))


@contradicts("private", "to somebody who is told nothing")
def _(games: Games) -> Case:
    entries = drafts(games.duel)
    at = where(entries, says("gather gold"))
    entries[at].private[1] = b"\x90"
    return verified(Case(entries, at + 1))
