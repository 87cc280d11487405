"""Files that somebody has made to keep whoever checks them busy: as large as a transcript may be, and full of what
takes long. A host holds its own key and those of its bots, so the chains are whole and signed: what is not said by
the host ends a file.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count, cycle, islice
from typing import Final

import msgspec
from msgspec.structs import replace

from citadels_lan.crypto.commitments import MAX_LINE, Opening, committed
from citadels_lan.crypto.delta import MAX_ENTRIES
from citadels_lan.crypto.log import (
    OPENINGS,
    RULES,
    SEAL_AFTER,
    AnyEntry,
    Beacons,
    Close,
    Move,
    Open,
    Opened,
    Present,
    RawEvent,
    Restart,
    Seal,
    TableMove,
    Told,
    decode_entry,
    encode_private,
    events_of,
)
from citadels_lan.crypto.packing import MAX_BODY, pack
from citadels_lan.crypto.transcript import MAGIC, MAX_SAID, FileHead, unpadded
from citadels_lan.engine import HIDDEN, Action, Event, decisions, from_scenario
from citadels_lan.engine.config import DraftKind
from citadels_lan.engine.events import Drawn, GameEnded, Placed, RoundBegan, RoundEnded, Shuffled
from tests.crypto.forging import Draft, Forge
from tests.crypto.table import FP, GAME, HOST, SECRET, Game, begin, link, player
from tests.play.dice import some

Entries = Iterator[AnyEntry]
EMPTY: Final = Seal((bytes(64),) * SEAL_AFTER)
"""A seal after as many moves as there may be; its signatures are made when it is chained."""
MOST: Final = 8
"""Seats of a table."""
TELLING: Final = 250
"""So many events with what one seat is told of them fill what a file has for an entry."""


def file(kind: bytes, bodies: Iterator[bytes], size: int, seat: int | None = None) -> bytes:
    """The beginning of a file and records of a kind, as many as fit into `size` bytes; of entries no more than may
    be said."""
    stream = io.BytesIO()
    head = pack(FileHead(GAME, RULES, FP, HOST.public, seat, player(0).public))
    stream.write(MAGIC + len(head).to_bytes(4, "big") + b"H" + head)
    said = 0
    for body in bodies:
        said += unpadded(body) if kind == b"E" else 0
        if stream.tell() + len(body) + 5 > size or said > MAX_SAID:
            break
        stream.write(len(body).to_bytes(4, "big") + kind + body)
    return stream.getvalue()


def chained(
    entries: Entries, size: int, players: int = 2, program: str = "hostile", private: bytes | None = None
) -> bytes:
    """A game that begins as it should, and goes on with these entries. With `private`, seat 0 is told that besides
    whenever much happens."""
    beginning = [decode_entry(one.public) for one in begin(players, followed=False).host_log.written]
    assert isinstance(beginning[0], Open)
    beginning[0] = Open(replace(beginning[0].header, program=program))
    forge = Forge()
    drafts = (
        Draft(entry, {} if private is None or len(events_of(entry)) < 2 else {0: private})
        for entry in chain(beginning, entries)
    )
    seat = None if private is None else 0
    bodies = (forge.body(draft, -1 if seat is None else seat) for draft in drafts)
    return file(b"E", islice(bodies, MAX_ENTRIES), size, seat)


def raw(*events: Event) -> list[RawEvent]:
    """Events as a log has them."""
    plain: list[RawEvent] = msgspec.msgpack.decode(msgspec.msgpack.encode(events))
    return plain


def gathered(number: int, players: int = 2, attempt: int = 0, missing: int = 0) -> Entries:
    """Everybody signs, and reveals. So many are `missing` before that, one after the other; `attempt` is how often
    it was tried before, where that is another number than the round's."""
    attempt = attempt or number - 1
    for gone in range(missing + 1):
        seats = range(gone, players)
        yield Present(number, sum(1 << seat for seat in seats), 0, (bytes(64),) * len(seats))
        if gone < missing:
            yield Restart(1 << gone)
    yield Beacons(tuple(link(seat, attempt + 1 + missing) for seat in range(missing, players)))


def new_round(number: int, players: int = 2, attempt: int = 0, missing: int = 0) -> Entries:
    """Everybody signs and reveals, and a round begins."""
    yield from gathered(number, players, attempt, missing)
    yield TableMove(raw(RoundBegan(number, (), ())))


def moves(some: Iterator[Move], last: Event) -> Entries:
    """Moves, sealed as often as it must be; something happens in the last."""
    waiting = 0
    held = next(some)
    for move in some:
        yield held
        waiting += 1
        if waiting == SEAL_AFTER:
            yield EMPTY
            waiting = 0
        held = move
    yield Move(held.seat, held.what, [*held.events, *raw(last)], held.openings)
    yield Seal((bytes(64),) * (waiting + 1))


def end(number: int, openings: Iterable[AnyEntry] = ()) -> Entries:
    """What comes after the last seal."""
    yield from gathered(number)
    yield from openings
    yield Close(SECRET, ())


OVER: Final = GameEnded((), ())
SHOWN: Final = Placed("warrant", 0, ("king", "thief"), HIDDEN)


def warrants(first: int, many: int) -> Iterator[Move]:
    """Sealed moves that nobody can open."""
    for number in range(first, first + many):
        commit = number.to_bytes(32, "big").hex()
        yield Move(0, f"warrant king thief sealed {commit}", raw(SHOWN), ())


def sealed(most: int) -> Entries:
    """Seals that are never opened, as many as there may be, a few in each round; then the game is closed."""
    rounds = max(1, (most - 9) // (SEAL_AFTER + 4))
    for number in range(1, rounds + 1):
        yield from new_round(number)
        last = OVER if number == rounds else RoundEnded()
        yield from moves(warrants(number * SEAL_AFTER, SEAL_AFTER), last)
    yield from end(rounds + 1)


def broken(most: int) -> Entries:
    """Half of the moves seal something, and each of the others looks for a seal of this round to break."""
    half = (most - 12) * 16 // 33 // 2
    yield from new_round(1)
    yield from moves(warrants(0, half), RoundEnded())
    yield from new_round(2)
    yield from moves((Move(0, "confiscate yes", [], ()) for _ in range(half)), RoundEnded())


def opened(most: int) -> Entries:
    """Long lines that are hidden first and opened at the end."""
    many = most * 3 // 4
    lines = (f"pick {number} ".ljust(96, "x") for number in range(most))
    found = [Opening(1, 0, at, "pick", line, bytes(32)) for at, line in zip(range(256), lines, strict=False)]
    hidden = [committed(GAME, opening) for opening in found]
    rest = ((number).to_bytes(32, "big") for number in count(1))
    yield from new_round(1)
    yield from moves((Move(0, what, [], ()) for what in islice((*hidden, *islice(rest, many)), many)), OVER)
    groups = (tuple(found[at : at + OPENINGS]) for at in range(0, len(found), OPENINGS))
    yield from end(2, (Opened(group) for group in groups))


def events(most: int) -> Entries:
    """As many events as an entry may have, each as small as it may be."""
    yield from new_round(1)
    yield from (TableMove(raw(RoundEnded()) * 256) for _ in range(most))


def names(most: int) -> Entries:
    """As many names as an entry may have bytes for."""
    yield from new_round(1)
    deck = raw(Shuffled(("a",) * 250))
    yield from (TableMove(deck * 7) for _ in range(most))


def long_names(most: int) -> Entries:
    """Text beyond ASCII, of which every sign must be looked at."""
    yield from new_round(1)
    yield from (TableMove(raw(Shuffled(("è" * 500,) * 4))) for _ in range(most))


def numbers(most: int) -> Entries:
    """Whatever an array can hold that says nothing."""
    yield from new_round(1)
    yield from (TableMove([[1, [0] * 250]] * 15) for _ in range(most))


def signed(most: int) -> Entries:
    """Rounds of one move: everybody signs for each."""
    for number in range(1, most // 5):
        yield from new_round(number, MOST)
        yield from moves(iter([Move(0, "end", [], ())]), RoundEnded())


def begun_anew(most: int) -> Entries:
    """The same with links that do not come: nothing has more signatures in less."""
    missing = 3
    for number in range(1, most // 11):
        yield from new_round(number, MOST, (number - 1) * (missing + 1), missing)
        yield from moves(iter([Move(0, "end", [], ())]), RoundEnded())


def sealed_moves(most: int) -> Entries:
    """One round without an end, with a signature for each move."""
    yield from new_round(1)
    yield from moves((Move(0, "end", [], ()) for _ in range(most)), RoundEnded())


def told(most: int) -> Entries:
    """As many events as an entry may have, of which each can be told again."""
    yield from new_round(1)
    yield from (TableMove(raw(Drawn(0, (HIDDEN,), "")) * TELLING) for _ in range(most))


class Hoarding(Game):
    """Nobody builds, and everybody takes cards: the game has no end, and states as large as they can be."""

    until = MAX_ENTRIES

    def random_action(self, seat: int) -> Action:
        if self.host_log.chain.n > self.until:
            return super().random_action(seat)
        choices = decisions(self.own_view(seat))[seat]
        if self.host_log.chain.n % 64 == 0:
            return some(self.choose, self.choose.choice(choices))
        calm = [choice for choice in choices if choice.verb != "build"] or list(choices)
        cards = [choice for choice in calm if choice.verb == "cards"] or calm
        return some(self.choose, self.choose.choice(cards))


def endless(size: int, seat: int | None, hoarding: int = MAX_ENTRIES, draft: DraftKind = "open") -> bytes:
    """A game that is played by the rules and not closed, as seat 0 or a spectator is told it: what is judged is a
    whole table of eight after each of its entries. After so many entries of `hoarding` everybody builds, and the
    game has an end after all."""
    setup = replace(from_scenario("cunning_agents", 8), draft=draft)
    game = Hoarding(**vars(begin(setup=setup, followed=False)))
    game.until = hoarding

    def bodies() -> Iterator[bytes]:
        more = True
        for n in range(MAX_ENTRIES):
            while more and n >= len(game.bodies):
                more = game.step()
            if n >= len(game.bodies):
                break
            yield game.bodies[n][seat]
            game.bodies[n] = {}

    return file(b"E", bodies(), size, seat)


def _openings(size: int, line: int) -> Iterator[bytes]:
    return (pack((Opening(1, 0, 0, "warrant", "x" * line, at.to_bytes(32, "big")),) * size) for at in count())


TOLD: Final = encode_private([Told(at, raw(Drawn(0, ("a",), ""))[0]) for at in range(TELLING)])
AGAIN: Final = encode_private([Told(at, raw(RoundEnded())[0]) for at in range(256)])
KINDS: Final[Mapping[str, Callable[[int], bytes]]] = {
    "sealed": lambda size: chained(sealed(_most(size, 256)), size),
    "broken": lambda size: chained(broken(_most(size, 256)), size),
    "opened": lambda size: chained(opened(_most(size, 256)), size),
    "events": lambda size: chained(events(_most(size, 1024)), size),
    "names": lambda size: chained(names(_most(size, 4096)), size),
    "long names": lambda size: chained(long_names(_most(size, 4096)), size),
    "numbers": lambda size: chained(numbers(_most(size, 4096)), size),
    "signed": lambda size: chained(signed(_most(size, 512)), size, MOST),
    "begun anew": lambda size: chained(begun_anew(_most(size, 512)), size, MOST),
    "sealed moves": lambda size: chained(sealed_moves(_most(size, 256)), size),
    "private": lambda size: chained(told(_most(size, 3072)), size, private=TOLD),
    "private again": lambda size: chained(events(_most(size, 2048)), size, private=AGAIN),
    "endless": lambda size: endless(size, None),
    "endless for a seat": lambda size: endless(size, 0),
    "sealed drafts": lambda size: endless(size, 0, draft="sealed"),
    "closed": lambda size: endless(size, 0, _most(size, 512) * 19 // 20),
    "small openings": lambda size: file(b"O", _openings(1, 1), size),
    "huge openings": lambda size: file(b"O", _openings(50, MAX_LINE), size),
    "no openings": lambda size: file(b"O", cycle([b"\x90"]), size),
    "heard": lambda size: file(b"G", cycle([bytes(MAX_BODY)]), size),
    "heard nothing": lambda size: file(b"G", cycle([b""]), size),
    "deltas of zeros": lambda size: file(b"E", cycle([bytes(256)]), size),
    "deep": lambda size: file(b"E", cycle([b"\x91" * 1024]), size),
    "zeros": lambda size: MAGIC.ljust(size, b"\0"),
}
"""By name: a file of about so many bytes, as long as a transcript of the kind can be."""


def _most(size: int, each: int) -> int:
    """How many entries of so many bytes there can be."""
    return min(MAX_ENTRIES, size // (each + 5))
