"""Attacks of other players on this player: the markers on this player's characters, and a sentence about each
attack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citadels_lan.engine import Event, State
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Mark
from citadels_lan.engine.turn.cities import uniques
from citadels_lan.texts import Message, Texts
from citadels_lan.texts.tables import sentences


def befalls(kind: str, by: int, seat: int) -> bool:
    """Return whether a marker of the kind `kind` that `by` placed on a character of `seat` harms that seat.
    Robbing or bewitching the other character of the same player harms no one (R124), but a killed character
    always loses its turn."""
    return kind in ("killed", "bewitched", "robbed") and (by != seat or kind == "killed")


def clears(view: State, seat: int) -> bool:
    """Return whether `seat` has a district that lets it gather although its character was killed (R375)."""
    return any(unique.heals for unique in uniques(view, seat))


def public_effects(view: State, seat: int | None) -> Sequence[Mark]:
    """Return the harmful markers on the characters that `seat` holds and has not revealed yet."""
    if seat is None:
        return ()
    held = view.players[seat].concealed
    return [mark for mark in view.marks if mark.character in held and befalls(mark.kind, mark.by, seat)]


def texts_of(table: str) -> Mapping[str, Message]:
    """Return the sentences in the section `table` of `attacks.toml`, by their keys."""
    return sentences(__package__, "attacks.toml")[table]


@dataclass(frozen=True)
class Attack:
    """An action of another player against this player: a text from `attacks.toml` and its values. `character`
    and `card` are keys and `other` is a seat; their names are filled in when the text is displayed. `count`
    selects the singular or plural form. `entry` is the number of the transcript entry with the action."""

    text: Message
    other: int | None = None
    character: str = ""
    card: str = ""
    count: int = 1
    entry: int = 0

    def said(self, texts: Texts, names: Sequence[str]) -> str:
        """Return the sentence about the attack, in the language of `texts`."""
        name = texts.say("a player") if self.other is None else names[self.other]
        the = texts.the(self.character) if self.character else ""
        card = texts.district(self.card) if self.card else ""
        return texts.say(self.text, count=self.count, name=name, the=the, card=card)


@dataclass(frozen=True)
class Situation:
    """What must be known about a player to decide whether an event is an attack on them: the seat, its
    characters, whose turn it is, the highest bidder, the killed character, and whether a district lets the
    player gather although killed."""

    seat: int
    held: frozenset[str] = frozenset()
    turn: int | None = None
    bidder: int | None = None
    killed: str = ""
    ranks: Mapping[str, int] = field(default_factory=dict)
    healed: bool = False


class AttacksOnMe:
    """The attacks that this player has not acknowledged (`open`), the newest first. `seen` are the
    acknowledged ones; when the log is read again after a reconnection, they are not shown again. When the
    player moves, all attacks are dropped except those of this round on the player's characters."""

    def __init__(self, seen: set[Attack] | None = None) -> None:
        self.open: list[Attack] = []
        self.seen = set() if seen is None else seen
        self._recent: list[Attack] = []

    def add(self, event: Event, situation: Situation, entry: int = 0) -> None:
        """Add the attack that `event` contains, if there is one. The loss of gold to a thief replaces the
        earlier notice that the character will be robbed."""
        if isinstance(event, ev.RoundBegan | ev.LapBegan):
            self._recent = []
        found = attack(event, situation)
        if found is None:
            return
        found, marked = replace(found, entry=entry), texts_of("marked")
        # The murder is still in the banner, so the lost turn would repeat it.
        if found.text == texts_of("other")["lost"] and any(one.text == marked["killed"] for one in self.open):
            self.seen.add(found)
        if found.text == texts_of("gold")["robbed"]:
            self.open = [one for one in self.open if one.text != marked["robbed"]]
        if found not in self.seen:
            self.open.insert(0, found)
            self._recent.append(found)

    def moved(self) -> None:
        """Drop the attacks that the player has seen before making a move, except those of this round on the
        player's characters."""
        # A marker on a character still matters; a loss does not, and it would look like a new one.
        self.open = [one for one in self.open if one.character and one in self._recent]

    def understood(self) -> bool:
        """Mark all attacks as acknowledged. Return whether there were any."""
        seen = bool(self.open)
        self.seen.update(self.open)
        self.open.clear()
        return seen


def attack(event: Event, at: Situation) -> Attack | None:
    """Return the attack on the player in the situation `at` that `event` contains; None if it does not harm
    this player."""
    return _on_character(event, at) or _loss(event, at)


def _on_character(event: Event, at: Situation) -> Attack | None:
    other = texts_of("other")
    match event:
        case ev.Marked(kind, by, character) if character in at.held and befalls(kind, by, at.seat):
            return Attack(texts_of("marked")["healed" if kind == "killed" and at.healed else kind], by, character)
        case ev.Placed(kind, by, characters) if by != at.seat and (mine := at.held.intersection(characters)):
            return Attack(texts_of("placed")[kind], by, min(mine, key=characters.index))
        case ev.Called(rank) if at.killed in at.held and at.ranks.get(at.killed) == rank and not at.healed:
            return Attack(other["lost"], None, at.killed)
        case ev.CharacterCalled(seat, character, True) if seat == at.seat and not at.healed:
            return Attack(other["silenced"], None, character)
        case ev.CharactersSwapped(seat, loser, _, received) if loser == at.seat:
            return Attack(other["character"], seat, received)
    return None


def _loss(event: Event, at: Situation) -> Attack | None:
    """Return the attack if the event takes gold, cards or a district from the player or reveals a secret of
    the player; else None."""
    gold_texts, card_texts, districts, other_texts = map(texts_of, ("gold", "cards", "district", "other"))
    match event:
        case ev.GoldMoved(giver, taker, gold, why) if giver == at.seat and why in gold_texts:
            return Attack(gold_texts[why], taker, count=gold)
        case ev.CardsMoved(giver, taker, cards, why) if giver == at.seat and why in card_texts:
            return Attack(card_texts[why], taker, count=len(cards))
        case ev.HandsSwapped(seat, other, gained, lost) if other == at.seat and gained:
            return Attack(other_texts["swapped" if lost else "emptied"], seat, count=len(gained))
        case ev.Spied(seat, other) if other == at.seat:
            return Attack(other_texts["spied"], seat)
        case ev.Taxed(seat) if seat == at.seat:
            return Attack(other_texts["taxed"])
        case ev.BidMade(seat, gold) if at.bidder == at.seat != seat:
            return Attack(other_texts["outbid"], seat, count=gold)
        case ev.Destroyed(owner, _, card, _, "destroy" | "armory") if owner == at.seat != at.turn:
            return Attack(districts["destroyed"], at.turn, card=card)
        case ev.DistrictMoved(giver, taker, _, card, why) if giver == at.seat != at.turn:
            return Attack(districts[why], taker, card=card)
        case ev.Confiscated(by, seat, card, gold) if seat == at.seat:
            return Attack(districts["confiscated"], by, card=card, count=gold)
    return None
