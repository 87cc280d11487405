"""A player who is gone does not stop the game: a bot of the host moves for the seat, until its owner is back."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from citadels_lan.crypto.log import Move, Present
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.sealed_moves import starred
from citadels_lan.engine import Action, Event, State, TableConfig, acting, evolve, from_scenario, view
from citadels_lan.engine.choices import Choice
from citadels_lan.net.client.updates import BackAgain, StoodIn
from citadels_lan.net.host.stand_ins import Takeover
from citadels_lan.net.wire.messages import Pause, Settings, StandInFor
from tests.net.host.table.looking import refusals
from tests.net.playing import random_action
from tests.net.room import Guest, Room

AFTER = 60.0


class Watched:
    """A bot that plays at random, and keeps what it was shown and told."""

    deaf = False

    def __init__(self) -> None:
        self.heard: list[tuple[State, Event]] = []
        self.dice = random.Random(7)
        self.seen: list[tuple[int, State]] = []

    def told(self, view: State, event: Event) -> None:
        self.heard.append((view, event))

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.seen.append((seat, view))
        return random_action(choices, self.dice)


def room(folder: Path, bot: Watched, *, after: float | None = AFTER, players: int = 2) -> Room:
    one = Room(folder, players)
    one.table.playing.takeover = Takeover(lambda level: {"sensible": bot}[level], after)
    return one.begin()


def gone(room: Room) -> Guest:
    """Somebody goes who has to move."""
    room.play(3)
    (seat,) = acting(room.game.state)
    guest = next(guest for guest in room.players if guest.client.seat == seat)
    guest.cut()
    return guest


def own_moves(room: Room, seat: int) -> list[int]:
    entries = enumerate(room.game.host_log.entries(), 1)
    return [n for n, entry in entries if isinstance(entry, Move) and entry.seat == seat]


def until(room: Room, what: object) -> None:
    """Time passes, and everybody who is here plays, until something holds."""
    for _ in range(1000):
        if what():  # type: ignore[operator]
            return
        room.move()
        room.wait(1)
    raise AssertionError("it never came")


def test_a_bot_moves_for_whoever_is_gone_and_not_sooner(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    before, seat = own_moves(table, away.client.seat or 0), away.client.seat
    assert seat is not None
    table.wait(AFTER - 2)
    assert table.game.stint(seat) is None
    table.wait(5)
    assert table.game.stint(seat) is not None
    until(table, lambda: len(own_moves(table, seat)) > len(before) + 3)


def test_it_is_shown_what_the_seat_may_know(tmp_path: Path) -> None:
    bot = Watched()
    table = room(tmp_path, bot)
    seat = gone(table).client.seat
    assert seat is not None
    until(table, lambda: len(bot.seen) > 5)
    assert {one for one, _ in bot.seen} == {seat}
    assert all(view(known, seat) == known for _, known in bot.seen)
    other = bot.seen[-1][1].players[1 - seat]
    assert set(other.hand) <= {"?"}


def test_it_is_told_what_happens_from_its_first_move_on(tmp_path: Path) -> None:
    bot = Watched()
    table = room(tmp_path, bot)
    seat = gone(table).client.seat
    assert seat is not None
    until(table, lambda: len(bot.seen) > 5)
    _, known = bot.seen[0]
    assert len(bot.heard) > 5
    for before, event in bot.heard:
        assert before == known
        known = evolve(before, event)
    assert known == view(table.game.state, seat)


def test_the_owner_takes_the_seat_back_at_once(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    until(table, lambda: table.game.stint(seat) is not None and table.game.stint(seat).moves)  # type: ignore[union-attr]
    away.open()
    away.join()
    table.carry()
    assert table.game.stint(seat) is None
    (back,) = [one for one in away.client.updates if isinstance(one, BackAgain)]
    (stint,) = table.game.host_log.audit.movers.stints
    assert (back.moves, back.disputes) == (len(stint.moves), False)
    table.play()
    assert table.game.closed
    for guest in table.players:
        assert verify([guest.records.path]).code == 0  # type: ignore[list-item]


def test_who_takes_part_between_rounds_is_back(tmp_path: Path) -> None:
    table = room(tmp_path, Watched(), players=3)
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    until(table, lambda: table.game.between and table.game.stint(seat) is not None)
    assert table.game.host_log.audit.expects(Present)
    away.join()
    table.carry()
    assert table.game.stint(seat) is None
    (stint,) = table.game.host_log.audit.movers.stints
    assert isinstance(table.game.host_log.entry(stint.until or 0), Present)
    for guest in table.players:
        (back,) = [one for one in guest.client.updates if isinstance(one, BackAgain)]
        assert (back.seat, back.moves, back.disputes, back.here) == (seat, len(stint.moves), False, False)


@pytest.mark.slow
def test_an_owner_who_is_there_says_so_in_the_log(tmp_path: Path) -> None:
    """A host that says of somebody who is there that it is gone."""
    table = room(tmp_path, Watched())
    table.play(3)
    (seat,) = acting(table.game.state)
    there = next(guest for guest in table.players if guest.client.seat == seat)
    table.game.stand_in(seat, "sensible")
    table.table.playing.pump(table.now)
    table.carry()
    (stint,) = table.game.host_log.audit.movers.stints
    assert stint.until == stint.n + 1
    assert stint.disputed
    assert StoodIn(seat, "sensible", own=True) in there.client.updates
    table.play()
    report = verify([guest.records.path for guest in table.players if guest.records.path])
    assert report.code == 0
    assert [one.disputed for one in report.games[0].best.tally.stand_ins] == [True]


def test_whoever_comes_back_before_it_begins_is_not_stood_in_for(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    table.wait(AFTER - 5)
    away.join()
    table.wait(AFTER)
    assert not table.game.host_log.audit.movers.stints


@pytest.mark.slow
def test_a_host_that_crashed_goes_on_with_its_stand_in(tmp_path: Path) -> None:
    bot = Watched()
    table = room(tmp_path, bot)
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    until(table, lambda: table.game.stint(seat) is not None)
    table.restart()
    table.table.playing.takeover = Takeover(lambda _: bot, AFTER)
    table.table.resume(table.game)
    made = len(own_moves(table, seat))
    for guest in table.players:
        if guest is not away:
            guest.join()
    until(table, lambda: len(own_moves(table, seat)) > made)
    away.join()
    table.play()
    assert table.game.closed
    assert verify([away.records.path]).code == 0  # type: ignore[list-item]


def test_the_hosts_person_may_ask_for_one(tmp_path: Path) -> None:
    table = room(tmp_path, Watched(), after=None)
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    table.wait(10 * AFTER)
    assert table.game.stint(seat) is None
    (host,) = [guest for guest in table.players if guest is not away]
    table.table.lobby.own.add(host.identity.public)
    host.say(StandInFor(seat, "sensible"))
    assert table.game.stint(seat) is not None


@pytest.mark.parametrize(("level", "code"), [("sensible", "owner_only"), ("unheard", "no_level")])
def test_nobody_else_may(tmp_path: Path, level: str, code: str) -> None:
    table = room(tmp_path, Watched(), after=None)
    away = gone(table)
    (other,) = [guest for guest in table.players if guest is not away]
    if code == "no_level":
        table.table.lobby.own.add(other.identity.public)
    other.say(StandInFor(away.client.seat or 0, level))
    assert refusals(other) == [code]


@pytest.mark.slow
def test_in_a_pause_nobody_moves_and_nobody_is_replaced(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    (other,) = [guest for guest in table.players if guest is not away]
    other.say(Pause(True))
    assert other.client.beside.paused
    before = table.game.n
    table.wait(10 * AFTER)
    assert table.game.n == before
    away.join()
    table.carry()
    assert away.client.beside.paused
    assert not away.client.may_move
    away.say(Pause(False))
    assert not other.client.beside.paused
    table.play()
    assert table.game.closed


def test_a_move_in_a_pause_is_refused(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    table.play(3)
    (mover,) = [guest for guest in table.players if guest.client.may_move]
    table.table.playing.pace.paused = True
    sent = mover.act(table.choice(mover))
    assert sent.refusal is not None
    assert sent.refusal.code == "paused"


@pytest.mark.slow
def test_what_a_stand_in_has_sealed_its_owner_breaks(tmp_path: Path) -> None:
    """A Magistrate's warrants, signed by the bot while the owner was away: the owner is told which one counts."""
    for seed in range(2, 40):
        table = sealed_by_a_bot(tmp_path / str(seed), seed)
        if table is not None:
            break
    else:
        raise AssertionError("no bot has sealed anything")
    owner = next(guest for guest in table.players if guest.viewer is None)
    seat = owner.client.seat
    assert seat is not None
    sealed = table.game.host_log.entrusted(seat)
    owner.join()
    table.carry()
    assert table.game.stint(seat) is None
    assert owner.records.entrusted == tuple(sealed)
    own = [mark.character for mark in owner.client.state.marks if mark.kind in ("signed", "flower")]  # type: ignore[union-attr]
    assert own == [starred(sealed[0])]
    others = [guest for guest in table.players if guest is not owner]
    assert all(guest.records.entrusted == () for guest in others)
    table.play()
    assert table.game.closed
    assert verify([guest.records.path for guest in table.players if guest.records.path]).code == 0


def sealed_by_a_bot(folder: Path, seed: int) -> Room | None:
    """A table just after a stand-in has sealed something; None if it never does in this game."""
    bot = Watched()
    bot.dice.seed(seed)
    folder.mkdir()
    usual = from_scenario("first_game", 3)
    config = TableConfig(3, ("magistrate", "blackmailer", *usual.cast[2:]), usual.districts)
    table = Room(folder, settings=Settings(config, 0))
    table.table.playing.takeover = Takeover(lambda _: bot, 0.0)
    table.dice.seed(seed)
    table.begin()
    seat = gone(table).client.seat
    assert seat is not None
    for _ in range(80):
        if table.game.host_log.audit.concealed.sealed_for(seat):
            return table
        table.wait(1)
        table.move()
    return None


def test_whoever_goes_again_and_again_is_gone_for_longer_each_time(tmp_path: Path) -> None:
    """Else a player could fill the log, which has an end."""
    table = room(tmp_path, Watched(), after=0.0)
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    waited = []
    for _ in range(4):
        waited.append(0)
        while table.game.stint(seat) is None:
            table.wait(1)
            waited[-1] += 1
        away.open()
        away.join()
        table.carry()
        while seat not in acting(table.game.state):
            table.move()
        away.cut()
    assert waited == sorted(waited)
    assert waited[-1] >= waited[0] + 2


def test_at_the_end_of_the_log_nobody_stands_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = room(tmp_path, Watched())
    seat = gone(table).client.seat
    assert seat is not None
    monkeypatch.setattr("citadels_lan.net.host.game.LONGEST", table.game.n)
    before = table.game.n
    table.wait(3 * AFTER)
    assert table.game.n == before
    assert table.game.stint(seat) is None
