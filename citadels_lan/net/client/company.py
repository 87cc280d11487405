"""Who sits at a table, who is away, and what is said there, as one viewer is told it.

The host says it, and what can be signed is: from the first entry on, names, keys, seats and settings are those of
the header, a line of chat is its author's, and each player claims its own name.
"""

from typing import TypeAlias

from citadels_lan.crypto.claims import claim
from citadels_lan.crypto.log import Header
from citadels_lan.crypto.packing import Malformed
from citadels_lan.engine import Unplayable, edition_named
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.wire.clean import clean, line_signed, numbered, sign_line
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import (
    Again,
    ChatSaid,
    Claim,
    Clock,
    EndingSeats,
    LobbyNews,
    Paused,
    Presence,
    Say,
    Seat,
    Settings,
    Standstill,
    Welcome,
)

from .records import Records
from .updates import (
    Away,
    Chatted,
    ClockSet,
    EndProposed,
    Halted,
    LobbyChanged,
    PauseChanged,
    PlayAgain,
    Update,
    Waiting,
)


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
        host = self._records.hosts_of_log.now.seat
        owner = next((seat.key for seat in news if seat.owner), b"") if host is None else header.players[host].key
        players = enumerate(header.players)
        return tuple(
            Seat(one.name, one.kind, True, at in self.away, one.key == owner, one.key) for at, one in players
        )

    @property
    def substituted(self) -> tuple[int, ...]:
        """The seats for which bots of the host move, by the log."""
        log = self._records.client_log
        return log.audit.absences.substituted if log is not None else ()

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
        signature = claim(records.identity, game.id, game.fp, game.host, welcome.name, records.profile.kind)
        return Claim(welcome.name, signature)

    def check_agreed(self, header: Header) -> None:
        """Whether a table is the one that the lobby has shown, as far as there was one: a host may begin any table
        it likes, but not with the part of somebody who was shown another one. Raises Refusal: `not_agreed`, or
        `other_rules` if the rules digest is not that of this program."""
        if self.lobby is not None and (what := self._disagreement(header, self.lobby)):
            raise Refusal("not_agreed", what=what)
        if header.rules != RULES.get(header.edition):
            program, rules = clean(header.program, 64), header.rules.hex()[:8]
            raise Refusal("other_rules", program=program, rules=rules)
        try:
            edition_named(header.edition, header.options)
        except Unplayable as reason:
            raise Refusal(reason.code, **reason.details) from None

    def _disagreement(self, header: Header, lobby: LobbyNews) -> str:
        """In a word: `settings`, `called_off`, `own_name` or `players`; empty where there is none."""
        said = lobby.settings
        if (header.config, header.hints is None) != (said.config, said.hints):
            return "settings"
        if len(header.called_off) != lobby.called_off:
            return "called_off"
        begun = [(one.name, one.key, one.kind) for one in header.players]
        shown = [(seat.name, seat.key, seat.kind) for seat in lobby.seats]
        if [key for _, key, _ in begun] != [key for _, key, _ in shown]:
            return "players"
        if lobby.seat is not None and begun[lobby.seat][0] != self.name:
            return "own_name"
        return "" if begun == shown else "players"

    def line(self, text: str, number: int) -> Say:
        """A line of chat, signed; its number is at least `number`, and higher than the last one's."""
        number = self._records.line_number(number)
        game = self._records.game
        return Say(number, text, sign_line(self._records.identity, game.id, game.fp, number, text))

    def hear(self, said: ChatSaid) -> list[Update]:
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


Word: TypeAlias = Paused | Clock | Standstill | Again | EndingSeats


class Beside:
    """The last that the host has said of each. `again` is where the same people play again, `halt` is a code while
    the host has stopped the game, `full` is set while the own disk has no place for what comes, `ending` are
    the seats that agree to end the game without a result."""

    def __init__(self) -> None:
        self.paused = False
        self.again: PlayAgain | None = None
        self.halt = ""
        self.full = False
        self.ending: tuple[int, ...] = ()
        self._stood = False
        self._clock: ClockSet | None = None

    @property
    def halted(self) -> str:
        """Why the game stands still for this viewer, a code of `reasons`; empty where it does not."""
        return "own_disk_waits" if self.full else self.halt

    def welcomed(self) -> None:
        """A connection begins: the host says anew what holds."""
        self.paused, self.halt, self.full, self.ending = False, "", False, ()

    def hear(self, word: Word) -> list[Update]:
        """The host has said something; what there is to tell of it now."""
        match word:
            case Paused():
                self.paused = word.paused
                return [PauseChanged(word.paused, word.seat)]
            case Standstill():
                self.halt = word.code
                return [Halted(self.halted)]
            case EndingSeats():
                self.ending = word.seats
                return [EndProposed(word.seats)]
            case Again():
                self.again = PlayAgain(word.port, word.game, word.fp)
                return [self.again]
            case Clock():
                self._clock = ClockSet(word.seconds, word.gone)
        return []

    def clock(self) -> list[Update]:
        """The time is of the decision that the host waits for: told once the log has come to it."""
        told: list[Update] = [] if self._clock is None else [self._clock]
        self._clock = None
        return told

    def note_full(self) -> Halted:
        """The own disk has no place for what comes."""
        self.full = self._stood = True
        return Halted(self.halted)

    def note_room(self) -> list[Update]:
        """An entry has found its place; what there is to tell where the disk was full before."""
        if not self._stood or self.full:
            return []
        self._stood = False
        return [Halted(self.halted)]
