"""A host that tells two stories: its guests find out from each other, over real sockets, and have the proof.

A story can only differ in what the host's own seats do, and each has to be signed by the host: so it forks where
its own seat is the last to act in a round. In one story that seat goes on, in the other it ends its turn at once.
"""

import asyncio
import random
from pathlib import Path

import pytest

from citadels_lan.crypto.audit.signed import sign_move
from citadels_lan.crypto.drbg import SeededChance
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import IllegalMove, decide, parse
from citadels_lan.engine.events import RoundEnded
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.updates import Alarm
from citadels_lan.net.host import table
from citadels_lan.net.host.audience import Audience
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.viewers import Viewer
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Play
from tests.net.playing import random_action, seated

ACCOMPLICE, VICTIM = 0, 2


class TwoFaced(HostedGame):
    """A game with a second story for the victim, from the first place where there can be one."""

    accomplice: Identity
    other: HostedGame | None = None

    def play(self, seat: int, move: Play) -> None:
        if self.other is None and seat == ACCOMPLICE and move.what != "end" and self._could_end():
            self.other = self._forked()
        super().play(seat, move)

    def _could_end(self) -> bool:
        try:
            events = decide(self.state, ACCOMPLICE, parse("end", ACCOMPLICE), SeededChance(self.host_log.seed()))
        except IllegalMove:
            return False
        return any(isinstance(event, RoundEnded) for event in events)

    def _forked(self) -> HostedGame:
        host_log = self.host_log
        other = HostedGame.restore(host_log.written, host_log._secret, host_log._host, lambda _: None)
        signature = sign_move(self.accomplice, host_log.header.game_id, other.host_log.chain, ACCOMPLICE, "end")
        other.play(ACCOMPLICE, Play(other.n + 1, "end", signature, ()))
        other.go_on()
        return other


class ForkingAudience(Audience):
    """Tells the victim the second story, once there is one."""

    def pump_to(self, viewer: Viewer, now: float) -> None:
        game = self.game
        if isinstance(game, TwoFaced) and game.other is not None and viewer.seat == VICTIM:
            self.game = game.other
        try:
            super().pump_to(viewer, now)
        finally:
            self.game = game


async def alarmed(session: Session, seed: int) -> Alarm | None:
    """Play at random until there is an alarm; None if the game ends without one."""
    dice = random.Random(seed)
    async for update in session.updates():
        if isinstance(update, Alarm):
            return update
        if session.status == "over":
            return None
        while choices := session.choices():
            try:
                await session.act(random_action(choices, dice))
            except Rejected:
                await asyncio.sleep(0.05)  # the victim's moves are for the other story
    return None


async def forked_game(folder: Path, seed: int) -> tuple[Session, Session, Alarm] | None:
    """Who found out, who was told the other story, and the alarm; None if there was no place for a fork."""
    async with seated(folder, 3) as (_, sessions):
        TwoFaced.accomplice = sessions[ACCOMPLICE].identity
        await sessions[0].start()
        async with asyncio.TaskGroup() as tasks:
            playing = [tasks.create_task(alarmed(one, 10 * seed + seat)) for seat, one in enumerate(sessions)]
            async with asyncio.timeout(90):
                await asyncio.wait(playing[1:], return_when=asyncio.FIRST_COMPLETED)
            first = next(seat for seat in (1, 2) if playing[seat].done())
            alarm = playing[first].result()
            for task in playing:
                task.cancel()
        return None if alarm is None else (sessions[first], sessions[3 - first], alarm)


@pytest.mark.slow
async def test_two_stories_are_found_by_those_who_were_told_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the longer story finds out at once, and has the proof alone; the other one may wait for ever."""
    monkeypatch.setattr(table, "Audience", ForkingAudience)
    monkeypatch.setattr(table, "HostedGame", TwoFaced)
    found = None
    for seed in range(8):
        found = found or await forked_game(tmp_path / str(seed), seed)
    assert found is not None
    finder, told, alarm = found
    assert alarm.code == "two_histories"
    assert alarm.details["name"] == told.names[told.seat or 0]
    assert alarm.details["theirs"] != alarm.details["ours"]
    assert finder.reason is not None
    assert (finder.reason.code, finder.status) == ("two_histories", "lost")
    assert finder.transcript is not None
    assert told.transcript is not None
    assert proofs([finder.transcript]) == {"two_histories"}
    assert proofs([finder.transcript, told.transcript]) == {"two_histories"}
    assert proofs([told.transcript]) <= {"two_histories"}  # it has the proof, too, where it heard of it in time


def proofs(paths: list[Path]) -> set[str]:
    """What is proven by some files."""
    return {finding.code for finding in verify(paths).findings if finding.kind == "proof"}
