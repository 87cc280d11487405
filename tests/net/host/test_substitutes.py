"""Substitute bots of the host play for absent players. The decision timer and pauses are tested here, too."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.log import Move, SeatKind
from citadels_lan.engine import Action, Event, State, acting, decisions, evolve, view
from citadels_lan.engine.choices import Choice
from citadels_lan.net.client.updates import BackAgain, ClockSet, Happened, SubstituteBegan
from citadels_lan.net.host.substitutes import Takeover
from citadels_lan.net.wire.messages import Pause, Play, SubstituteFor
from tests.net.playing import random_action
from tests.net.room import TIMING, Guest, Room, refusals, rejects

AFTER = 60.0


class Watched:
    """A bot that plays at random and records the views and events that it receives."""

    ignores_events = False

    def __init__(self, seed: int = 7) -> None:
        self.heard: list[tuple[State, Event]] = []
        self.dice = random.Random(seed)
        self.seen: list[tuple[int, State]] = []

    def told(self, view: State, event: Event) -> None:
        self.heard.append((view, event))

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.seen.append((seat, view))
        return random_action(choices, self.dice)


def begun(
    folder: Path, bot: Watched | None = None, *, after: float | None = AFTER, players: int = 2, clock: int = 0
) -> Room:
    """Return a game at its beginning, whose host lets `bot` play for players who are absent for `after`
    seconds."""
    bot = bot or Watched()
    takeover = Takeover(lambda level: {"sensible": bot}[level], after)
    return Room(folder, players, replace(TIMING, clock=clock), takeover=takeover).begin()


def abandoned(folder: Path, bot: Watched | None = None, **options: object) -> tuple[Room, Guest]:
    """Return a game in which the player who has to move is disconnected, and that player."""
    room = begun(folder, bot, **options).play(3)  # type: ignore[arg-type]
    mover = room.mover
    mover.cut()
    return room, mover


def own_moves(room: Room, seat: int) -> int:
    """Return the number of moves that the player of a seat has made."""
    return sum(isinstance(entry, Move) and entry.seat == seat for entry in room.game.host_log.entries())


def bot_moves(room: Room, seat: int) -> int:
    """Return the number of moves that substitute bots have made for a seat."""
    return sum(len(one.moves) for one in room.game.host_log.audit.absences.all if one.seat == seat)


def until(room: Room, holds: Callable[[], object]) -> None:
    """Let time pass, and all connected players play, until `holds()` is true."""
    for _ in range(1000):
        if holds():
            return
        room.move()
        room.wait(1)
    raise AssertionError


# Beginning and end


def test_substitute_plays_for_an_absent_player_after_the_time_limit(tmp_path: Path) -> None:
    bot = Watched()
    room, away = abandoned(tmp_path, bot)
    seat, moves = away.seat, own_moves(room, away.seat)
    room.wait(AFTER - 2)
    assert not room.game.substituted(seat)
    room.wait(5)
    assert room.game.substituted(seat)
    until(room, lambda: len(bot.seen) > 5)
    assert own_moves(room, seat) > moves + 3
    assert all((asked, view(shown, seat)) == (seat, shown) for asked, shown in bot.seen)
    assert set(bot.seen[-1][1].players[1 - seat].hand) <= {"?"}
    _, shown = bot.seen[0]
    assert len(bot.heard) > 5
    for before, event in bot.heard:
        assert before == shown
        shown = evolve(before, event)
    assert shown == view(room.game.state, seat)


def test_browser_guest_who_reloads_the_page_is_not_absent(tmp_path: Path) -> None:
    room = begun(tmp_path, after=1).play(3)
    away = room.mover
    place = room.table.audience.lobby.place(away.identity.public)
    assert place is not None
    place.kind = SeatKind.GUEST
    away.cut()
    room.wait(TIMING.away - 1)
    assert not room.game.substituted(away.seat)
    room.wait(3)
    assert room.game.substituted(away.seat), "the guest does not come back"


def test_returning_player_takes_the_seat_back_at_once(tmp_path: Path) -> None:
    room, away = abandoned(tmp_path)
    seat = away.seat
    until(room, lambda: bot_moves(room, seat) > 2)
    away.open()
    away.join()
    room.carry()
    assert not room.game.substituted(seat)
    (back,) = [one for one in away.client.updates if isinstance(one, BackAgain)]
    (absence,) = room.game.host_log.audit.absences.all
    assert (back.moves, back.here) == (len(absence.moves), False)
    assert not away.client.signatures.taken_over
    assert not away.client.signatures.protest, "the bot played while the player was away"
    assert room.play().game.closed
    assert room.verified() == (0, [])


def test_time_until_a_substitute_grows_with_each_absence(tmp_path: Path) -> None:
    """Otherwise a player could fill the log by leaving again and again."""
    room, away = abandoned(tmp_path, after=0.0)
    seat, waited = away.seat, list[int]()
    for _ in range(4):
        waited.append(0)
        while not room.game.substituted(seat):
            room.wait(1)
            waited[-1] += 1
        away.open()
        away.join()
        room.carry()
        while seat not in acting(room.game.state):
            room.move()
        away.cut()
    assert waited == sorted(waited)
    assert waited[-1] >= waited[0] + 2


# A bot that plays for a connected player


def taken_over(folder: Path, kind: SeatKind = SeatKind.PLAYER) -> tuple[Room, Guest]:
    """Return a game whose host lets a bot play a seat although its client is connected, and that client's
    guest."""
    room = begun(folder).play(3)
    mover = room.mover
    mover.records.profile = replace(mover.records.profile, kind=kind)
    room.game.substitute(mover.seat, "sensible")
    room.table.pump(room.now)
    room.carry()
    return room, mover


def bot_move(room: Room, seat: int) -> None:
    """Let the substitute bot move for a seat."""
    action = random_action(decisions(view(room.game.state, seat))[seat], random.Random(5))
    room.game.substitute_move(seat, str(action))
    room.table.pump(room.now)
    room.carry()


def test_connected_player_is_informed_of_the_bot_and_takes_the_seat_back(tmp_path: Path) -> None:
    room, player = taken_over(tmp_path)
    seat = player.seat
    assert player.client.signatures.taken_over
    assert SubstituteBegan(seat, "sensible", own=True) in player.client.updates
    assert player.client.choices == ()
    player.client.take_back()
    room.carry()
    assert not player.client.signatures.taken_over
    assert not room.game.substituted(seat)
    (back,) = [one for one in player.client.updates if isinstance(one, BackAgain)]
    assert (back.seat, back.moves, back.here) == (seat, 0, True)
    with rejects("stale"):
        player.client.take_back()
    room.play()
    assert room.verified() == (0, [])


def test_bot_takes_its_own_seat_back_from_a_substitute_without_a_request(tmp_path: Path) -> None:
    room, bot = taken_over(tmp_path, SeatKind.BOT)
    assert not room.game.substituted(bot.seat)


@pytest.mark.parametrize("restarted", [False, True])
def test_client_protests_once_if_a_bot_moved_while_it_was_connected(tmp_path: Path, restarted: bool) -> None:
    room, player = taken_over(tmp_path)
    assert not player.client.signatures.protest, "the bot has not moved yet"
    bot_move(room, player.seat)
    assert [guest.client.signatures.protest for guest in room.players] == [
        guest is player for guest in room.players
    ]
    player.client.take_back()
    room.carry()
    if restarted:
        player.restart()
    assert player.client.signatures.protest, "until the next co-signature"
    room.play()
    assert player.records.client_log is not None
    protests = [one.protests for one in player.records.client_log.audit.cosigned]
    assert protests[0] == (player.seat,)
    assert not any(protests[1:])
    player.records.close()
    player.open()
    assert not player.client.signatures.protest


def test_unanswered_move_is_signed_again_if_another_entry_came_first(tmp_path: Path) -> None:
    """The new signature has another head, and therefore other nonces."""
    room = begun(tmp_path, players=3).play(3)
    mover = room.mover
    sent = mover.client.move(room.choice(mover))
    first = sent.play
    room.game.append(room.game.host_log.away(room.other.seat))
    room.table.pump(room.now)
    room.carry()
    assert sent.taken
    assert isinstance(first, Play)
    assert isinstance(sent.play, Play)
    assert sent.play.n > first.n
    assert sent.play.signature != first.signature
    assert not {one.nonce for one in first.openings} & {one.nonce for one in sent.play.openings}


# Requests


def test_only_the_host_can_let_a_bot_play_for_an_absent_player(tmp_path: Path) -> None:
    room, away = abandoned(tmp_path, after=None)
    host = room.at(1 - away.seat)
    room.wait(10 * AFTER)
    assert not room.game.substituted(away.seat)
    host.say(SubstituteFor(away.seat, "sensible"))
    assert refusals(host) == ["owner_only"]
    room.table.lobby.own.add(host.identity.public)
    host.say(SubstituteFor(away.seat, "unheard"))
    assert refusals(host) == ["no_level"]
    host.say(SubstituteFor(away.seat, "sensible"))
    assert room.game.substituted(away.seat)


def test_substitute_request_without_a_game_or_bots_is_rejected(tmp_path: Path) -> None:
    room = Room(tmp_path, 2, takeover=Takeover(lambda level: Watched()))
    (anna,) = room.seat("Player 0")
    room.table.lobby.own.add(anna.identity.public)
    anna.say(SubstituteFor(0, "sensible"))
    assert refusals(anna) == ["not_playing"]
    room = Room(tmp_path, 2).begin().play(3)
    mover = room.mover
    mover.say(SubstituteFor(mover.seat, ""))
    assert refusals(mover) == ["no_bots"]
    assert mover.act(room.choice(mover)).taken


@pytest.mark.slow
def test_player_who_leaves_the_seat_to_a_bot_takes_it_back(tmp_path: Path) -> None:
    room = begun(tmp_path, after=None).play(3)
    leaver = room.mover
    seat = leaver.seat
    leaver.say(SubstituteFor(seat, ""))
    assert leaver.port.code == "left"
    leaver.viewer = None
    until(room, lambda: bot_moves(room, seat) > 2)
    leaver.open()
    leaver.join()
    room.carry()
    (absence,) = room.game.host_log.audit.absences.all
    assert absence.until is not None
    leaver.cut()
    room.wait(500)
    assert not room.game.substituted(seat), "the request was for that absence only"
    leaver.join()
    assert room.play().game.closed
    assert room.verified() == (0, [])


# Pauses, and the decision timer


def test_during_a_pause_moves_are_rejected_and_no_substitute_plays(tmp_path: Path) -> None:
    room, away = abandoned(tmp_path)
    other, n = room.at(1 - away.seat), room.game.n
    other.say(Pause(True))
    room.wait(10 * AFTER)
    assert room.game.n == n
    away.join()
    room.carry()
    assert away.client.notices.paused
    assert not away.client.may_move
    away.client.notices.paused = False  # as a client that does not know of the pause yet
    assert room.refused_move() == "paused"
    away.say(Pause(False))
    assert not other.client.notices.paused
    assert room.play(5).game.n > n


def clocks(guest: Guest) -> list[tuple[int, int]]:
    """Return the reports about the decision timer that a client received: the limit, and the seconds that
    have passed."""
    return [(one.seconds, one.gone) for one in guest.client.updates if isinstance(one, ClockSet)]


def test_player_who_returns_is_sent_the_decision_timer(tmp_path: Path) -> None:
    room = begun(tmp_path, after=None, clock=60)
    assert [clocks(guest) for guest in room.players] == [[(60, 0)], [(60, 0)]]
    room.play(3)
    mover, other, n = room.mover, room.other, room.game.n
    room.wait(20)
    other.cut()
    other.join()
    room.carry()
    assert clocks(other)[-1] == (60, 20)
    room.wait(200)
    assert room.game.n == n, "the timer decides nothing"
    mover.say(Pause(True))
    other.cut()
    room.wait(300)
    other.join()
    room.carry()
    assert clocks(other)[-1] == (60, 220)
    mover.say(Pause(False))
    other.cut()
    room.move()
    other.restart()
    room.carry()
    news = [type(one) for one in other.client.updates if isinstance(one, ClockSet | Happened)]
    assert news == [Happened, ClockSet], "the timer after the log"
