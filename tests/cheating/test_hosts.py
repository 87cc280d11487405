"""Hosts that run a game and cheat in one way; their guests are the program's own clients.

| the host | who finds it | when | what is found |
|---|---|---|---|
| changes a pick | every client | its opening, or the seal | opening, or move_signature, proof |
| reveals another character | every client | at once | revealed |
| lets one play another character's pick | every client | at once | opening |
| rigs the deck, the characters, the crown | verify | after the game | event or private, proof |
| deals one another card, or tells it nothing | verify of any file | after the game | private, proof |
| goes back to an older journal | whoever was further | on coming back | fork; or hash, if told to go on |
| tells two histories, from anywhere | both clients; both files | next seal or beacons | two_histories, proof |
| tells two ends | verify of both files | after the game | two_histories, proof |
| leaves out or exchanges entries on the way | that client | at once | it asks again, and takes nothing else |
| forges a move | every client | the seal | move_signature of that seat, proof |
| repeats a commitment | every client | at once | commitment_again |
| opens a warrant with another star, or not at all | every client | at once | opening, seal_unopened |
| confiscates from another character | every client | at once | shown |
| places other markers than were sent | every client | at once | placed |
| invents gold, builds for nothing, pays another | verify | after the game | event or event_count, proof |
| leaves a seat out of a beacon | everybody, above all that seat | at once | shown on all screens; no proof |
| wrong presence, another link, an old link | every client | at once | beacons, cosignature, beacon |
| changes `s` | every client; the file of each | close | secret, proof |
| leaves out an opening that it had | every client; the file of each | close | withheld, proof |
| leaves out the opening of a seal | verify | after the game | unopened (2) of whom; 0 with the owner's file |
| lies in the final score | verify | after the game | event, proof |
| tells of a seat, card or district that is not there | every client | at once | impossible_event |
| shows a false snapshot | that client | when its log is there | snapshot |
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.audit import sign_move
from citadels_lan.crypto.commitments import Opening, conceal
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.host_log import HostLog
from citadels_lan.crypto.log import (
    AnyEntry,
    Beacons,
    Close,
    Move,
    Opened,
    TableMove,
    decode_private,
    encode_private,
)
from citadels_lan.crypto.received_moves import ReadMove
from citadels_lan.crypto.report.model import Report
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.sealed_moves import plain, read_sealed
from citadels_lan.engine import decide as honest_decide
from citadels_lan.engine import decisions
from citadels_lan.engine.actions import Gather
from citadels_lan.engine.events import BuildPaid, Event, GoldGained, GoldMoved
from citadels_lan.net.host import broadcast
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Beacon, Play
from tests.crypto.forging import starred_otherwise
from tests.facts import first_table

from .court import (
    SEALED,
    Cheat,
    Court,
    Crooked,
    Private,
    TwoHistories,
    crooked,
    events_in,
    hold,
    proofs,
    with_event,
)
from .evidence import proves_against_host, proves_two_histories

T = TypeVar("T")

case = pytest.param
slow = partial(pytest.param, marks=pytest.mark.slow)


def assert_proven(court: Court, *contradictions: str) -> Report:
    """Every file that ends with a seal or close proves it alone; and its evidence holds by itself."""
    proven = 0
    for path in court.files():
        report = verify([path])
        for finding in proofs(report):
            assert finding.code == "host_cheated"
            assert finding.contradiction in contradictions
            proves_against_host(finding.evidence[0], path)
            proven += 1
    assert proven == len(court.files())
    return report


def assert_alarmed(court: Court, code: str, *, later: bool = False) -> None:
    """Every client has left because of this, at the entry where the host cheated, or later."""
    cheat = court.game.host_log
    assert isinstance(cheat, Cheat)
    assert cheat.done
    assert set(court.alarms) == {guest.records.seat for guest in court.players}
    ((alarm, n),) = set(court.alarms.values())
    assert alarm == code
    assert n > cheat.done if later else n == cheat.done


def assert_nobody_accused(court: Court) -> None:
    """Unsigned by the host so far: an alarm, and no proof against anybody."""
    for path in court.files():
        assert verify([path]).code == 4
    assert not proofs(verify(court.files()))


# What players do


class ChangedPick(Cheat):
    """Another commitment in the place of the first pick, opened as the host likes."""

    mine: tuple[bytes, tuple[Opening, ...]] | None = None
    seat = 0

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and isinstance(entry.what, bytes) and not self.mine:
            self.mine = conceal(bytes(32), self.header.game_id, self.audit.round, entry.seat, 0, "pick king")
            self.seat = entry.seat
            return replace(entry, what=self.mine[0]), private
        return entry, private


def revealed(court: Court) -> bool:
    """Whether whose pick was changed has revealed the character in the same round: its opening does not fit then.
    If it never does, the seal has no signature for the pick, which proves it."""
    cheat = court.game.host_log
    assert isinstance(cheat, ChangedPick)
    return bool(cheat.done and court.game.state.players[cheat.seat].revealed)


def test_a_changed_pick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(ChangedPick), first_table(4), did=revealed)
    assert_alarmed(court, "opening", later=True)
    assert_nobody_accused(court)


class OtherCharacter(Cheat):
    """Another character is revealed than was picked."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in events_in(entry, 11):
            if not self.done:
                other = next(one for one in self.header.cast if one != event[2])
                return with_event(entry, event, [11, event[1], other]), private
        return entry, private


def test_another_character(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OtherCharacter))
    assert_alarmed(court, "revealed")
    assert_nobody_accused(court)


class Swapped(Cheat):
    """Another character is revealed, with an opening made up for it."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in events_in(entry, 11):
            if not self.done and isinstance(entry, Move):
                other = next(one for one in self.header.cast if one != event[2])
                changed = with_event(entry, event, [11, event[1], other])
                openings = tuple(replace(one, line=f"pick {other}") for one in entry.openings)
                return replace(changed, openings=openings), private
        return entry, private


def test_another_character_with_an_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Swapped))
    assert_alarmed(court, "opening")
    assert_nobody_accused(court)


class Forger(Crooked):
    """Moves in the place of the second seat, once."""

    kind = Cheat

    def go_on(self) -> None:
        super().go_on()
        asked = decisions(self.state) if self._chance is not None else {}
        host_log = self.host_log
        assert isinstance(host_log, Cheat)
        for choice in asked.get(1, ()):
            if str(choice) == "gather gold" and not host_log.done:
                host_log.done = self.n + 1
                signature = sign_move(host_log._host, host_log.header.game_id, host_log.chain, 1, "gather gold")
                events = honest_decide(self.state, 1, choice, self._whence(), None)  # type: ignore[arg-type]
                read = ReadMove(1, "gather gold", signature, (), Gather("gold"))
                self._append(host_log.move(read, events), events)
                super().go_on()


def test_a_forged_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, Forger)
    assert_alarmed(court, "move_signature", later=True)
    report = assert_proven(court, "move_signature")
    (finding,) = report.findings
    assert finding.seat == 1
    assert finding.details["move"] == court.game.host_log.done  # type: ignore[attr-defined]


class Repeated(Cheat):
    """The commitment of one pick is written for the next one, too."""

    last = b""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and isinstance(entry.what, bytes) and not self.done:
            before, self.last = self.last, entry.what
            if before and len(before) == len(entry.what):
                return replace(entry, what=before), private
        return entry, private


def test_a_repeated_commitment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Repeated), first_table(4))
    assert_alarmed(court, "commitment_again")
    assert_nobody_accused(court)


# Warrants and threats


class Marks(Cheat):
    """Does one thing to what a line of notation brings."""

    words: ClassVar[str] = "warrant"
    change: ClassVar[Callable[["Marks", Move], AnyEntry]] = lambda self, entry: entry

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and isinstance(entry.what, str) and entry.what.startswith(self.words):
            return (entry if self.done else type(self).change(self, entry)), private
        return entry, private


def sealed_openings(entry: Move) -> list[Opening]:
    return [one for one in entry.openings if one.kind in ("warrant", "threaten")]


def wrong_star(self: Marks, entry: Move) -> AnyEntry:
    return replace(
        entry,
        openings=tuple(
            starred_otherwise(opening) if opening in sealed_openings(entry) else opening
            for opening in entry.openings
        ),
    )


def unopened(self: Marks, entry: Move) -> AnyEntry:
    return replace(entry, openings=tuple(one for one in entry.openings if one not in sealed_openings(entry)))


def wrong_character(self: Marks, entry: Move) -> AnyEntry:
    (event,) = events_in(entry, 35)
    other = next(one for one in self.header.cast if one != event[5])
    return with_event(entry, event, [*event[:5], other, event[6]])


def wrong_flower(self: Marks, entry: Move) -> AnyEntry:
    (event,) = events_in(entry, 53)
    return with_event(entry, event, [53, event[1], not event[2]])


def other_markers(self: Marks, entry: Move) -> AnyEntry:
    (event,) = events_in(entry, 51)
    other = next(one for one in self.header.cast[2:] if one not in event[3])
    return with_event(entry, event, [*event[:3], [other, *event[3][1:]], event[4]])


def told_openly(self: Marks, entry: Move) -> AnyEntry:
    return replace(entry, what=plain(str(entry.what)))


def other_characters_sealed(self: Marks, entry: Move) -> AnyEntry:
    """The markers of the event and of the line lie alike: only the owner's signature is against it."""
    (event,) = events_in(entry, 51)
    sealed = read_sealed(str(entry.what))
    assert sealed is not None
    cast = list(self.header.cast)
    other = next(one for one in cast[2:] if one not in sealed.characters)
    changed = sorted([other, *sealed.characters[1:]], key=cast.index)
    line = f"{' '.join((sealed.verb, *changed))} sealed {sealed.commit.hex()}"
    return replace(with_event(entry, event, [*event[:3], changed, event[4]]), what=line)


LIES = [
    case("confiscate yes", wrong_star, "opening"),
    slow("confiscate yes", unopened, "seal_unopened"),
    slow("confiscate yes", wrong_character, "shown"),
    slow("reveal yes", wrong_star, "opening"),
    case("reveal yes", unopened, "seal_unopened"),
    case("reveal yes", wrong_flower, "shown"),
    case("warrant", other_markers, "placed"),
    slow("threaten", other_markers, "placed"),
    slow("warrant", told_openly, "hidden"),
    case("threaten", told_openly, "hidden"),
    case("warrant", other_characters_sealed, "move_signature"),
]
"""One of each kind is quick."""


DICE = {"reveal yes": 11, "confiscate yes": 7}
"""With these somebody says so; without them it takes some games more."""


@pytest.mark.parametrize(("line", "change", "code"), LIES, ids=lambda one: getattr(one, "__name__", one))
def test_lies_about_sealed_markers(
    line: str,
    change: Callable[[Marks, Move], AnyEntry],
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = type("Lying", (Marks,), {"words": line, "change": change})
    court = hold(tmp_path, monkeypatch, crooked(kind), SEALED, DICE.get(line, 4))
    assert_alarmed(court, code, later=code == "move_signature")
    if code == "move_signature":
        assert_proven(court, "move_signature")


# Chance and dealing


def loaded(label: str, what: str) -> type[SeededChance]:
    """Fair in all but one label."""

    class Loaded(SeededChance):
        def shuffle(self, label_: str, items: Sequence[T]) -> list[T]:
            fair = super().shuffle(label_, items)
            return fair[::-1] if label_ == label else fair

        def pick(self, label_: str, items: Sequence[T]) -> T:
            fair = super().pick(label_, items)
            return next(one for one in items if one != fair) if label_ == label else fair

    Loaded.__name__ = what
    return Loaded


@pytest.mark.parametrize("label", ["districts", slow("crown"), "chars/1", slow("chars/4")])
def test_rigged_chance(label: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can tell while the game goes on, because nobody has the host's part; then everybody can."""
    court = hold(tmp_path, monkeypatch, crooked(Cheat, loaded(label, label)))
    assert court.alarms == {}
    assert court.game.closed
    assert_proven(court, "event", "event_count", "private", "illegal")


class OtherCard(Cheat):
    """The second seat is told another hand than it was dealt."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, TableMove) and dict(private).get(1) and not self.done:
            told = decode_private(dict(private)[1])
            event = list(told[0].event)
            event[2] = ["palace" if event[2][0] != "palace" else "tavern", *event[2][1:]]
            lie = encode_private([replace(told[0], event=event), *told[1:]])
            return entry, tuple((seat, lie if seat == 1 else data) for seat, data in private)
        return entry, private


class Silent(Cheat):
    """The second seat is told nothing of its hand."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, TableMove) and dict(private).get(1) and not self.done:
            return entry, tuple((seat, data) for seat, data in private if seat != 1)
        return entry, private


@pytest.mark.parametrize("kind", [OtherCard, slow(Silent)])
def test_another_hand_than_was_dealt(kind: type[Cheat], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays on with it finds the host's program refusing; any file proves it, its own and the others'."""
    court = hold(tmp_path, monkeypatch, crooked(kind))
    cheat = court.game.host_log
    assert isinstance(cheat, Cheat)
    assert cheat.done
    if court.game.closed:
        assert_proven(court, "private")
    else:  # an impossible card or event has stopped that seat
        assert court.alarms or not court.game.closed


# Gold


class Inventing:
    """The engine, patched: once, what comes of a move is changed."""

    def __init__(self, change: Callable[[list[Event]], list[Event] | None]) -> None:
        self.done = False
        self._change = change

    def __call__(self, *args: Any) -> list[Event]:
        events = honest_decide(*args)
        changed = None if self.done else self._change(events)
        self.done = self.done or changed is not None
        return events if changed is None else changed


def gold_out_of_nothing(events: list[Event]) -> list[Event] | None:
    return [*events, GoldGained(0, 3, "merchant")] if any(isinstance(one, BuildPaid) for one in events) else None


def not_paid(events: list[Event]) -> list[Event] | None:
    left = [one for one in events if not isinstance(one, BuildPaid)]
    return left if len(left) < len(events) else None


def moved_elsewhere(events: list[Event]) -> list[Event] | None:
    if not any(isinstance(one, GoldMoved) for one in events):
        return None
    return [
        replace(one, taker=one.giver, giver=one.taker) if isinstance(one, GoldMoved) else one for one in events
    ]


@pytest.mark.parametrize("change", [gold_out_of_nothing, slow(not_paid), slow(moved_elsewhere)])
def test_invented_payments(
    change: Callable[[list[Event]], list[Event] | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide = Inventing(change)
    monkeypatch.setattr("citadels_lan.net.host.game.decide", decide)
    settings = SEALED if change is moved_elsewhere else first_table(2)
    court = hold(tmp_path, monkeypatch, crooked(Cheat), settings, dice=4, did=lambda _: decide.done)
    assert court.game.closed
    assert court.alarms == {}
    assert_proven(court, "event", "event_count", "illegal")


class OtherScore(Cheat):
    """Somebody else has won."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in events_in(entry, 16):
            return with_event(entry, event, [16, event[1][::-1], [1 - event[2][0]]]), private
        return entry, private


def test_a_lie_in_the_final_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OtherScore))
    assert court.game.closed
    assert_proven(court, "event")


# Beacons


class Links(Cheat):
    """Does one thing to the third beacons."""

    change: ClassVar[Callable[[Beacons, list[Beacons]], Beacons]] = lambda entry, _: entry

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Beacons):
            earlier: list[Beacons] = self.__dict__.setdefault("earlier", [])
            earlier.append(entry)
            if len(earlier) == 3:
                return type(self).change(entry, earlier), private
        return entry, private


BEACONS: dict[str, tuple[str, Callable[[Beacons, list[Beacons]], Beacons]]] = {
    "another link": ("beacon", lambda one, _: replace(one, links=(bytes(32), one.links[1]))),
    "an old link": ("beacon", lambda one, old: replace(one, links=(old[0].links[0], one.links[1]))),
    "the last link": ("beacon", lambda one, old: replace(one, links=(old[-2].links[0], one.links[1]))),
    "links exchanged": ("beacon", lambda one, _: replace(one, links=one.links[::-1])),
    "a seat more": ("beacons", lambda one, _: replace(one, present=7)),
    "a seat less": ("beacons", lambda one, _: replace(one, present=1)),
    "the other seat": (
        "cosignature",
        lambda one, _: replace(one, present=2, links=one.links[:1], signatures=one.signatures[:1]),
    ),
    "another round": ("beacons", lambda one, _: replace(one, round=one.round + 1)),
    "an old signature": (
        "cosignature",
        lambda one, old: replace(one, signatures=(old[0].signatures[0], one.signatures[1])),
    ),
}


QUICK_BEACONS = ("an old link", "a seat less", "the other seat")


@pytest.mark.parametrize("what", [case(what) if what in QUICK_BEACONS else slow(what) for what in BEACONS])
def test_lies_in_beacons(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, change = BEACONS[what]
    court = hold(tmp_path, monkeypatch, crooked(type("Lying", (Links,), {"change": staticmethod(change)})))
    assert_alarmed(court, code)
    assert_nobody_accused(court)


class Deaf(Crooked):
    """Begins the third round without the second seat, which has given its share."""

    kind = Cheat

    def share(self, seat: int, message: Beacon) -> None:
        if self.host_log.audit.round == 2 and seat == 1:
            return
        super().share(seat, message)
        self.leave_out([1] if self.host_log.audit.round == 2 else [])


def test_a_seat_that_is_left_out_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have been away, so it proves nothing; but nobody is left out in silence."""
    court = hold(tmp_path, monkeypatch, Deaf)
    assert court.game.closed
    for seat, told in court.cosigned.items():
        (third,) = [one for one in told if one.round == 3]
        assert (third.seats, third.left_out) == ((0,), (1,))
        assert third.own == (seat == 1)
        assert all(one.left_out == () for one in told if one.round != 3)
    report = court.verdict()
    assert report.code == 0
    assert report.files[0].cosigned[1] == report.files[0].cosigned[0] - 1


# The end


class OtherSecret(Cheat):
    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        return (replace(entry, secret=bytes(32)) if isinstance(entry, Close) else entry), private


class Withholding(Cheat):
    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Opened | Close) and not self.done:
            return replace(entry, openings=entry.openings[1:]), private
        return entry, private


@pytest.mark.parametrize(("kind", "code"), [(OtherSecret, "secret"), (Withholding, "withheld")])
def test_lies_at_the_end(kind: type[Cheat], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients refuse *close*, and write it down: it is signed."""
    court = hold(tmp_path, monkeypatch, crooked(kind))
    assert_alarmed(court, code, later=kind is Withholding)
    assert_proven(court, code)


class Forgetful(Cheat):
    """Leaves out what the owners opened of their seals."""

    left: frozenset[int] = frozenset()

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Opened | Close):
            kept = tuple(one for one in entry.openings if one.kind not in ("warrant", "threaten"))
            self.left |= {one.seat for one in entry.openings if one not in kept}
            return replace(entry, openings=kept), private
        return entry, private


def several_left(court: Court) -> bool:
    """Whether several owners' seals are left out: no file alone is complete then."""
    cheat = court.game.host_log
    assert isinstance(cheat, Forgetful)
    return len(cheat.left) > 1


def test_openings_of_seals_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can say who left them out, but whoever has opened has it in the own file."""
    court = hold(tmp_path, monkeypatch, crooked(Forgetful), SEALED, dice=4, did=several_left)
    assert court.game.closed
    assert court.alarms == {}
    files = court.files()
    assert verify(files).code == 0
    alone = [verify([path]) for path in files]
    assert {report.code for report in alone} == {2}
    for seat, report in enumerate(alone):
        named = {finding.seat for finding in report.findings}
        assert {finding.code for finding in report.findings} == {"unopened"}
        assert named
        assert seat not in named


# Two histories


class AtEvent(TwoHistories):
    """Forks at the first move, from some entry on, whose events can be told otherwise without being impossible."""

    after: ClassVar[int] = 0
    last: ClassVar[bool] = False

    def otherwise(self, n: int, entry: AnyEntry) -> AnyEntry:
        if self.at or n < self.after or not isinstance(entry, Move):
            return entry
        if self.last and not events_in(entry, 15):
            return entry
        return replace(entry, events=[*entry.events, [26, 0, 1, "merchant"]])


@pytest.mark.parametrize(
    ("after", "last"), [slow(0, False), case(30, False), case(12, True)], ids=["draft", "middle", "last"]
)
def test_two_histories(after: int, last: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(type("Forking", (AtEvent,), {"after": after, "last": last})))
    host_log = court.game.host_log
    assert isinstance(host_log, TwoHistories)
    assert host_log.at
    # Whoever comes to a signature of the other history leaves; the host has signed both by then.
    assert court.alarms
    assert {code for code, _ in court.alarms.values()} <= {"move_signature", "cosignature"}
    files = court.files()
    report = verify(files)
    assert report.code == 1
    found = proofs(report)
    assert {one.code for one in found} <= {"host_cheated", "two_histories"}
    for path in files:
        for finding in proofs(verify([path])):
            proves_against_host(finding.evidence[0], path)
    for finding in found:
        if finding.code == "two_histories":
            proves_two_histories(finding.evidence, files)
    if last:
        assert "two_histories" in {one.code for one in found}


class TwoEnds(TwoHistories):
    """Everybody has the same game; only the order of the last openings is told otherwise."""

    def otherwise(self, n: int, entry: AnyEntry) -> AnyEntry:
        return replace(entry, openings=entry.openings[::-1]) if isinstance(entry, Close) else entry


def test_two_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is verified by itself: only together they are proof."""
    court = hold(tmp_path, monkeypatch, crooked(TwoEnds))
    assert court.alarms == {}
    files = court.files()
    assert [verify([path]).code for path in files] == [0, 0]
    (finding,) = verify(files).findings
    assert (finding.code, finding.details["n"]) == ("two_histories", court.game.n)
    proves_two_histories(finding.evidence, files)


# Going back, leaving out, exchanging


def test_going_back_after_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host forgets the last moves and would like to go on otherwise."""
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(30)
    before = court.game.n
    court.restart(before - 4)
    for guest in court.guests:
        with pytest.raises(Refusal) as turned:
            guest.join()
        assert turned.value.code == "fork"
    monkeypatch.setattr(HostLog, "knows", lambda *_: True)
    for guest in court.guests:
        guest.open()
        guest.join()
    court.dice.seed(99)
    assert court.game.n < before
    court.play()
    assert court.game.n < before, "nobody makes a move before what it has already"


def test_going_back_and_playing_on_with_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat has lost its file; the host goes on with it otherwise. The other one's file is against that."""
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(90)
    kept = court.files()
    seals = [written.n for written in court.journal if written.public[:2] == b"\x93\x05"]
    court.restart(seals[-3])  # far enough that hardly all moves are made again as they were
    monkeypatch.setattr(HostLog, "knows", lambda *_: True)
    loser, other = court.guests
    assert loser.records.path is not None
    aside = loser.records.path.rename(tmp_path / "aside.ctr")
    assert other.records.path is not None
    for guest in court.guests:
        if guest is other:
            other.records.path.rename(tmp_path / "other.ctr")  # and so has the other one, but there is a copy
        guest.open()
        guest.join()
    court.dice.seed(12345)
    court.play()
    assert court.game.closed
    now = court.files()
    assert verify(now).code == 0
    report = verify([aside, *now])
    assert report.code == 1
    (finding, *_) = proofs(report)
    assert finding.code == "two_histories"
    proves_two_histories(finding.evidence, [aside, now[0]])
    assert kept


@pytest.mark.parametrize("how", ["dropped", "exchanged", slow("twice")])
def test_entries_that_do_not_come_in_order(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client asks again, and takes nothing in the place of what is missing."""
    honest = HostLog.body

    def body(self: HostLog, n: int, viewer: int | None) -> bytes:
        if viewer != 1 or n not in (20, 21):
            return honest(self, n, viewer)
        other = {"dropped": n + 1, "exchanged": 41 - n, "twice": 19}[how]
        return honest(self, other if other <= self.chain.n else 19, viewer)

    monkeypatch.setattr(HostLog, "body", body)
    court = Court(tmp_path, first_table(2))
    court.begin()
    court.play(100)
    one, other = court.guests
    assert court.alarms == {}
    if how == "exchanged" and other.records.n > 21:  # both came at once: asking again has brought them in order
        assert other.records.head == court.game.host_log.head_at(other.records.n)
        return
    assert other.records.n in (19, 20)
    assert one.records.n < 40
    assert verify(court.files()).code == 4


def test_a_false_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody comes back after a long time and is first shown a table where it has more gold than it has."""
    for place in ("table", "broadcast"):
        monkeypatch.setattr(f"citadels_lan.net.host.{place}.WINDOW", 10)
    court = Court(tmp_path, first_table(2))
    court.begin()
    watcher = court.watch("Wanda")
    watcher.cut()
    court.play(40)
    real = broadcast.tell_snapshot

    def false(viewer: Any, game: Any) -> None:
        state, game.state = game.state, game.state.copy()
        game.state.players[0].gold += 1
        real(viewer, game)
        game.state = state

    monkeypatch.setattr("citadels_lan.net.host.table.tell_snapshot", false)
    watcher.join()
    with pytest.raises(Refusal) as turned:
        Court.__mro__[1].carry(court)  # type: ignore[attr-defined]
    assert turned.value.details["reason"] == "snapshot"


def test_the_honest_host_of_these_tests_is_honest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, settings in enumerate((first_table(2), SEALED)):
        folder = tmp_path / str(number)
        folder.mkdir()
        court = hold(folder, monkeypatch, crooked(Cheat), settings, dice=4)
        assert court.alarms == {}
        report = court.verdict()
        assert (report.code, report.findings) == (0, ())
        assert Play.type
