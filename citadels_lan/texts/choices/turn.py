"""Labels of what every turn offers: the draft, gathering, building, unique districts, answers."""

from citadels_lan.engine import HIDDEN, actions
from citadels_lan.engine.turn.cities import paying_districts, uniques
from citadels_lan.texts.marks import msg

from .labels import Labeller, labels
from .payments import built

# The draft and the Theater


@labels(actions.Pick)
def _pick(labeller: Labeller, action: actions.Pick) -> str:
    texts = labeller.texts
    the, rank = texts.the(action.character), labeller.edition.ranks[action.character]
    if action.discarding is None:
        return texts.say(msg("Keep {the} (rank {rank})"), the=the, rank=rank)
    laid = texts.the(action.discarding)
    return texts.say(msg("Keep {the} (rank {rank}), lay {other} aside"), the=the, rank=rank, other=laid)


@labels(actions.Theater)
def _theater(labeller: Labeller, action: actions.Theater) -> str:
    texts = labeller.texts
    if action.seat is None:
        return texts.say(msg("Theater: swap nothing"))
    name = labeller.names[action.seat]
    if action.giving is None:
        return texts.say(msg("Theater: swap characters with {name}"), name=name)
    return texts.say(
        msg("Theater: give {the} to {name} and get one back"), the=texts.the(action.giving), name=name
    )


# Every turn


@labels(actions.Gather)
def _gather(labeller: Labeller, action: actions.Gather) -> str:
    standing = uniques(labeller.view, labeller.seat)
    if action.what == "gold":
        gold = 2 + sum(unique.more_gold for unique in standing)
        return labeller.texts.plural("Take {count} gold", "Take {count} gold", gold)
    drawn = min(2 + sum(unique.more_cards for unique in standing), len(labeller.view.deck))
    if drawn < 2:
        return labeller.texts.say(msg("Draw the last card"))
    if any(unique.kept(drawn) > 1 for unique in standing):
        return labeller.texts.say(msg("Draw {count} cards, keep one or all"), count=drawn)
    return labeller.texts.say(msg("Draw {count} cards, keep one"), count=drawn)


@labels(actions.Keep)
def _keep(labeller: Labeller, action: actions.Keep) -> str:
    cards = labeller.texts.listing([labeller.priced(card) for card in action.cards])
    return labeller.texts.say(msg("Keep {cards}"), cards=cards)


@labels(actions.Build)
def _build(labeller: Labeller, action: actions.Build) -> str:
    return built(labeller, msg("Build {card}"), action.card, action.payment)


@labels(actions.Income)
def _income(labeller: Labeller, action: actions.Income) -> str:
    texts = labeller.texts
    card = labeller.edition.characters[labeller.character]
    if action.gold or action.cards:
        parts = [
            *([labeller.gold(action.gold)] if action.gold else []),
            *([labeller.cards(action.cards)] if action.cards else []),
        ]
        return texts.say(msg("Income: {what}"), what=texts.listing(parts))
    assert card.income is not None
    count = paying_districts(labeller.view, labeller.seat, card.income)
    what = labeller.cards(count) if card.pays == "cards" else labeller.gold(count)
    return texts.say(msg("Income: {what}"), what=what)


@labels(actions.End)
def _end(labeller: Labeller, action: actions.End) -> str:
    return labeller.texts.say(msg("End the turn"))


# Unique districts


@labels(actions.Laboratory)
def _laboratory(labeller: Labeller, action: actions.Laboratory) -> str:
    return labeller.texts.say(
        msg("Laboratory: discard {card} for 2 gold"), card=labeller.texts.district(action.card)
    )


@labels(actions.Smithy)
def _smithy(labeller: Labeller, action: actions.Smithy) -> str:
    count = min(3, len(labeller.view.deck))
    return labeller.texts.say(msg("Smithy: pay 2 gold for {cards}"), cards=labeller.cards(count))


@labels(actions.Museum)
def _museum(labeller: Labeller, action: actions.Museum) -> str:
    return labeller.texts.say(
        msg("Museum: lay {card} under it (1 point)"), card=labeller.texts.district(action.card)
    )


@labels(actions.Armory)
def _armory(labeller: Labeller, action: actions.Armory) -> str:
    return labeller.texts.say(msg("Armory: destroy {place} and itself"), place=labeller.place(action.target))


# Answers


@labels(actions.Bribe)
def _bribe(labeller: Labeller, action: actions.Bribe) -> str:
    all_of_it = labeller.view.players[labeller.seat].gold
    if not action.yes:
        return labeller.texts.say(msg("Pay nothing: you risk {gold}"), gold=labeller.gold(all_of_it))
    return labeller.texts.say(msg("Pay hush money: {gold}"), gold=labeller.gold(all_of_it // 2))


@labels(actions.Reveal)
def _reveal(labeller: Labeller, action: actions.Reveal) -> str:
    texts, view = labeller.texts, labeller.view
    if not action.yes:
        return texts.say(msg("Leave the threat face down"))
    flower = view.mark("flower")
    if view.turn is None or flower is None or flower.character == HIDDEN:
        return texts.say(msg("Turn the threat over"))
    if flower.character != view.turn.character:
        return texts.say(msg("Turn the threat over: no flower"))
    gold = labeller.gold(view.players[view.turn.seat].gold)
    return texts.say(msg("Turn the flower over: get {gold}"), gold=gold)


@labels(actions.Confiscate)
def _confiscate(labeller: Labeller, action: actions.Confiscate) -> str:
    if not action.yes:
        return labeller.texts.say(msg("Let it be built"))
    site = labeller.view.site
    if site is None:
        return labeller.texts.say(msg("Confiscate the district"))
    return labeller.texts.say(msg("Confiscate {card}: it is yours, free"), card=labeller.texts.district(site.card))
