"""The log of a table: its entries, the lines made of them, and the news that a player must not miss."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace as replace_fields

from citadels_lan.crypto.commitments import Opening, starred
from citadels_lan.engine import DEFAULT, EDITIONS, Edition, Event, State
from citadels_lan.engine import events as ev
from citadels_lan.engine.characters.queen import KING
from citadels_lan.engine.state import Mark
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.sentences.sentence import sentence
from citadels_lan.texts.tables import sentences
from citadels_lan.texts.terms import level_name

from .attacks import Situation, befalls, clears, public_effects, texts_of
from .cells import clean

Value: TypeAlias = str | tuple[str, ...]
"""A value of a notice; a tuple is several names."""
Kind = Literal["round", "turn", "event", "private", "mine", "chat", "notice"]


@dataclass(frozen=True)
class Line:
    """A line of the log. `private`: only this player sees it. `mine`: something was done to this player.
    `matched`: what it shows is what was committed to before. `marker` is the kind of marker whose sign stands
    before a notice, empty for any other notice."""

    kind: Kind
    text: str
    matched: bool = False
    marker: str = ""


@dataclass(frozen=True)
class ChatLine:
    """A chat line. `watching`: the sender has no seat, whatever the name."""

    name: str
    text: str
    watching: bool = False


@dataclass(frozen=True)
class Notice:
    """A message of the program: a text and its values. `aside`: no recap needs it, because it is about the table
    or known already. `marker` as in Line; `kind` is that of its line."""

    text: Message
    values: tuple[tuple[str, Value], ...] = ()
    aside: bool = False
    marker: str = ""
    kind: Kind = "notice"


@dataclass(frozen=True)
class BotDid:
    """An event caused by a bot of the host in this player's place, listed when the player is back. `here`: the
    player was connected all the time."""

    event: Event
    here: bool = False


@dataclass(frozen=True)
class Call:
    """A character is called; `marker` is the kind of marker on it that matters, if there is one."""

    character: str
    marker: str


Entry = Event | ChatLine | Notice | BotDid | Call


BINDING: Final = frozenset({"killed", "bewitched", "threat"})
"""The kinds of markers under which a turn begins with gathering alone."""


def notice_text(table: str, key: str) -> Message:
    """A text of `notices.toml`."""
    return sentences(__package__, "notices.toml")[table][key]


def notice(
    table: str, key: str, *, aside: bool = False, marker: str = "", kind: Kind = "notice", **values: Value
) -> Notice:
    """A notice with a text of `notices.toml` and its values."""
    return Notice(notice_text(table, key), tuple(values.items()), aside, marker, kind)


def opened(event: Event, openings: Sequence[Opening], round_: int) -> bool:
    """Whether an opening proves what an event shows: the pick, the warrant or the threat of that round. Each
    opening was checked against its commitment before."""
    now = [one for one in openings if one.round == round_]
    match event:
        case ev.Revealed(_, character):
            return any(one.line == f"pick {character}" for one in now)
        case ev.Confiscated(by, _, _, _, character):
            return any((one.kind, one.seat, _star(one)) == ("warrant", by, character) for one in now)
        case ev.ThreatShown(character, flower):
            return any(one.kind == "threaten" and (_star(one) == character) == flower for one in now)
    return False


def _star(opening: Opening) -> str:
    return starred(opening) if "*" in opening.line else ""


class Log:
    """The events that a seat received, in order; lines are made of them in any language. `edition` is that of the
    game. `held` are the own characters of the round, `killed` the murdered character and `robbed` the one to be
    robbed; `cast` are all that are called. `who` has the characters that each seat revealed, by round. `turn` is
    the seat on turn. `binding` has, by character, the kind of marker that makes a turn begin with gathering only;
    `cycle` are the characters called since their deck was shuffled; `ending`: this round is the last. `healed`: a
    district lets this player gather although murdered; set from the view. `bidder` has the highest bid of the
    auction. `since` is the number of the first entry after this player's last turn, or after the deal if the
    player had no turn in the first round; None before."""

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
        self._asked: list[Entry] = []
        self._phrased_in: Texts | None = None
        self._phrased: dict[int, tuple[Entry, Line | None]] = {}

    def begin(self, state: State) -> None:
        """Take over what a state tells, where the log does not reach back to the deal."""
        killed = state.mark("killed")
        robbed = state.mark("robbed")
        self.killed = killed.character if killed else ""
        self.robbed = robbed.character if robbed else ""
        self.robber = robbed.by if robbed else None
        self.binding = {mark.character: mark.kind for mark in state.marks if mark.kind in BINDING}
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
        """Hold back a call until its answer is known; then it can say whether a player answered."""
        if isinstance(event, ev.InquiryAnswered):
            self.entries += self._asked
            self._asked = []
        elif event.what == "call":
            at = max(n for n, entry in enumerate(self.entries) if isinstance(entry, ev.Called | Call))
            self._asked = [self.entries.pop(at)]

    def settle(self, events: Sequence[Event]) -> None:
        """After all events of a move: say that the player to be robbed had no gold. A player who only gathers is
        not robbed, nor is another character of the Thief's player."""
        if any(isinstance(event, ev.GoldMoved) and event.why == "robbed" for event in events):
            return
        for event in events:
            if isinstance(event, ev.TurnBegan) and self._robs(event):
                key = "empty_handed_you" if event.seat == self.viewer else "empty_handed"
                aside, name = self.viewer not in (event.seat, self.robber), self.names[event.seat]
                self.entries.append(notice("robbed", key, aside=aside, marker="robbed", name=name))

    def _robs(self, turn: ev.TurnBegan) -> bool:
        """Whether the Thief robs at the beginning of a turn."""
        to_rob = turn.character == self.robbed != self.killed
        return to_rob and not turn.bound and turn.seat != self.robber

    def _waits_in_vain(self) -> bool:
        """Whether the next one called cannot be the King: he was called before in this cycle."""
        left = [character for character in self.cast if character not in self.cycle] or self.cast
        return bool(left) and KING not in left

    def _known(self, entry: Entry) -> Entry:
        """An entry with what the log knows in addition."""
        match entry:
            case ev.Called(rank) if rank <= len(self.cast):
                character = self.cast[rank - 1]
                marker = "killed" if character == self.killed else "robbed" if character == self.robbed else ""
                return Call(character, marker)
            case ev.Completed(seat) if self.ending:
                key = "also_you" if seat == self.viewer else "also"
                return notice("complete", key, kind="event", name=self.names[seat])
        return entry

    def cosigned(self, update: Cosigned) -> None:
        """Note who has not signed the history after a round, and who protests."""
        others = [seat for seat in update.missing if not update.own or seat != self.viewer]
        self._signing("unsigned_end" if update.over else "unsigned", update.round, others)
        if update.own:
            self.add(notice("signing", "left_out", round=str(update.round)))
        self._signing("protest", update.round, [seat for seat in update.protests if seat != self.viewer])

    def _signing(self, key: str, round_: int, seats: Sequence[int]) -> None:
        if seats:
            names = tuple(self.names[seat] for seat in seats)
            self.add(notice("signing", key, kind="event", round=str(round_), names=names))

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
                self.binding |= {character: kind} if kind in BINDING else {}
                self.killed = character if kind == "killed" else self.killed
                self.robbed, self.robber = (character, by) if kind == "robbed" else (self.robbed, self.robber)
                if self.viewer is not None and character in self.held and befalls(kind, by, self.viewer):
                    self.entries.append(effect_notice(Mark(kind, by, character), healed=self.healed))
            case ev.Called(rank) if self.killed in self.held and self.ranks.get(self.killed) == rank:
                self.entries.append(notice("own", "lost", aside=True, marker="killed", character=self.killed))
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
        """Follow whose turn it is, and whether the round is the last."""
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

    def _explain(self, seat: int, character: str) -> None:
        """Say why a turn begins with gathering only, instead of saying that it is lost."""
        kind = self.binding.get(character)
        if kind is None:
            return  # the Witch herself
        mine, name = seat == self.viewer, self.names[seat]
        key = f"{kind}_you" if mine else kind
        said = notice("bound", key, aside=True, marker=kind, character=character, name=name)
        in_vain = [notice_text("own", key) for key in ("lost", "silenced")]
        lost = [at for at, entry in enumerate(self.entries) if isinstance(entry, Notice) and entry.text in in_vain]
        if mine and kind == "killed" and lost:
            self.entries[lost[-1]] = said
        else:
            self.entries.append(said)

    def _follow_laps(self, event: Event) -> None:
        """The same where characters are called off a deck."""
        match event:
            case ev.LapBegan(number):
                self._round_began(number)
            case ev.CharacterCalled(seat, character, silent):
                self.cycle.append(character)
                self.who.setdefault(self.round, {}).setdefault(seat, []).append(character)
                if silent and seat == self.viewer:
                    self.entries.append(notice("own", "silenced", marker="killed", character=character))
            case ev.CycleEnded():
                self.cycle, self.killed, self.robbed, self.binding = [], "", "", {}
            case ev.AuctionBegan():
                self.bidder = None
            case ev.BidMade(seat, gold):
                if self.bidder is not None and self.bidder == self.viewer:
                    outbid = notice("own", "outbid", aside=True, name=self.names[seat], gold=str(gold))
                    self.entries.append(outbid)
                self.bidder = seat

    def situation(self) -> Situation | None:
        """This player's situation, to judge events by; None for a spectator."""
        if self.viewer is None:
            return None
        return Situation(
            self.viewer, frozenset(self.held), self.turn, self.bidder, self.killed, self.ranks, self.healed
        )

    def lines(self, texts: Texts, start: int = 0) -> Iterator[Line]:
        """The log from an entry on, in a language; what the next line says as well is left out."""
        matched = False  # of a character that the heading of its turn says as well
        for number in range(start, len(self.entries)):
            entry = self.entries[number]
            after = self.entries[number + 1] if number + 1 < len(self.entries) else None
            matched = matched or number in self.matched
            line = None if self._said_anyway(entry, after) else self._phrase(texts, entry)
            if line is not None:
                yield replace(line, matched=True) if matched else line
                matched = False

    def _phrase(self, texts: Texts, entry: Entry) -> Line | None:
        """The line of an entry of this log. It is phrased once, and again only in another language."""
        if texts is not self._phrased_in:
            self._phrased_in, self._phrased = texts, {}
        kept = self._phrased.get(id(entry))
        if kept is None or kept[0] is not entry:
            kept = self._phrased[id(entry)] = (entry, self.line(texts, entry))
        return kept[1]

    def _said_anyway(self, entry: Entry, after: Entry | None) -> bool:
        """Whether an entry needs no line: the heading of a turn names the called and revealed character."""
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
            name = texts.say(msg("[watching] {name}"), name=entry.name) if entry.watching else entry.name
            return Line("chat", f"{name}: {entry.text}")
        if isinstance(entry, Notice):
            values = {name: _value(texts, name, value) for name, value in entry.values}
            return Line(entry.kind, texts.say(entry.text, **values), marker=entry.marker)
        if isinstance(entry, BotDid):
            did = None if self._said_anyway(entry.event, None) else self.line(texts, entry.event)
            said = notice_text("substitute", "connected" if entry.here else "away")
            return Line("notice", texts.say(said, what=did.text)) if did is not None else None
        if isinstance(entry, Call):
            return Line(
                "event",
                texts.say(notice_text("unanswered", entry.marker or "free"), the=texts.the(entry.character)),
            )
        text = sentence(texts, self._in_order(entry), self.names, self.viewer)
        return None if text is None else Line(self._kind(entry), text)

    def _in_order(self, event: Event) -> Event:
        """An event with its cards in the order of the questions: characters by rank, districts as in the hand."""
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
        """What others did to this player since its last turn, as far as it is still true in `view`, without
        `banner`, an event that the same screen shows."""
        if self.since is None:
            return []
        lines = []
        for number in range(self.since, len(self.entries)):
            entry = self.entries[number]
            line = self._phrase(texts, entry)
            if line is None or line.kind not in ("mine", "notice"):
                continue
            cause = self.entries[number - 1] if isinstance(entry, Notice) and number else entry
            aside = isinstance(entry, Notice) and entry.aside
            if cause is not banner and not aside and not self._outdated(number, view):
                lines.append(line)
        return lines

    def _outdated(self, number: int, view: State) -> bool:
        """Whether an entry is no longer true: the crown has moved, or a marker is gone."""
        match self.entries[number]:
            case ev.Crowned(seat):
                moved = any(isinstance(later, ev.Crowned) for later in self.entries[number + 1 :])
                return moved or view.crown != seat
            case Notice(text) as effect if text in texts_of("effects").values():
                healed = self.viewer is not None and clears(view, self.viewer)
                return effect not in [
                    effect_notice(mark, healed=healed) for mark in public_effects(view, self.viewer)
                ]
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


def chat_line(name: str, text: str, *, watching: bool = False) -> ChatLine:
    """A chat line of strangers' text, made harmless."""
    return ChatLine(clean(name, 40), clean(text), watching)


def effect_notice(mark: Mark, *, healed: bool) -> Notice:
    """The notice for a marker on an own character."""
    text = texts_of("effects")["healed" if healed and mark.kind == "killed" else mark.kind]
    return Notice(text, (("character", mark.character),), marker=mark.kind)


def _value(texts: Texts, name: str, value: Value) -> str:
    if isinstance(value, tuple):
        return texts.listing(value)
    return texts.the(value) if name == "character" else level_name(texts, value) if name == "level" else value
