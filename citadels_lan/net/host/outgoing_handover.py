"""The host hands its game over to the program of a player: the old host's side. No sockets here.

The game pauses while the successor copies and replays the journal, and while every client connects to its port.
Then the host signs the *handover*. From that entry on the game is the successor's, and this host signs nothing. It
serves the entry until the successor has acknowledged it; then it sends everyone there."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, TypeAlias

from citadels_lan.net.host.audience import Audience, Viewer, tell
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import PIECE, PIECES, Accept, Copy, Tried, TryPort

PATIENCE: Final = 10.0
"""Seconds without an answer of the successor until the host keeps the game."""
PROBING: Final = 5.0
"""Seconds that the clients have to connect to the successor."""

Answer: TypeAlias = Accept | Tried


class OutgoingHandover:
    """The handovers of one table. `handed`: another program hosts the game now."""

    def __init__(self, audience: Audience) -> None:
        self.handed = False
        self._audience = audience
        self._successor: Viewer | None = None
        self._answers: dict[bytes, Answer] = {}
        self._news = asyncio.Event()

    @property
    def stops(self) -> bool:
        """Whether nothing may be signed: the game is handed over, or just before that."""
        game = self._audience.game
        handing = self._successor is not None and game is not None and game.host_log.audit.may_hand_over
        return self.handed or handing

    @property
    def now(self) -> Refusal | None:
        """The reason that names the next host, for `host --resume`. None while this program is the host."""
        game = self._audience.game
        if not self.handed or game is None:
            return None
        last = game.host_log.audit.hosts.now
        return Refusal("handed", name=game.host_log.header.players[last.seat or 0].name, n=last.first - 1)

    async def hand_over(self, seat: int, copy: Callable[[], bytes]) -> None:
        """Hand the game over to a seat as soon as the log allows it. `copy` returns the journal for the successor.
        Raises Refusal: this host keeps the game."""
        game, successor = self._audience.game, self._viewer(seat)
        name = self._audience.lobby.places[seat].name
        if game is None or game.closed or game.host_log.audit.over:
            raise Refusal("not_playing")
        if self._successor is not None or self.handed:
            raise Refusal("handing_over")
        if not game.host_log.audit.may_host(seat) or game.keys[seat] in self._audience.lobby.own:
            raise Refusal("no_successor", name=name)
        if successor is None:
            raise Refusal("successor_away", name=name)
        self._successor = successor
        try:
            accept = await self._offer(game, successor, copy)
            await self._probe(successor, accept)
            game.append(game.host_log.hand_over(accept.entry))
            self.handed = True
        except TimeoutError:
            raise Refusal("successor_silent", name=name) from None
        finally:
            # The successor removes its copy of the journal, and this host continues.
            if not self.handed:
                tell(successor, Copy(0, 0, ()))
            self._successor = None
            self._answers.clear()
        while game.kept < game.n:  # the entry waits for the disk
            self._news.clear()
            await self._news.wait()

    async def _offer(self, game: HostedGame, successor: Viewer, copy: Callable[[], bytes]) -> Accept:
        """Send the journal once a move may come next and the successor has all entries. Raises Refusal,
        TimeoutError."""
        audit = game.host_log.audit
        await self._until(lambda: audit.over or (audit.may_hand_over and successor.acked == game.n))
        if audit.over:
            raise Refusal("not_playing")
        data, part = copy(), PIECE * PIECES
        for at in range(0, len(data), part):
            pieces = tuple(data[i : i + PIECE] for i in range(at, min(at + part, len(data)), PIECE))
            self._answers.pop(successor.key, None)
            tell(successor, Copy(len(data), at, pieces))
            await self._until(lambda: successor.key in self._answers)
            answer = self._answers[successor.key]
            if isinstance(answer, Tried) and answer.code:
                raise Refusal("declined", name=successor.name, reason=answer.code)
        if not isinstance(answer, Accept) or answer.entry.seat != successor.seat:
            raise Refusal("successor_silent", name=successor.name)
        if not audit.accepts(game.n + 1, game.head, answer.entry):
            raise Refusal("declined", name=successor.name, reason="signature")
        return answer

    async def _probe(self, successor: Viewer, accept: Accept) -> None:
        """Let each client try the successor's port. Raises Refusal unless every player who is here has reached
        it."""
        for viewer in self._audience.viewers:
            if viewer is not successor:
                tell(viewer, TryPort(successor.source, accept.port, accept.entry.fp))

        def results() -> dict[str, Answer | None]:
            """The answers of the players who are here, by name; None before they come."""
            players = [each for each in self._audience.viewers if each.seat is not None and each is not successor]
            return {viewer.name: self._answers.get(viewer.key) for viewer in players}

        # A player without an answer counts as one who has not reached the successor.
        with contextlib.suppress(TimeoutError):
            await self._until(lambda: None not in results().values(), PROBING)
        reached = Tried(accept.entry.fp, "")
        if failed := [name for name, answer in results().items() if answer != reached]:
            raise Refusal("successor_unreached", names=", ".join(failed), name=successor.name)

    async def _until(self, holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait for a condition. Raises TimeoutError; Refusal if the successor's connection is lost."""
        async with asyncio.timeout(seconds):
            while not holds():
                if self._successor not in self._audience.viewers:
                    assert self._successor is not None
                    raise Refusal("successor_away", name=self._successor.name)
                self._news.clear()
                await self._news.wait()

    def hear(self, viewer: Viewer, message: Answer) -> None:
        """Take a viewer's message about a handover."""
        if self._successor is not None:
            self._answers[viewer.key] = message
            self._news.set()

    def check_join(self, key: bytes) -> None:
        """No one joins during a handover. After it only the successor may fetch it here. Raises Refusal."""
        game, now = self._audience.game, self.now
        if now is None or game is None:
            if self.stops:
                raise Refusal("handing_over")
        elif self._audience.lobby.handed or game.seat(key) != game.host_log.audit.hosts.now.seat:
            raise Refusal("handed_over", name=now.details["name"])

    def tick(self) -> None:
        """Check the conditions again after some time, or after an acknowledgement."""
        self._news.set()
        game, lobby, now = self._audience.game, self._audience.lobby, self.now
        if now is None or game is None or game.kept < game.n:
            return
        successor = self._viewer(game.host_log.audit.hosts.now.seat)
        # This program may end once the successor has acknowledged the entry.
        lobby.handed |= successor is not None and successor.acked >= game.n
        if successor is None or lobby.handed:
            viewers, self._audience.viewers = self._audience.viewers, []
            for viewer in viewers:
                viewer.port.close("handed_over", name=now.details["name"])

    def _viewer(self, seat: int | None) -> Viewer | None:
        return next((each for each in self._audience.viewers if seat is not None and each.seat == seat), None)
