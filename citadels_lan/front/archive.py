"""The games of this machine: transcripts of those that were played here, journals of those that it hosts."""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from citadels_lan.crypto.delta import decode_delta
from citadels_lan.crypto.log import AnyEntry, Close, Open, decode_entry, events_of
from citadels_lan.crypto.packing import Malformed
from citadels_lan.crypto.transcript import Damaged, read
from citadels_lan.net.host import journal
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.systems.locks import Lock
from citadels_lan.texts import Texts, msg

ROUNDS: Final = (2, 72)
"""The tags of the events that begin a round or a lap (docs/protocol.md, section 3)."""
ENDED: Final = 16
"""That of the end of a game."""


@dataclass(frozen=True)
class PastGame:
    """A game as a list of games shows it. `path` is the transcript, or the journal to go on from; `when` it was
    written last. `winners` are names, none before the end; `round` is 0 before the first. `seat` is whose
    transcript it is, None for that of a spectator and for a journal; `bot` where that was one. `edition` is its
    key, "" where it is not known."""

    path: Path
    game: str
    when: datetime
    names: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    round: int = 0
    over: bool = False
    hosted: bool = False
    seat: int | None = None
    bot: bool = False
    edition: str = ""

    @property
    def won(self) -> bool:
        """Whether whoever's transcript it is has won."""
        return self.seat is not None and self.seat < len(self.names) and self.names[self.seat] in self.winners

    @property
    def date(self) -> str:
        """The time in figures."""
        return self.when.strftime("%Y-%m-%d %H:%M")


class Wins(NamedTuple):
    """How many games a person has played and won, of one edition or, where that is "", of all."""

    edition: str
    played: int
    won: int


def tallies(games: Iterable[PastGame]) -> Sequence[Wins]:
    """Of the finished games in which this person had a seat: all together, then by edition, the most played
    first."""
    own = [game for game in games if game.over and game.seat is not None and not game.bot]
    editions = Counter(game.edition for game in own if game.edition)
    won = Counter(game.edition for game in own if game.won)
    each = [Wins(key, played, won[key]) for key, played in editions.most_common()]
    return [Wins("", len(own), sum(won.values())), *each]


def transcripts(folder: Path) -> Sequence[PastGame]:
    """The games of the transcripts in a folder, each once, the newest first; of what cannot be read only the name
    is known. Of several files of one game it is that of a person, where there is one."""
    found: dict[str, PastGame] = {}
    for game in sorted(map(_of_transcript, folder.glob("*.ctr")), key=lambda game: (game.bot, game.seat is None)):
        found.setdefault(game.game or str(game.path), game)
    return _newest(found.values())


def unfinished(folder: Path) -> Sequence[PastGame]:
    """The games and lobbies in the journals of a folder that are not over and not open in another window, the
    newest first."""
    return _newest(game for path in folder.glob("*.journal") for game in _of_journal(path))


def is_unfinished(journal: Path) -> bool:
    """Whether a journal's game or lobby is one of those."""
    return any(_of_journal(journal))


def result(texts: Texts, game: PastGame) -> str:
    """How a game has ended, or how far it is."""
    if game.winners:
        return texts.say(msg("won by {names}"), names=texts.listing(game.winners))
    if game.round:
        return texts.say(msg("round {round}, not finished"), round=game.round)
    return texts.say(msg("not begun"))


def _newest(games: Iterable[PastGame]) -> Sequence[PastGame]:
    return sorted(games, key=lambda game: game.when, reverse=True)


def _of_transcript(path: Path) -> PastGame:
    entries: list[AnyEntry] = []
    seat, key = None, ""
    with contextlib.suppress(Damaged, Malformed, OSError):
        transcript = read(path)
        seat, key = transcript.head.seat, transcript.head.game_id.hex()
        entries.extend(decode_entry(decode_delta(body).public) for body in transcript.bodies)
    game = _played(path, key, entries)
    players = entries[0].header.players if entries and isinstance(entries[0], Open) else ()
    return replace(game, seat=seat, bot=seat is not None and seat < len(players) and players[seat].bot)


def _of_journal(path: Path) -> Iterator[PastGame]:
    """The game of a journal, unless it is over, in use, or of no use."""
    try:
        lock = Lock.take(path)
        if lock is None:
            return
        lock.close()
        content = journal.read(path)
        entries = [decode_entry(written.public) for written in content.entries]
    except (Refusal, Malformed, OSError):
        return
    if entries and isinstance(entries[-1], Close):
        return
    seated = tuple(place.name for place in content.lobby.places) if content.lobby is not None else ()
    edition = content.lobby.settings.config.edition if content.lobby is not None else ""
    yield replace(_played(path, content.table.game.hex(), entries, seated, hosted=True), edition=edition)


def _played(
    path: Path, game: str, entries: Sequence[AnyEntry], seated: tuple[str, ...] = (), *, hosted: bool = False
) -> PastGame:
    header = entries[0].header if entries and isinstance(entries[0], Open) else None
    names = tuple(player.name for player in header.players) if header is not None else seated
    events = [event for entry in entries for event in events_of(entry)]
    rounds = [event[1] for event in events if event[0] in ROUNDS]
    winners = [seat for event in events if event[0] == ENDED for seat in event[2]]
    won = tuple(names[seat] for seat in winners if seat < len(names))
    over = bool(entries) and isinstance(entries[-1], Close)
    edition = header.edition if header is not None else ""
    return PastGame(
        path, game, _when(path), names, won, rounds[-1] if rounds else 0, over, hosted, edition=edition
    )


def _when(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        return datetime.fromtimestamp(0)
