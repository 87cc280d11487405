"""The bookkeeping accepts every honest game and computes the view of each viewer. It rejects events that
contradict it."""

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.bookkeeping import Bookkeeping
from citadels_lan.crypto.client_log import private_events
from citadels_lan.crypto.codec import pack
from citadels_lan.crypto.log import OWNER, Mismatch, Move, TableMove
from citadels_lan.crypto.report.model import CONTRADICTIONS
from citadels_lan.engine import EDITIONS, Event, Score, encode_event, redact, view
from citadels_lan.engine import events as ev
from tests.effort import one_case, quick
from tests.engine.tables import Tables
from tests.facts import first_game

from .hosts import MOST_ENTRIES, Host, Told, books_of, enter

# Honest hosts


def play(host: Host) -> None:
    """Add a whole game to the bookkeeping of all viewers. Raises Mismatch."""
    viewers = books_of(host)
    while not host.over and host.n < MOST_ENTRIES:
        told = host.step()
        over = host.over
        host.follow()
        for books in viewers:
            enter(books, told)
            assert books.state == view(host.state, books.seat)
        if over:
            return


@pytest.mark.parametrize("edition", quick(EDITIONS, "2016"))
def test_random_game_is_accepted(edition: str) -> None:
    play(Host(3, Tables((edition,))))


@pytest.mark.slow
@one_case(
    ("edition", "players"),
    [(edition, players) for edition, one in EDITIONS.items() for players in one.players],
    parts=4,
)
def test_random_games_of_each_size_are_accepted(edition: str, players: int) -> None:
    dice = random.Random(players)
    play(Host(dice.randrange(10**6), setup=Tables((edition,)).draw(dice, players)))


# Lies

Change = Callable[[Host, list[Event], int], list[Event]]


def rejected(kind: type[Event], change: Change, viewer: int | None = None, *, seed: int = 5) -> Mismatch:
    """Return the contradiction that the bookkeeping of `viewer` finds if `change` changes the first event of
    this kind in a random game."""

    def lie(host: Host, events: list[Event]) -> list[Event]:
        at = next((at for at, event in enumerate(events) if isinstance(event, kind)), None)
        return events if at is None else change(host, events, at)

    host = Host(seed, setup=first_game(4), lie=lie)
    books = Bookkeeping(host.header, viewer)
    with pytest.raises(Mismatch) as raised:
        enter_all(host, books)
    assert raised.value.n == host.n
    assert raised.value.code in CONTRADICTIONS
    return raised.value


def enter_all(host: Host, books: Bookkeeping, between: Callable[[], None] = lambda: None) -> None:
    """Add the whole game of a host to `books`, and call `between` after each entry."""
    while not host.over:
        enter(books, host.step())
        between()


def changed(**fields: object) -> Change:
    """Return a change: the same event with other values in these fields."""
    return lambda host, events, at: [*events[:at], replace(events[at], **fields), *events[at + 1 :]]


def dropped(host: Host, events: list[Event], at: int) -> list[Event]:
    return events[:at] + events[at + 1 :]


def more_points(host: Host, events: list[Event], at: int) -> list[Event]:
    scores: tuple[Score, ...] = getattr(events[at], "scores", ())
    first = Score((*scores[0].parts, ("statue", 5)))
    return changed(scores=(first, *scores[1:]))(host, events, at)


def points_exchanged(host: Host, events: list[Event], at: int) -> list[Event]:
    scores: tuple[Score, ...] = getattr(events[at], "scores", ())
    return changed(scores=scores[::-1])(host, events, at)


def ended(host: Host, events: list[Event], at: int) -> list[Event]:
    return [*events[:at], ev.GameEnded((Score(),) * 4, (0,)), *events[at + 1 :]]


def completed(host: Host, events: list[Event], at: int) -> list[Event]:
    return [*events[:at], ev.Completed(0), *events[at:]]


LIES: list[tuple[type[Event], Change, str]] = [
    (ev.GameEnded, more_points, "score"),
    (ev.GameEnded, points_exchanged, "score"),
    (ev.GameEnded, changed(winners=(0, 1, 2, 3)), "winners"),
    (ev.RoundEnded, ended, "impossible_event"),
    (ev.TurnEnded, ended, "impossible_event"),
    (ev.TurnEnded, completed, "impossible_event"),
    (ev.BuildPaid, dropped, "impossible_event"),
    (ev.BuildPaid, changed(gold=99), "impossible_event"),
    (ev.BuildPaid, changed(gold=-1), "impossible_event"),
    (ev.Gathered, changed(gold=-1), "impossible_event"),
    (ev.Built, changed(card="palace", cost=5), "impossible_event"),
    (ev.Built, changed(cost=9), "impossible_event"),
]


@one_case(("kind", "change", "code"), LIES)
def test_lie_about_gold_cities_or_scores_is_rejected(kind: type[Event], change: Change, code: str) -> None:
    assert rejected(kind, change).code == code


def foreign(host: Host, events: list[Event], at: int) -> list[Event]:
    packet: tuple[str, ...] = getattr(events[at], "packet", ())
    return changed(packet=("queen", *packet[1:]))(host, events, at)


def twice(host: Host, events: list[Event], at: int) -> list[Event]:
    packet: tuple[str, ...] = getattr(events[at], "packet", ())
    return changed(packet=(packet[1], *packet[1:]))(host, events, at)


@pytest.mark.parametrize("change", [foreign, twice])
def test_offer_of_a_character_that_is_not_available_is_rejected(change: Change) -> None:
    assert rejected(ev.Offered, change, viewer=_first_to_pick()).code == "offer"


def _first_to_pick() -> int:
    host = Host(5, setup=first_game(4))
    return next(event.seat for event in host.step().events if isinstance(event, ev.Offered))


def test_round_end_with_an_uncalled_character_is_rejected() -> None:
    host = Host(5, setup=first_game(4))
    books = Bookkeeping(host.header, None)

    def forget() -> None:
        host.follow()
        host.state.players[0].concealed = ["nobody" for _ in host.state.players[0].concealed]

    with pytest.raises(Mismatch, match="uncalled") as raised:
        enter_all(host, books, forget)
    assert raised.value.details == {"seat": 0}


def dealt(viewer: int, change: Callable[[Event], Event], of: int) -> Mismatch:
    """Return the contradiction that the bookkeeping of `viewer` finds in a deal if `change` changes only the
    private events of seat `of`."""
    told: Told = Host(5, setup=first_game(4)).step()
    books = Bookkeeping(Host(5, setup=first_game(4)).header, viewer)
    own = [
        change(event) if isinstance(event, ev.CardsGained) and event.seat == of else redact(event, viewer)
        for event in told.events
    ]
    public = [redact(event, None) for event in told.events]
    private = [log.Told(at, encode_event(one)) for at, one in enumerate(own) if one != public[at]]
    delta = log.Delta(told.n, bytes(64), b"", b"", None, pack(private) if private else None)
    with pytest.raises(Mismatch) as raised:
        books.follow(told.n, told.entry, private_events(delta, public, viewer))
    return raised.value


def test_private_event_with_other_public_fields_is_rejected() -> None:
    assert dealt(1, lambda event: replace(event, cards=("tavern",) * 3), of=1).code == "private_event"


def test_private_event_of_another_seat_is_rejected() -> None:
    assert dealt(1, lambda event: event, of=2).code == "private_event"


def test_more_copies_of_a_card_than_exist_are_rejected() -> None:
    assert dealt(1, lambda event: replace(event, cards=("palace",) * 4), of=1).code == "copies"


def test_entry_of_a_seat_that_need_not_decide_is_rejected() -> None:
    host = Host(5, setup=first_game(4))
    books = Bookkeeping(host.header, None)
    enter(books, host.step())
    before = books.state
    other = (_first_to_pick() + 1) % 4
    for entry, code in ((Move(other, OWNER, bytes(32), [], (), bytes(64)), "turn"), (TableMove([]), "no_table")):
        with pytest.raises(Mismatch) as raised:
            books.follow(6, entry, [])
        assert raised.value.code == code
        assert books.state is before


def test_move_without_events_is_rejected() -> None:
    host = Host(5, setup=first_game(4))
    books = Bookkeeping(host.header, None)
    enter(books, host.step())
    with pytest.raises(Mismatch, match="no_events"):
        books.follow(6, Move(_first_to_pick(), OWNER, bytes(32), [], (), bytes(64)), [])
