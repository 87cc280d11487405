"""Files that cost a verifier as much work as possible: as large as a transcript can be, with contents that
take long to check. They are made by a host, with its own key and the keys of its bots. All entries are
chained and signed, because reading stops at an unsigned entry."""

import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, count, cycle, islice
from typing import Final

import msgspec
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.client_log import FileHead
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.commitments import Opening, committed
from citadels_lan.crypto.draft import drafts
from citadels_lan.crypto.draft.knowledge import DraftHand
from citadels_lan.crypto.draft.secrets import LINKS, SEALED, own_link, public_key
from citadels_lan.crypto.transcript import MAGIC, MAX_SAID, unpadded
from citadels_lan.engine import HIDDEN, Action, Event, decisions, from_scenario
from citadels_lan.engine import events as ev
from citadels_lan.engine.config import DraftKind
from tests.crypto.forging import Draft, Forge
from tests.crypto.table import FP, GAME, HOST, SECRET, Game, begin, nonce_key, part, player
from tests.facts import RULES, first_game
from tests.play.dice import some

Entries = Iterator[log.AnyEntry]
ROUND: Final = 32
"""Number of sealed moves in each round of some files."""
MOST: Final = 8
"""Number of seats of a table."""
MOST_CALLS: Final = 32
"""Number of calls in each round of some files."""
TELLING: Final = 250
"""Number of events with private parts for one seat that fill an entry."""


def file(kind: bytes, bodies: Iterator[bytes], size: int, seat: int | None = None) -> bytes:
    """Return a transcript with a head and then records of one kind: as many of `bodies` as fit into `size`
    bytes and the limit for entries."""
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
    entries: Entries,
    size: int,
    players: int = 2,
    program: str = "hostile",
    private: bytes | None = None,
    draft: DraftKind = "open",
) -> bytes:
    """Return a transcript of a game that begins correctly and continues with `entries`. If `private` is
    given, the file is that of seat 0, which receives these private bytes with each entry of several
    events."""
    game = begin(setup=replace(first_game(players), draft=draft), followed=False)
    beginning = [log.decode_entry(one.public) for one in game.host_log.written]
    assert isinstance(beginning[0], log.Open)
    beginning[0] = log.Open(replace(beginning[0].header, program=program))
    forge = Forge()
    drafts = (
        Draft(entry, {} if private is None or len(log.events_of(entry)) < 2 else {0: private})
        for entry in chain(beginning, entries)
    )
    seat = None if private is None else 0
    bodies = (forge.body(draft, -1 if seat is None else seat) for draft in drafts)
    return file(b"E", islice(bodies, log.MAX_ENTRIES), size, seat)


def raw(*events: Event) -> list[log.RawEvent]:
    """Return the encoded form of these events."""
    plain: list[log.RawEvent] = msgspec.msgpack.decode(msgspec.msgpack.encode(events))
    return plain


def gathered(players: int = 2) -> Entries:
    """Yield the entries with the co-signatures and random words of all seats. The forge makes the signatures
    valid."""
    yield log.CoSigned(tuple(log.CoSignature(seat, bytes(32), 0, bytes(64)) for seat in range(players)))
    yield log.CheckWords(tuple(log.GivenWord(seat, bytes(16)) for seat in range(players)))


def new_round(number: int, players: int = 2) -> Entries:
    """Yield the entries that co-sign the last round and begin round `number`."""
    if number > 1:
        yield from gathered(players)
    yield log.TableMove(raw(ev.RoundBegan(number, (), ())))


def moves(some: Iterator[log.Move], last: Event) -> Entries:
    """Yield these moves; the last one also has the event `last`."""
    held = next(some)
    for move in some:
        yield held
        held = move
    yield replace(held, events=[*held.events, *raw(last)])


def moved(what: str | bytes, events: list[log.RawEvent]) -> log.Move:
    """Return the move `what` of seat 0. The forge signs it."""
    return log.Move(0, log.OWNER, what, events, (), bytes(64))


def end(openings: Iterable[log.AnyEntry] = ()) -> Entries:
    """Yield the entries after the last move. `openings` are *close* entries with openings."""
    yield from gathered()
    yield from openings
    yield closing()


def closing(players: int = 2) -> log.Close:
    """Return the last *close* entry."""
    return log.Close(log.FINISHED, (), SECRET, tuple(map(part, range(players))), ())


OVER: Final = ev.GameEnded((), ())
CALLED: Final = ev.Inquired("call", tuple(range(MOST)), "assassin")
SHOWN: Final = ev.Placed("warrant", 0, ("king", "thief"), HIDDEN)


def warrants(first: int, many: int) -> Iterator[log.Move]:
    """Yield `many` sealed moves that no one can open, numbered from `first`."""
    for number in range(first, first + many):
        commit = number.to_bytes(32, "big").hex()
        yield moved(f"warrant king thief sealed {commit}", raw(SHOWN))


def sealed(most: int) -> Entries:
    """Yield a game with as many sealed moves as possible, which are never opened, and the close of the
    game."""
    rounds = max(1, (most - 9) // (ROUND + 3))
    for number in range(1, rounds + 1):
        yield from new_round(number)
        last = OVER if number == rounds else ev.RoundEnded()
        yield from moves(warrants(number * ROUND, ROUND), last)
    yield from end()


def broken(most: int) -> Entries:
    """Yield a game whose first round has only sealed moves. Each move of the second round asks to reveal a
    marker, and so makes the reader search for one."""
    half = (most - 10) // 2
    yield from new_round(1)
    yield from moves(warrants(0, half), ev.RoundEnded())
    yield from new_round(2)
    yield from moves((moved("confiscate yes", []) for _ in range(half)), ev.RoundEnded())


def opened(most: int) -> Entries:
    """Yield hidden moves with lines as long as possible, and the openings at the end."""
    many = most * 3 // 4
    lines = (f"pick {number} ".ljust(96, "x") for number in range(most))
    found = [Opening(1, 0, at, "pick", line, bytes(32)) for at, line in zip(range(256), lines, strict=False)]
    hidden = [committed(GAME, opening) for opening in found]
    rest = ((number).to_bytes(32, "big") for number in count(1))
    yield from new_round(1)
    yield from moves((moved(what, []) for what in islice((*hidden, *islice(rest, many)), many)), OVER)
    groups = (tuple(found[at : at + log.OPENINGS]) for at in range(0, len(found), log.OPENINGS))
    yield from end(log.Close(log.FINISHED, group, b"", (), ()) for group in groups)


def events(most: int) -> Entries:
    """Yield entries with as many events as possible, each as small as possible."""
    yield from new_round(1)
    yield from (log.TableMove(raw(ev.RoundEnded()) * 256) for _ in range(most))


def names(most: int) -> Entries:
    """Yield entries with as many names as fit."""
    yield from new_round(1)
    deck = raw(ev.Shuffled(("a",) * 250))
    yield from (log.TableMove(deck * 7) for _ in range(most))


def signed(most: int) -> Entries:
    """Yield rounds of one move each, which all seats co-sign."""
    for number in range(1, most // 5):
        yield from new_round(number, MOST)
        yield from moves(iter([moved("end", [])]), ev.RoundEnded())


def sealed_moves(most: int) -> Entries:
    """Yield one long round of open moves, each with a signature to check."""
    yield from new_round(1)
    yield from moves((moved("end", []) for _ in range(most)), ev.RoundEnded())


def told(most: int) -> Entries:
    """Yield entries with as many events as possible, each with a private form."""
    yield from new_round(1)
    yield from (log.TableMove(raw(ev.Drawn(0, (HIDDEN,), "")) * TELLING) for _ in range(most))


def drafted(most: int) -> Entries:
    """Yield sealed drafts at a table of eight with as much as possible in each round: packets, exchanges, and
    calls to which every seat replies. At the end all secret links are given, so that a verifier opens every
    box."""
    rounds = min(MAX_SAID // 54_000, max(1, most // 100), LINKS)  # each has this many bytes
    for number in range(1, rounds + 1):
        if number > 1:
            yield from gathered(MOST)
        yield log.TableMove(raw(ev.Crowned(0), ev.Inquired("deal", (0,))))
        yield from _said(number)
        yield from _called(ev.RoundEnded() if number < rounds else OVER)
    yield from gathered(MOST)
    links = ((seat, own_link(nonce_key(seat), GAME, seat, "y", rounds)) for seat in range(MOST))
    yield replace(closing(MOST), openings=tuple(drafts.link_opening(rounds, *link) for link in links))


def _said(number: int) -> Entries:
    """Yield the messages of a sealed draft in one round. Commitments and boxes are random bytes."""
    noise = (hashlib.sha256(pack((number, at))).digest() for at in count())
    box = (next(noise) * 4)[:SEALED]
    links = [own_link(nonce_key(seat), GAME, seat, "x", number) for seat in range(MOST)]
    yield said({seat: drafts.Begun(link, public_key(next(noise))) for seat, link in enumerate(links)})
    messages: list[tuple[int, drafts.AnyDraftMessage]] = [(0, drafts.Dealt(b"", next(noise), next(noise)))]
    for seat in range(MOST):
        sealed = box if seat < MOST - 1 else None
        messages.append((seat, drafts.PassedOn(next(noise), None, next(noise), sealed)))
    messages.insert(MOST, (0, drafts.GivenBack(box)))
    for at in range(drafts.MOST_GIVEN):
        messages.append((at % 2, drafts.HandedOver(1 - at % 2, next(noise), box)))
    begins = ev.RoundBegan(number, (), (HIDDEN,))
    for at, (seat, message) in enumerate(messages):
        yield said({seat: message}, *([begins] if at == 0 else [CALLED] if at == len(messages) - 1 else []))


def _called(last: Event) -> Entries:
    """Yield calls of a character that no seat has. The last one has the event `last`."""
    for at in range(MOST_CALLS):
        yield said(dict.fromkeys(range(MOST), drafts.NOT_HELD), CALLED if at < MOST_CALLS - 1 else last)


def said(messages: Mapping[int, drafts.AnyDraftMessage], *events: Event) -> log.Said:
    """Return the entry with these messages by seat, and these events."""
    items = (log.SaidItem(seat, pack(message), bytes(64)) for seat, message in messages.items())
    return log.Said(tuple(items), raw(*events))


class Hoarding(Game):
    """A game in which no seat builds and all take cards. It never ends, and its states become as large as
    possible."""

    until = log.MAX_ENTRIES

    def complaint(self, hand: DraftHand) -> None:
        """No seat complains: looking for a reason takes half of the time."""

    def random_action(self, seat: int) -> Action:
        if self.host_log.chain.n > self.until:
            return super().random_action(seat)
        choices = decisions(self.own_view(seat))[seat]
        if self.host_log.chain.n % 64 == 0:
            return some(self.choose, self.choose.choice(choices))
        calm = [choice for choice in choices if choice.verb != "build"] or list(choices)
        cards = [choice for choice in calm if choice.verb == "cards"] or calm
        return some(self.choose, self.choose.choice(cards))


@lru_cache(1)
def _endless(size: int, hoarding: int, draft: DraftKind) -> dict[int | None, bytes]:
    """Return the files of a spectator (None) and of seat 0 of one such game."""
    setup = replace(from_scenario("cunning_agents", 8), draft=draft)
    game = Hoarding(**vars(begin(setup=setup, followed=False)))
    game.until = hoarding
    bodies: dict[int | None, list[bytes]] = {None: [], 0: []}
    length, more = 0, True
    while more and length <= size and len(bodies[0]) < log.MAX_ENTRIES:
        more = game.step()
        for body in game.bodies[len(bodies[0]) :]:
            length += min(len(body[seat]) for seat in bodies)
            for seat, own in bodies.items():
                own.append(body[seat])
            body.clear()
    return {seat: file(b"E", islice(own, log.MAX_ENTRIES), size, seat) for seat, own in bodies.items()}


def endless(size: int, seat: int | None, hoarding: int = log.MAX_ENTRIES, draft: DraftKind = "open") -> bytes:
    """Return the file of a game by the rules that is not closed, as `seat` (0 or None) received it. The
    verifier has to check the bookkeeping of a table of eight after each entry. After `hoarding` entries the
    players build, and the game ends."""
    return _endless(size, hoarding, draft)[seat]


def _openings() -> Iterator[bytes]:
    return (pack((Opening(1, 0, 0, "warrant", "x", at.to_bytes(32, "big")),)) for at in count())


TOLD: Final = pack([log.Told(at, raw(ev.Drawn(0, ("a",), ""))[0]) for at in range(TELLING)])
KINDS: Final[Mapping[str, Callable[[int], bytes]]] = {
    "sealed": lambda size: chained(sealed(_most(size, 256)), size),
    "broken": lambda size: chained(broken(_most(size, 256)), size),
    "opened": lambda size: chained(opened(_most(size, 256)), size),
    "events": lambda size: chained(events(_most(size, 1024)), size),
    "names": lambda size: chained(names(_most(size, 4096)), size),
    "signed": lambda size: chained(signed(_most(size, 512)), size, MOST),
    "sealed moves": lambda size: chained(sealed_moves(_most(size, 256)), size),
    "drafted": lambda size: chained(drafted(_most(size, 640)), size, MOST, draft="sealed"),
    "endless drafts": lambda size: endless(size, 0, draft="sealed"),
    "private": lambda size: chained(told(_most(size, 3072)), size, private=TOLD),
    "endless": lambda size: endless(size, None),
    "endless for a seat": lambda size: endless(size, 0),
    "closed": lambda size: endless(size, 0, _most(size, 512) * 19 // 20),
    "small openings": lambda size: file(b"O", _openings(), size),
    "deltas of zeros": lambda size: file(b"E", cycle([bytes(256)]), size),
    "zeros": lambda size: MAGIC.ljust(size, b"\0"),
}
"""The kinds of hostile files: functions that return a file of about this size in bytes, or as long as the
kind can be."""


def _most(size: int, each: int) -> int:
    """Return how many entries of `each` bytes fit into `size` bytes and the limit for entries."""
    return min(log.MAX_ENTRIES, size // (each + 5))
