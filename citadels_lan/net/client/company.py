"""Who sits at a table, who is away, and what is said there, as one viewer is told it.

The host says it, and what can be signed is: from the first entry on, names, keys, seats and settings are those of
the header, a line of chat is its author's, and each player claims its own name.
"""

from citadels_lan.crypto.claims import claim
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import Unplayable, edition_named
from citadels_lan.net.wire.chat import line_signed, sign_line
from citadels_lan.net.wire.clean import numbered
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Claim, LobbyNews, Presence, Said, Say, Seat, Settings, Welcome

from .records import Records
from .updates import Away, Chatted, LobbyChanged, Update, Waiting


class Company:
    """The people at one table. `lobby` is what the host has said of them before the game, `away` are the seats
    whose players are, `awaited` those that the table waits for, `name` is the own one at this table. What is heard
    gives the updates that come of it."""

    def __init__(self, records: Records) -> None:
        self.lobby: LobbyNews | None = None
        self.away: tuple[int, ...] = ()
        self.awaited: tuple[int, ...] = ()
        self.name = ""
        self._records = records
        self._heard: dict[bytes, int] = {}

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits at the table: by the signed header once there is one, by the lobby before."""
        news, header = self.lobby.seats if self.lobby is not None else (), self._records.header
        if header is None:
            return news
        owner = next((seat.key for seat in news if seat.owner), b"")
        players = enumerate(header.players)
        return tuple(
            Seat(one.name, one.bot, True, at in self.away, one.key == owner, one.key) for at, one in players
        )

    @property
    def stood_in(self) -> tuple[int, ...]:
        """The seats for which bots of the host move, by the log."""
        log = self._records.client_log
        return log.audit.movers.stood_in if log is not None else ()

    @property
    def settings(self) -> Settings | None:
        """What is played: by the signed header once there is one, by the lobby before; None before both."""
        header = self._records.header
        if header is None:
            return self.lobby.settings if self.lobby is not None else None
        bots = sum(player.bot for player in header.players)
        return Settings(header.config, bots, header.hints is None)

    def change(self, news: LobbyNews) -> list[Update]:
        """The lobby is another one. Raises Malformed, or Refusal for an edition that this program does not
        know."""
        if self._records.header is not None and self.lobby is not None:
            return []  # who plays what is signed by now, and nothing of it changes any more
        if news.seat is not None and news.seat >= len(news.seats):
            raise Malformed("a seat that is not there")
        config = news.settings.config
        try:
            edition_named(config.edition, config.options)
        except Unplayable as reason:  # a newer program may know it
            raise Refusal(reason.code, **reason.details) from None
        self.lobby = news
        return [LobbyChanged()]

    def attend(self, presence: Presence) -> list[Update]:
        """Who is away, and who is waited for. Raises Malformed."""
        if max((*presence.away, *presence.waiting), default=-1) >= len(self.seats):
            raise Malformed("a seat that is not there")
        changed = sorted(set(presence.away) ^ set(self.away))
        told: list[Update] = [Away(seat, seat in presence.away) for seat in changed]
        if presence.waiting != self.awaited:
            told.append(Waiting())
        self.away, self.awaited = presence.away, presence.waiting
        return told

    def claim(self, welcome: Welcome) -> Claim | None:
        """The name that the table has for this seat, signed, if it is one's own, or that with a number; None where
        there is none to be signed. Raises Refusal."""
        self.name = welcome.name
        records = self._records
        if welcome.seat is None or records.n:
            return None
        if not numbered(welcome.name, records.profile.name):
            raise Refusal("not_agreed", what="own_name")
        game = records.game
        signature = claim(records.identity, game.id, game.fp, game.host, welcome.name, records.profile.bot)
        return Claim(welcome.name, signature)

    def check_agreed(self, header: Header) -> None:
        """Whether a table is the one that the lobby has shown, as far as there was one: a host may begin any table
        it likes, but not with the part of somebody who was shown another one. Raises Refusal: `not_agreed`, or
        that this program does not know the edition."""
        if self.lobby is not None and (what := self._disagreement(header, self.lobby)):
            raise Refusal("not_agreed", what=what)
        try:
            edition_named(header.edition, header.options)
        except Unplayable as reason:
            raise Refusal(reason.code, **reason.details) from None

    def _disagreement(self, header: Header, lobby: LobbyNews) -> str:
        """In a word: `settings`, `own_name` or `players`; empty where there is none."""
        said = lobby.settings
        if (header.config, header.hints is None) != (said.config, said.hints):
            return "settings"
        guests = header.guests or ()
        begun = [(one.name, one.key, one.bot, seat in guests) for seat, one in enumerate(header.players)]
        shown = [(seat.name, seat.key, seat.bot, seat.guest) for seat in lobby.seats]
        if [key for _, key, *_ in begun] != [key for _, key, *_ in shown]:
            return "players"
        if lobby.seat is not None and begun[lobby.seat][0] != self.name:
            return "own_name"
        return "" if begun == shown else "players"

    def line(self, text: str, number: int) -> Say:
        """A line of chat, signed; its number is at least `number`, and higher than the last one's."""
        number = self._records.line_number(number)
        game = self._records.game
        return Say(number, text, sign_line(self._records.identity, game.id, game.fp, number, text))

    def hear(self, said: Said) -> list[Update]:
        """A line of chat, if its author has signed it, and not one that was told before. Whose seat it comes from
        says the key: also of somebody who is said to be watching. Raises Malformed."""
        game, seats = self._records.game, self.seats
        seat = next((at for at, one in enumerate(seats) if one.key == said.key), None)
        genuine = line_signed(said.key, said.signature, game.id, game.fp, said.number, said.text)
        if not genuine or said.seat not in (None, seat):
            raise Malformed("a line of chat that its author has not signed")
        if said.number <= self._heard.get(said.key, -1):
            return []
        self._heard[said.key] = said.number
        return [Chatted(seat, said.name if seat is None else seats[seat].name, said.text)]
