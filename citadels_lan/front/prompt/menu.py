"""The question as a tree of items: what may be done, grouped by verb and target, and what may not, and why.

Screens and line mode show the same tree. What is legal comes from the engine; here it is only put in order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from citadels_lan.engine import Action, Choice, Deal, IllegalMove, State, actions, edition_of
from citadels_lan.engine.action import ACTIONS, OfCard, OfCharacter, OfSeat, OfSpot
from citadels_lan.engine.actions import Crown, other_seats
from citadels_lan.engine.cards import CHARACTERS, TYPES
from citadels_lan.engine.play import rule_for
from citadels_lan.engine.rules import Rule
from citadels_lan.engine.turn.cities import find, spots
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.choices import choice as verb_chosen
from citadels_lan.texts.choices import describe
from citadels_lan.texts.labels import marked_out
from citadels_lan.texts.refusals import refusal as explain_refusal

from .keys import LOOSE, NO_MORE, CardLetters, Head, Keys, about, path
from .outcome import gold_gained
from .preselect import preselect

SILENT: Final = frozenset(
    {"no_such_ability", "only_gathering", "used_already", "gathered_already", "no_such_bonus", "crown_yourself",
     "not_your_turn", "game_over", "answer_first", "crowned_already", "no_split", "not_yourself",
     "no_such_seat"}
)  # fmt: skip
"""Reasons that tell a player nothing new: what is refused for one of them is not shown at all."""
PLAIN: Final[tuple[type[Action], ...]] = (
    actions.End, actions.Income, actions.Divine, actions.Crown, actions.Study, actions.Taxes, actions.Smithy,
)  # fmt: skip
GIVEN_UP: Final = (actions.Build, actions.Income)
"""What a player may miss who has used the ability that ends a turn: of these alone that reason is told."""


def refused(view: State, seat: int) -> list[tuple[Action, IllegalMove]]:
    """Actions of this turn that the rules refuse for a reason worth telling. The rule of each kind of action is
    looked up once."""
    found = []
    for actions_of_a_kind in _candidates(view, seat):
        rule: Rule[Any] | IllegalMove | None = None
        for action in actions_of_a_kind:
            if rule is None:
                rule = _rule(view, seat, action)
            reason = rule if isinstance(rule, IllegalMove) else _refusal(rule, view, seat, action)
            if reason is not None and _worth_telling(action, reason):
                found.append((action, reason))
    return found


def _rule(view: State, seat: int, action: Action) -> Rule[Any] | IllegalMove:
    try:
        return rule_for(view, seat, action)
    except IllegalMove as out_of_place:
        return out_of_place


def _refusal(rule: Rule[Any], view: State, seat: int, action: Action) -> IllegalMove | None:
    try:
        return rule.refusal(view, seat, action)
    except IllegalMove as reason:
        return reason


def _worth_telling(action: Action, reason: IllegalMove) -> bool:
    return reason.code not in SILENT and (reason.code != "only_ending" or isinstance(action, GIVEN_UP))


def _candidates(view: State, seat: int) -> Iterator[Iterable[Action]]:
    """The actions that may be refused, kind by kind. A kind that no rule of this turn has is left out: its reason
    would be silent."""
    hand = list(dict.fromkeys(view.players[seat].hand))
    yield map(actions.Build, hand)
    kinds = _kinds(view, seat)
    for plain in PLAIN:
        if plain in kinds:
            yield (plain(),)
    yield (actions.Gather("gold"), actions.Gather("cards"))
    yield from (map(kind, view.cast) for kind in _shaped(kinds, OfCharacter))
    yield from (map(kind, other_seats(len(view.players), seat)) for kind in _shaped(kinds, OfSeat))
    yield from (map(kind, hand) for kind in _shaped(kinds, OfCard))
    for kind in _shaped(kinds, OfSpot):
        yield (kind(spot) for owner in range(len(view.players)) for spot, _ in spots(view, seat, owner))


def _kinds(view: State, seat: int) -> set[type[Action]]:
    """The kinds of actions that some rule of this turn has, or that a player may miss."""
    assert view.turn is not None
    edition, brought = edition_of(view), edition_of(view).district_rules
    rules = [*edition.turn_rules[view.turn.character]]
    rules += [rule for district in view.players[seat].city for rule in brought.get(district.key, ())]
    return {rule.action for rule in rules}.union(GIVEN_UP)


def _shaped(kinds: set[type[Action]], shape: type[Action]) -> list[Any]:
    return [kind for kind in ACTIONS.values() if kind in kinds and issubclass(kind, shape)]


LONGEST: Final = 9
"""How many cards that are in no hand stand in a list before it is one of their types."""
DIRECT: Final = ("gather", "build")
"""What stands in the first list by what it is about: gold, cards, and the cards of the hand."""
FIRST: Final = ("gather", "income", "bonus", "crown", "taxes")
LAST: Final = ("build", "sell", "offer", "laboratory", "smithy", "museum", "armory")
COSTLY: Final = frozenset(
    {"laboratory", "smithy", "museum", "armory", "beautify", "destroy", "exchange", "seize", "sell", "offer",
     "turn"}
)  # fmt: skip
"""What costs something: leaving it undone is nothing to be reminded of."""
SAID: Final[Mapping[str, Message]] = {
    "gold": msg("Gold"),
    "cards": msg("Cards"),
    "sacrificing": msg("Give up a district instead of paying"),
}
"""What choices are grouped by that is no card and no player: what is gathered, and how a district is paid."""
HARMING: Final = frozenset({"destroy", "armory"})
"""What takes a district away from whoever is chosen, which may be oneself."""


@dataclass(frozen=True)
class Item:
    """A line of the question: an action or bounded choice, a group of items, or neither with the reason.

    `about` is the key of the card that explains it, empty where there is none; `verb` the notation's word. `code`
    is the engine's for the reason, `missing` the gold that is short. `keys` are the keys that point at it, the
    first one to be shown; a card held twice has two. `ticks` has a key for each card of a bounded choice. `seat`
    is the player that it chooses, where it chooses one; `place` a district that stands: whose, and the place in
    the city from 0. `gold` is the player's own gold before and after it, if it changes.
    """

    label: str
    verb: str
    choice: Choice | None = None
    items: tuple["Item", ...] = ()
    why: str = ""
    about: str = ""
    code: str = ""
    missing: int = 0
    keys: str = ""
    ticks: tuple[str, ...] = ()
    seat: int | None = None
    place: tuple[int, int] | None = None
    gold: tuple[int, int] | None = None

    @property
    def open(self) -> bool:
        """Whether it can be chosen."""
        return self.choice is not None or any(item.open for item in self.items)

    def leads_to(self, action: Action | None) -> bool:
        """Whether it is this action, or a group with it."""
        return (action is not None and self.choice == action) or any(item.leads_to(action) for item in self.items)

    @property
    def barred(self) -> str:
        """Label and reason of what cannot be chosen, a card's name said once."""
        if self.why.startswith(self.label):
            return self.why
        head, found, card = self.why.rpartition(": ")
        if found and self.label.startswith(card.rstrip(".")):
            return f"{self.label}: {head}."
        return f"{self.label}: {self.why}"


@dataclass(frozen=True)
class Menu:
    """All possible moves. `end` is not among the items: it is the last line, and its key is a capital. `left` are
    the verbs worth using before it, `out` the characters that are discarded face up, `own` the seat that is asked,
    `preselected` the move on which the cursor starts."""

    items: tuple[Item, ...] = ()
    end: Item | None = None
    left: tuple[str, ...] = ()
    out: frozenset[str] = frozenset()
    own: int | None = None
    preselected: Action | None = None

    @property
    def lines(self) -> tuple[Item, ...]:
        """The lines of the cursor: the items, and the end of the turn if it is possible."""
        return (*self.items, self.end) if self.end is not None and self.end.open else self.items

    def wasted(self, item: Item) -> bool:
        """Whether an item is about a character that no player has."""
        return item.about in self.out

    def unwise(self, item: Item) -> bool:
        """Whether the cursor should not start on an item: a character that no player has, or an own district to
        destroy."""
        return self.wasted(item) or (item.verb in HARMING and item.seat is not None and item.seat == self.own)


class _Maker:
    """Makes items for one seat, view and language."""

    def __init__(self, texts: Texts, view: State, seat: int, names: Sequence[str], letters: CardLetters) -> None:
        self.texts = texts
        self.view = view
        self.seat = seat
        self.names = names
        self.keys = Keys(view, seat, letters)
        self.hand = letters.cards

    def legal(self, choice: Choice) -> Item:
        label = describe(self.texts, choice, self.view, self.seat, self.names)
        ticks = self.keys.pool(choice.pool, choice.verb) if isinstance(choice, Deal) else ()
        before, gained = self.view.players[self.seat].gold, gold_gained(self.view, self.seat, choice)
        gold = (before, before + gained) if gained else None
        return Item(label, choice.verb, choice, about=about(self.view, choice), ticks=tuple(ticks), gold=gold)

    def refused(self, action: Action, reason: IllegalMove) -> Item:
        why, card = explain_refusal(self.texts, reason.code, reason.details), about(self.view, action)
        gold = reason.details.get("missing")
        missing = gold if isinstance(gold, int) else 0
        return Item(self.short(action), action.verb, why=why, about=card, code=reason.code, missing=missing)

    def short(self, action: Action) -> str:
        """The target of an action that is refused; its full label may need what is not there."""
        heads = path(action, self.seat)
        named = [head for head in heads if head.card or head.seat is not None] or list(heads)
        return self.label(named[-1]) if named else capital(verb_chosen(self.texts, action.verb))

    def label(self, head: Head) -> str:
        """The label of a group."""
        if head.word in TYPES:
            return capital(self.texts.type(head.word))
        if head.card in CHARACTERS:
            return marked_out(self.texts, self.view.faceup, head.card, self.texts.character(head.card))
        if head.card:
            name = self.texts.district(head.card)
            return name if head.seat is None else f"{name} ({self.names[head.seat]})"
        if head.seat is not None:
            return self.names[head.seat]
        return self.texts.say(SAID[head.word]) if head.word in SAID else capital(head.word)


def menu(
    texts: Texts,
    view: State,
    seat: int,
    names: Sequence[str],
    choices: Sequence[Choice],
    letters: CardLetters,
) -> Menu:
    """The tree for `seat`, whose legal `choices` these are and whose cards have these `letters`."""
    maker = _Maker(texts, view, seat, names, letters)
    items = [(path(choice, seat), maker.legal(choice)) for choice in choices]
    found = preselect(view, seat, choices)
    action, out = found.action if found is not None else None, frozenset(view.faceup)
    if view.steps:
        if action is not None and not any(item.leads_to(action) for _, item in items):  # an answer of many cards
            items.insert(0, ((Head("preselected"),), maker.legal(action)))
        return Menu(_nest(maker, items), out=out, own=seat, preselected=action)
    nearest_first = sorted(refused(view, seat), key=lambda pair: distance(pair[1]))
    barred = [(path(action, seat), maker.refused(action, why)) for action, why in nearest_first]
    end = next((item for _, item in (*items, *barred) if item.verb == "end"), None)
    closing = edition_of(view).last_abilities.get(view.turn.character, "") if view.turn is not None else ""
    verbs = sorted({item.verb for _, item in (*items, *barred)} - {"end"}, key=_order(items, closing))
    listed: list[tuple[Head, Item]] = []
    for word in verbs:
        listed.extend(_group(maker, word, _of(items, word), _of(barred, word)))
    left = tuple(word for word in verbs if _wanted(_of(items, word)) and word not in COSTLY)
    in_order = tuple(sorted(_with_keys(maker, listed, ""), key=lambda item: not item.open))
    return Menu(in_order, end, left, out, seat, action)


def _with_keys(maker: _Maker, found: Sequence[tuple[Head, Item]], verb: str) -> Iterator[Item]:
    """The items of one list with their keys. A single reason for all cards or all ways to gather has no key."""
    for (head, item), keys in zip(found, maker.keys.of([head for head, _ in found], verb), strict=True):
        seat = head.seat if head.spot is None else None
        place = find(maker.view, maker.seat, head.spot) if head.spot is not None else None
        yield item if head.word in DIRECT else replace(item, keys=keys, seat=seat, place=place)


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


def _group(maker: _Maker, word: str, legal: list[Pathed], barred: list[Pathed]) -> list[tuple[Head, Item]]:
    """The items of one verb in the first list: the item itself if it is the only one, else a group. Gold, cards
    and the cards of the hand are listed by themselves."""
    if word in DIRECT and (legal or not _alike(barred)):
        places = {card: place for place, card in reversed(list(enumerate(maker.hand)))}
        heads = _by_head([*legal, *barred], 0).items()
        as_held = sorted(heads, key=lambda pair: places.get(pair[0].card, len(places)))
        return [(head, _direct(maker, word, head, _branch(maker, head, of, 0))) for head, of in as_held]
    head, name = Head(word), capital(verb_chosen(maker.texts, word))
    if not legal:
        inside = () if _alike(barred) else _nest(maker, barred)
        why = _reason(maker.texts, barred)
        return [(head, Item(name, word, items=inside, why=why, about=_common_about(barred)))]
    if len(legal) == 1 and not barred:
        return [(head, legal[0][1])]
    inside = _nest(maker, [*legal, *barred])
    return [(head, Item(f"{name}…", word, items=inside, about=_common_about(legal)))]


def _wanted(items: list[Pathed]) -> bool:
    """Whether any of these is lost at the end of the turn; the crown is not, which comes then by itself (R158)."""
    return any(item.choice != Crown() for _, item in items)


def _alike(barred: list[Pathed]) -> bool:
    """Whether one reason holds for all."""
    return len({item.why for _, item in barred}) == 1


def _direct(maker: _Maker, word: str, head: Head, item: Item) -> Item:
    """A group in the first list says its verb as well."""
    if word == "build" and item.items and item.open:
        said = maker.texts.say(msg("Build {card}"), card=maker.texts.district(head.card))
        return replace(item, label=f"{said}…")
    return item


def distance(reason: IllegalMove) -> int:
    """How far from possible a refused action is: the gold missing, and other reasons after all of those."""
    missing = reason.details.get("missing", 99)
    return missing if isinstance(missing, int) else 99


def _reason(texts: Texts, barred: list[Pathed]) -> str:
    """Why none of these is possible: what all have in common, how much gold is short at the least, or the one
    nearest to being possible by its name, and whether others are refused for other reasons."""
    first = barred[0][1]
    if all(item.why == first.why for _, item in barred):
        return first.why
    if all(item.code == first.code for _, item in barred):
        least = min(item.missing for _, item in barred)
        said = texts.plural("At least {count} gold short.", "At least {count} gold short.", least)
        return said if least else first.barred
    return texts.say(msg("{nearest} Others are not possible for other reasons."), nearest=first.barred)


def _common_about(items: list[Pathed]) -> str:
    keys = {item.about for _, item in items}
    return keys.pop() if len(keys) == 1 else ""


def _nest(maker: _Maker, items: list[Pathed], depth: int = 0) -> tuple[Item, ...]:
    """Items as a list, those grouped that have the same next word of their paths."""
    if depth == 0:
        items = _by_type(maker, items)
    if not any(len(way) > depth for way, _ in items):
        found = [(Head(f"#{number}"), item) for number, (_, item) in enumerate(items)]
    else:
        found = [(head, _branch(maker, head, of, depth)) for head, of in _by_head(items, depth).items()]
    return tuple(_with_keys(maker, _in_order(maker, found), items[0][1].verb if items else ""))


def _in_order(maker: _Maker, found: Sequence[tuple[Head, Item]]) -> list[tuple[Head, Item]]:
    """The items of a list: characters by rank, cards by cost as in the hand, then other items; districts in cities
    and players in the given order."""
    edition = edition_of(maker.view)
    places = {**edition.ranks, **edition.costs}
    cards = any(head.spot is None and head.card in edition.costs for head, _ in found)
    last = max(places.values()) + 1 if cards else 0
    return sorted(found, key=lambda pair: places.get(pair[0].card, last) if pair[0].spot is None else 0)


def _by_head(items: Iterable[Pathed], depth: int) -> dict[Head, list[Pathed]]:
    """Items with the same next word together, in order of appearance."""
    heads: dict[Head, list[Pathed]] = {}
    for way, item in items:
        heads.setdefault(way[depth] if depth < len(way) else Head(NO_MORE), []).append((way, item))
    return heads


def _by_type(maker: _Maker, items: list[Pathed]) -> list[Pathed]:
    """Districts that are in no hand below their types, the cheap ones first, where there are many."""
    facts = edition_of(maker.view).districts

    def loose(head: Head, verb: str) -> bool:
        return head.card in facts and head.spot is None and not maker.keys.held(head, verb)

    cards = [pair for pair in items if len(pair[0]) == 1 and loose(pair[0][0], pair[1].verb)]
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


def loose(choices: Iterable[Choice]) -> tuple[str, ...]:
    """The cards to choose from that are not in the own hand, each once."""
    found = (path(choice, 0) for choice in choices if choice.verb in LOOSE)
    return tuple(dict.fromkeys(head.card for way in found for head in way if head.card))


def capital(text: str) -> str:
    """Text with a capital first letter."""
    return text[:1].upper() + text[1:]
