"""Hosts that run a game and cheat in one way; their guests are the program's own clients.

Each row is tested here or in another module of this folder, and says what `verify` says of the file of one honest
client alone; `test_table` holds rows and tests against each other.

| attack | found by | when | exit | accused |
|---|---|---|---|---|
| changes a pick | every client | at once | 1 | the host |
| reveals another character | every client | at once | 1 | the host |
| reveals another character, with an opening made up | every client | at once | 1 | the host |
| forges a move | every client | at once | 1 | the host |
| changes what a seat says in a sealed draft, so that it seems to lie | every client | at once | 1 | the host |
| changes a reply to a call | every client | at once | 1 | the host |
| leaves out the reply of who holds what is called | every client | at once | 1 | the host |
| repeats a commitment | every client | at once | 1 | the host |
| opens a warrant or threat with another star, or not at all | every client | at once | 1 | the host |
| shows or places other markers than were sealed | every client | at once | 1 | the host |
| tells somebody a hand that its public event does not hide | that client | at once | 1 | the host |
| leaves a character out of one seat's offer | that client | at once | 1 | the host |
| tells somebody in private where nothing is told in private | every client | at once | 1 | the host |
| tells of a seat, card or district that is not there | every client | at once | 1 | the host |
| rigs the deck, the characters or the crown | verify | after the game | 1 | the host |
| rigs the deck, and never closes | verify: finished, held back | never | 4 | nobody |
| deals somebody another hand | verify | after the game | 1 | the host |
| tells somebody nothing of its hand | that client | at once | 1 | the host |
| builds without paying | every client | at once | 1 | the host |
| pays another | every client, or verify | at once, or after the game | 1 | the host |
| invents gold, a price, a crown or a marker | verify | after the game | 1 | the host |
| invents gold, a price, a crown or a marker, and never closes | verify: held back | never | 4 | nobody |
| lies in the final score, whether it closes or not | every client | at once | 1 | the host |
| offers somebody a character that is not left, and never closes | that client | at once | 1 | the host |
| lets another character be called | verify | after the game | 1 | the host |
| shows somebody another deck at a Lighthouse | that client, or verify | at once, or at the end | 1 | the host |
| lies about bids, prices, winners or the pile | verify | after the game | 1 | the host |
| tells in round 3 that the game is over | every client, which opens no seal | at once | 1 | the host |
| writes another co-signature, word or seat after a round | every client | at once | 1 | the host |
| leaves out a co-signature | everybody is shown it, and that client knows | at once | 0 | nobody |
| changes its secret at the end | every client | at close | 1 | the host |
| leaves out an opening that it had | every client | at close | 1 | the host |
| leaves out the openings of seals | verify; whoever opened has them | after the game | 4 | nobody |
| tells two histories | both clients, who leave | at the next signature | 1 | the host |
| signs two entries for one place, and breaks off | both files together | when compared | 4 | nobody |
| tells two ends | both files together | after the game | 0 | nobody |
| goes back after a crash | whoever was further, and any file of later | on coming back | 4 | nobody |
| tells what it has not signed, in public or in private | that client, which leaves | at once | 4 | nobody |
| says that its log is longer than it is | that client, which leaves | at once | 4 | nobody |
| signs a length, and writes something else there | that client, which leaves | when it comes | 4 | nobody |
| signs another entry for an old number | that client, which leaves | at once | 4 | nobody |
| leaves out or exchanges entries on the way | that client, which asks again | at once | 4 | nobody |
| shows a false snapshot | that client | once its log is there | 1 | the host |
| exchanges names, keys or bot flags in the header | every client | at once | 1 | the host |
| begins with another table than the lobby showed | every client, which gives nothing | at once | 4 | nobody |
| begins with a set-up that the rules do not allow | every client, which gives nothing | at once | 1 | the host |
| begins in an edition that nobody knows | every client, which gives nothing | at once | 5 | nobody |
| puts somebody's commitment in the place of another's | every client | at once | 1 | the host |
| lets somebody answer for its key who has not | every client | at once | 1 | the host |
| exchanges names in the lobby's news in mid-game | nobody is shown it | never | 0 | nobody |
| shrinks the lobby in mid-game | nobody is shown it | never | 0 | nobody |
| forges a line of chat, or says one twice | every client | at once | 4 | nobody |
| (a player) changes the own file and signs it | verify | when checked | 3 | nobody |
| (a player) leaves in alarm for nothing | verify | when checked | 4 | nobody |
| (a player) never opens what it sealed | verify, with the seat | after the game | 4 | nobody |
| (a player) signs another head, or gives another part or word | the host | at once | 4 | nobody |
"""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.commitments import Opening, conceal, plain, read_sealed
from citadels_lan.crypto.host_log import ReadMove
from citadels_lan.crypto.log import AnyEntry, Move, sign_move
from citadels_lan.engine import decide as honest_decide
from citadels_lan.engine import decisions
from citadels_lan.engine.actions import Gather
from citadels_lan.net.wire.messages import Settings
from tests.crypto.forging import starred_otherwise
from tests.facts import first_table

from .attacks import OPEN, Verdict, attack, slow
from .court import (
    SEALED,
    Cheat,
    Crooked,
    Private,
    assert_alarmed,
    crooked,
    events_in,
    hold,
    proofs,
    with_event,
)

case = pytest.param

# What players do


class ChangedPick(Cheat):
    """Another commitment in the place of the first pick, opened as the host likes."""

    mine: tuple[bytes, tuple[Opening, ...]] | None = None

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and isinstance(entry.what, bytes) and not self.mine:
            place = (self.chain.head, self.audit.round, entry.seat, 0)
            self.mine = conceal(bytes(32), self.header.game_id, *place, "pick king")
            return replace(entry, what=self.mine[0]), private
        return entry, private


@OPEN
@attack("changes a pick")
def test_a_changed_pick(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(ChangedPick), first_table(4))
    assert_alarmed(court, "move_signature")
    verdict(court, "move_signature")


class OtherCharacter(Cheat):
    """Another character is revealed than was picked."""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for event in events_in(entry, 11):
            if not self.done:
                other = next(one for one in self.header.cast if one != event[2])
                return with_event(entry, event, [11, event[1], other]), private
        return entry, private


@attack("reveals another character")
def test_another_character(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(OtherCharacter))
    assert_alarmed(court, "revealed")
    verdict(court, "revealed")


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


@OPEN
@attack("reveals another character, with an opening made up")
def test_an_opening_made_up(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Swapped))
    assert_alarmed(court, "opening")
    verdict(court, "opening")


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
                events = honest_decide(self.state, 1, choice, self.chance, None)  # type: ignore[arg-type]
                read = ReadMove(1, "gather gold", signature, (), Gather("gold"))
                self.append(host_log.move(read, events), events)
                super().go_on()


@attack("forges a move")
def test_a_forged_move(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, Forger)
    assert_alarmed(court, "move_signature")
    report = verdict(court, "move_signature")
    (finding,) = proofs(report)
    assert finding.seat == 1
    assert finding.details["n"] == court.game.host_log.done  # type: ignore[attr-defined]


class Repeated(Cheat):
    """The commitment of one pick is written for the next one, too."""

    last = b""

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and isinstance(entry.what, bytes) and not self.done:
            before, self.last = self.last, entry.what
            if before and len(before) == len(entry.what):
                return replace(entry, what=before), private
        return entry, private


@attack("repeats a commitment")
def test_a_repeated_commitment(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Repeated), first_table(4))
    assert_alarmed(court, "move_signature")
    verdict(court, "move_signature")


# Warrants and threats


class Marks(Cheat):
    """Does one thing to what a line of notation brings."""

    verb: ClassVar[str] = "warrant"
    change: ClassVar[Callable[["Marks", Move], AnyEntry]] = lambda self, entry: entry

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        if isinstance(entry, Move) and isinstance(entry.what, str) and entry.what.startswith(self.verb):
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


STARS = [attack("opens a warrant or threat with another star, or not at all")]
MARKERS = [attack("shows or places other markers than were sealed")]
LIES = [
    slow("confiscate yes", wrong_star, "opening", marks=STARS),
    slow("confiscate yes", unopened, "seal_unopened", marks=STARS),
    slow("confiscate yes", wrong_character, "shown", marks=MARKERS),
    slow("reveal yes", wrong_star, "opening", marks=STARS),
    slow("reveal yes", unopened, "seal_unopened", marks=STARS),
    case("reveal yes", wrong_flower, "shown", marks=MARKERS),
    slow("warrant", other_markers, "placed", marks=MARKERS),
    slow("threaten", other_markers, "placed", marks=MARKERS),
    slow("warrant", told_openly, "move_signature", marks=MARKERS),
    case("threaten", told_openly, "move_signature", marks=MARKERS),
    case("warrant", other_characters_sealed, "move_signature", marks=MARKERS),
]
"""One of each kind is quick."""


DICE = {"reveal yes": 2, "confiscate yes": 7}
"""With these somebody says so; without them it takes some games more."""


@pytest.mark.parametrize(("line", "change", "code"), LIES, ids=lambda one: getattr(one, "__name__", one))
def test_lies_about_sealed_markers(
    line: str,
    change: Callable[[Marks, Move], AnyEntry],
    code: str,
    verdict: Verdict,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = type("Lying", (Marks,), {"verb": line, "change": change})
    dice = 6 if change is other_characters_sealed else DICE.get(line, 4)
    court = hold(tmp_path, monkeypatch, crooked(kind), SEALED, dice)
    assert_alarmed(court, code)
    verdict(court, code)


@pytest.mark.parametrize("settings", [case(first_table(2), id="two"), slow(SEALED, id="sealed")])
def test_the_honest_host_of_these_tests_is_honest(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Cheat), settings, dice=4)
    assert court.alarms == {}
    assert court.left == {}
    report = court.verdict()
    assert (report.code, report.findings) == (0, ())
