"""Games with sealed drafts as a table that knows the picks plays them again: the engine itself, by what the links
of all seats open."""

from collections.abc import Iterator

from citadels_lan.crypto.client_log import decode_events
from citadels_lan.crypto.draft.playing import DraftEntry, DraftPlay, drafted, passed_in, plays_of
from citadels_lan.crypto.log import Beacons, DraftCalled, DraftSaid, DraftWithout, Move, TableMove
from citadels_lan.crypto.replay import MoveLines, chances, unsealed_by
from citadels_lan.engine import Chance, Event, State, advance, decide, evolve, parse
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.events import Offered, SetAside
from tests.crypto.draft.replaying import DraftChance, given_character, pick_line
from tests.crypto.table import Game
from tests.facts import known_table


class KnownTable:
    """A table that knows the picks, and goes through the log of a game that is over."""

    def __init__(self, game: Game) -> None:
        self._audit, self._entries = game.host_log.audit, game.host_log.entries()
        self._lines = MoveLines(self._audit, self._entries)
        self._chances = chances(self._audit)
        self.state = known_table(self._audit.table.config)
        self._picks = self._given = 0

    def steps(self) -> Iterator[tuple[int, list[Event], State]]:
        """Each entry of which something comes: its number, what that is, and the state then."""
        for n, entry in enumerate(self._entries, 1):
            match entry:
                case Beacons() if n in self._chances:
                    self._begin(n)
                    continue
                case Move():
                    line = parse(self._lines.line(n), entry.seat)
                    events = decide(self.state, entry.seat, line, self._chance, unsealed_by(entry))
                case TableMove():
                    events = advance(self.state, self._chance)
                case DraftSaid() | DraftWithout() | DraftCalled():
                    events = self._drafted(entry)
                case _:
                    continue
            self.state = evolve(self.state, *events)
            if events:
                yield n, events, self.state

    def _begin(self, n: int) -> None:
        drafts = self._audit.drafts
        assert drafts is not None
        self._picks = self._given = 0
        self._chance: Chance = self._chances[n]
        if n in drafts.rounds and drafts.rounds[n].record.dealt is not None:
            self._record, self._links = drafts.rounds[n].record, drafts.links_in(n, self._audit.secret)
            self._chance = DraftChance(self._record, self._links, self._chances[n])

    def _drafted(self, entry: DraftEntry) -> list[Event]:
        seat = entry.seat if isinstance(entry, DraftSaid) else 0
        passed = passed_in(decode_events(entry.events))
        plays = [self._known(one) for one in plays_of(entry, self.state, passed)]
        return drafted(self.state, self._chance, seat, plays)

    def _known(self, play: DraftPlay) -> DraftPlay:
        """A play of a blind table with the character in it."""
        if isinstance(play, Pick):
            self._picks += 1
            found = parse(pick_line(self._record, self._links, self._picks - 1), 0)
            assert isinstance(found, Pick)
            return found
        if isinstance(play, Theater):
            box = next(at for at, one in enumerate(self._record.given) if at >= self._given)
            self._given = box + 1 + any(first == box for first, _ in self._record.swaps)
            return Theater(play.seat, play.giving and given_character(self._record, self._links, box))
        return play


def in_order(event: Event) -> Event:
    """An event without the order of characters in which nobody is interested: the packet is a set."""
    match event:
        case Offered():
            return event.but(packet=tuple(sorted(event.packet)))
        case SetAside():
            return event.but(characters=tuple(sorted(event.characters)))
    return event


def as_sets(state: State) -> State:
    """A state without that order."""
    seen = state.copy()
    seen.facedown = sorted(seen.facedown)
    seen.steps = [step.but(cards=tuple(sorted(step.cards))) for step in seen.steps]
    for player in seen.players:
        player.seen = [tuple(sorted(packet)) for packet in player.seen]
    return seen
