"""A table that has come back: it asks its players for what it lacks, and goes on as far as they have it."""

from collections.abc import Callable
from functools import partial

from citadels_lan.crypto.chain import Chain
from citadels_lan.crypto.log import RULES
from citadels_lan.net.host.audience import Audience
from citadels_lan.net.host.core import Core
from citadels_lan.net.host.game import HostedGame, Keep
from citadels_lan.net.host.playing import Playing
from citadels_lan.net.host.viewers import Viewer
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Handed

from .recovering import Recovering, again, begun
from .returning import Given, Returning


class ComingBack:
    """What a table lacks of its game, and who is asked for it. `take` is called with what a player had sent before
    the table could go on."""

    def __init__(
        self,
        core: Core,
        keep: Keep,
        audience: Audience,
        playing: Playing,
        take: Callable[[Viewer, Given, float], None],
        *,
        whole: bool,
    ) -> None:
        """The audience has the game as far as its journal does. Where that is not `whole`, nothing new is signed
        before every player was here, who may hold more of it; else before one of another machine was."""
        self._core = core
        self._keep = keep
        self._audience = audience
        self._playing = playing
        self._take = take
        game, players = audience.game, [each.key for each in audience.lobby.places]
        chain = Chain(core.game, RULES, core.fp) if game is None else game.host_log.chain
        playing_on = game is not None and not game.host_log.audit.over
        elsewhere = [key for key in players if key not in audience.lobby.own] if playing_on else ()
        self._returning = Returning(Recovering(chain, core.host.public), players, elsewhere)
        if not whole:
            self._returning.hear_all()
        if game is not None and not self.waits:
            game.go_on()
        self._taken = chain.n if game is None else game.n
        audience.left = self._returning.lost
        audience.freed = self._returning.forget
        audience.wanted = self._wanted

    @property
    def waits(self) -> bool:
        """Whether nothing new may be signed, until those who hold more of the game have handed it back."""
        return self._returning.waits

    @property
    def lacks(self) -> bool:
        """Whether players hold more of the game, by what they have handed back or say."""
        return self._returning.lacks

    def hold(self, viewer: Viewer, message: Given) -> None:
        """Keep what a player sends meanwhile."""
        self._returning.hold(viewer, message)

    @property
    def unchanged(self) -> bool:
        """Whether this program has signed nothing since it came back but what was handed back, and what follows
        from the log alone, which is always the same."""
        return self._audience.game is None or self._audience.game.n <= self._taken

    def disbelieves(self, key: bytes) -> bool:
        """Whether the host's person goes on without what this player has more."""
        return self._returning.disbelieves(key)

    def check(self, viewer: Viewer, fork: Refusal) -> None:
        """Somebody's file is longer than the log, and this host has signed that. Raises `fork` for whoever cannot
        have more of it, Refusal `recovering` for those who are not asked."""
        lobby = self._audience.lobby
        if self._audience.game is None and not lobby.knows(viewer.key):
            raise fork
        self._returning.hear_all()
        if not viewer.player:
            raise Refusal("recovering")

    def joined(self, viewer: Viewer, n: int, now: float) -> None:
        """A player is here, whose file has `n` entries."""
        if self._audience.game is not None:
            self._returning.recovering.follow(self._audience.game.host_log.chain)
        self._returning.joined(viewer, n, self._audience.last, now)
        self._go_on(now)

    def take(self, viewer: Viewer, handed: Handed, now: float) -> None:
        """An entry that this host has signed and lost. Raises Malformed."""
        try:
            self._returning.take(viewer, handed, now)
        except Refusal as fork:
            self._send_away(viewer, fork.code, now)
        self._go_on(now)

    def tick(self, now: float) -> bool:
        """Drop whoever says to have more and does not hand it over: it is asked again when it is back. Whether
        there is any."""
        late = self._returning.overdue(now)
        for viewer in [each for each in self._audience.viewers if each.player and each.key in late]:
            self._send_away(viewer, "dropped", now)
        return bool(late)

    def go_on_without(self, seat: int, now: float) -> None:
        """The host's person waits no longer for what a player may have. Raises Refusal where nobody waits for it,
        or there is an entry that cannot be made again without it."""
        game, returning = self._audience.game, self._returning
        key = game.keys[seat] if game is not None and seat < len(game.keys) else b""
        if game is not None and seat in returning.recovering.wanted(game.host_log.audit):
            raise Refusal("theirs_alone")
        if key not in returning.expected:
            raise Refusal("not_gone")
        self._returning.disbelieve(key)
        self._go_on(now)

    def _send_away(self, viewer: Viewer, code: str, now: float) -> None:
        self._audience.lost(viewer, now)
        viewer.port.close(code)

    def _go_on(self, now: float) -> None:
        """Go on with what was handed back, as far as it goes; and with the game, once all of it is there."""
        returning, audience = self._returning, self._audience
        unchanged = self.unchanged
        if audience.game is None and returning.recovering.pieces:
            self._play_on(begun(returning.recovering, self._core, self._keep))
        if audience.game is not None:
            again(audience.game, returning.recovering)
            if not returning.waits:
                audience.game.go_on()
            if unchanged:
                self._taken = audience.game.n
            if not returning.waits:
                returning.release(partial(self._late, now))
                for viewer in audience.viewers:
                    audience.note_served(viewer)
        self._playing.tell(now)

    def _play_on(self, game: HostedGame) -> None:
        self._playing.begin(game)
        self._audience.take_seats(game)
        self._audience.tell_lobby()

    def _late(self, now: float, key: bytes, message: Given) -> None:
        """What a player has sent while the table could not go on."""
        for viewer in [each for each in self._audience.viewers if each.player and each.key == key]:
            self._take(viewer, message, now)

    def _wanted(self) -> tuple[int, ...]:
        """The seats without whom the table cannot go on."""
        returning, game = self._returning, self._audience.game
        if game is None or not returning.waits:
            return ()
        expected = {seat for seat, key in enumerate(game.keys) if key in returning.expected}
        return tuple(sorted(expected.union(returning.recovering.wanted(game.host_log.audit))))
