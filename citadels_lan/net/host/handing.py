"""The host hands its game over to the program of a player: the old host's side. No sockets here.

The game pauses while the successor copies and replays the journal, and while every connected player connects
to its port. Then the host writes the *handover* to the disk. It signs nothing after that. Once the successor has
acknowledged the entry, or is gone, the host tells everyone where the game continues."""

import asyncio
import contextlib
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final, TypeAlias

from msgspec.structs import replace

from citadels_lan.crypto.handover import accepted
from citadels_lan.crypto.log import Handover
from citadels_lan.net.host.audience import Audience, Viewer, tell
from citadels_lan.net.host.game import HostedGame
from citadels_lan.net.host.journal import HandedRecord, LobbyRecord, TableRecord, TableState, whole
from citadels_lan.net.host.playing import Playing
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import PIECE, PIECES, Accept, Copy, Fetch, Tried, TryPort

PATIENCE: Final = 10.0
"""Seconds without an answer of the successor until the host keeps the game."""
PROBING: Final = 5.0
"""Seconds that the players' programs have to connect to the successor."""

Answer: TypeAlias = Fetch | Accept | Tried


class Handing:
    """The handovers of one table. `handed` is where the game continues once the *handover* is in the log. `record`
    returns what the journal keeps of the lobby, and `note` writes where the game continues; the owner of the
    journal sets both."""

    def __init__(self, audience: Audience, playing: Playing, secret: Callable[[], bytes]) -> None:
        self.record: Callable[[], LobbyRecord] = lambda: LobbyRecord(audience.lobby.settings)
        self.note: Callable[[HandedRecord], None] = lambda _: None
        self.announce = True
        self.handed: HandedRecord | None = None
        self._audience = audience
        self._playing = playing
        self._secret = secret
        self._busy = self._pauses = False
        self._said: dict[bytes, Answer] = {}
        self._news = asyncio.Event()

    @property
    def stops(self) -> bool:
        """Whether nothing may change: the game is being handed over, or it was."""
        return self._pauses or self.handed is not None

    @property
    def past(self) -> Refusal | None:
        """What `host --resume` says of a game that was handed over; None if it was not."""
        if self.handed is None or (game := self._audience.game) is None:
            return None
        last = game.host_log.audit.hosts.now
        name = game.host_log.header.players[last.seat or 0].name
        address, port = self.handed.address, self.handed.port
        return Refusal("handed", name=name, n=last.first - 1, address=address, port=port)

    async def hand_over(self, seat: int) -> None:
        """Hand the game over to a seat as soon as the log allows it. Raises Refusal: the host keeps the game."""
        game, heir = self._audience.game, self._viewer(seat)
        name = self._audience.lobby.places[seat].name
        if game is None or game.closed or game.host_log.audit.over:
            raise Refusal("not_playing")
        if self._busy or self.handed is not None:
            raise Refusal("handing_over")
        if not game.host_log.audit.may_host(seat) or game.keys[seat] in self._audience.lobby.own:
            raise Refusal("no_successor", name=name)
        if heir is None:
            raise Refusal("successor_away", name=name)
        self._busy = True
        try:
            accept = await self._offer(game, heir)
            await self._probe(heir, accept)
            self._write(game, accept, HandedRecord(_address(heir), accept.port, serves=False), seat)
        except Refusal:
            if heir in self._audience.viewers:
                tell(heir, Copy(0, 0, ()))
            raise
        finally:
            self._busy = self._pauses = False
            self._said.clear()
        while game.told < game.n:  # the entry waits for the disk
            await self._heard()

    def check_join(self, key: bytes) -> None:
        """No one joins during a handover. After it only the successor may fetch it here. Raises Refusal."""
        if self._pauses:
            raise Refusal("handing_over")
        game, handed, past = self._audience.game, self.handed, self.past
        if game is None or handed is None or past is None:
            return
        if handed.serves or game.keys[game.host_log.audit.hosts.now.seat or 0] != key:
            raise Refusal("handed_over", **past.details)

    def hear(self, viewer: Viewer, message: Answer) -> None:
        """Take a viewer's message about a handover."""
        if self._busy:
            self._said[viewer.key] = message
            self._news.set()

    def tick(self) -> None:
        """Some time has passed, or an entry was acknowledged."""
        self._news.set()
        game, past = self._audience.game, self.past
        if self.handed is None or game is None or past is None or game.told < game.n:
            return
        heir = self._viewer(game.host_log.audit.hosts.now.seat)
        if heir is not None and heir.acked >= game.n and not self.handed.serves:
            self.handed = replace(self.handed, serves=True)
            with contextlib.suppress(OSError):
                self.note(self.handed)
        if heir is None or self.handed.serves:
            viewers, self._audience.viewers = self._audience.viewers, []
            for viewer in viewers:
                viewer.port.close("handed_over", **past.details)

    async def _heard(self) -> None:
        """Wait until something has happened."""
        self._news.clear()
        await self._news.wait()

    async def _until(self, heir: Viewer, holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        """Wait for a condition. Return False if it does not hold within these seconds. Raises Refusal if the
        successor is lost."""
        loop, game = asyncio.get_running_loop(), self._audience.game
        end = loop.time() + seconds
        while not holds():
            if heir not in self._audience.viewers:
                raise Refusal("successor_away", name=heir.name)
            if game is None or game.host_log.audit.over:
                raise Refusal("not_playing")
            if loop.time() > end:
                return False
            await self._heard()
        return True

    async def _offer(self, game: HostedGame, heir: Viewer) -> Accept:
        """Send the journal once a move may come next and the successor has all entries. Raises Refusal."""
        audit = game.host_log.audit
        ready = await self._until(heir, lambda: audit.may_hand_over and not game.stuck)
        self._pauses = ready
        ready = ready and await self._until(heir, lambda: heir.acked == game.told)
        copy, at = self._copy(game) if ready else b"", 0
        while at < len(copy):
            self._said.pop(heir.key, None)
            part = copy[at : at + PIECE * PIECES]
            tell(heir, Copy(len(copy), at, tuple(part[i : i + PIECE] for i in range(0, len(part), PIECE))))
            if not await self._until(heir, lambda: heir.key in self._said):
                break
            match self._said[heir.key]:
                case Fetch(further) if further > at:
                    at = further
                case Tried(_, code):
                    raise Refusal("declined", name=heir.name, reason=code)
                case Accept() as accept:
                    entry = Handover(heir.seat or 0, accept.key, accept.fp, accept.accept)
                    signed = accepted(heir.key, entry, audit.table.game_id, game.n + 1, game.head)
                    if signed and audit.is_new(accept.key):
                        return accept
                    raise Refusal("declined", name=heir.name, reason="signature")
                case _:
                    break
        raise Refusal("successor_silent", name=heir.name)

    def _copy(self, game: HostedGame) -> bytes:
        """The journal without the secrets of this host, and with its signatures and the state of the table."""
        pace, takeover, log = self._playing.pace, self._playing.takeover, game.host_log
        after = int(takeover.after) if takeover is not None and takeover.after is not None else None
        level = takeover.level if takeover is not None else ""
        gone = pace.gone(asyncio.get_running_loop().time())
        state = TableState(pace.seconds, gone, pace.paused, after, level, self.announce)
        table = TableRecord(log.header.game_id, self._secret(), bytes(32), b"", b"", 0)
        entries = (replace(one, said=log.signature(one.n)) for one in log.written)
        return whole(table, replace(self.record(), state=state), entries)

    async def _probe(self, heir: Viewer, accept: Accept) -> None:
        """Let each connected player try the successor's port. Raises Refusal unless every one has reached it."""
        asked = [viewer for viewer in self._audience.viewers if viewer.seat is not None and viewer is not heir]
        for viewer in asked:
            tell(viewer, TryPort(_address(heir), accept.port, accept.fp))

        def results() -> dict[str, str | None]:
            """The result of each viewer that is still connected, by name; None before it comes."""
            here = [viewer for viewer in asked if viewer in self._audience.viewers]
            return {viewer.name: self._tried(viewer, accept.fp) for viewer in here}

        await self._until(heir, lambda: None not in results().values(), PROBING)
        if failed := [name for name, code in results().items() if code != ""]:
            raise Refusal("successor_unreached", names=", ".join(failed), name=heir.name)

    def _tried(self, viewer: Viewer, fp: bytes) -> str | None:
        """What a viewer has answered about the port with this certificate."""
        said = self._said.get(viewer.key)
        return said.code if isinstance(said, Tried) and said.fp == fp else None

    def _write(self, game: HostedGame, accept: Accept, there: HandedRecord, seat: int) -> None:
        """Sign the last entry of this host. Raises Refusal."""
        try:
            self.note(there)
        except OSError:
            raise Refusal("disk_full") from None
        game.append(game.host_log.hand_over(Handover(seat, accept.key, accept.fp, accept.accept)))
        self.handed = there

    def _viewer(self, seat: int | None) -> Viewer | None:
        return next((one for one in self._audience.viewers if seat is not None and one.seat == seat), None)


def _address(viewer: Viewer) -> str:
    """Return the address of a viewer's program; an address of this computer if it is not known."""
    try:
        ip_address(viewer.source.partition("%")[0])
    except ValueError:
        return "127.0.0.1"
    return viewer.source
