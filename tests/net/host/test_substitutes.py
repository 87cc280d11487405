"""A player who is gone does not stop the game: a bot of the host moves for the seat, until its owner is back."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Move, SeatKind
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import Action, Event, State, TableConfig, acting, decisions, evolve, from_scenario, view
from citadels_lan.engine.choices import Choice
from citadels_lan.net.client.updates import BackAgain, SubstituteBegan
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Pause, Play, Settings, SubstituteFor
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


def moves_of_bot(room: Room, seat: int) -> int:
    """How many moves substitutes have made for a seat."""
    return sum(len(one.moves) for one in room.game.host_log.audit.absences.all if one.seat == seat)


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
    assert not table.game.substituted(seat)
    table.wait(5)
    assert table.game.substituted(seat)
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
    until(table, lambda: moves_of_bot(table, seat) > 0)
    away.open()
    away.join()
    table.carry()
    assert not table.game.substituted(seat)
    (back,) = [one for one in away.client.updates if isinstance(one, BackAgain)]
    (absence,) = table.game.host_log.audit.absences.all
    assert (back.moves, back.here) == (len(absence.moves), False)
    assert not away.client.signatures.protest
    table.play()
    assert table.game.closed
    for guest in table.players:
        assert verify([guest.records.path]).code == 0  # type: ignore[list-item]


def test_player_who_returns_between_rounds_plays_the_next_round(tmp_path: Path) -> None:
    table = room(tmp_path, Watched(), players=3)
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    until(table, lambda: table.game.cosigning and table.game.substituted(seat))
    away.join()
    table.carry()
    until(table, lambda: not table.game.cosigning)
    assert not table.game.substituted(seat)
    (absence,) = table.game.host_log.audit.absences.all
    for guest in table.players:
        (back,) = [one for one in guest.client.updates if isinstance(one, BackAgain)]
        assert (back.seat, back.moves, back.here) == (seat, len(absence.moves), False)


def test_short_disconnection_writes_nothing(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    before = table.game.n
    table.wait(AFTER - 5)
    away.join()
    table.carry()
    assert table.game.n == before


def taken_over(folder: Path) -> tuple[Room, Guest]:
    """A table whose host lets a bot play a seat although its client is connected, and that seat."""
    table = room(folder, Watched())
    table.play(3)
    (seat,) = acting(table.game.state)
    there = next(guest for guest in table.players if guest.client.seat == seat)
    table.game.substitute(seat, "sensible")
    table.table.playing.pump(table.now)
    table.carry()
    return table, there


def move_of_bot(table: Room, there: Guest) -> None:
    """The host's bot moves for a seat whose client is connected."""
    state, seat = table.game.state, there.client.seat
    assert seat is not None
    action = random_action(decisions(view(state, seat))[seat], random.Random(5))
    table.game.substitute_move(seat, str(action))
    table.table.playing.pump(table.now)
    table.carry()


def test_connected_player_sees_that_a_bot_plays_and_takes_the_seat_back(tmp_path: Path) -> None:
    table, there = taken_over(tmp_path)
    seat = there.client.seat
    assert seat is not None
    assert there.client.signatures.taken_over
    assert SubstituteBegan(seat, "sensible", own=True) in there.client.updates
    assert table.game.substituted(seat)
    assert there.client.choices == ()
    there.client.take_back()
    table.carry()
    assert not there.client.signatures.taken_over
    assert not table.game.substituted(seat)
    (back,) = [one for one in there.client.updates if isinstance(one, BackAgain)]
    assert (back.seat, back.moves, back.here) == (seat, 0, True)
    with pytest.raises(Rejected, match="moved on"):
        there.client.take_back()
    table.play()
    assert verify([guest.records.path for guest in table.players if guest.records.path]).code == 0


def test_bot_that_plays_its_own_seat_takes_it_back_without_being_asked(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    table.play(3)
    (seat,) = acting(table.game.state)
    there = next(guest for guest in table.players if guest.client.seat == seat)
    there.records.profile = replace(there.records.profile, kind=SeatKind.BOT)
    table.game.substitute(seat, "sensible")
    table.table.playing.pump(table.now)
    table.carry()
    assert not table.game.substituted(seat)


def test_protest_is_set_when_a_bot_moves_for_a_connected_player(tmp_path: Path) -> None:
    table, there = taken_over(tmp_path)
    assert not there.client.signatures.protest  # it has not moved yet
    move_of_bot(table, there)
    assert there.client.signatures.protest
    others = [guest for guest in table.players if guest is not there]
    assert not any(guest.client.signatures.protest for guest in others)
    there.client.take_back()
    table.carry()
    assert there.client.signatures.protest  # until the next co-signature


def test_protest_is_kept_when_the_program_is_restarted(tmp_path: Path) -> None:
    table, there = taken_over(tmp_path)
    move_of_bot(table, there)
    there.client.take_back()
    table.carry()
    there.cut()
    there.records.close()
    there.open()
    assert there.client.signatures.protest
    there.join()
    table.play()
    assert there.records.client_log is not None
    protested = [one.protests for one in there.records.client_log.audit.cosigned]
    assert protested[0] == (there.client.seat,)
    assert not any(protested[1:]), "it protests once"
    there.records.close()
    there.open()
    assert not there.client.signatures.protest


def test_protest_is_not_set_by_moves_during_a_disconnection(tmp_path: Path) -> None:
    """Neither by those that a client receives while it catches up."""
    table = room(tmp_path, Watched())
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    until(table, lambda: moves_of_bot(table, seat) > 2)
    away.join()
    table.carry()
    assert not away.client.signatures.taken_over
    assert not away.client.signatures.protest


def test_move_on_its_way_is_signed_again_when_another_entry_came_first(tmp_path: Path) -> None:
    """With another head, and so with other nonces."""
    table = room(tmp_path, Watched(), players=3)
    table.play(3)
    (mover,) = [guest for guest in table.players if guest.client.may_move]
    other = next(guest for guest in table.players if guest is not mover)
    assert other.client.seat is not None
    sent = mover.client.move(table.choice(mover))
    first = sent.play
    table.game.append(table.game.host_log.away(other.client.seat))
    table.table.playing.pump(table.now)
    table.carry()
    assert sent.taken
    assert isinstance(first, Play)
    assert isinstance(sent.play, Play)
    assert sent.play.n > first.n
    assert sent.play.signature != first.signature
    assert not {one.nonce for one in first.openings} & {one.nonce for one in sent.play.openings}


def test_whoever_comes_back_before_it_begins_needs_no_substitute(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    table.wait(AFTER - 5)
    away.join()
    table.wait(AFTER)
    assert not table.game.host_log.audit.absences.all


@pytest.mark.slow
def test_restarted_host_continues_with_its_substitute(tmp_path: Path) -> None:
    bot = Watched()
    table = room(tmp_path, bot)
    away = gone(table)
    seat = away.client.seat
    assert seat is not None
    until(table, lambda: table.game.substituted(seat))
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
    assert not table.game.substituted(seat)
    (host,) = [guest for guest in table.players if guest is not away]
    table.table.lobby.own.add(host.identity.public)
    host.say(SubstituteFor(seat, "sensible"))
    assert table.game.substituted(seat)


def test_substitute_without_a_game_is_refused(tmp_path: Path) -> None:
    table = Room(tmp_path, 2)
    table.table.playing.takeover = Takeover(lambda level: Watched(), None)
    (anna,) = table.seat("Player 0")
    table.table.lobby.own.add(anna.identity.public)
    anna.say(SubstituteFor(0, "sensible"))
    assert refusals(anna) == ["not_playing"]


@pytest.mark.parametrize(("level", "code"), [("sensible", "owner_only"), ("unheard", "no_level")])
def test_nobody_else_may(tmp_path: Path, level: str, code: str) -> None:
    table = room(tmp_path, Watched(), after=None)
    away = gone(table)
    (other,) = [guest for guest in table.players if guest is not away]
    if code == "no_level":
        table.table.lobby.own.add(other.identity.public)
    other.say(SubstituteFor(away.client.seat or 0, level))
    assert refusals(other) == [code]


@pytest.mark.slow
def test_in_a_pause_nobody_moves_and_nobody_is_replaced(tmp_path: Path) -> None:
    table = room(tmp_path, Watched())
    away = gone(table)
    (other,) = [guest for guest in table.players if guest is not away]
    other.say(Pause(True))
    assert other.client.notices.paused
    before = table.game.n
    table.wait(10 * AFTER)
    assert table.game.n == before
    away.join()
    table.carry()
    assert away.client.notices.paused
    assert not away.client.may_move
    away.say(Pause(False))
    assert not other.client.notices.paused
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
def test_player_uses_the_markers_that_a_bot_has_placed(tmp_path: Path) -> None:
    """A Magistrate's warrants of a bot: the player who is back sees which one counts, and no other player does."""
    for seed in range(2, 40):
        table = marked_by_a_bot(tmp_path / str(seed), seed)
        if table is not None:
            break
    else:
        raise AssertionError("no bot has placed markers")
    owner = next(guest for guest in table.players if guest.viewer is None)
    seat = owner.client.seat
    assert seat is not None
    owner.join()
    table.carry()
    assert not table.game.substituted(seat)
    assert own_marks(owner.client.state, seat) == own_marks(table.game.state, seat) != ["?"]
    for guest in table.players:
        assert guest is owner or own_marks(guest.client.state, seat) == ["?"]
    table.play()
    assert table.game.closed
    assert verify([guest.records.path for guest in table.players if guest.records.path]).code == 0


def own_marks(state: State | None, seat: int) -> list[str]:
    """Which of the markers of a seat count, as far as it is known."""
    assert state is not None
    return [mark.character for mark in state.marks if mark.kind in ("signed", "flower") and mark.by == seat]


def marked_by_a_bot(folder: Path, seed: int) -> Room | None:
    """A table just after a substitute has placed markers; None if it never does in this game."""
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
        if own_marks(table.game.state, seat):
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
        while not table.game.substituted(seat):
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


def test_no_substitute_comes_at_the_end_of_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = room(tmp_path, Watched())
    seat = gone(table).client.seat
    assert seat is not None
    monkeypatch.setattr("citadels_lan.net.host.game.LONGEST", table.game.n)
    before = table.game.n
    table.wait(3 * AFTER)
    assert table.game.n == before
    assert not table.game.substituted(seat)
