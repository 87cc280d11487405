"""The choices of a question as a tree: the possible ones, grouped by verb and target, and the impossible ones
with the reasons.

Screens and line mode show the same tree. The engine decides what is legal; this module only arranges it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from citadels_lan.engine import Action, Choice, Deal, IllegalMove, State, actions, edition_of
from citadels_lan.engine.action import ACTIONS, OfCard, OfCharacter, OfSeat, OfSpot
from citadels_lan.engine.actions import Crown, other_seats
from citadels_lan.engine.cards import CHARACTERS, TYPES
from citadels_lan.engine.play import refusal
from citadels_lan.engine.turn.cities import find, spots
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.moves import choice as verb_chosen
from citadels_lan.texts.moves import describe, gold_gained, marked_out
from citadels_lan.texts.refusals import refusal as explain_refusal

from .keys import LOOSE, NO_MORE, CardLetters, Head, Keys, about, path
from .preselect import preselect

SILENT: Final = frozenset(
    {"no_such_ability", "only_gathering", "used_already", "gathered_already", "no_such_bonus", "crown_yourself",
     "not_your_turn", "game_over", "answer_first", "crowned_already", "no_split", "not_yourself",
     "no_such_seat"}
)  # fmt: skip
"""Codes of reasons that are obvious to a player, so impossible choices with such a reason are not listed."""
PLAIN: Final[tuple[type[Action], ...]] = (
    actions.End, actions.Income, actions.Divine, actions.Crown, actions.Study, actions.Taxes, actions.Smithy,
)  # fmt: skip
GIVEN_UP: Final = (actions.Build, actions.Income)
"""Actions that the player loses by using an ability that ends the turn, so they are listed as impossible."""


def refused(view: State, seat: int) -> list[tuple[Action, IllegalMove]]:
    """Return actions that `seat` cannot make in this turn, each with the reason, if the reason is worth
    showing."""
    found = []
    for action in _candidates(view, seat):
        reason = refusal(view, seat, action)
        if reason is None or reason.code in SILENT:
            continue
        if reason.code != "only_ending" or isinstance(action, GIVEN_UP):
            found.append((action, reason))
    return found


def _candidates(view: State, seat: int) -> Iterator[Action]:
    """Yield actions that `refused` checks. An action that no rule of this turn describes is left out, because
    its reason would not be shown anyway."""
    edition, hand = edition_of(view), list(dict.fromkeys(view.players[seat].hand))
    rules = [*edition.turn_rules[view.current_turn.character]]
    for district in view.players[seat].city:
        rules += edition.district_rules.get(district.key, ())
    kinds = {rule.action for rule in rules}.union(GIVEN_UP)
    owners = range(len(view.players))
    targets: Sequence[tuple[type[Action], Sequence[Any]]] = (
        (OfCharacter, view.cast),
        (OfSeat, other_seats(len(view.players), seat)),
        (OfCard, hand),
        (OfSpot, [spot for owner in owners for spot, _ in spots(view, seat, owner)]),
    )
    yield from map(actions.Build, hand)
    yield from (plain() for plain in PLAIN if plain in kinds)
    yield from (actions.Gather("gold"), actions.Gather("cards"))
    for shape, values in targets:
        of_shape: list[Any] = [kind for kind in ACTIONS.values() if kind in kinds and issubclass(kind, shape)]
        yield from (kind(value) for kind in of_shape for value in values)


LONGEST: Final = 9
"""A list with more cards outside the hand than this is grouped by the type of district."""
DIRECT: Final = ("gather", "build")
"""Verbs whose choices are listed directly in the first list, without a group: gold, cards, and hand cards."""
FIRST: Final = ("gather", "income", "bonus", "crown", "taxes")
LAST: Final = ("build", "sell", "offer", "laboratory", "smithy", "museum", "armory")
COSTLY: Final = frozenset(
    {"laboratory", "smithy", "museum", "armory", "beautify", "destroy", "exchange", "seize", "sell", "offer",
     "turn"}
)  # fmt: skip
"""Verbs that cost something, so the question before the end of the turn does not mention them."""
SAID: Final[Mapping[str, Message]] = {
    "gold": msg("Gold"),
    "cards": msg("Cards"),
    "sacrificing": msg("Destroy a district instead of paying"),
}
"""Labels of groups that are about neither a card nor a player, by the word of the notation."""
BUILD: Final = msg("Build {card}")
HARMING: Final = frozenset({"destroy", "armory"})
"""Verbs that take a district from the chosen player, who may also be the player who moves."""


@dataclass(frozen=True)
class Item:
    """A line of the question. It is one of these: an action, or a choice of several cards (`choice`); a group
    (`items`); an impossible choice (with the reason).

    `about` is the key of the card that explains the item, "" if there is none. `verb` is the word of the
    notation. For an impossible choice, `code` is the engine's code of the reason, and `missing` the gold that
    is missing. `keys` are the keys that choose the item; the first one is shown, and a card that is held
    twice has two. `ticks` has the key of each card if cards are to be selected. `seat` is the player that the
    item chooses, if any. `place` is the district that it chooses, as seat and index in the city. `gold` is
    the player's gold before and after the action if the action changes it."""

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
        """Whether the item can be chosen."""
        return self.choice is not None or any(item.open for item in self.items)

    def leads_to(self, action: Action | None) -> bool:
        """Return whether the item is this action, or a group that contains it."""
        return (action is not None and self.choice == action) or any(item.leads_to(action) for item in self.items)

    @property
    def barred(self) -> str:
        """The label and the reason of an impossible item. If the reason names the card, the label is left
        out."""
        if self.why.startswith(self.label):
            return self.why
        head, found, card = self.why.rpartition(": ")
        if found and self.label.startswith(card.rstrip(".")):
            return f"{self.label}: {head}."
        return f"{self.label}: {self.why}"


@dataclass(frozen=True)
class Menu:
    """All items of a question. `end` is the item that ends the turn; it is not in `items`, it is shown last,
    and its key is a capital letter. `left` are the verbs of moves that are still useful before the end of the
    turn. `out` are the characters that are face up and out of play. `own` is the seat that decides.
    `preselected` is the move on which the cursor starts."""

    items: tuple[Item, ...] = ()
    end: Item | None = None
    left: tuple[str, ...] = ()
    out: frozenset[str] = frozenset()
    own: int | None = None
    preselected: Action | None = None

    @property
    def lines(self) -> tuple[Item, ...]:
        """The items on which the cursor can be: all of the first list, and the end of the turn if it is
        possible."""
        return (*self.items, self.end) if self.end is not None and self.end.open else self.items

    def wasted(self, item: Item) -> bool:
        """Return whether an item chooses a character that is out of play."""
        return item.about in self.out

    def unwise(self, item: Item) -> bool:
        """Return whether the cursor should not start on an item, because it chooses a character that is out
        of play or destroys a district of the player who decides."""
        return self.wasted(item) or (item.verb in HARMING and item.seat is not None and item.seat == self.own)


class _Maker:
    """Makes the items of a menu for one seat, from its view, in one language."""

    def __init__(self, texts: Texts, view: State, seat: int, names: Sequence[str], letters: CardLetters) -> None:
        self.texts = texts
        self.view = view
        self.seat = seat
        self.names = names
        self.keys = Keys(view, seat, letters)
        self.hand = letters.cards

    def legal(self, choice: Choice) -> Item:
        label = describe(self.texts, choice, self.view, self.seat, self.names)
        ticks = tuple(self.keys.pool(choice.pool, choice.verb)) if isinstance(choice, Deal) else ()
        before, gained = self.view.players[self.seat].gold, gold_gained(self.view, self.seat, choice)
        gold = (before, before + gained) if gained else None
        return Item(label, choice.verb, choice, about=about(self.view, choice), ticks=ticks, gold=gold)

    def refused(self, action: Action, reason: IllegalMove) -> Item:
        """Return the item for an impossible action. Its label is only the target of the action, because the
        full label may need data that an impossible action lacks."""
        heads = path(action, self.seat)
        named = [head for head in heads if head.card or head.seat is not None] or list(heads)
        label = self.label(named[-1]) if named else capital(verb_chosen(self.texts, action.verb))
        why, gold = explain_refusal(self.texts, reason.code, reason.details), reason.details.get("missing")
        missing = gold if isinstance(gold, int) else 0
        card = about(self.view, action)
        return Item(label, action.verb, why=why, about=card, code=reason.code, missing=missing)

    def label(self, head: Head) -> str:
        """Return the title of the group with this head."""
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
    pointed: Action | None = None,
) -> Menu:
    """Return the tree of items for `seat`. `choices` are its legal choices and `letters` the letters of its
    cards. The cursor starts on `pointed`, a move of the tutorial, or if it is None on the move that
    `preselect` returns."""
    maker = _Maker(texts, view, seat, names, letters)
    items = [(path(choice, seat), maker.legal(choice)) for choice in choices]
    action, out = pointed or preselect(view, seat, choices), frozenset(view.faceup)
    if view.steps:
        if action is not None and not any(item.leads_to(action) for _, item in items):
            # The preselected answer has many cards: it is listed by itself.
            items.insert(0, ((Head("preselected"),), maker.legal(action)))
        return Menu(_nest(maker, items), out=out, own=seat, preselected=action)
    # The first refused action gives the reason of its whole group.
    nearest_first = sorted(refused(view, seat), key=lambda pair: distance(pair[1]))
    barred = [(path(action, seat), maker.refused(action, why)) for action, why in nearest_first]
    end = next((item for _, item in (*items, *barred) if item.verb == "end"), None)
    closing = edition_of(view).last_abilities.get(view.turn.character, "") if view.turn is not None else ""
    verbs = sorted({item.verb for _, item in (*items, *barred)} - {"end"}, key=_order(items, closing))
    listed: list[tuple[Head, Item]] = []
    worth: list[str] = []
    for verb in verbs:
        legal = [pair for pair in items if pair[1].verb == verb]
        listed += _group(maker, verb, legal, [pair for pair in barred if pair[1].verb == verb])
        # The crown comes by itself at the end of the turn (R158), so it is not lost.
        if verb not in COSTLY and any(item.choice != Crown() for _, item in legal):
            worth.append(verb)
    # Possible choices come before greyed ones; the order is stable otherwise.
    in_order = sorted(_with_keys(maker, listed, ""), key=lambda item: not item.open)
    return Menu(tuple(in_order), end, tuple(worth), out, seat, action)


def _with_keys(maker: _Maker, found: Sequence[tuple[Head, Item]], verb: str) -> Iterator[Item]:
    """Yield the items of one list with their keys. An item for all hand cards, or for all ways to gather,
    gets no key."""
    for (head, item), keys in zip(found, maker.keys.of([head for head, _ in found], verb), strict=True):
        seat = head.seat if head.spot is None else None
        place = find(maker.view, maker.seat, head.spot) if head.spot is not None else None
        yield item if head.word in DIRECT else replace(item, keys=keys, seat=seat, place=place)


Pathed = tuple[tuple[Head, ...], Item]


def _order(items: Sequence[Pathed], closing: str) -> Callable[[str], tuple[int, int]]:
    """Return a sort key for verbs. Income and gathering come first, then other verbs in the engine's order,
    then building and unique districts. The verb `closing`, after which only the end of the turn is possible,
    comes last."""
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


def _group(maker: _Maker, verb: str, legal: list[Pathed], barred: list[Pathed]) -> Iterator[tuple[Head, Item]]:
    """Yield the heads and items of one verb for the first list. The verbs in `DIRECT` have an item for each
    choice. Any other verb has a single item: the choice itself if there is only one, otherwise a group."""
    texts = maker.texts
    alike = len({item.why for _, item in barred}) == 1  # One reason holds for all.
    if verb in DIRECT and (legal or not alike):
        places = {card: place for place, card in reversed(list(enumerate(maker.hand)))}
        heads = sorted(
            _by_head([*legal, *barred], 0).items(), key=lambda pair: places.get(pair[0].card, len(places))
        )
        for head, inside in heads:
            item = _branch(maker, head, inside, 0)
            if verb == "build" and item.items and item.open:
                item = replace(item, label=f"{texts.say(BUILD, card=texts.district(head.card))}…")
            yield head, item
        return
    head, name = Head(verb), capital(verb_chosen(texts, verb))
    keys = {item.about for _, item in legal or barred}
    card = keys.pop() if len(keys) == 1 else ""
    if not legal:
        reasons = () if alike else _nest(maker, barred)
        yield head, Item(name, verb, items=reasons, why=_reason(texts, barred), about=card)
    elif len(legal) == 1 and not barred:
        yield head, legal[0][1]
    else:
        yield head, Item(f"{name}…", verb, items=_nest(maker, [*legal, *barred]), about=card)


def distance(reason: IllegalMove) -> int:
    """Return a sort key for the reason why an action is impossible: the missing gold, or 99 for any other
    reason."""
    missing = reason.details.get("missing", 99)
    return missing if isinstance(missing, int) else 99


def _reason(texts: Texts, barred: list[Pathed]) -> str:
    """Return one text that explains why none of the actions in `barred` is possible; the first of them lacks
    the least. If all have the same reason: that reason. If all have the same code and lack gold: the smallest
    missing amount. Otherwise: the first action with its reason, and for different codes also that the others
    are impossible."""
    first = barred[0][1]
    if all(item.why == first.why for _, item in barred):
        return first.why
    if any(item.code != first.code for _, item in barred):
        return texts.say("{nearest} The other cards are not possible now.", nearest=first.barred)
    least = min(item.missing for _, item in barred)
    return (
        texts.plural("At least {count} gold short.", "At least {count} gold short.", least)
        if least
        else first.barred
    )


def _nest(maker: _Maker, items: list[Pathed], depth: int = 0) -> tuple[Item, ...]:
    """Return items as a list in which those with the same head at the level `depth` form a group. Characters
    are sorted by rank and cards by cost as in the hand; other items come last. Districts in cities and
    players keep their order."""
    edition = edition_of(maker.view)
    # Only the first list can become long, for example all cards of the deck.
    if depth == 0:
        items = _by_type(maker, items)
    nested = [(Head(f"#{number}"), item) for number, (_, item) in enumerate(items)]
    if any(len(way) > depth for way, _ in items):
        nested = [(head, _branch(maker, head, inside, depth)) for head, inside in _by_head(items, depth).items()]
    places = {**edition.ranks, **edition.costs}
    cards = any(head.spot is None and head.card in edition.costs for head, _ in nested)
    last = max(places.values()) + 1 if cards else 0
    nested.sort(key=lambda pair: places.get(pair[0].card, last) if pair[0].spot is None else 0)
    return tuple(_with_keys(maker, nested, items[0][1].verb if items else ""))


def _by_head(items: Iterable[Pathed], depth: int) -> dict[Head, list[Pathed]]:
    """Return the items by their head at the level `depth`, in order of appearance."""
    heads: dict[Head, list[Pathed]] = {}
    for way, item in items:
        heads.setdefault(way[depth] if depth < len(way) else Head(NO_MORE), []).append((way, item))
    return heads


def _by_type(maker: _Maker, items: list[Pathed]) -> list[Pathed]:
    """If there are more than LONGEST districts outside the hand, group them by type, the cheap ones first."""
    facts, cards = edition_of(maker.view).districts, []
    for way, item in items:
        head = way[0] if len(way) == 1 else Head("")
        if head.card in facts and head.spot is None and not maker.keys.held(head, item.verb):
            cards.append((way, item))
    if len(cards) <= LONGEST:
        return items
    cards.sort(key=lambda pair: (TYPES.index(facts[pair[0][0].card].type), facts[pair[0][0].card].cost))
    typed = [((Head(facts[way[0].card].type), *way), item) for way, item in cards]
    return [*typed, *(pair for pair in items if pair not in cards)]


def _branch(maker: _Maker, head: Head, inside: list[Pathed], depth: int) -> Item:
    item = inside[0][1]
    if len(inside) == 1:
        return item
    label = maker.label(head) if head.word else item.label
    branch = Item(f"{label}…", item.verb, items=_nest(maker, inside, depth + 1), about=head.card)
    return branch if branch.open else replace(branch, label=label, why=_reason(maker.texts, inside))


def loose(choices: Iterable[Choice]) -> tuple[str, ...]:
    """Return the cards that the choices offer from outside the hand, each once."""
    found = (path(choice, 0) for choice in choices if choice.verb in LOOSE)
    return tuple(dict.fromkeys(head.card for way in found for head in way if head.card))


def give_letters(letters: CardLetters, view: State, seat: int, choices: Iterable[Choice]) -> None:
    """Assign letters to the hand of `seat`, in order of cost, and to the cards that the choices offer from
    outside the hand."""
    costs, cards = edition_of(view).costs, (view.players[seat].hand, loose(choices))
    letters.update(*(sorted(keys, key=lambda key: (costs.get(key, 0), key)) for keys in cards))


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
