"""What has happened at the table, as lines of a log, and what of it the player must not miss."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from msgspec.structs import replace as replace_fields

from citadels_lan.crypto.commitments import Opening
from citadels_lan.engine import DEFAULT, EDITIONS, Edition, Event, State
from citadels_lan.engine import events as ev
from citadels_lan.engine.characters.queen import KING
from citadels_lan.engine.state import Mark
from citadels_lan.texts import Texts
from citadels_lan.texts.levels import level_name
from citadels_lan.texts.sentences.sentence import sentence

from .cells import clean
from .fate import BEFALLEN, HEALED, befalls, fates, heals
from .table_session import Cosigned
from .told.befallen import Situation
from .told.entries import AlsoComplete, BotDid, Call, ChatLine, Entry, Kind, Line, Notice, Signing
from .told.log_words import (
    ALSO_COMPLETE,
    ALSO_COMPLETE_YOU,
    AWAY,
    BOUND,
    EMPTY_HANDED,
    EMPTY_HANDED_YOU,
    IN_PLACE,
    IN_VAIN,
    LEFT_OUT,
    LOST,
    OUTBID,
    PROTEST,
    SILENCED,
    UNANSWERED,
    UNSIGNED,
    UNSIGNED_END,
    WATCHING,
)
from .told.openings import opened


class Log:
    """The events a seat was told, in order; lines are made of them in any language. `edition` is the game's.

    `held` are the own characters of the round, `killed` the character that was murdered in it and `robbed` the one
    that is to be robbed; `cast` are all that are called. `who` are the characters shown by each seat, round by
    round. `turn` is whose turn is played. `binding` has the kind of marker under which a turn begins with
    gathering alone, by its character; `cycle` are the characters called off their deck since it was shuffled;
    `ending`: this round is the last one. `healed`: a district of one's city lets one gather although murdered;
    whoever has the view says so. `bidder` has made the highest bid of the auction. `since` is the
    number of the first entry after this player's last turn, or after the deal where the player had no turn in the
    first round; None before.
    """

    def __init__(
        self,
        viewer: int | None,
        names: Sequence[str],
        edition: Edition = EDITIONS[DEFAULT],
        cast: Sequence[str] = (),
    ) -> None:
        self.viewer = viewer
        self.cast = cast
        self.robbed = ""
        self.robber: int | None = None
        self.binding: dict[str, str] = {}
        self.cycle: list[str] = []
        self.ending = False
        self.turn: int | None = None
        self.names = names
        self.entries: list[Entry] = []
        self.since: int | None = None
        self.held: set[str] = set()
        self.killed = ""
        self.healed = False
        self.bidder: int | None = None
        self.round = 0
        self.ranks = edition.ranks
        self.costs = edition.costs
        self.who: dict[int, dict[int, list[str]]] = {}
        self.matched: set[int] = set()
        self.over = False
        self._asked: list[Entry] = []

    def begin(self, state: State) -> None:
        """Take over what a state tells, where the log does not reach back to the deal."""
        killed = state.mark("killed")
        robbed = state.mark("robbed")
        self.killed = killed.character if killed else ""
        self.robbed = robbed.character if robbed else ""
        self.robber = robbed.by if robbed else None
        self.binding = {mark.character: mark.kind for mark in state.marks if mark.kind in BOUND}
        self.cycle = list(state.called)
        self.ending = state.last_round
        self.turn = state.turn.seat if state.turn is not None else None
        if self.viewer is not None:
            self.held = set(state.players[self.viewer].concealed)
        self.round = state.round
        self.since = 0 if state.round > 1 else None
        self.who[state.round] = {
            seat: list(player.revealed) for seat, player in enumerate(state.players) if player.revealed
        }

    def add(self, entry: Entry, openings: Sequence[Opening] = ()) -> None:
        """Note what happened. `openings` are those that the log has with it, checked already."""
        if isinstance(entry, ev.Inquired | ev.InquiryAnswered):
            self._ask(entry)
            return
        if isinstance(entry, ev.QueenWaits) and self._waits_in_vain():
            return
        if isinstance(entry, Event) and opened(entry, openings, self.round):
            self.matched.add(len(self.entries))
        self.entries.append(self._known(entry))
        if isinstance(entry, Event):
            self._follow(entry)
            self._follow_turns(entry)
            self._follow_laps(entry)

    def _ask(self, event: ev.Inquired | ev.InquiryAnswered) -> None:
        """A call stands in the log once it is known who answers it, right before that: then it says whether
        anybody does."""
        if isinstance(event, ev.InquiryAnswered):
            self.entries += self._asked
            self._asked = []
        elif event.what == "call":
            at = max(n for n, entry in enumerate(self.entries) if isinstance(entry, ev.Called | Call))
            self._asked = [self.entries.pop(at)]

    def settle(self, events: Sequence[Event]) -> None:
        """After all events of a move: say so where who was to be robbed in it had nothing. Whoever only gathers is
        not robbed, nor is another character of the Thief's player."""
        if any(isinstance(event, ev.GoldMoved) and event.why == "robbed" for event in events):
            return
        for event in events:
            if isinstance(event, ev.TurnBegan) and self._robs(event):
                text = EMPTY_HANDED_YOU if event.seat == self.viewer else EMPTY_HANDED
                aside = self.viewer not in (event.seat, self.robber)
                self.entries.append(Notice(text, (("name", self.names[event.seat]),), aside, marker="robbed"))

    def _robs(self, turn: ev.TurnBegan) -> bool:
        """Whether the Thief robs at the beginning of a turn."""
        to_rob = turn.character == self.robbed != self.killed
        return to_rob and not turn.bound and turn.seat != self.robber

    def _waits_in_vain(self) -> bool:
        """Whether the next one called cannot be the King: he was called before in this cycle."""
        left = [character for character in self.cast if character not in self.cycle] or self.cast
        return bool(left) and KING not in left

    def _known(self, entry: Entry) -> Entry:
        """An entry with what the log knows besides."""
        match entry:
            case ev.Called():
                return self._call(entry)
            case ev.Completed(seat) if self.ending:
                return AlsoComplete(seat)
        return entry

    def _call(self, event: ev.Called) -> Entry:
        """A rank that is called, by its character as far as the cast is known."""
        if event.rank > len(self.cast):
            return event
        character = self.cast[event.rank - 1]
        marker = "killed" if character == self.killed else "robbed" if character == self.robbed else ""
        return Call(character, marker)

    def cosigned(self, update: Cosigned) -> None:
        """Note who has not signed the history after a round, and who protests."""
        others = tuple(seat for seat in update.missing if not update.own or seat != self.viewer)
        if others:
            self.add(Signing(UNSIGNED_END if update.over else UNSIGNED, update.round, others))
        if update.own:
            self.add(Notice(LEFT_OUT, (("round", str(update.round)),)))
        if protests := tuple(seat for seat in update.protests if seat != self.viewer):
            self.add(Signing(PROTEST, update.round, protests))

    def keep_last(self, count: int) -> None:
        """Forget all but the last entries; who was who stays known."""
        gone = max(len(self.entries) - count, 0)
        del self.entries[:gone]
        self.matched = {number - gone for number in self.matched if number >= gone}
        self.since = None if self.since is None else max(self.since - gone, 0)

    def _follow(self, event: Event) -> None:
        match event:
            case ev.RoundBegan(number):
                self.held, self.killed, self.robbed, self.binding = set(), "", "", {}
                self._round_began(number)
            case ev.Picked(seat, character) if seat == self.viewer:
                self.held.add(character)
            case ev.CharactersSwapped(seat, other, given, received) if self.viewer in (seat, other):
                gone, come = (given, received) if seat == self.viewer else (received, given)
                self.held = (self.held - {gone}) | {come}
            case ev.Placed("threat", _, characters):
                self.binding |= dict.fromkeys(characters, "threat")
            case ev.Marked(kind, by, character):
                self.binding |= {character: kind} if kind in BOUND else {}
                self.killed = character if kind == "killed" else self.killed
                self.robbed, self.robber = (character, by) if kind == "robbed" else (self.robbed, self.robber)
                if self.viewer is not None and character in self.held and befalls(kind, by, self.viewer):
                    self.entries.append(fate(Mark(kind, by, character), healed=self.healed))
            case ev.Called(rank) if self.killed in self.held and self.ranks.get(self.killed) == rank:
                self.entries.append(Notice(LOST, (("character", self.killed),), aside=True, marker="killed"))
            case ev.Revealed(seat, character):
                self.who.setdefault(self.round, {}).setdefault(seat, []).append(character)
            case ev.CastDrawn(cast):
                self.cast = cast

    def _round_began(self, number: int) -> None:
        self.round = number
        self.who[number] = {}
        if self.since is None and number > 1:
            begun = (at for at, one in enumerate(self.entries) if isinstance(one, ev.RoundBegan | ev.LapBegan))
            self.since = next(begun)

    def _follow_turns(self, event: Event) -> None:
        """Whose turn it is, and whether these are the last."""
        match event:
            case ev.TurnBegan(seat, character, bound):
                self.turn = seat
                if bound:
                    self._explain(seat, character)
            case ev.TurnResumed(seat):
                self.turn = seat
            case ev.TurnEnded(seat) | ev.TurnPaused(seat) if seat == self.viewer:
                self.since = len(self.entries)
            case ev.Completed() | ev.AllStand():
                self.ending = True
            case ev.GameEnded():
                self.over = True

    def _explain(self, seat: int, character: str) -> None:
        """Say why a turn begins with gathering alone, in place of what said that it is lost."""
        kind = self.binding.get(character)
        if kind is None:
            return  # the Witch herself
        mine = seat == self.viewer
        values = (("character", character), ("name", self.names[seat]))
        notice = Notice(BOUND[kind][0 if mine else 1], values, aside=True, marker=kind)
        lost = [at for at, entry in enumerate(self.entries) if isinstance(entry, Notice) and entry.text in IN_VAIN]
        if mine and kind == "killed" and lost:
            self.entries[lost[-1]] = notice
        else:
            self.entries.append(notice)

    def _follow_laps(self, event: Event) -> None:
        """The same where characters are called off a deck."""
        match event:
            case ev.LapBegan(number):
                self._round_began(number)
            case ev.CharacterCalled(seat, character, silent):
                self.cycle.append(character)
                self.who.setdefault(self.round, {}).setdefault(seat, []).append(character)
                if silent and seat == self.viewer:
                    self.entries.append(Notice(SILENCED, (("character", character),), marker="killed"))
            case ev.CycleEnded():
                self.cycle, self.killed, self.robbed, self.binding = [], "", "", {}
            case ev.AuctionBegan():
                self.bidder = None
            case ev.BidMade(seat, gold):
                if self.bidder is not None and self.bidder == self.viewer:
                    self.entries.append(
                        Notice(OUTBID, (("name", self.names[seat]), ("gold", str(gold))), aside=True)
                    )
                self.bidder = seat

    def situation(self) -> Situation | None:
        """How this player stands, for whoever asks what an event does to it; None for a spectator."""
        if self.viewer is None:
            return None
        return Situation(
            self.viewer,
            frozenset(self.held),
            self.turn,
            self.bidder,
            self.killed,
            self.ranks,
            self.healed,
        )

    def lines(self, texts: Texts, start: int = 0) -> Iterator[Line]:
        """The log from an entry on, in a language; what the next line says as well is left out."""
        matched = False  # of a character that the heading of its turn says as well
        for number in range(start, len(self.entries)):
            entry = self.entries[number]
            after = self.entries[number + 1] if number + 1 < len(self.entries) else None
            matched = matched or number in self.matched
            line = None if self._said_anyway(entry, after) else self.line(texts, entry)
            if line is not None:
                yield replace(line, matched=matched)
                matched = False

    def _said_anyway(self, entry: Entry, after: Entry | None) -> bool:
        """Whether the log is as clear without an entry: a turn's heading says who was called and revealed."""
        match entry:
            case ev.Called() | Call():
                return isinstance(after, ev.Revealed)
            case ev.CharacterCalled(seat):
                return isinstance(after, ev.TurnBegan) and after.seat == seat
            case ev.Revealed(seat):
                return isinstance(after, ev.TurnBegan) and after.seat == seat
            case ev.Offered(seat):
                return seat != self.viewer
            case ev.Gathered(_, 0) | ev.TurnEnded() | ev.TakenBack() | ev.SetAside() | ev.RoundEnded():
                return True
        return False

    def line(self, texts: Texts, entry: Entry) -> Line | None:
        """One entry as a line; None where it says nothing."""
        if isinstance(entry, ChatLine):
            name = texts.say(WATCHING, name=entry.name) if entry.watching else entry.name
            return Line("chat", f"{name}: {entry.text}")
        if isinstance(entry, Notice):
            values = {name: _value(texts, name, value) for name, value in entry.values}
            return Line("notice", texts.say(entry.text, **values), marker=entry.marker)
        if isinstance(entry, BotDid):
            did = None if self._said_anyway(entry.event, None) else self.line(texts, entry.event)
            said = IN_PLACE if entry.here else AWAY
            return Line("notice", texts.say(said, what=did.text)) if did is not None else None
        if isinstance(entry, Signing):
            names = texts.listing([self.names[seat] for seat in entry.seats])
            return Line("event", texts.say(entry.text, round=entry.round, names=names))
        if isinstance(entry, Call):
            return Line("event", texts.say(UNANSWERED[entry.marker], the=texts.the(entry.character)))
        if isinstance(entry, AlsoComplete):
            said = ALSO_COMPLETE_YOU if entry.seat == self.viewer else ALSO_COMPLETE
            return Line("event", texts.say(said, name=self.names[entry.seat]))
        text = sentence(texts, self._in_order(entry), self.names, self.viewer)
        return None if text is None else Line(self._kind(entry), text)

    def _in_order(self, event: Event) -> Event:
        """An event with what is handed out or drawn in the order in which questions list it: characters by rank,
        cards as the hand has them."""
        match event:
            case ev.Offered(_, packet):
                return replace_fields(event, packet=_by(self.ranks, packet))
            case ev.RoundBegan(_, faceup):
                return replace_fields(event, faceup=_by(self.ranks, faceup))
            case ev.Drawn() | ev.CardsGained():
                return replace_fields(event, cards=_by(self.costs, event.cards))
        return event

    def _kind(self, event: Event) -> Kind:
        if isinstance(event, ev.RoundBegan | ev.LapBegan):
            return "round"
        if isinstance(event, ev.TurnBegan):
            return "turn"
        if self.viewer is not None and suffered(event, self.viewer):
            return "mine"
        return "private" if self._secret(event) else "event"

    def _secret(self, event: Event) -> bool:
        return self.viewer is not None and event.redact(None) != event

    def recap(self, texts: Texts, view: State, banner: Event | None = None) -> list[Line]:
        """What others did to this player since its last turn, as far as it is still true in `view`. `banner` is an
        event that the same screen already shows: it is left out."""
        if self.since is None:
            return []
        lines = []
        for number in range(self.since, len(self.entries)):
            entry = self.entries[number]
            cause = self.entries[number - 1] if isinstance(entry, Notice) and number else entry
            if cause is banner or self._outdated(number, view) or (isinstance(entry, Notice) and entry.aside):
                continue
            line = self.line(texts, entry)
            if line is not None and line.kind in ("mine", "notice"):
                lines.append(line)
        return lines

    def _outdated(self, number: int, view: State) -> bool:
        """Whether an entry is no longer true: the crown has moved, or a marker is gone."""
        match self.entries[number]:
            case ev.Crowned(seat):
                moved = any(isinstance(later, ev.Crowned) for later in self.entries[number + 1 :])
                return moved or view.crown != seat
            case Notice(text) as notice if text in (*BEFALLEN.values(), HEALED):
                healed = self.viewer is not None and heals(view, self.viewer)
                return notice not in [fate(mark, healed=healed) for mark in fates(view, self.viewer)]
        return False


def suffered(event: Event, seat: int) -> bool:
    """Whether others did something to a seat that it should notice."""
    match event:
        case ev.GoldMoved(giver, taker):
            return seat in (giver, taker)
        case ev.HandsSwapped(_, other):
            return other == seat
        case ev.Destroyed(owner, _, _, _, why):
            return owner == seat and why in ("destroy", "armory")
        case ev.Crowned(crowned):
            return crowned == seat
    return False


def _by(numbers: Mapping[str, int], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(keys, key=lambda key: (numbers.get(key, 0), key)))


def said(name: str, text: str, *, watching: bool = False) -> ChatLine:
    """A chat line of strangers' text, made harmless."""
    return ChatLine(clean(name, 40), clean(text), watching)


def fate(mark: Mark, *, healed: bool) -> Notice:
    """What a marker on one's own character means."""
    text = HEALED if healed and mark.kind == "killed" else BEFALLEN[mark.kind]
    return Notice(text, (("character", mark.character),), marker=mark.kind)


def _value(texts: Texts, name: str, value: str) -> str:
    return texts.the(value) if name == "character" else level_name(texts, value) if name == "level" else value
