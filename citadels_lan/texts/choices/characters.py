"""Labels of what the characters can do."""

from citadels_lan.engine import actions
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.texts.marks import msg

from .labels import Labeller, labels
from .payments import built

# Naming characters


@labels(actions.Kill)
def _kill(labeller: Labeller, action: actions.Kill) -> str:
    return labeller.texts.say(msg("Kill {the}"), the=labeller.naming(action.character))


@labels(actions.Bewitch)
def _bewitch(labeller: Labeller, action: actions.Bewitch) -> str:
    return labeller.texts.say(msg("Bewitch {the}"), the=labeller.naming(action.character))


@labels(actions.Rob)
def _rob(labeller: Labeller, action: actions.Rob) -> str:
    return labeller.texts.say(msg("Rob {the}"), the=labeller.naming(action.character))


@labels(actions.Warrant)
def _warrant(labeller: Labeller, action: actions.Warrant) -> str:
    texts = labeller.texts
    if action.chosen is None:
        return texts.say(msg("Warrants: {characters}"), characters=labeller.naming_all(action.characters))
    plain = [key for key in action.characters if key != action.chosen]
    return texts.say(
        msg("Signed warrant: {chosen}; blank ones: {others}"),
        chosen=labeller.naming_all([action.chosen]),
        others=labeller.naming_all(plain),
    )


@labels(actions.Threaten)
def _threaten(labeller: Labeller, action: actions.Threaten) -> str:
    texts = labeller.texts
    if action.chosen is None:
        return texts.say(msg("Threats: {characters}"), characters=labeller.naming_all(action.characters))
    plain = [key for key in action.characters if key != action.chosen]
    if not plain:
        return texts.say(msg("Threat with the flower: {chosen}"), chosen=labeller.naming_all([action.chosen]))
    return texts.say(
        msg("Threat with the flower: {chosen}; bluff: {others}"),
        chosen=labeller.naming_all([action.chosen]),
        others=labeller.naming_all(plain),
    )


# Hands


@labels(actions.Spy)
def _spy(labeller: Labeller, action: actions.Spy) -> str:
    return labeller.texts.say(
        msg("Spy on {name} ({cards}): {type}"),
        name=labeller.names[action.seat],
        cards=labeller.cards(len(labeller.view.players[action.seat].hand)),
        type=labeller.texts.type(action.type),
    )


@labels(actions.Swap)
def _swap(labeller: Labeller, action: actions.Swap) -> str:
    return labeller.texts.say(
        msg("Swap hands with {name} ({cards})"),
        name=labeller.names[action.seat],
        cards=labeller.cards(len(labeller.view.players[action.seat].hand)),
    )


@labels(actions.Redraw)
def _redraw(labeller: Labeller, action: actions.Redraw) -> str:
    return labeller.texts.say(
        msg("Redraw, putting under the deck: {cards}"), cards=labeller.texts.districts(action.cards)
    )


@labels(actions.LookInto)
def _look(labeller: Labeller, action: actions.LookInto) -> str:
    return labeller.texts.say(
        msg("Look at {name}'s hand ({cards}) and take a card"),
        name=labeller.names[action.seat],
        cards=labeller.cards(len(labeller.view.players[action.seat].hand)),
    )


@labels(actions.Take)
def _take(labeller: Labeller, action: actions.Take) -> str:
    if action.payment is not None:
        return built(labeller, msg("Take and build {card}"), action.card, action.payment)
    return labeller.texts.say(msg("Take {card} into your hand"), card=labeller.priced(action.card))


@labels(actions.Divine)
def _divine(labeller: Labeller, action: actions.Divine) -> str:
    return labeller.texts.say(msg("Take a random card from every other hand"))


@labels(actions.Give)
def _give(labeller: Labeller, action: actions.Give) -> str:
    texts = labeller.texts
    gifts = [
        texts.say(msg("{card} to {name}"), card=texts.district(card), name=labeller.names[seat])
        for seat, card in action.gifts
    ]
    return texts.say(msg("Give {gifts}"), gifts=texts.listing(gifts))


# Crown, gold and extras


@labels(actions.Crown)
def _crown(labeller: Labeller, action: actions.Crown) -> str:
    texts = labeller.texts
    if action.seat is None:
        return texts.say(msg("Take the crown"))
    name = labeller.names[action.seat]
    if action.taking is None:
        return texts.say(msg("Crown {name}"), name=name)
    if action.taking == "gold":
        return texts.say(msg("Crown {name}, get 1 gold"), name=name)
    return texts.say(msg("Crown {name}, get a random card"), name=name)


@labels(actions.Levy)
def _levy(labeller: Labeller, action: actions.Levy) -> str:
    return labeller.texts.say(msg("Get 1 gold from {name}"), name=labeller.names[action.seat])


@labels(actions.Bonus)
def _bonus(labeller: Labeller, action: actions.Bonus) -> str:
    for rule in labeller.edition.abilities[labeller.character].rules:
        if isinstance(rule, BonusRule):
            what = labeller.gold(rule.gold) if action.what == "gold" else labeller.cards(rule.cards)
            return labeller.texts.say(msg("Extra: {what}"), what=what)
    return labeller.texts.say(msg("Extra gold") if action.what == "gold" else msg("Extra cards"))


@labels(actions.Study)
def _study(labeller: Labeller, action: actions.Study) -> str:
    return labeller.texts.plural(
        "Draw the last card", "Draw {count} cards, keep one", min(7, len(labeller.view.deck))
    )


@labels(actions.Taxes)
def _taxes(labeller: Labeller, action: actions.Taxes) -> str:
    return labeller.texts.say(msg("Collect the taxes: {gold}"), gold=labeller.gold(labeller.view.taxes))


# Cities


@labels(actions.Destroy)
def _destroy(labeller: Labeller, action: actions.Destroy) -> str:
    owner, district = labeller.district(action.target)
    cost = district.cost - 1 + surcharge(labeller.view, owner, district.key)
    return labeller.texts.say(
        msg("Destroy {place} for {gold}"), place=labeller.place(action.target), gold=labeller.gold(cost)
    )


@labels(actions.Exchange)
def _exchange(labeller: Labeller, action: actions.Exchange) -> str:
    owner, wanted = labeller.district(action.target)
    _, given = labeller.district(action.own)
    cost = max(wanted.cost - given.cost, 0) + surcharge(labeller.view, owner, wanted.key)
    return labeller.texts.say(
        msg("Give {own} for {place}, paying {gold}"),
        own=labeller.place(action.own), place=labeller.place(action.target), gold=labeller.gold(cost),
    )  # fmt: skip


@labels(actions.Seize)
def _seize(labeller: Labeller, action: actions.Seize) -> str:
    owner, district = labeller.district(action.target)
    cost = district.cost + surcharge(labeller.view, owner, district.key)
    return labeller.texts.say(
        msg("Seize {place} for {gold}"), place=labeller.place(action.target), gold=labeller.gold(cost)
    )


@labels(actions.Beautify)
def _beautify(labeller: Labeller, action: actions.Beautify) -> str:
    return labeller.texts.say(
        msg("Beautify {cards} for {gold}"),
        cards=labeller.texts.districts([spot.key for spot in action.spots]),
        gold=labeller.gold(len(action.spots)),
    )
