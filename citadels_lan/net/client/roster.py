"""The people at a table, and what they say, as one viewer knows it.

The host reports both. What can be signed is signed: from the first entry on, names, keys, seats and
settings are those of the header, its author signs each line of chat, and each player claims its own name.
"""

from typing import TypeAlias

from citadels_lan.crypto.log import Header
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.seats import claim
from citadels_lan.engine import Unplayable, edition_named
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.clean import line_signed, numbered, sign_line
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.people import clean

from .records import Records
from .updates import Away, Chatted, Halted, LobbyChanged, Update, Waiting


class Roster:
    """The people at one table. Each message about them gives the updates that follow from it.

    `lobby` is the host's report before the game. `seats` and `settings` are the people by seat and the
    settings of the game: by the signed header once there is one, by the lobby before. `away` are the seats
    of absent players, `awaited` the seats that the table waits for. `host` is the seat of the last player
    who has taken the game over. `name` is the own name at this table."""

    def __init__(self, records: Records) -> None:
        self.lobby: wire.LobbyNews | None = None
        self.seats: tuple[wire.Seat, ...] = ()
        self.settings: wire.Settings | None = None
        self.away: tuple[int, ...] = ()
        self.awaited: tuple[int, ...] = ()
        self.host: int | None = None
        self.name = ""
        self._records = records
        self._heard: dict[bytes, int] = {}

    def refresh(self) -> None:
        """Take the people and the settings from the header, or from the lobby. Call it after an entry that changes
        one of them."""
        news, header = self.lobby, self._records.header
        if header is not None:
            self.host = self._records.hosts_of_log.now.seat
            owner = self._owner(header)
            self.seats = tuple(
                wire.Seat(player.name, player.kind, True, seat in self.away, player.key == owner, player.key)
                for seat, player in enumerate(header.players)
            )
            bots = sum(player.bot for player in header.players)
            self.settings = wire.Settings(header.config, bots, header.hints is None)
        elif news is not None:
            self.seats, self.settings = news.seats, news.settings

    def _owner(self, header: Header) -> bytes:
        """The key of the player who may configure and start; empty if it is not known."""
        if self.host is not None:
            return header.players[self.host].key
        seats = self.lobby.seats if self.lobby is not None else ()
        return next((seat.key for seat in seats if seat.owner), b"")

    def change(self, news: wire.LobbyNews) -> list[Update]:
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
        self.refresh()
        return [LobbyChanged()]

    def attend(self, presence: wire.Presence) -> list[Update]:
        """Who is away, and who is waited for. Raises Malformed."""
        if max((*presence.away, *presence.waiting), default=-1) >= len(self.seats):
            raise Malformed("a seat that is not there")
        changed = sorted(set(presence.away) ^ set(self.away))
        told: list[Update] = [Away(seat, seat in presence.away) for seat in changed]
        if presence.waiting != self.awaited:
            told.append(Waiting())
        self.away, self.awaited = presence.away, presence.waiting
        if changed:
            self.refresh()
        return told

    def claim(self, welcome: wire.Welcome) -> wire.Claim | None:
        """Sign the name that the table has for this seat, if it is the own name, or the own name with a
        number. Return None if there is no name to sign. Raises Refusal."""
        self.name = welcome.name
        records = self._records
        if welcome.seat is None or records.n:
            return None
        if not numbered(welcome.name, records.profile.name):
            raise Refusal("not_agreed", what="own_name")
        game = records.game
        signature = claim(records.identity, game.id, game.fp, game.host, welcome.name, records.profile.kind)
        return wire.Claim(welcome.name, signature)

    def check_agreed(self, header: Header) -> None:
        """Check that a header is that of the table in the lobby, if there was one. A host may begin any
        table, but not with the part of a player who has seen another lobby. Raises Refusal: `not_agreed`,
        or `other_rules` if the rules digest is not that of this program."""
        if self.lobby is not None and (what := self._disagreement(header, self.lobby)):
            raise Refusal("not_agreed", what=what)
        if header.rules != RULES.get(header.edition):
            program, rules = clean(header.program, 64), header.rules.hex()[:8]
            raise Refusal("other_rules", program=program, rules=rules)
        try:
            edition_named(header.edition, header.options)
        except Unplayable as reason:
            raise Refusal(reason.code, **reason.details) from None

    def _disagreement(self, header: Header, lobby: wire.LobbyNews) -> str:
        """In a word: `settings`, `called_off`, `own_name` or `players`; empty where there is none."""
        settings = lobby.settings
        if (header.config, header.hints is None) != (settings.config, settings.hints):
            return "settings"
        if len(header.called_off) != lobby.called_off:
            return "called_off"
        begun = [(player.name, player.key, player.kind) for player in header.players]
        promised = [(seat.name, seat.key, seat.kind) for seat in lobby.seats]
        if [key for _, key, _ in begun] != [key for _, key, _ in promised]:
            return "players"
        if lobby.seat is not None and begun[lobby.seat][0] != self.name:
            return "own_name"
        return "" if begun == promised else "players"

    def line(self, text: str, number: int) -> wire.Say:
        """Sign a line of chat. Its number is at least `number`, and higher than the last number."""
        number = self._records.line_number(number)
        game = self._records.game
        return wire.Say(number, text, sign_line(self._records.identity, game.id, game.fp, number, text))

    def hear(self, chat: wire.ChatSaid) -> list[Update]:
        """Take a line of chat, if its author has signed it and it is new. The key shows the author's seat,
        also if the host calls the author a spectator. Raises Malformed."""
        game, seats = self._records.game, self.seats
        seat = next((at for at, person in enumerate(seats) if person.key == chat.key), None)
        genuine = line_signed(chat.key, chat.signature, game.id, game.fp, chat.number, chat.text)
        if not genuine or chat.seat not in (None, seat):
            raise Malformed("a line of chat that its author has not signed")
        if chat.number <= self._heard.get(chat.key, -1):
            return []
        self._heard[chat.key] = chat.number
        return [Chatted(seat, chat.name if seat is None else seats[seat].name, chat.text)]


Word: TypeAlias = wire.Paused | wire.Clock | wire.Standstill | wire.Again | wire.EndingSeats


class HostNotices:
    """The host's last word about each matter outside the log. `again` is the table at which the same people
    play again, `halt` a code while the host has stopped the game, `ending` the seats that agree to end the
    game without a result. `full` is set while the own disk has no room for the next entry, `stood` until
    the viewer hears that it has room again."""

    def __init__(self) -> None:
        self.paused = False
        self.again: wire.Again | None = None
        self.halt = ""
        self.full = False
        self.ending: tuple[int, ...] = ()
        self.stood = False
        self._clock: wire.Clock | None = None

    @property
    def halted(self) -> str:
        """Why the game has stopped for this viewer, a code of `reasons`; empty while it continues."""
        return "own_disk_waits" if self.full else self.halt

    def welcomed(self) -> None:
        """A connection begins: the host repeats what is true now."""
        self.paused, self.halt, self.full, self.ending = False, "", False, ()

    def hear(self, word: Word, *, behind: bool) -> list[Update]:
        """The host has said something; what there is to tell of it now. `behind`: the log is catching up."""
        match word:
            case wire.Clock():
                self._clock = word
                return [] if behind else self.clock()
            case wire.Standstill():
                self.halt = word.code
                return [Halted(self.halted)]
            case wire.Paused():
                self.paused = word.paused
            case wire.EndingSeats():
                self.ending = word.seats
            case wire.Again():
                self.again = word
        return [word]

    def clock(self) -> list[Update]:
        """The time is of the decision that the host waits for: told once the log has come to it."""
        told: list[Update] = [] if self._clock is None else [self._clock]
        self._clock = None
        return told

    def note_full(self) -> Halted:
        """The own disk has no place for what comes."""
        self.full = self.stood = True
        return Halted(self.halted)

    def note_room(self) -> list[Update]:
        """An entry has found its place; what there is to tell where the disk was full before."""
        if not self.stood or self.full:
            return []
        self.stood = False
        return [Halted(self.halted)]
