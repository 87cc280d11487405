"""A handover of the game to the program of a player: the old host's side and the successor's.

The game pauses while the successor copies and replays the journal, and while every client connects to its port.
Then the host signs the *handover*. From that entry on the game belongs to the successor, and this host signs
nothing more. It sends the entry until the successor has acknowledged it. Then it sends all viewers to the
successor.

The successor copies the journal, replays it completely, and compares it with its own transcript. Only then it
makes a key and a certificate, opens a port, and signs that it accepts. It is the host once its own journal
contains the *handover*. Then it opens the table from that journal, as `host --resume` does.
"""

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.host_log import Written
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import Delta, Handover, Mismatch, Unacceptable, decode_entry, entry_signed
from citadels_lan.crypto.replay import compare_own
from citadels_lan.crypto.signatures import sign_accept
from citadels_lan.net.client.records import Records
from citadels_lan.net.client.succession import Heir
from citadels_lan.net.discovery.adverts import Address
from citadels_lan.net.host.audience import Audience, Viewer, tell
from citadels_lan.net.host.hosted_game import HostedGame
from citadels_lan.net.host.journal import Content, Journal, check_first, parse, read, whole
from citadels_lan.net.wire.errors import Refusal, check_room
from citadels_lan.net.wire.link import host_context, listen, make_certificate
from citadels_lan.net.wire.messages import PIECE, PIECES, Accept, Copy, Tried, TryPort
from citadels_lan.platform.files import sync_folder, write_private

PATIENCE: Final = 10.0
"""Seconds without an answer of the successor after which the host keeps the game."""
PROBING: Final = 5.0
"""Seconds that the clients have for connecting to the successor."""

Answer: TypeAlias = Accept | Tried


class OutgoingHandover:
    """The old host's side of the handovers of one table. `handed`: the game is handed over, and another
    program is its host now."""

    def __init__(self, audience: Audience) -> None:
        self.handed = False
        self._audience = audience
        self._successor: Viewer | None = None
        self._answers: dict[bytes, Answer] = {}
        self._news = asyncio.Event()

    @property
    def stops(self) -> bool:
        """Whether this host may sign nothing, because the game is handed over, or a handover may come
        next."""
        game = self._audience.game
        handing = self._successor is not None and game is not None and game.host_log.audit.may_hand_over
        return self.handed or handing

    @property
    def now(self) -> Refusal | None:
        """The reason for clients to leave, which names the next host; None while this program is the host."""
        game = self._audience.game
        if not self.handed or game is None:
            return None
        last = game.host_log.audit.hosts.now
        return Refusal("handed", name=game.host_log.header.players[last.seat or 0].name, n=last.first - 1)

    async def hand_over(self, seat: int, copy: Callable[[], bytes]) -> None:
        """Hand the game over to the player at `seat`, as soon as the log allows it. `copy` returns the bytes
        of the journal for the successor. Raises Refusal if this host keeps the game."""
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
            game.append(game.host_log.write(accept.entry))
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
        """Send the successor the journal, once the log allows a handover and the successor has acknowledged
        all entries. Return its acceptance. Raises Refusal, TimeoutError."""
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
        """Let each client try to connect to the successor. Raises Refusal unless all connected players have
        reached it."""
        for viewer in self._audience.viewers:
            if viewer is not successor:
                tell(viewer, TryPort(successor.source, accept.port, accept.entry.fp))

        def results() -> dict[str, Answer | None]:
            """Return the answers of the connected players, by name; None for a player without an answer."""
            players = [each for each in self._audience.viewers if each.seat is not None and each is not successor]
            return {viewer.name: self._answers.get(viewer.key) for viewer in players}

        # A player without an answer counts as one who has not reached the successor.
        with contextlib.suppress(TimeoutError):
            await self._until(lambda: None not in results().values(), PROBING)
        reached = Tried(accept.entry.fp, "")
        if failed := [name for name, answer in results().items() if answer != reached]:
            raise Refusal("successor_unreached", names=", ".join(failed), name=successor.name)

    async def _until(self, holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until `holds()` is True. Raises TimeoutError; Refusal if the successor disconnects."""
        async with asyncio.timeout(seconds):
            while not holds():
                if self._successor not in self._audience.viewers:
                    assert self._successor is not None
                    raise Refusal("successor_away", name=self._successor.name)
                self._news.clear()
                await self._news.wait()

    def hear(self, viewer: Viewer, message: Answer) -> None:
        """Store the answer of a viewer about a handover; ignore it if there is no handover now."""
        if self._successor is not None:
            self._answers[viewer.key] = message
            self._news.set()

    def check_join(self, key: bytes) -> None:
        """Check whether the client with this key may join. During a handover none may. After it only the
        successor may, to receive the *handover*. Raises Refusal."""
        game, now = self._audience.game, self.now
        if now is None or game is None:
            if self.stops:
                raise Refusal("handing_over")
        elif self._audience.lobby.handed or key != game.keys[game.host_log.audit.hosts.now.seat or 0]:
            raise Refusal("handed_over", name=now.details["name"])

    def tick(self) -> None:
        """Let `_until` check its condition again. After a handover: disconnect all clients once the successor
        has acknowledged the *handover*."""
        self._news.set()
        game, lobby, now = self._audience.game, self._audience.lobby, self.now
        if now is None or game is None or game.kept < game.n:
            return
        successor = self._viewer(game.host_log.audit.hosts.now.seat)
        # This program may end once the successor has acknowledged the entry.
        lobby.handed |= successor is not None and successor.acked >= game.n
        if successor is None or lobby.handed:
            self._audience.end(Refusal("handed_over", name=now.details["name"]))

    def _viewer(self, seat: int | None) -> Viewer | None:
        return next((each for each in self._audience.viewers if seat is not None and each.seat == seat), None)


WRONG: Final = (Malformed, Mismatch, Unacceptable, Refusal)
Serve: TypeAlias = Callable[[Path], Awaitable[Address]]
"""A function that serves the game in a journal. It returns the address for this program's own sessions, and
raises Refusal and OSError."""


class IncomingHandover(Heir):
    """The successor's side: stores the journals of games in the folder `tables`, and serves them with
    `opening`. `host` and `port` are where to listen; None means all addresses and the usual port."""

    def __init__(self, tables: Path, opening: Serve, host: str | None = None, port: int | None = None) -> None:
        self._tables = tables
        self._opening = opening
        self._where = host, port
        self._answering: list[asyncio.Server] = []
        self._copy: Path | None = None
        self._handed: Path | None = None

    async def prepare(self, copy: bytes, own: Records) -> Accept:
        """Check the journal `copy`, store it, and open a port. Return the message that accepts. Raises
        Refusal with the reason to decline."""
        self.drop()
        game, n, head, seat = own.game.id, own.n, own.head, own.seat
        try:
            # A whole replay takes long enough to delay the other connections of this program.
            content = await asyncio.to_thread(check_copy, copy, game, n, head)
        except WRONG:
            raise Refusal("journal_differs") from None
        certificate, secret = make_certificate(), os.urandom(32)
        try:
            check_room(self._tables)
            sockets = listen(*self._where)
            port = sockets[0].getsockname()[1]
            for listening in sockets:
                answering = asyncio.start_server(
                    lambda _, writer: writer.close(), sock=listening, ssl=host_context(certificate)
                )
                self._answering.append(await answering)
            assert content.lobby is not None
            assert seat is not None
            new = {"host": secret, "certificate": certificate.der, "key": certificate.key, "port": port}
            table, lobby = replace(content.table, **new), replace(content.lobby, own=(own.identity.public,))
            self._copy = self._path(game, n + 1)
            write_private(self._copy, whole(table, lobby, content.entries), replace=True)
            # The journal must survive a power cut before this program signs that it accepts.
            sync_folder(self._tables)
        except OSError:
            raise Refusal("no_port") from None
        key, fp = Identity(secret).public, certificate.fp
        accept = sign_accept(own.identity, game, n + 1, head, key, fp)
        return Accept(Handover(seat, key, fp, accept), port)

    def keep(self, delta: Delta, own: Records) -> bool:
        """Store the entry `delta`, a *handover* that the host has signed. This also works after a crash of
        this program. Return whether this program is the successor. Raises OSError."""
        path = self._path(own.game.id, delta.n)
        try:
            entry, content = decode_entry(delta.public), read(path)
        except (Malformed, Refusal, FileNotFoundError):  # the host lies, the file is damaged, or it is not there
            return False
        if not isinstance(entry, Handover) or entry.key != Identity(content.table.host).public:
            return False
        if len(content.entries) < delta.n:
            try:
                journal, _ = Journal.resume(path)
            except Refusal:  # another program has locked it
                raise BlockingIOError from None
            with contextlib.closing(journal):
                journal.append(Written(delta.n, delta.public, said=delta.signature))
        self._handed, self._copy = path, None
        return len(content.entries) <= delta.n

    async def serve(self) -> Address:
        """Serve the game that was handed over. Return the address for this program's own sessions. Raises
        Refusal, OSError."""
        self.drop()
        assert self._handed is not None
        return await self._opening(self._handed)

    def drop(self) -> None:
        """Close the port. If the game was not handed over, remove the copy of the journal."""
        for server in self._answering:
            server.close()
        self._answering = []
        if self._copy is not None:
            self._copy.unlink(missing_ok=True)
            self._copy = None

    def _path(self, game: bytes, n: int) -> Path:
        return self._tables / f"{game.hex()}-{n}.journal"


def check_copy(copy: bytes, game: bytes, n: int, head: bytes) -> Content:
    """Replay the journal that a host has sent, and return its content. It must end with entry `n`, whose hash
    is `head`. Raises one of `WRONG` if the journal is invalid or does not belong to this game."""
    content = parse(copy)
    table, entries = content.table, content.entries
    check_first(table, entries, Path())
    log = HostedGame.restore(entries, table.secret, Identity(table.host), lambda _: None).host_log
    if (table.game, log.chain.n, log.chain.head) != (game, n, head) or content.lobby is None:
        raise Malformed("another journal")
    for entry in entries:
        key = log.audit.hosts.at(entry.n).key
        if not entry_signed(key, entry.said or b"", game, entry.n, log.heads[entry.n]):
            raise Malformed("not signed")
        for seat, part in enumerate(entry.parts):
            log.check_part(seat, part)
    compare_own(log, table.secret)
    return content
