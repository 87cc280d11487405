"""Moves in words: the verbs of the notation, and a label for each choice. The texts are in `moves.toml`."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.engine import HIDDEN, Action, Choice, Deal, District, State, actions, edition_of
from citadels_lan.engine.actions import GOLD, Payment
from citadels_lan.engine.characters.crown import CrownRule
from citadels_lan.engine.characters.income import BonusRule
from citadels_lan.engine.characters.magistrate import Warranted
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.characters.scholar import StudyRule
from citadels_lan.engine.characters.tax_collector import TaxCollector
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.play import rule_for
from citadels_lan.engine.state import Mark
from citadels_lan.engine.turn.cities import find, paying_districts, standing, uniques
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.payment import Builder
from citadels_lan.engine.turn.piles import half
from citadels_lan.texts import terms
from citadels_lan.texts.language import CHOICE, VERB, InContext, Texts, msg
from citadels_lan.texts.tables import Forms, Text, placeholders, table
from citadels_lan.texts.topics import laboratory_rule, smithy_rule


class Verb(Struct, frozen=True):
    """The texts about one verb of the notation and its moves. `moves.toml` describes the fields."""

    meaning: str
    reason: str = ""
    label: Text | Mapping[str, Text] = ""
    meaning_take: str = ""
    meaning_give: str = ""
    deal: Text | Mapping[str, Text] = ""
    parts: Mapping[str, str] = {}
    question: Forms | None = None
    questions: Mapping[str, str] = {}
    asked: Forms | None = None
    many: bool = False
    answers: Mapping[str, Forms] = {}
    refusals: Mapping[str, Text] = {}


VERBS: Final = table("moves.toml", "verbs", Verb)
"""The texts of each verb, by the first word of its notation."""


def verb(texts: Texts, word: str, choices: Sequence[Choice] = ()) -> str:
    """Return the meaning of a verb as an infinitive without `to`. If `choices` (the legal moves) are given,
    the text names only what they allow."""
    meaning = VERBS[word].meaning
    if word == "crown" and choices:
        meaning = VERBS[word].meaning_take if actions.Crown() in choices else VERBS[word].meaning_give
    return texts.say(InContext(VERB, meaning))


def choice(texts: Texts, word: str) -> str:
    """Return the meaning of a verb for a menu. In some languages this is not the infinitive."""
    return texts.say(InContext(CHOICE, VERBS[word].meaning))


Kinds: TypeAlias = Text | Mapping[str, Text]
"""The label of a verb, or a label for each kind of its moves."""
Label: TypeAlias = tuple[str, Mapping[str, object]]
"""Two values: the kind of the label (a key of `Kinds`; "" if the verb has only one label), and the values of
placeholders that are not fields of the move."""
PARTS: Final = table("moves.toml", "parts", str)
"""The purpose of each part of a payment, by its key."""
OUT: Final = msg("{character} (discarded)")
PRICED: Final = ("lighthouse", "take", "tribute")
"""The verbs whose label shows the cost of the card."""


def describe(texts: Texts, choice: Choice, view: State, seat: int, names: Sequence[str]) -> str:
    """Return the label of an action or a deal, for the player at `seat`, who has this view of the table.

    `names` are the players' names by seat. The result is plain text: show it without reading markup in it.
    """
    labeller = Labeller(texts, view, seat, names)
    if not isinstance(choice, Deal):
        return labeller.describe(choice)
    action = next(choice.actions())  # any action of the choice shows its target
    if isinstance(action, actions.Build | actions.Take):
        return _with_price(labeller, action, _prices_with_cards(labeller, choice, action))
    receivers = [names[seat] for seat, _ in action.gifts] if isinstance(action, actions.Give) else ()
    kind = "one" if len(receivers) == 1 else "all"
    values = {"name": texts.listing(receivers), "names": texts.listing(receivers)}
    return labeller.label(VERBS[choice.verb].deal, action, kind, values)


def describe_part(texts: Texts, deal: Deal, part: int, names: Sequence[str]) -> str:
    """Return the purpose of part number `part` of a deal. A part whose name is the number of a seat is a gift
    for that seat."""
    name = deal.names[part]
    if name.isdecimal():
        return texts.say("A card for {name}", name=names[int(name)])
    return texts.say(VERBS[deal.verb].parts.get(name) or PARTS[name])


def marked_out(texts: Texts, out: Container[str], key: str, name: str) -> str:
    """Return the character's `name`; with a mark if its `key` is in `out`, the face-up characters that are
    out of play."""
    return texts.say(OUT, character=name) if key in out else name


class Labeller:
    """Makes labels for `seat`, from its view of the table."""

    def __init__(self, texts: Texts, view: State, seat: int, names: Sequence[str]) -> None:
        self.texts = texts
        self.view = view
        self.seat = seat
        self.names = names
        self.edition = edition_of(view)
        self.character = view.turn.character if view.turn else ""

    def describe(self, action: Action) -> str:
        """Return the label of an action."""
        if isinstance(action, actions.Build | actions.Take) and action.payment is not None:
            return _with_price(self, action, _prices(self, action.card, action.payment))
        special, values = LABELS[action.verb](self, action) if action.verb in LABELS else ("", {})
        kind = special or ("yes" if getattr(action, "yes", True) else "no")
        return self.label(VERBS[action.verb].label, action, kind, values)

    def label(self, texts: Kinds, action: Action, kind: str, values: Mapping[str, object]) -> str:
        """Return the label of `kind` among `texts`, filled with `values`; other placeholders get the fields
        of the action."""
        text = texts[kind] if isinstance(texts, Mapping) else texts
        own = {name: self._value(name, action) for name in placeholders(text) if name not in values}
        return self.texts.say(text, **own, **values)

    def _value(self, name: str, action: Any) -> str:
        match name:
            case "the":
                return marked_out(self.texts, self.view.faceup, action.character, self.texts.the(action.character))
            case "name":
                return str(self.names[action.seat])
            case "card":
                return self.priced(action.card) if action.verb in PRICED else self.texts.district(action.card)
            case "cards" if hasattr(action, "cards"):
                return self.texts.districts(action.cards)
            case "cards":
                return self.cards(len(self.view.players[action.seat].hand))
            case "characters":
                return self.naming(action.characters)
            case "chosen":
                return self.naming([action.chosen])
            case "others":
                return self.naming([key for key in action.characters if key != action.chosen])
            case "place":
                return self.place(action.target)
            case "own":
                return self.place(action.own)
            case "type":
                return self.texts.type(action.type)
        gold = action.gold if hasattr(action, "gold") else gold_gained(self.view, self.seat, action)
        return self.gold(abs(gold))

    def gold(self, amount: int) -> str:
        """Return an amount of gold in words."""
        return terms.gold(self.texts, amount)

    def cards(self, amount: int) -> str:
        """Return a number of cards in words."""
        return terms.cards(self.texts, amount)

    def drawn(self, amount: int) -> int:
        """Return how many of `amount` cards can really be drawn from the deck and the discard pile, which is
        shuffled into the deck when that is empty."""
        return min(amount, len(self.view.deck) + len(self.view.discards))

    def place(self, spot: Spot) -> str:
        """Return a district with its city: `your Market`, `Anna's Market`."""
        card = self.texts.district(spot.key)
        if spot.seat is None or spot.seat == self.seat:
            return self.texts.say("your {card}", card=card)
        return self.texts.say("{name}'s {card}", name=self.names[spot.seat], card=card)

    def district(self, spot: Spot) -> tuple[int, District]:
        """Return the owner of a district, and the district."""
        owner, index = find(self.view, self.seat, spot)
        return owner, self.view.players[owner].city[index]

    def priced(self, card: str) -> str:
        """Return a card with its cost."""
        name, cost = self.texts.district(card), self.edition.costs[card]
        return self.texts.say("{card} ({cost})", card=name, cost=cost)

    def naming(self, keys: Sequence[str]) -> str:
        """Return the names of characters as a list in words. A face-up character that is out of play is
        marked."""
        texts, out = self.texts, self.view.faceup
        return texts.listing([marked_out(texts, out, key, texts.character(key)) for key in keys])


def label_pick(labeller: Labeller, action: actions.Pick) -> Label:
    texts = labeller.texts
    if action.discarding is None:
        rank = labeller.edition.ranks[action.character]
        return "keep", {"the": texts.the(action.character), "rank": rank}
    kept, other = texts.character(action.character), texts.character(action.discarding)
    return "aside", {"character": kept, "other": other}


def label_gather(labeller: Labeller, action: actions.Gather) -> Label:
    rule = labeller.edition.by_action[actions.Gather]
    assert isinstance(rule, GatherRule)
    standing = uniques(labeller.view, labeller.seat)
    if action.what == "gold":
        return "gold", {"count": rule.gold + sum(unique.more_gold for unique in standing)}
    drawn = labeller.drawn(rule.cards + sum(unique.more_cards for unique in standing))
    kept = max((unique.kept(drawn) for unique in standing), default=1)
    kind = "last" if drawn < 2 else "all" if kept == drawn else "some" if kept > 1 else "one"
    return kind, {"count": drawn, "kept": kept}


def _with_price(labeller: Labeller, action: actions.Build | actions.Take, prices: Sequence[str]) -> str:
    """Return the label of a build with its price. If a district is destroyed instead of a payment, the label
    names that district."""
    texts, payment = labeller.texts, action.payment
    assert payment is not None
    build = labeller.label(VERBS[action.verb].label, action, "build", {})
    lost = "framework" if payment.framework else payment.sacrifice.key if payment.sacrifice is not None else ""
    if lost:
        return texts.say("{build}, destroying your {card}", build=build, card=texts.district(lost))
    return texts.say("{build} ({price})", build=build, price=", ".join(prices))


def _prices(labeller: Labeller, card: str, payment: Payment) -> Sequence[str]:
    """Return the parts of the price of a build: gold, cards, or borrowed gold."""
    texts = labeller.texts
    gold = Builder(labeller.view, labeller.seat).price(card) - len(payment.cards)
    parts = [str(gold) if gold == 0 or payment == GOLD else labeller.gold(gold)]
    if payment.cards:
        parts.append(texts.districts(payment.cards))
    if payment.lender is not None:
        name, cards = labeller.names[payment.lender], texts.districts(payment.lent)
        text = msg("{gold} of it from {name} for {cards}")
        parts.append(texts.say(text, gold=str(len(payment.lent)), name=name, cards=cards))
    return parts


def _prices_with_cards(labeller: Labeller, deal: Deal, action: actions.Build | actions.Take) -> Sequence[str]:
    """Return the parts of the price of a build for which the player still has to choose hand cards. `action`
    is one of the possible payments."""
    texts, payment = labeller.texts, action.payment
    assert payment is not None
    parts = [str(Builder(labeller.view, labeller.seat).price(action.card))]
    least, most = deal.sizes[0]
    if least != most:
        parts.append(texts.say("{least} to {most} cards instead of gold", least=least, most=most))
    elif most:
        parts.append(texts.plural("{count} card instead of gold", "{count} cards instead of gold", most))
    if payment.lender is not None:
        name, gold = labeller.names[payment.lender], labeller.gold(len(payment.lent))
        parts.append(texts.say("{gold} from {name} for as many cards", gold=gold, name=name))
    return parts


def label_income(labeller: Labeller, action: actions.Income) -> Label:
    card = labeller.edition.characters[labeller.character]
    gold, cards = action.gold, action.cards
    if not gold and not cards:
        assert card.income is not None
        count = paying_districts(labeller.view, labeller.seat, card.income)
        return "", {"what": labeller.cards(count) if card.pays == "cards" else labeller.gold(count)}
    parts = [*([labeller.gold(gold)] if gold else []), *([labeller.cards(cards)] if cards else [])]
    return "", {"what": labeller.texts.listing(parts)}


def label_bonus(labeller: Labeller, action: actions.Bonus) -> Label:
    for rule in labeller.edition.abilities[labeller.character].rules:
        if isinstance(rule, BonusRule):
            return "known", {
                "what": labeller.gold(rule.gold) if action.what == "gold" else labeller.cards(rule.cards)
            }
    return action.what, {}


def label_end(labeller: Labeller, action: actions.End) -> Label:
    """Return the label for ending the turn. If the player must take the crown this turn and has not done so,
    ending the turn takes it (R158), and the label says so."""
    rules = labeller.edition.abilities[labeller.character].rules if labeller.character else ()
    crowns = (rule for rule in rules if isinstance(rule, CrownRule))
    taken = any(rule.refusal(labeller.view, labeller.seat, actions.Crown()) is None for rule in crowns)
    return "crown" if taken else "plain", {}


def label_confiscate(labeller: Labeller, action: actions.Confiscate) -> Label:
    site = labeller.view.site
    if action.yes and site is None:
        return "unknown", {}
    return "", {"card": labeller.texts.district(site.card)} if site is not None else {}


def label_threaten(labeller: Labeller, action: actions.Threaten) -> Label:
    if action.chosen is None:
        return "hidden", {}
    return "both" if len(action.characters) > 1 else "alone", {}


def label_bribe(labeller: Labeller, action: actions.Bribe) -> Label:
    gold = labeller.view.players[labeller.seat].gold
    return "", {"gold": labeller.gold(gold // 2 if action.yes else gold)}


def label_reveal(labeller: Labeller, action: actions.Reveal) -> Label:
    turn, flower = labeller.view.turn, labeller.view.mark("flower")
    if not action.yes:
        return "no", {}
    if turn is None or flower is None or flower.character == HIDDEN:
        return "unknown", {}
    gold = labeller.gold(labeller.view.players[turn.seat].gold)
    return "flower" if flower.character == turn.character else "bluff", {"gold": gold}


def label_give(labeller: Labeller, action: actions.Give) -> Label:
    texts, one = labeller.texts, VERBS["give"].label
    assert isinstance(one, Mapping)
    gifts = [
        texts.say(one["one"], card=texts.district(card), name=labeller.names[seat]) for seat, card in action.gifts
    ]
    return "all", {"gifts": texts.listing(gifts)}


def label_study(labeller: Labeller, action: actions.Study) -> Label:
    rule = next(rule for rule in labeller.edition.abilities["scholar"].rules if isinstance(rule, StudyRule))
    return "", {"count": labeller.drawn(rule.cards)}


def label_exchange(labeller: Labeller, action: actions.Exchange) -> Label:
    owner, wanted = labeller.district(action.target)
    _, given = labeller.district(action.own)
    cost = max(wanted.cost - given.cost, 0) + surcharge(labeller.view, owner, wanted.key)
    return "", {"gold": labeller.gold(cost)}


def label_smithy(labeller: Labeller, action: actions.Smithy) -> Label:
    rule = smithy_rule(labeller.edition)
    return "", {"gold": labeller.gold(rule.pays), "cards": labeller.cards(labeller.drawn(rule.draws))}


def label_theater(labeller: Labeller, action: actions.Theater) -> Label:
    if action.giving is not None:
        return "give", {"the": labeller.texts.the(action.giving)}
    return "none" if action.seat is None else "swap", {}


def label_graveyard(labeller: Labeller, action: actions.Graveyard) -> Label:
    card = labeller.view.steps[-1].card
    return "", {} if card is None else {"card": labeller.priced(card)}


PREFIX: Final = "label_"
LABELS: Final[Mapping[str, Callable[[Labeller, Any], Label]]] = {
    **{name[len(PREFIX) :]: function for name, function in list(globals().items()) if name.startswith(PREFIX)},
    "beautify": lambda labeller, action: (
        "",
        {"cards": labeller.texts.districts([spot.key for spot in action.spots])},
    ),
    "crown": lambda _, action: ("take" if action.seat is None else action.taking or "give", {}),
    "keep": lambda labeller, action: (
        "",
        {"cards": labeller.texts.listing([*map(labeller.priced, action.cards)])},
    ),
    "laboratory": lambda labeller, _: ("", {"gold": labeller.gold(laboratory_rule(labeller.edition).gold)}),
    "lighthouse": lambda _, action: ("none" if action.card is None else "card", {}),
    "offer": lambda labeller, action: (
        "plain" if action.floor == 1 else "from",
        {"gold": labeller.gold(action.floor)},
    ),
    "look": lambda labeller, _: ("now" if labeller.view.current_turn.gathered else "early", {}),
    "take": lambda _, action: ("hand", {}),
    "tribute": lambda _, action: ("gold" if action.card is None else "card", {}),
    "warrant": lambda _, action: ("hidden" if action.chosen is None else "signed", {}),
}
"""By verb: the function that makes the label of moves for which the fields are not enough."""


# Gold


def gold_gained(view: State, seat: int, choice: Choice) -> int:
    """Return how much a legal choice changes the gold of `seat` (negative: it costs gold). Return 0 if it
    changes nothing or if the result depends on hidden cards. Later moves of other players are not
    included."""
    if isinstance(choice, Deal):
        return 0
    match choice:
        case actions.Gather("gold"):
            return int(_rule(view, seat, choice).gold) + sum(unique.more_gold for unique in uniques(view, seat))
        case actions.Income(gold, cards):
            return gold if gold or cards else _income(view, seat)
        case actions.Bonus("gold") | actions.Laboratory():
            return int(_rule(view, seat, choice).gold)
        case actions.Taxes():
            return view.taxes
        case actions.Sell(card):
            return half(edition_of(view).costs[card])
        case actions.Destroy(target) | actions.Seize(target):
            return -int(_rule(view, seat, choice).price(view, *find(view, seat, target)))
        case actions.Beautify(spots):
            return -len(spots)
        case actions.Build():
            return _built(view, seat, choice)
    return 0


def _rule(view: State, seat: int, choice: Any) -> Any:
    """Return the engine's rule for a choice."""
    return rule_for(view, seat, choice)


def _income(view: State, seat: int) -> int:
    """Return the gold that the character on turn gets for its districts, if this income is paid in gold;
    otherwise 0."""
    card = edition_of(view).characters[view.current_turn.character]
    return 0 if card.income is None or card.pays != "gold" else paying_districts(view, seat, card.income)


def _built(view: State, seat: int, build: actions.Build) -> int:
    """Return how much a build changes the player's gold (negative: it costs gold). The Tax Collector's tax is
    included if any gold is left (R240 to R245), but not while the Magistrate may confiscate the district."""
    payment, builder = build.payment, Builder(view, seat)
    paid = not payment.framework and payment.sacrifice is None
    gained = len(payment.cards) + len(payment.lent) - builder.price(build.card) if paid else 0
    turn, collector = builder.turn, builder.edition.abilities.get(TaxCollector.key)
    taxed = TaxCollector.key in view.cast and isinstance(collector, TaxCollector)
    if not taxed or turn.character == TaxCollector.key or builder.player.gold + gained <= 0:
        return gained
    asked = paid and not turn.paid and any(_confiscates(builder, mark, build.card) for mark in view.marks)
    return gained if asked else gained - 1


def _confiscates(builder: Builder, mark: Mark, card: str) -> bool:
    """Return whether the Magistrate (marked by `mark`) may confiscate `card` when it is built, so that the
    game asks this player (R104, R115, R117)."""
    warranted = mark.character == builder.turn.character and isinstance(
        builder.edition.markers.get(mark.kind), Warranted
    )
    magistrate = builder.state.players[mark.by]
    stands = standing(magistrate, card) or builder.edition.effect(card).unbuildable(magistrate)
    return warranted and mark.by != builder.seat and not stands
