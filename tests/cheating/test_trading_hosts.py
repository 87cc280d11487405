"""Hosts of Citta Comune that cheat in what that edition has: calls off a deck, a pile, auctions.

What comes of a move the clients can judge at once. Chance can be judged only after the game, by a replay.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.log import AnyEntry, Move, decode_private, encode_private
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import from_scenario
from citadels_lan.engine.events import (
    BidMade,
    BidPassed,
    CardsMoved,
    Discarded,
    Event,
    GoldMoved,
)
from citadels_lan.engine.turn import shared_city
from citadels_lan.net.wire.messages import Settings
from tests.extras import second

from .attacks import OPEN, Verdict, attack, slow
from .court import REPLAYED, Cheat, Court, Inventing, Private, crooked, hold

pytestmark = OPEN  # no draft, or cards alone

T = TypeVar("T")
OTHER = "university"
"""A card that is looked for where it is not."""
TABLE = Settings(from_scenario("first_game", 3, edition_key="citta_comune"))
Change = Callable[[list[Event]], list[Event] | None]


@pytest.fixture(autouse=True)
def soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """At these tables few names end the game, for the host, its guests and whoever verifies it."""
    monkeypatch.setattr(shared_city, "SOONER", 0)
    names_end_it(monkeypatch, 10)


def names_end_it(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(shared_city, "names_wanted", lambda state: number)


@pytest.mark.slow
def test_an_honest_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = hold(tmp_path, monkeypatch, crooked(Cheat), TABLE, did=lambda court: court.game.closed)
    for path in court.files():
        assert verify([path]).code == second.check_paths([path]) == 0


class Loaded(SeededChance):
    """Fair, but for one label that begins so."""

    begins: ClassVar[str]
    done: ClassVar[str] = ""

    def wanted(self, label: str) -> bool:
        """Whether this is the one."""
        if label.startswith(self.begins) and not self.done:
            type(self).done = label
        return self.done == label

    def shuffle(self, label: str, items: Sequence[T]) -> list[T]:
        fair = super().shuffle(label, items)
        return fair[::-1] if self.wanted(label) else fair

    def pick(self, label: str, items: Sequence[T]) -> T:
        fair = super().pick(label, items)
        return next(one for one in items if one != fair) if self.wanted(label) else fair


def court_of_loaded(begins: str, folder: Path, patch: pytest.MonkeyPatch) -> Court:
    """A table at which one draw is not what the seed gives."""
    names_end_it(patch, 10 if begins.startswith("call") else 30)
    chance: type[Loaded] = type("Rigged", (Loaded,), {"begins": begins})
    return hold(folder, patch, crooked(Cheat, chance), TABLE, did=lambda _: bool(chance.done))


@pytest.mark.slow
@attack("lets another character be called")
@pytest.mark.parametrize("begins", ["call/2/", slow("pile/"), slow("lighthouse/")])
def test_rigged_chance(begins: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    court = court_of_loaded(begins, tmp_path, monkeypatch)
    assert court.game.closed
    assert court.alarms == {}
    verdict(court, "event", "event_count", "private", "illegal")


class OtherDeck(Cheat):
    """Shows whoever has built a Lighthouse another card in the deck than there is."""

    told = -1

    def lie(self, n: int, entry: AnyEntry, private: Private) -> tuple[AnyEntry, Private]:
        for seat, data in private if isinstance(entry, Move) and not self.done else ():
            first, *others = decode_private(data)
            tag, verb, asked, cards, *rest = first.event
            if (tag, verb) == (40, "lighthouse"):
                other = [replace(first, event=[tag, verb, asked, [OTHER, *cards[1:]], *rest]), *others]
                self.told = seat
                return entry, ((seat, encode_private(other)),)
        return entry, private


@pytest.mark.slow
@attack("shows somebody another deck at a Lighthouse")
def test_another_deck_at_the_lighthouse(verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names_end_it(monkeypatch, 30)
    court = hold(tmp_path, monkeypatch, crooked(OtherDeck), TABLE)
    cheat = court.game.host_log
    assert isinstance(cheat, OtherDeck)
    told = court.files()[cheat.told]
    assert set(court.alarms) <= {cheat.told}
    verdict.of([told], "private", "copies")


def changed(kind: type[Event], change: Callable[[Event], Event]) -> Change:
    """What comes of a move, with the events of a kind told otherwise; None where none would be another."""

    def otherwise(events: list[Event]) -> list[Event] | None:
        told = [change(event) if isinstance(event, kind) else event for event in events]
        return told if told != events else None

    return otherwise


def one_gold_less(event: Event) -> Event:
    assert isinstance(event, BidMade | GoldMoved)
    return replace(event, gold=event.gold - 1)


def to_somebody_else(event: Event) -> Event:
    assert isinstance(event, CardsMoved)
    other = next(seat for seat in range(3) if seat not in (event.giver, event.taker))
    return replace(event, taker=other) if event.why == "auction" else event


def other_cards(event: Event) -> Event:
    assert isinstance(event, Discarded)
    return Discarded(("tavern" if event.cards[0] != "tavern" else "market", *event.cards[1:]))


def passed(events: list[Event]) -> list[Event] | None:
    """Who bids is told to pass; somebody else is asked next."""
    if not isinstance(events[0], BidMade) or len(events) != 2:
        return None
    return [BidPassed(events[0].seat), events[1]]


@attack("lies about bids, prices, winners or the pile")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(changed(BidMade, one_gold_less), id="a bid that was not made"),
        slow(passed, id="a bid that is told as passing"),
        pytest.param(changed(CardsMoved, to_somebody_else), id="another winner"),
        slow(changed(GoldMoved, one_gold_less), id="another price"),
        slow(changed(Discarded, other_cards), id="other cards on the pile"),
    ],
)
def test_lies_about_trade(
    change: Change, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide = Inventing(change)
    monkeypatch.setattr("citadels_lan.net.host.game.decide", decide)
    court = hold(tmp_path, monkeypatch, crooked(Cheat), TABLE, did=lambda _: decide.done)
    assert court.alarms == {}
    verdict(court, *REPLAYED)
