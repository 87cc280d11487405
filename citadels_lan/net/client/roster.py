"""The people at a table, their chat, and the host's notices outside the log, as one viewer knows them.

The host reports them. From the first entry on, names, keys, seats and settings come from the signed header.
The author signs each line of chat, and each player signs their name."""

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
    """The people at one table. Each method that takes a message returns the resulting updates.

    `lobby` is the host's report before the game. `seats` and `settings` are the people by seat and the
    settings of the game: from the signed header once there is one, from the lobby before. `away` are the
    seats of absent players, `awaited` those that the table waits for. `host` is the seat of the last player
    who has taken the game over. `name` is this viewer's name at the table."""

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
        """Take the people and the settings from the header, or from the lobby. Call it after an entry that
        changes one of them."""
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
        """Take a change of the lobby. Raises Malformed, or Refusal for an edition that this program does not
        know."""
        if self._records.header is not None and self.lobby is not None:
            return []  # the signed header has fixed players and settings
        if news.seat is not None and news.seat >= len(news.seats):
            raise Malformed("a seat that is not there")
        _check_edition(news.settings.config)
        self.lobby = news
        self.refresh()
        return [LobbyChanged()]

    def attend(self, presence: wire.Presence) -> list[Update]:
        """Note which players are away, and for which seats the table waits. Raises Malformed."""
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
        """Sign the name that the table has for this seat, if it is this player's name, or that name with a
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
        _check_edition(header)

    def _disagreement(self, header: Header, lobby: wire.LobbyNews) -> str:
        """Return what differs between header and lobby: `settings`, `called_off`, `own_name` or `players`;
        empty if they agree."""
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


def _check_edition(table: TableConfig | Header) -> None:
    """Check that this program knows the edition and the options of a table. Raises Refusal."""
    try:
        edition_named(table.edition, table.options)
    except Unplayable as reason:
        raise Refusal(reason.code, **reason.details) from None


Notice: TypeAlias = wire.Paused | wire.Clock | wire.Standstill | wire.Again | wire.EndingSeats


class HostNotices:
    """The host's last notice about each matter outside the log. `again` is the table at which the same people
    play again, `halt` a code while the host has stopped the game, `ending` the seats that agree to end the
    game without a result. `full` is set while this computer's disk has no room for the next entry,
    `was_full` until the viewer sees that it has room again."""

    def __init__(self) -> None:
        self.paused = False
        self.again: wire.Again | None = None
        self.halt = ""
        self.full = self.was_full = False
        self.ending: tuple[int, ...] = ()
        self._clock: list[Update] = []

    @property
    def halted(self) -> str:
        """Why the game has stopped for this viewer, a code of `reasons`; empty while it continues."""
        return "own_disk_waits" if self.full else self.halt

    def welcomed(self) -> None:
        """Forget the notices of the last connection: the host repeats those that are still true."""
        self.paused, self.halt, self.full, self.ending = False, "", False, ()

    def hear(self, notice: Notice, *, behind: bool) -> list[Update]:
        """Take a notice, and return the resulting updates. `behind`: the log is catching up."""
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
        """Return the update about the decision timer, once, when the log has reached that decision."""
        updates, self._clock = self._clock, []
        return updates

    def note_disk(self, *, full: bool) -> list[Update]:
        """Note that an entry has no room on this computer's disk, or has room again. Return the update about
        it, once for each change."""
        if not full and (self.full or not self.was_full):
            return []
        self.full = self.was_full = full
        return [Halted(self.halted)]
