"""The log of a table: its entries, the lines into which they are translated, and notices for the player."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace as replace_fields

from citadels_lan.crypto.commitments import Opening, starred
from citadels_lan.engine import DEFAULT, EDITIONS, Edition, Event, State
from citadels_lan.engine import events as ev
from citadels_lan.engine.characters.queen import KING
from citadels_lan.engine.state import Mark
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.texts import Message, Texts
from citadels_lan.texts.log import sentence
from citadels_lan.texts.tables import sentences
from citadels_lan.texts.terms import level_name

from .attacks import Situation, befalls, texts_of
from .text_width import clean

Value: TypeAlias = str | tuple[str, ...]
"""A value in the text of a notice; a tuple is a list of names."""
Kind = Literal["round", "turn", "event", "private", "mine", "chat", "notice"]


@dataclass(frozen=True)
class Line:
    """A line of the log. `private`: only this player may see it. `mine`: it is about an attack on this
    player. `matched`: it shows a move that was committed earlier, and the opening matches the commitment.
    `marker` is the kind of marker whose symbol stands before a notice, "" for none."""

    kind: Kind
    text: str
    matched: bool = False
    marker: str = ""


@dataclass(frozen=True)
class ChatLine:
    """A chat message. `watching`: the sender is a spectator, even if the name is that of a player."""

    name: str
    text: str
    watching: bool = False


@dataclass(frozen=True)
class Notice:
    """A message of the program in the log: a text and its values. `marker` is as in `Line`; `kind` is the
    kind of its line."""

    text: Message
    values: tuple[tuple[str, Value], ...] = ()
    marker: str = ""
    kind: Kind = "notice"


@dataclass(frozen=True)
class BotDid:
    """An event that a substitute bot caused in this player's seat. It is logged when the player takes the
    seat back. `here`: the player was connected all the time."""

    event: Event
    here: bool = False


@dataclass(frozen=True)
class Call:
    """The call of a character. `marker` is the kind of marker by which it was killed or robbed, "" if it was
    not."""

    character: str
    marker: str


Entry = Event | ChatLine | Notice | BotDid | Call


ROUNDS: Final = (ev.RoundBegan, ev.LapBegan)
"""The events that begin a round, or a lap of the players who call characters."""
BINDING: Final = frozenset({"killed", "bewitched", "threat"})
"""The kinds of markers that restrict the beginning of a turn to gathering."""


def notice_text(table: str, key: str) -> Message:
    """Return the text `key` in the section `table` of `notices.toml`."""
    return sentences(__package__, "notices.toml")[table][key]


def notice(table: str, key: str, *, marker: str = "", kind: Kind = "notice", **values: Value) -> Notice:
    """Return a notice with the text `key` in the section `table` of `notices.toml`, and the values of the
    text."""
    return Notice(notice_text(table, key), tuple(values.items()), marker, kind)


def opened(event: Event, openings: Sequence[Opening], round_: int) -> bool:
    """Return whether one of the openings proves what the event shows: which character the player picked, or
    which warrant or threat is signed, in this round. The openings were already checked against their
    commitments."""
    now = [(one, starred(one) if "*" in one.line else "") for one in openings if one.round == round_]
    match event:
        case ev.Revealed(_, character):
            return any(one.line == f"pick {character}" for one, _ in now)
        case ev.Confiscated(by, _, _, _, character):
            return any((one.kind, one.seat, star) == ("warrant", by, character) for one, star in now)
        case ev.ThreatShown(character, flower):
            return any(one.kind == "threaten" and (star == character) == flower for one, star in now)
    return False


class Log:
    """The events that a seat has received, in order; lines in any language are made from them. `held` are the
    player's characters in this round. `marks` are the markers placed so far. `cast` are all characters of the
    game. `who` has the characters that each seat revealed, by round. `turn` is the seat on turn. `cycle` are
    the characters called since their deck was shuffled. `ending`: this round is the last one. `healed`: a
    district lets this player gather although killed. `bidder` has made the highest bid in the auction.
    `since` is the index of the first entry after this player's last turn; after the deal if the player had no
    turn in the first round; None before."""

    def __init__(
        self,
        viewer: int | None,
        names: Sequence[str],
        edition: Edition = EDITIONS[DEFAULT],
        cast: Sequence[str] = (),
    ) -> None:
        self.viewer = viewer
        self.cast = cast
        self.marks: list[Mark] = []
        self.cycle: list[str] = []
        self.ending = False
        self.turn: int | None = None
        self.names = names
        self.entries: list[Entry] = []
        self.since: int | None = None
        self.held: set[str] = set()
        self.healed = False
        self.bidder: int | None = None
        self.round = 0
        self.ranks = edition.ranks
        self.costs = edition.costs
        self.who: dict[int, dict[int, list[str]]] = {}
        self.matched: set[int] = set()
        self._unanswered: list[Entry] = []
        self._phrased_in: Texts | None = None
        self._phrased: dict[int, tuple[Entry, Line | None]] = {}

    def begin(self, state: State) -> None:
        """Begin with this state if the log lacks the events from the deal on."""
        self.marks, self.cycle = [*state.marks], [*state.called]
        self.ending, self.round = state.last_round, state.round
        self.turn = state.turn.seat if state.turn is not None else None
        self.held = set(state.players[self.viewer].concealed) if self.viewer is not None else set()
        self.since = 0 if state.round > 1 else None
        revealed = {seat: list(player.revealed) for seat, player in enumerate(state.players) if player.revealed}
        self.who[state.round] = revealed

    def _mark(self, *kinds: str, character: str = "") -> Mark | None:
        """Return the last marker of these kinds, with `character` only one on that character; None if there
        is none."""
        on = (mark for mark in reversed(self.marks) if mark.kind in kinds and character in ("", mark.character))
        return next(on, None)

    @property
    def killed(self) -> str:
        """The killed character; "" if none was killed."""
        mark = self._mark("killed")
        return mark.character if mark is not None else ""

    def add(self, entry: Entry, openings: Sequence[Opening] = ()) -> None:
        """Add an event or another entry. `openings` are those of the same transcript entry; they were already
        checked."""
        if isinstance(entry, ev.InquiryAnswered):
            self.entries += self._unanswered
            self._unanswered = []
        elif isinstance(entry, ev.Inquired):
            # A call is held back until its answer is known; then it can say whether a player answered.
            if entry.what == "call":
                at = max(n for n, entry in enumerate(self.entries) if isinstance(entry, ev.Called | Call))
                self._unanswered = [self.entries.pop(at)]
        elif not isinstance(entry, ev.QueenWaits) or self._king_may_come():
            if openings and isinstance(entry, Event) and opened(entry, openings, self.round):
                self.matched.add(len(self.entries))
            self.entries.append(self._completed(entry))
            if isinstance(entry, Event):
                self._follow(entry)
                self._follow_turns(entry)

    def settle(self, events: Sequence[Event]) -> None:
        """Process the end of a move; call this after adding all its events. If a robbed player had no gold,
        add a notice. No notice is added if that player only gathers, or is the Thief's own player."""
        mark, paid = self._mark("robbed"), (e for e in events if isinstance(e, ev.GoldMoved) and e.why == "robbed")
        if mark is None or mark.character == self.killed or any(paid):
            return
        for event in events:
            if not isinstance(event, ev.TurnBegan) or event.bound or event.seat == mark.by:
                continue
            if event.character == mark.character:
                key = "empty_handed_you" if event.seat == self.viewer else "empty_handed"
                self.entries.append(notice("robbed", key, marker="robbed", name=self.names[event.seat]))

    def _king_may_come(self) -> bool:
        """Return whether the King can be the next character called from the deck: it was not called yet in
        this cycle."""
        rest = [character for character in self.cast if character not in self.cycle] or self.cast
        return not rest or KING in rest

    def _completed(self, entry: Entry) -> Entry:
        """Replace an entry that needs facts from earlier events: for the call of a rank, the character and
        whether it was killed or robbed; for a complete city, whether another city was complete before. Return
        other entries unchanged."""
        match entry:
            case ev.Called(rank) if rank <= len(self.cast):
                mark = self._mark("killed", "robbed", character=self.cast[rank - 1])
                return Call(self.cast[rank - 1], mark.kind if mark is not None else "")
            case ev.Completed(seat) if self.ending:
                key = "also_you" if seat == self.viewer else "also"
                return notice("complete", key, kind="event", name=self.names[seat])
        return entry

    def cosigned(self, update: Cosigned) -> None:
        """Add notices about players who have not signed the history after a round, and about players who
        protest."""
        # If the host left out this signature, a separate notice says so.
        missing = [seat for seat in update.missing if not update.own or seat != self.viewer]
        self._signing("unsigned_end" if update.over else "unsigned", update.round, missing)
        if update.own:
            self.add(notice("signing", "left_out", round=str(update.round)))
        self._signing("protest", update.round, [seat for seat in update.protests if seat != self.viewer])

    def _signing(self, key: str, round_: int, seats: Sequence[int]) -> None:
        if seats:
            names = tuple(self.names[seat] for seat in seats)
            self.add(notice("signing", key, kind="event", round=str(round_), names=names))

    def keep_last(self, count: int) -> None:
        """Drop all entries except the last `count`. The revealed characters of all rounds are kept."""
        gone = max(len(self.entries) - count, 0)
        del self.entries[:gone]
        self.matched = {number - gone for number in self.matched if number >= gone}
        self.since = None if self.since is None else max(self.since - gone, 0)

    def _follow(self, event: Event) -> None:
        """Update what the log knows about the round, the markers and the player's characters, and add notices
        about changes."""
        match event:
            case ev.RoundBegan(number) | ev.LapBegan(number):
                self._begin_round(number, new_draft=isinstance(event, ev.RoundBegan))
            case ev.CycleEnded():
                self.cycle, self.marks = [], []
            case ev.CastDrawn(cast):
                self.cast = cast
            case ev.Picked(seat, character) if seat == self.viewer:
                self.held.add(character)
            case ev.CharactersSwapped(seat, other, given, received) if self.viewer in (seat, other):
                gone, come = (given, received) if seat == self.viewer else (received, given)
                self.held = (self.held - {gone}) | {come}
            case ev.Placed("threat", by, characters):
                self.marks += [Mark("threat", by, character) for character in characters]
            case ev.Marked(kind, by, character):
                self.marks.append(Mark(kind, by, character))
                if self.viewer is not None and character in self.held and befalls(kind, by, self.viewer):
                    text = texts_of("effects")["healed" if self.healed and kind == "killed" else kind]
                    self.entries.append(Notice(text, (("character", character),), marker=kind))
            case ev.Called(rank) if self.killed in self.held and self.ranks.get(self.killed) == rank:
                self.entries.append(notice("own", "lost", marker="killed", character=self.killed))

    def _follow_turns(self, event: Event) -> None:
        """Update what the log knows about revealed characters, turns and the auction, and add notices about
        changes."""
        match event:
            case ev.Revealed(seat, character):
                self.who.setdefault(self.round, {}).setdefault(seat, []).append(character)
            case ev.CharacterCalled(seat, character, silent):
                self.cycle.append(character)
                self.who.setdefault(self.round, {}).setdefault(seat, []).append(character)
                if silent and seat == self.viewer:
                    self.entries.append(notice("own", "silenced", marker="killed", character=character))
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
            case ev.AuctionBegan():
                self.bidder = None
            case ev.BidMade(seat, gold):
                if self.bidder is not None and self.bidder == self.viewer:
                    name = self.names[seat]
                    self.entries.append(notice("own", "outbid", name=name, gold=str(gold)))
                self.bidder = seat

    def _begin_round(self, number: int, *, new_draft: bool) -> None:
        """Begin a round with a new draft, or otherwise a lap, in which the called characters and the markers
        stay."""
        if new_draft:
            self.held, self.marks = set(), []
        self.round = number
        self.who[number] = {}
        if self.since is None and number > 1:
            # Without a turn in the first round, the recap begins after the deal.
            begun = (at for at, one in enumerate(self.entries) if isinstance(one, ev.RoundBegan | ev.LapBegan))
            self.since = next(begun)

    def _explain(self, seat: int, character: str) -> None:
        """Add a notice about why the player of `seat` may only gather in this turn. If the log already says
        that the turn is lost, the notice replaces that entry."""
        mark = self._mark(*BINDING, character=character)
        if mark is None:
            return  # It is the turn of the Witch herself.
        kind, mine = mark.kind, seat == self.viewer
        bound = notice("bound", f"{kind}_you" if mine else kind, marker=kind, character=character,
                       name=self.names[seat])  # fmt: skip
        # With the Hospital the turn is not lost, so the earlier notice is replaced.
        lost_turns = [notice_text("own", key) for key in ("lost", "silenced")]
        entries = enumerate(self.entries)
        places = [at for at, entry in entries if isinstance(entry, Notice) and entry.text in lost_turns]
        if mine and kind == "killed" and places:
            self.entries[places[-1]] = bound
        else:
            self.entries.append(bound)

    def situation(self) -> Situation | None:
        """Return the situation of this player before the next event; None for a spectator."""
        seat, held = self.viewer, frozenset(self.held)
        if seat is None:
            return None
        return Situation(seat, held, self.turn, self.bidder, self.killed, self.ranks, self.healed)

    def lines(self, texts: Texts, start: int = 0, end: int | None = None) -> Iterator[Line]:
        """Yield the lines of the entries from index `start` up to but not including `end`. Entries that only
        repeat what their neighbours say have no line."""
        matched = False  # A character that was checked is marked in the heading of its turn.
        for number in range(start, len(self.entries) if end is None else end):
            entry = self.entries[number]
            after = self.entries[number + 1] if number + 1 < len(self.entries) else None
            matched = matched or number in self.matched
            line = None if self._is_repeated(entry, after) else self._phrase(texts, entry)
            if line is not None:
                yield replace(line, matched=True) if matched else line
                matched = False

    def by_turn(self, texts: Texts, *, mine: bool) -> list[Line]:
        """Return the log in a short form with one line for each turn: player, character, and what happened.
        It covers this round; with `mine`, it begins at the end of the player's last turn. Chat, notices and
        events outside turns have their own lines; the draft has none."""
        begun = max((at for at, one in enumerate(self.entries) if isinstance(one, ROUNDS)), default=0)
        turns = _Turns(self, texts)
        first = min(begun, self.since) if mine and self.since is not None else begun
        for number, entry in enumerate(self.entries[first:], first):
            turns.add(entry, matched=number in self.matched)
        return [turn.line(texts) for turn in turns.list]

    def doing(self, texts: Texts) -> str:
        """Return what the player on turn has done in this turn, in a few words; "" if nothing yet."""
        begun = [at for at, entry in enumerate(self.entries) if isinstance(entry, ev.TurnBegan | ev.TurnResumed)]
        turns = _Turns(self, texts)
        for entry in self.entries[begun[-1] if begun else len(self.entries) :]:
            turns.add(entry)
        return ", ".join(filter(None, turns.list[0].parts)) if turns.list else ""

    def brief(self, texts: Texts, event: Event, seat: int) -> str:
        """Return an event in the turn of `seat` in a few words, without the name of that player."""
        match event:
            case ev.Gathered(_, gold) | ev.GoldGained(_, gold) if gold:
                return texts.say("+{gold} gold", gold=gold)
            case ev.Kept(_, cards) | ev.CardsGained(_, cards):
                return texts.plural("+{count} card", "+{count} cards", len(cards))
            case ev.BuildPaid(_, card):
                return f"{texts.district(card)} ({self.costs[card]})"
            case ev.GoldMoved(giver, taker, gold, "robbed") if giver == seat:
                return texts.say("{gold} gold to {name}", gold=gold, name=self.names[taker])
            case ev.Destroyed(owner, _, card, _, "destroy"):
                name = texts.say("you") if owner == self.viewer else self.names[owner]
                return texts.say("destroys {card} ({name})", card=texts.district(card), name=name)
        # In the third person also the reader's own sentences begin with the name, and none has a secret.
        text = sentence(texts, event.redact(None), self.names, None) or ""
        text = text.removeprefix(f"{self.names[seat]} ").removesuffix(".")
        # The text is a part of a sentence, so only a name begins with a capital.
        return text if text.startswith(tuple(self.names)) else text[:1].lower() + text[1:]

    def _phrase(self, texts: Texts, entry: Entry) -> Line | None:
        """Return the line of an entry, from a cache if possible; None if it has no text."""
        # Lines are kept because the log is drawn again with every update.
        if texts is not self._phrased_in:
            self._phrased_in, self._phrased = texts, {}
        kept = self._phrased.get(id(entry))
        if kept is None or kept[0] is not entry:
            kept = self._phrased[id(entry)] = (entry, self.line(texts, entry))
        return kept[1]

    def _is_repeated(self, entry: Entry, after: Entry | None) -> bool:
        """Return whether an entry needs no line, because the line of the turn already names the called and
        revealed character. `after` is the next entry."""
        match entry:
            case ev.Called() | Call():
                return isinstance(after, ev.Revealed)
            case ev.CharacterCalled(seat) | ev.Revealed(seat):
                return isinstance(after, ev.TurnBegan) and after.seat == seat
            case ev.Offered(seat):
                return seat != self.viewer
            case ev.Gathered(_, 0) | ev.TurnEnded() | ev.TakenBack() | ev.SetAside() | ev.RoundEnded():
                return True
        return False

    def line(self, texts: Texts, entry: Entry) -> Line | None:
        """Return the line of one entry; None if it has no text."""
        match entry:
            case ChatLine(name, text, watching):
                name = texts.say("[watching] {name}", name=name) if watching else name
                return Line("chat", f"{name}: {text}")
            case Notice(text, values, marker, kind):
                return Line(
                    kind, texts.say(text, **{key: _value(texts, key, it) for key, it in values}), marker=marker
                )
            case BotDid(event, here):
                did = None if self._is_repeated(event, None) else self.line(texts, event)
                said = notice_text("substitute", "connected" if here else "away")
                return Line("notice", texts.say(said, what=did.text)) if did is not None else None
            case Call(character, marker):
                said = notice_text("unanswered", marker or "free")
                return Line("event", texts.say(said, the=texts.the(character)))
        found = sentence(texts, self._in_order(entry), self.names, self.viewer)
        return None if found is None else Line(self._kind(entry), found)

    def _in_order(self, event: Event) -> Event:
        """Return the event with its cards sorted as on the screen: characters by rank, districts by cost."""
        match event:
            case ev.Offered(_, packet):
                return replace_fields(event, packet=_by(self.ranks, packet))
            case ev.RoundBegan(_, faceup):
                return replace_fields(event, faceup=_by(self.ranks, faceup))
            case ev.Drawn() | ev.CardsGained():
                return replace_fields(event, cards=_by(self.costs, event.cards))
        return event

    def _kind(self, event: Event) -> Kind:
        """Return the kind of the line for an event; it is `mine` if another player attacked this player."""
        if isinstance(event, ev.RoundBegan | ev.LapBegan | ev.TurnBegan):
            return "turn" if isinstance(event, ev.TurnBegan) else "round"
        if self.viewer is None:
            return "event"
        match event:
            case ev.GoldMoved(giver, taker) if self.viewer in (giver, taker):
                return "mine"
            case ev.HandsSwapped(_, seat) | ev.Crowned(seat) | ev.Destroyed(seat, _, _, _, "destroy" | "armory"):
                if seat == self.viewer:
                    return "mine"
        return "private" if event.redact(None) != event else "event"


@dataclass
class _Turn:
    """A line of the log in short form: its kind, its beginning (player and character), and the events of the
    turn."""

    kind: Kind
    head: str
    parts: list[str] = field(default_factory=list)
    matched: bool = False
    marker: str = ""
    seat: int | None = None

    def line(self, texts: Texts) -> Line:
        parts = ", ".join(filter(None, self.parts))
        # Translators: the head is a player and a character, the parts are what happened in the turn
        text = texts.say("{head}: {parts}", head=self.head, parts=parts) if parts else self.head
        return Line(self.kind, text, self.matched, self.marker)


class _Turns:
    """Collects the entries of a log in lines, one for each turn. `_turn` is the line of the present turn.
    `_silent` is the line of the round with all ranks for which no player answered. `_called` is the character
    last called."""

    DRAFT: Final = (
        ev.Offered, ev.Picked, ev.SetAside, ev.TakenBack, ev.DraftEnded, ev.Shuffled, ev.CastDrawn, ev.CardsGained,
    )  # fmt: skip
    ELSEWHERE: Final = (
        ev.Asked, ev.Answered, ev.Crowned, ev.GoldPaid, ev.Discarded, ev.AuctionBegan, ev.BidMade, ev.BidPassed,
        ev.AuctionEnded,
    )  # fmt: skip
    """Events that are left out of the line of a turn, because other parts of the screen show them: question,
    crown, gold, pile, auction."""

    def __init__(self, log: Log, texts: Texts) -> None:
        self.list: list[_Turn] = []
        self._log, self._texts = log, texts
        self._turn: _Turn | None = None
        self._silent: _Turn | None = None
        self._called, self._matched = "", False

    def add(self, entry: Entry, *, matched: bool = False) -> None:
        """Add an entry to the line of its turn, or as a line of its own. `matched` is as in `Line`."""
        log, texts = self._log, self._texts
        self._matched = self._matched or matched
        if self._called and not isinstance(entry, ev.Revealed):
            self._add_silent(self._called)
        self._called = ""
        match entry:
            case ev.TurnBegan(seat) | ev.TurnResumed(seat):
                self._begin(seat, entry.character if isinstance(entry, ev.TurnBegan) else "witch")
            case Call(character):
                self._called, self._turn = character, None
            case ev.Revealed() | ev.Called() | ev.CharacterCalled(silent=False):
                self._turn = None  # the heading of the turn follows
            case ev.RoundBegan(number) | ev.LapBegan(number):
                self._turn, self._silent = None, _Turn("round", texts.say("Round {round}", round=number))
                self.list.append(self._silent)
            case Notice() if entry.marker or entry.text == notice_text("own", "outbid"):
                pass  # the banner and the hand show what befell this player
            case ev.CharacterCalled() | ChatLine() | Notice() | BotDid() | ev.GameEnded():
                self._own_line(log._phrase(texts, entry))
            case _ if self._turn is not None and self._turn.seat is not None:
                self._add_part(self._turn, self._turn.seat, entry)
            case _ if not isinstance(entry, (*self.DRAFT, *self.ELSEWHERE)) and not log._is_repeated(entry, None):
                self._own_line(log._phrase(texts, entry))

    def _own_line(self, line: Line | None) -> None:
        if line is not None:
            self.list.append(_Turn(line.kind, line.text, matched=self._matched, marker=line.marker))
            self._matched = False

    def _begin(self, seat: int, character: str) -> None:
        """Begin a new line for the turn of `seat` with `character`."""
        log, texts = self._log, self._texts
        name = texts.say("You") if seat == log.viewer else log.names[seat]
        kind: Kind = "turn" if seat == log.viewer else "event"
        self._turn = _Turn(kind, f"{name} · {texts.character(character)}", seat=seat, matched=self._matched)
        self._matched = False
        self.list.append(self._turn)

    def _add_silent(self, character: str) -> None:
        """Add the rank of a character that no player answered for to the line of the round with these
        ranks."""
        say, rank = self._texts.say, str(self._log.ranks[character])
        if self._silent is None:
            self._silent = _Turn("event", say("Previous round"))
            self.list.append(self._silent)
        # Translators: a line of the log: no player answered for this rank; more ranks may follow
        self._silent.parts.append(rank if self._silent.parts else say("no answer from {rank}", rank=rank))

    def _add_part(self, turn: _Turn, seat: int, event: Entry) -> None:
        log, texts = self._log, self._texts
        if not isinstance(event, Event) or log._is_repeated(event, None):
            return
        if isinstance(event, self.ELSEWHERE) or (isinstance(event, ev.Drawn) and event.why == "gather"):
            return
        turn.matched, self._matched = turn.matched or self._matched, False
        turn.parts.append(log.brief(texts, event, seat))
        if log._kind(event) == "mine" and seat != log.viewer:
            turn.kind = "mine"


def _by(numbers: Mapping[str, int], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(keys, key=lambda key: (numbers.get(key, 0), key)))


def chat_line(name: str, text: str, *, watching: bool = False) -> ChatLine:
    """Return a chat line; control characters are removed from the name and the text."""
    return ChatLine(clean(name, 40), clean(text), watching)


def _value(texts: Texts, name: str, value: Value) -> str:
    if isinstance(value, tuple):
        return texts.listing(value)
    return texts.the(value) if name == "character" else level_name(texts, value) if name == "level" else value
