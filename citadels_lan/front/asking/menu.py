"""The question as a tree of items: what may be done, grouped by verb and target, and what may not, and why.

Screen and plain front end show the same tree. What is legal comes from the engine; here it is only put in order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from citadels_lan.engine import Action, Choice, Deal, IllegalMove, State, actions, edition_of
from citadels_lan.engine.action import OfCard, OfCards, OfCharacter, OfSeat, OfSpot
from citadels_lan.engine.cards import TYPES
from citadels_lan.engine.edition_actions import BellTower, Lighthouse, Thank, Tribute, TurnBellTower
from citadels_lan.engine.spots import Spot, seat_name
from citadels_lan.engine.words import CHARACTERS
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.choices.describe import describe
from citadels_lan.texts.choices.labels import marked_out
from citadels_lan.texts.refusals import refusal as explain_refusal
from citadels_lan.texts.verbs import verb as verb_text

from .candidates import refused

LONGEST: Final = 9
"""How many items a list has before it is grouped: as many as there are digits."""
INLINE: Final = 3
"""How many actions of one verb stand in the first list without a group."""
GROUPED: Final = ("build", "sell")
"""What always stands in a group, for it comes and goes with the hand."""
FIRST: Final = ("gather", "income", "bonus", "crown", "taxes")
LAST: Final = ("build", "sell", "offer", "laboratory", "smithy", "museum", "armory")
COSTLY: Final = frozenset(
    {
        "laboratory",
        "smithy",
        "museum",
        "armory",
        "beautify",
        "destroy",
        "exchange",
        "seize",
        "sell",
        "offer",
        "turn",
    }
)
"""What costs something: leaving it undone is nothing to be reminded of."""
ALLOWING: Final[Mapping[type[Action], str]] = {
    actions.Theater: "theater",
    actions.Smithy: "smithy",
    actions.Bribe: "blackmailer",
    actions.Reveal: "blackmailer",
    actions.Confiscate: "magistrate",
    actions.Graveyard: "graveyard",
    BellTower: "bell_tower",
    TurnBellTower: "bell_tower",
    Lighthouse: "lighthouse",
    Thank: "ballroom",
    Tribute: "emperor",
}
"""The card that allows an action, or makes it due, where it is not the character on turn."""


class Head(NamedTuple):
    """What choices are grouped by: a card, a player, a player's district, or where all are None or empty the bare
    word of the notation. Two with equal words are the same group."""

    word: str
    card: str = ""
    seat: int | None = None


@dataclass(frozen=True)
class Item:
    """A line of the question: an action or bounded choice, a group of items, or neither with the reason.

    `about` is the key of the card that explains it, empty where there is none; `verb` the notation's word. `code`
    is the engine's for the reason.
    """

    label: str
    verb: str
    choice: Choice | None = None
    items: tuple["Item", ...] = ()
    why: str = ""
    about: str = ""
    code: str = ""

    @property
    def open(self) -> bool:
        """Whether it can be chosen."""
        return self.choice is not None or any(item.open for item in self.items)

    @property
    def barred(self) -> str:
        """Label and reason of what cannot be chosen, a card's name said once."""
        head, found, card = self.why.rpartition(": ")
        if found and self.label.startswith(card.rstrip(".")):
            return f"{self.label}: {head}."
        return f"{self.label}: {self.why}"


@dataclass(frozen=True)
class Menu:
    """All that may be done now. `end` stands apart, so that no ordinary key ends a turn by accident; `left` are
    the verbs worth using before, `out` the characters face up out of play, whom nobody has."""

    items: tuple[Item, ...] = ()
    end: Item | None = None
    left: tuple[str, ...] = ()
    out: frozenset[str] = frozenset()

    def wasted(self, item: Item) -> bool:
        """Whether an item is about a character that nobody has."""
        return item.about in self.out


class _Maker:
    """Makes items for one seat, view and language."""

    def __init__(self, texts: Texts, view: State, seat: int, names: Sequence[str]) -> None:
        self.texts = texts
        self.view = view
        self.seat = seat
        self.names = names

    def legal(self, choice: Choice) -> Item:
        label = describe(self.texts, choice, self.view, self.seat, self.names)
        return Item(label, _verb(choice), choice, about=about(self.view, choice))

    def refused(self, action: Action, reason: IllegalMove) -> Item:
        why = explain_refusal(self.texts, reason.code, reason.details)
        return Item(
            self.short(action), type(action).verb, why=why, about=about(self.view, action), code=reason.code
        )

    def short(self, action: Action) -> str:
        """The target of an action that is refused; its full label may need what is not there."""
        heads = path(action, self.seat)
        named = [head for head in heads if head.card or head.seat is not None] or list(heads)
        return self.label(named[-1]) if named else capital(verb_text(self.texts, type(action).verb))

    def label(self, head: Head) -> str:
        """The label of a group."""
        if head.word in TYPES:
            return capital(self.texts.type(head.word))
        if head.card in CHARACTERS:
            return marked_out(self.texts, self.view.faceup, head.card, self.texts.character(head.card))
        if head.card:
            name = self.texts.district(head.card)
            return name if head.seat is None else f"{name} ({self.names[head.seat]})"
        return capital(head.word) if head.seat is None else self.names[head.seat]


def menu(texts: Texts, view: State, seat: int, names: Sequence[str], choices: Sequence[Choice]) -> Menu:
    """The tree for `seat`, whose legal `choices` these are."""
    maker = _Maker(texts, view, seat, names)
    items = [(path(choice, seat), maker.legal(choice)) for choice in choices]
    out = frozenset(view.faceup)
    if view.steps:
        return Menu(_nest(maker, items), out=out)
    nearest_first = sorted(refused(view, seat), key=lambda pair: _distance(pair[1]))
    barred = [(path(action, seat), maker.refused(action, why)) for action, why in nearest_first]
    end = next((item for _, item in (*items, *barred) if item.verb == "end"), None)
    closing = edition_of(view).last_abilities.get(view.turn.character, "") if view.turn is not None else ""
    verbs = sorted({item.verb for _, item in (*items, *barred)} - {"end"}, key=_order(items, closing))
    found: list[Item] = []
    for word in verbs:
        found.extend(_group(maker, word, _of(items, word), _of(barred, word)))
    left = tuple(word for word in verbs if _of(items, word) and word not in COSTLY)
    return Menu(tuple(sorted(found, key=lambda item: not item.open)), end, left, out)


Pathed = tuple[tuple[Head, ...], Item]


def _of(items: Iterable[Pathed], word: str) -> list[Pathed]:
    return [pair for pair in items if pair[1].verb == word]


def _order(items: Sequence[Pathed], closing: str) -> Callable[[str], tuple[int, int]]:
    """Gathering and income first, building and the unique districts last, in between as the engine lists them; at
    the end what leaves only the end of the turn."""
    listed = list(dict.fromkeys(item.verb for _, item in items))

    def place(word: str) -> tuple[int, int]:
        if word == closing:
            return 3, 0
        if word in FIRST:
            return 0, FIRST.index(word)
        if word in LAST:
            return 2, LAST.index(word)
        return 1, listed.index(word) if word in listed else len(listed)

    return place


def _group(maker: _Maker, word: str, legal: list[Pathed], barred: list[Pathed]) -> list[Item]:
    """The items of one verb in the first list: themselves where they are few, one group otherwise."""
    name = capital(verb_text(maker.texts, word))
    if not legal:
        inside = _nest(maker, barred) if len({item.why for _, item in barred}) > 1 else ()
        return [Item(name, word, items=inside, why=_reason(maker.texts, barred), about=_common_about(barred))]
    if word not in GROUPED and len(legal) <= INLINE:
        return [item for _, item in legal]
    inside = _nest(maker, [*legal, *barred])
    return [Item(f"{name}…", word, items=inside, about=_common_about(legal))]


def _distance(reason: IllegalMove) -> int:
    """How far from possible a refused action is: the gold missing, and other reasons after all of those."""
    missing = reason.details.get("missing", 99)
    return missing if isinstance(missing, int) else 99


def _reason(texts: Texts, barred: list[Pathed]) -> str:
    """Why none of these is possible: what all have in common, or the one nearest to being possible by its name,
    and whether others are refused for other reasons."""
    first = barred[0][1]
    if all(item.why == first.why for _, item in barred):
        return first.why
    if all(item.code == first.code for _, item in barred):
        return first.barred
    return texts.say(msg("{nearest} Others are not possible for other reasons."), nearest=first.barred)


def _common_about(items: list[Pathed]) -> str:
    keys = {item.about for _, item in items}
    return keys.pop() if len(keys) == 1 else ""


def _nest(maker: _Maker, items: list[Pathed], depth: int = 0) -> tuple[Item, ...]:
    """Items as a list, grouped by the words of their paths where they are too many."""
    if len(items) <= LONGEST:
        return tuple(item for _, item in items)
    if depth == 0:
        items = _by_type(maker, items)
    heads: dict[Head, list[Pathed]] = {}
    for way, item in items:
        heads.setdefault(way[depth] if depth < len(way) else Head(""), []).append((way, item))
    if len(heads) == 1:
        deeper = any(len(way) > depth + 1 for way, _ in items)
        return _nest(maker, items, depth + 1) if deeper else tuple(item for _, item in items)
    return tuple(_branch(maker, head, inside, depth) for head, inside in heads.items())


def _by_type(maker: _Maker, items: list[Pathed]) -> list[Pathed]:
    """Districts below their types, the cheap ones first, where nothing else is chosen with them."""
    facts = edition_of(maker.view).districts
    cards = [(way, item) for way, item in items if len(way) == 1 and way[0].card in facts and way[0].seat is None]
    if len(cards) <= LONGEST:
        return items
    cards.sort(key=lambda pair: (TYPES.index(facts[pair[0][0].card].type), facts[pair[0][0].card].cost))
    typed = [((Head(facts[way[0].card].type), *way), item) for way, item in cards]
    return [*typed, *(pair for pair in items if pair not in cards)]


def _branch(maker: _Maker, head: Head, inside: list[Pathed], depth: int) -> Item:
    item = inside[0][1]
    if len(inside) == 1:
        return item
    below = _nest(maker, inside, depth + 1)
    label = maker.label(head) if head.word else item.label
    branch = Item(f"{label}…", item.verb, items=below, about=head.card)
    return branch if branch.open else replace(branch, label=label, why=_reason(maker.texts, inside))


def _verb(choice: Choice) -> str:
    return choice.verb if isinstance(choice, Deal) else type(choice).verb


def path(choice: Choice, seat: int) -> tuple[Head, ...]:
    """By what a choice of `seat` is grouped: whose district before which, the marker that counts before the
    others."""
    action: Any = next(choice.actions()) if isinstance(choice, Deal) else choice
    match action:
        case actions.Build() | actions.Take():
            return (_card(action.card), Head(repr(choice)))
        case OfSpot(target):
            return (_player(seat if target.seat is None else target.seat), _place(target))
        case actions.Marks():
            first = action.chosen or action.characters[0]
            return (_card(first), *(_card(key) for key in action.characters if key != first))
        case actions.Exchange(own, target):
            return (_place(own), _player(seat if target.seat is None else target.seat), _place(target))
        case actions.Beautify(spots):
            return tuple(map(_place, spots))
        case actions.Pick(character, discarding):
            return (_card(character), _card(discarding or ""))
        case OfCharacter(key) | OfCard(key) | Lighthouse(str(key)) | Tribute(str(key)):
            return (_card(key),)
        case OfCards(cards):
            return tuple(map(_card, cards))
        case OfSeat(whose) | actions.Spy(whose) | actions.Crown(int(whose)):
            return (_player(whose), *map(Head, tuple(action.words())[1:]))
        case actions.Theater(int(whose), giving):
            return (_player(whose), _card(giving or ""))
    return tuple(map(Head, action.words()))


def _card(key: str) -> Head:
    return Head(key, key)


def _player(seat: int) -> Head:
    return Head(seat_name(seat), seat=seat)


def _place(spot: Spot) -> Head:
    return Head(str(spot), spot.key, spot.seat)


def about(view: State, choice: Choice) -> str:
    """The key of the card that explains a choice: its target's, else the district or character that allows it."""
    action: Any = next(choice.actions()) if isinstance(choice, Deal) else choice
    match action:
        case OfCharacter(key) | actions.Pick(key) | OfCard(key) | actions.Build(key):
            return str(key)
        case Lighthouse(str(key)) | Tribute(str(key)):
            return key
        case actions.Take(key) | actions.Keep((key,)):
            return str(key)
        case OfSpot(target) | actions.Exchange(target=target):
            return str(target.key)
        case actions.Gather() | actions.Keep() | actions.End():
            return ""
    on_turn = view.turn.character if view.turn is not None else ""
    return ALLOWING.get(type(action), on_turn)


def capital(text: str) -> str:
    """Text with a capital first letter."""
    return text[:1].upper() + text[1:]
