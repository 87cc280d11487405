"""The people at a table, their chat, and what the host reports outside the log, as one viewer knows it.

From the first entry on, names, keys, seats and settings come from the signed header instead of the host's
reports. The author signs each line of chat, and each player signs their own name."""

from typing import TypeAlias

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.signatures import claim, line_signed, sign_line
from citadels_lan.engine import TableConfig, Unplayable, edition_named
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.client.records import Records
from citadels_lan.net.wire import messages as wire
from citadels_lan.net.wire.clean import numbered
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.people import clean

from .updates import Away, Chatted, Halted, LobbyChanged, Update, Waiting


class Roster:
    """The people at one table. A method that receives a message returns the updates that result from it.

    `lobby` is the host's last report before the game. `seats` and `settings` come from the signed header, or
    before the game from `lobby`. `away` are the seats of absent players, and `awaited` the seats for which
    the table waits. `host` is the seat of the last player who took the game over; None if no one did. `name`
    is this viewer's name at the table."""

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
        """Compute `seats` and `settings` again from the header or the lobby. Call this after an entry that
        changes them."""
        news, header = self.lobby, self._records.header
        if header is not None:
            self.host = self._records.hosts_of_log.now.seat
            owner = b"" if self.host is None else header.players[self.host].key
            if self.host is None and news is not None:  # the first host may configure and start
                owner = next((seat.key for seat in news.seats if seat.owner), b"")
            self.seats = tuple(
                wire.Seat(player.name, player.kind, True, seat in self.away, player.key == owner, player.key)
                for seat, player in enumerate(header.players)
            )
            bots = sum(player.bot for player in header.players)
            self.settings = wire.Settings(header.config, bots, header.hints is None)
        elif news is not None:
            self.seats, self.settings = news.seats, news.settings

    def change(self, news: wire.LobbyNews) -> list[Update]:
        """Store a new report of the lobby. Return the updates. Raises Malformed, or Refusal for an edition
        that this program does not know."""
        if self._records.header is not None and self.lobby is not None:
            return []  # the signed header has fixed players and settings
        if news.seat is not None and news.seat >= len(news.seats):
            raise Malformed("a seat that is not there")
        _check_edition(news.settings.config)
        self.lobby = news
        self.refresh()
        return [LobbyChanged()]

    def attend(self, presence: wire.Presence) -> list[Update]:
        """Record which players are away, and for which seats the table waits. Raises Malformed for a seat
        that does not exist."""
        if max((*presence.away, *presence.waiting), default=-1) >= len(self.seats):
            raise Malformed("a seat that is not there")
        changed = sorted(set(presence.away) ^ set(self.away))
        updates: list[Update] = [Away(seat, seat in presence.away) for seat in changed]
        if presence.waiting != self.awaited:
            updates.append(Waiting())
        self.away, self.awaited = presence.away, presence.waiting
        if changed:
            self.refresh()
        return updates

    def claim(self, welcome: wire.Welcome) -> wire.Claim | None:
        """Return the signature of the name that the host gives this player in `welcome`. The name must be
        this player's own name, or that name with a number; otherwise raises Refusal `not_agreed`. None: for a
        spectator, and once the game has begun."""
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
        """Check that a header describes the table that the lobby has shown, before this player gives a part
        of the seed for it. Raises Refusal: `not_agreed`; `other_rules` if this program has other rules."""
        if self.lobby is not None and (what := self._disagreement(header, self.lobby)):
            raise Refusal("not_agreed", what=what)
        if header.rules != RULES.get(header.edition):
            program, rules = clean(header.program, 64), header.rules.hex()[:8]
            raise Refusal("other_rules", program=program, rules=rules)
        _check_edition(header)

    def _disagreement(self, header: Header, lobby: wire.LobbyNews) -> str:
        """Return what differs between the header and the lobby: `settings`, `called_off`, `own_name` or
        `players`; "" if nothing does."""
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
        """Sign `text` as a line of chat. Its number is at least `number`, and higher than that of this
        player's last line."""
        number = self._records.line_number(number)
        game = self._records.game
        return wire.Say(number, text, sign_line(self._records.identity, game.id, game.fp, number, text))

    def hear(self, chat: wire.ChatSaid) -> list[Update]:
        """Receive a line of chat. A line that its author has not signed, or that was received before, gives
        no update. The author's key determines the seat, even if the host calls the author a spectator. Raises
        Malformed."""
        game, seats = self._records.game, self.seats
        seat = next((at for at, person in enumerate(seats) if person.key == chat.key), None)
        genuine = line_signed(chat.key, chat.signature, game.id, game.fp, chat.number, chat.text)
        if not genuine or chat.seat not in (None, seat):
            raise Malformed("a line of chat that its author has not signed")
        if chat.number <= self._heard.get(chat.key, -1):
            return []
        self._heard[chat.key] = chat.number
        return [Chatted(seat, chat.name if seat is None else seats[seat].name, chat.text)]


def _check_edition(table: TableConfig | Header) -> None:
    """Check that this program knows the edition and the options of a table. Raises Refusal."""
    try:
        edition_named(table.edition, table.options)
    except Unplayable as reason:
        raise Refusal(reason.code, **reason.details) from None


Notice: TypeAlias = wire.Paused | wire.Clock | wire.Standstill | wire.Again | wire.EndingSeats


class HostNotices:
    """The last report of the host about each matter outside the log. `again` is the table for a rematch,
    or None. `halt` is a code while the host has stopped the game, otherwise "". `ending` are the seats that
    agree to end the game without a result. `full`: this computer's disk has no room for the next entry.
    `was_full`: like `full`, until the viewer is informed that there is room again."""

    def __init__(self) -> None:
        self.paused = False
        self.again: wire.Again | None = None
        self.halt = ""
        self.full = self.was_full = False
        self.ending: tuple[int, ...] = ()
        self._clock: list[Update] = []

    @property
    def halted(self) -> str:
        """The code (one of `reasons`) of why the game has stopped for this viewer; "" while it continues."""
        return "own_disk_waits" if self.full else self.halt

    def welcomed(self) -> None:
        """Forget the reports of the last connection. The host repeats those that are still true."""
        self.paused, self.halt, self.full, self.ending = False, "", False, ()

    def hear(self, notice: Notice, *, behind: bool) -> list[Update]:
        """Receive a report of the host. Return the updates that result from it. `behind`: the log lacks
        entries, so an update about the decision timer is kept for later."""
        match notice:
            case wire.Clock():
                self._clock = [notice]
                return [] if behind else self.clock()
            case wire.Standstill():
                self.halt = notice.code
                return [Halted(self.halted)]
            case wire.Paused():
                self.paused = notice.paused
            case wire.EndingSeats():
                self.ending = notice.seats
            case wire.Again():
                self.again = notice
        return [notice]

    def clock(self) -> list[Update]:
        """Return the kept update about the decision timer, if there is one. Call this when the log is up to
        date."""
        updates, self._clock = self._clock, []
        return updates

    def note_disk(self, *, full: bool) -> list[Update]:
        """Record whether this computer's disk is full. Return an update if that has changed for the viewer,
        otherwise []."""
        if not full and (self.full or not self.was_full):
            return []
        self.full = self.was_full = full
        return [Halted(self.halted)]
