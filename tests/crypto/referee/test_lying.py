"""What a lying host tells is found, most of it at once and from what is public alone."""

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.faults import Mismatch
from citadels_lan.crypto.log import Move
from citadels_lan.crypto.referee import Referee
from citadels_lan.crypto.report.findings import CONTRADICTIONS
from citadels_lan.engine import Event, Score, redact
from citadels_lan.engine import events as ev
from tests.crypto.long_referee import honest, lying
from tests.effort import one_case
from tests.engine.tables import ALL, Tables
from tests.facts import first_game

from .hosts import Host, Told, hear

Change = Callable[[Host, list[Event], int], list[Event]]


def objection(kind: type[Event], change: Change, viewer: int | None = None, *, seed: int = 5) -> Mismatch:
    """What a viewer objects to, where the first event of a kind is told otherwise."""

    def lie(host: Host, events: list[Event]) -> list[Event]:
        at = next((at for at, event in enumerate(events) if isinstance(event, kind)), None)
        return events if at is None else change(host, events, at)

    host = Host(seed, setup=first_game(4), lie=lie)
    referee = Referee(host.header, viewer)
    with pytest.raises(Mismatch) as raised:
        hear_all(host, referee)
    assert raised.value.n == host.n
    assert raised.value.code in CONTRADICTIONS
    return raised.value


def told_so(**fields: object) -> Change:
    """The event with these fields."""
    return lambda host, events, at: [*events[:at], replace(events[at], **fields), *events[at + 1 :]]


def dropped(host: Host, events: list[Event], at: int) -> list[Event]:
    return events[:at] + events[at + 1 :]


def more_gold(host: Host, events: list[Event], at: int) -> list[Event]:
    gold = getattr(events[at], "gold", 0)
    return told_so(gold=gold + 1)(host, events, at)


def another_seat(host: Host, events: list[Event], at: int) -> list[Event]:
    return told_so(seat=(getattr(events[at], "seat", 0) + 1) % 4)(host, events, at)


def one_card_more(host: Host, events: list[Event], at: int) -> list[Event]:
    cards: tuple[str, ...] = getattr(events[at], "cards", ())
    return told_so(cards=(*cards, cards[0]))(host, events, at)


def more_points(host: Host, events: list[Event], at: int) -> list[Event]:
    scores: tuple[Score, ...] = getattr(events[at], "scores", ())
    first = Score((*scores[0].parts, ("statue", 5)))
    return told_so(scores=(first, *scores[1:]))(host, events, at)


def ended(host: Host, events: list[Event], at: int) -> list[Event]:
    return [*events[:at], ev.GameEnded((Score(),) * 4, (0,)), *events[at + 1 :]]


def hear_all(host: Host, referee: Referee, between: Callable[[], None] = lambda: None) -> None:
    """The whole game; something may be done between its entries."""
    while not host.over:
        hear(referee, host.step())
        between()


LIES: list[tuple[type[Event], Change]] = [
    (ev.GameEnded, more_points),
    (ev.GameEnded, told_so(winners=(0, 1, 2, 3))),
    (ev.RoundEnded, ended),
    (ev.TurnEnded, ended),
    (ev.Gathered, more_gold),
    (ev.GoldGained, more_gold),
    (ev.GoldMoved, more_gold),
    (ev.BuildPaid, told_so(gold=0)),
    (ev.BuildPaid, dropped),
    (ev.Built, told_so(card="palace", cost=5)),
    (ev.Completed, dropped),
    (ev.Crowned, another_seat),
    (ev.CardsGained, one_card_more),
    (ev.Drawn, one_card_more),
    (ev.RoundBegan, told_so(faceup=("king", "bishop"))),
    (ev.RoundBegan, told_so(faceup=("bishop",))),
    (ev.RoundBegan, told_so(faceup=("bishop", "bishop"))),
    (ev.Offered, told_so(packet=("?",) * 4)),
    (ev.Revealed, dropped),
    (ev.Revealed, another_seat),
    (ev.Marked, told_so(character="king")),
    (ev.Called, dropped),
]


@one_case(("kind", "change"), LIES)
def test_a_lie_is_found_by_a_spectator_at_once(kind: type[Event], change: Change) -> None:
    assert objection(kind, change).code in ("ruling", "ruling_count", "no_move")


def foreign(host: Host, events: list[Event], at: int) -> list[Event]:
    packet: tuple[str, ...] = getattr(events[at], "packet", ())
    return told_so(packet=("queen", *packet[1:]))(host, events, at)


def twice(host: Host, events: list[Event], at: int) -> list[Event]:
    packet: tuple[str, ...] = getattr(events[at], "packet", ())
    return told_so(packet=(packet[1], *packet[1:]))(host, events, at)


@pytest.mark.parametrize("change", [foreign, twice])
def test_whoever_picks_sees_what_cannot_be_left(change: Change) -> None:
    assert objection(ev.Offered, change, viewer=_first_to_pick()).code == "offer"


def _first_to_pick() -> int:
    host = Host(5, setup=first_game(4))
    return next(event.seat for event in host.step().events if isinstance(event, ev.Offered))


def test_somebody_who_is_never_called_is_missed_at_the_end_of_the_round() -> None:
    host = Host(5, setup=first_game(4))
    referee = Referee(host.header, None)

    def forget() -> None:
        host.follow()
        host.state.players[0].concealed = ["nobody" for _ in host.state.players[0].concealed]

    with pytest.raises(Mismatch, match="uncalled") as raised:
        hear_all(host, referee, forget)
    assert raised.value.details == {"seat": 0}


def dealt(viewer: int, change: Callable[[Event], Event], of: int) -> Mismatch:
    """What a viewer objects to, if it alone is told the deal to a seat otherwise."""
    told: Told = Host(5, setup=first_game(4)).step()
    referee = Referee(Host(5, setup=first_game(4)).header, viewer)
    own = [
        change(event) if isinstance(event, ev.CardsGained) and event.seat == of else redact(event, viewer)
        for event in told.events
    ]
    with pytest.raises(Mismatch) as raised:
        referee.read(told.n, told.entry, [redact(event, None) for event in told.events], own)
    return raised.value


def test_private_events_are_the_public_ones_with_what_is_ones_own() -> None:
    assert dealt(1, lambda event: replace(event, cards=("tavern",) * 3), of=1).code == "private_event"


def test_nobody_is_told_what_is_somebody_elses() -> None:
    assert dealt(1, lambda event: event, of=2).code == "private_event"


def test_a_card_is_not_seen_more_often_than_there_are_copies() -> None:
    assert dealt(1, lambda event: replace(event, cards=("palace",) * 4), of=1).code == "copies"


def test_ones_own_cards_are_not_kept_from_one() -> None:
    assert dealt(1, lambda event: redact(event, None), of=1).code == "impossible_event"


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (bytes(32), "no_move"),
        ("end", "illegal"),
        ("gather  gold", "notation"),
        ("dance", "illegal"),
    ],
)
def test_moves_that_nobody_may_make(what: str | bytes, code: str) -> None:
    host = Host(5, setup=first_game(4))
    referee = Referee(host.header, None)
    hear(referee, host.step())
    before = referee.state
    entry = Move(_first_to_pick(), what, [], ())
    with pytest.raises(Mismatch) as raised:
        referee.read(6, entry, [], [])
    assert raised.value.code == code
    assert referee.state == before


def random_lies(seed: int, lies: int, tables: Tables = ALL) -> Counter[str]:
    """How lies in one random game were found."""
    _, happened = honest(seed, tables)
    results = [lying(seed, number, happened, tables) for number in range(lies)]
    return Counter(how for about, how in results if about)


@pytest.mark.slow
def test_random_lies_are_found() -> None:
    found = random_lies(6, 2, Tables(("classic",)))
    assert found["at once"] == 2
    assert not found["failed"]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(50, 60, 5))
def test_many_random_lies_are_found(first: int) -> None:
    found = Counter[str]()
    for seed in range(first, first + 5):
        found += random_lies(seed, 10)
    assert found["at once"] >= 0.9 * found.total() > 25
    assert not found["failed"]
