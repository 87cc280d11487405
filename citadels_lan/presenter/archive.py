"""The games in this computer's files: transcripts of games that were played here, and journals of games that
this computer hosted."""

import contextlib
import errno
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from citadels_lan.crypto.codec import Malformed
from citadels_lan.crypto.log import AnyEntry, Close, Open, decode_delta, decode_entry, events_of
from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.net.host import journal
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.platform.files import Lock
from citadels_lan.texts import Texts, msg

from .error_messages import because

ROUNDS: Final = (2, 72)
"""The tags of the events that begin a round, or a lap of the players who call characters (docs/protocol.md,
section 4)."""
ENDED: Final = 16
"""The tag of the event that ends a game."""


@dataclass(frozen=True)
class PastGame:
    """A game in a list of games. `path` is its transcript, or for a game that can be resumed its journal.
    `when` is the last change of the file. `winners` are names, empty before the record is closed. `round` is
    the last round, 0 before the first one. `ended`: the last move was made. `over`: the record is also
    closed. `seat` is the seat of the owner of the transcript; None for a spectator's transcript and for a
    journal. `bot`: the owner is a bot. `edition` is a key, "" if unknown. `handed`: if another host has taken
    over the game of a journal, the name of that host and the number of the entry of the handover."""

    path: Path
    game: str
    when: datetime
    names: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    round: int = 0
    over: bool = False
    ended: bool = False
    hosted: bool = False
    seat: int | None = None
    bot: bool = False
    edition: str = ""
    handed: tuple[str, int] | None = None

    @property
    def won(self) -> bool:
        """Whether the owner of the transcript is a winner."""
        return self.seat is not None and self.seat < len(self.names) and self.names[self.seat] in self.winners

    @property
    def date(self) -> str:
        """The time of the last change, written like `2026-01-31 20:15`."""
        return self.when.strftime("%Y-%m-%d %H:%M")


class Wins(NamedTuple):
    """The number of games that a person has played and won; `edition` is "" for all editions together."""

    edition: str
    played: int
    won: int


def tallies(games: Iterable[PastGame]) -> Sequence[Wins]:
    """Return how many finished games the player of this computer has played and won: first for all editions
    together, then for each edition, the most played first."""
    own = [game for game in games if game.over and game.winners and game.seat is not None and not game.bot]
    editions = Counter(game.edition for game in own if game.edition)
    won = Counter(game.edition for game in own if game.won)
    each = [Wins(key, played, won[key]) for key, played in editions.most_common()]
    return [Wins("", len(own), sum(won.values())), *each]


def transcripts(folder: Path) -> Sequence[PastGame]:
    """Return the games in the transcripts of a folder, the newest first. A game with several files is listed
    once: a file of a person is preferred to one of a bot, and a closed record to an unfinished one. For an
    unreadable file, only the name is known."""
    found: dict[str, PastGame] = {}
    # A person's own and closed file comes first, because `setdefault` keeps the first file of a game.
    games = map(_of_transcript, folder.glob("*.ctr"))
    for game in sorted(games, key=lambda game: (game.bot, game.seat is None, not game.over)):
        found.setdefault(game.game or str(game.path), game)
    return _newest(found.values())


def unfinished(folder: Path, *, handed: bool = False) -> Sequence[PastGame]:
    """Return the games and lobbies in the journals of a folder that can be resumed, the newest first. Those
    that are open in another window are left out. With `handed`, games that another host has taken over are
    included."""
    games = filter(None, map(of_journal, folder.glob("*.journal")))
    return _newest(game for game in games if handed or game.handed is None)


def any_open(folder: Path) -> bool:
    """Return whether a running program hosts a table with a journal in this folder. Raises OSError."""
    return any(map(_is_open, folder.glob("*.journal")))


def _is_open(path: Path) -> bool:
    """Return whether a running program hosts the table of this journal. Raises OSError."""
    try:
        lock = Lock.take(path)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):  # no host can write there
            return False
        raise
    if lock is not None:
        lock.close()
    return lock is None


def result(texts: Texts, game: PastGame) -> str:
    """Return a text with the result of a game, or with the round that it has reached."""
    if game.handed is not None:
        return because(texts, "handed", {"name": game.handed[0], "n": game.handed[1]})
    text = msg("round {round}, not finished") if game.round else msg("not begun")
    if game.winners:
        text = msg("won by {names}")
    elif game.over or game.ended:
        text = msg("ended without a result") if game.over else msg("not closed: no winner")
    return texts.say(text, names=texts.listing(game.winners), round=game.round)


def closes(entry: AnyEntry) -> bool:
    """Return whether an entry closes the record of its game: a *close* with the secret of the host."""
    return isinstance(entry, Close) and bool(entry.secret)


def _newest(games: Iterable[PastGame]) -> Sequence[PastGame]:
    return sorted(games, key=lambda game: game.when, reverse=True)


def _of_transcript(path: Path) -> PastGame:
    entries: list[AnyEntry] = []
    seat, key = None, ""
    with contextlib.suppress(Damaged, Malformed, OSError):
        transcript = read(path)
        seat, key = transcript.head.seat, transcript.head.game_id.hex()
        entries.extend(decode_entry(decode_delta(body).public) for body in transcript.bodies)
    players = entries[0].header.players if entries and isinstance(entries[0], Open) else ()
    bot = seat is not None and seat < len(players) and players[seat].bot
    return replace(_played(path, key, entries), seat=seat, bot=bot)


def of_journal(path: Path) -> PastGame | None:
    """Return the game or lobby of a journal; None if its record is closed, it is open in another window, or
    the file is unreadable."""
    try:
        # A journal that is locked belongs to a host that is running in another window.
        if _is_open(path):
            return None
        content = journal.read(path)
        entries = [decode_entry(written.public) for written in content.entries]
    except (Refusal, Malformed, OSError):
        return None
    if content.state == "not_handed" or (entries and closes(entries[-1])):
        return None
    lobby, host, handed = content.lobby, content.hosts.now, content.state == "handed"
    seated = tuple(place.name for place in lobby.places) if lobby is not None else ()
    game = _played(path, content.table.game.hex(), entries, seated)
    return replace(
        game,
        hosted=True,
        edition=lobby.settings.config.edition if lobby is not None else "",
        handed=(game.names[host.seat or 0], host.first - 1) if handed else None,
    )


def _played(path: Path, game: str, entries: Sequence[AnyEntry], seated: tuple[str, ...] = ()) -> PastGame:
    header = entries[0].header if entries and isinstance(entries[0], Open) else None
    names = tuple(player.name for player in header.players) if header is not None else seated
    events = [event for entry in entries for event in events_of(entry)]
    rounds = [0, *(event[1] for event in events if event[0] in ROUNDS)]
    over = bool(entries) and closes(entries[-1])
    ends = [event for event in events if event[0] == ENDED]
    won = tuple(names[seat] for event in ends for seat in event[2] if over and seat < len(names))
    try:
        when = datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        when = datetime.fromtimestamp(0)
    edition = header.edition if header is not None else ""
    return PastGame(path, game, when, names, won, rounds[-1], over, bool(ends), edition=edition)
