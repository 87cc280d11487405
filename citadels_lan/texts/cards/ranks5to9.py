"""Moves of the characters of ranks 5 to 9 in words: labels, sentences of the log, reasons to reject a move."""

from typing import Final

from citadels_lan.engine import actions, events
from citadels_lan.engine.characters.rank8 import surcharge
from citadels_lan.engine.characters.scholar import StudyRule
from citadels_lan.texts.card import Card, Verb
from citadels_lan.texts.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in, msgs


def _levy(labeller: Labeller, action: actions.Levy) -> str:
    return labeller.texts.say(msg("Get 1 gold from {name}"), name=labeller.names[action.seat])


def _study(labeller: Labeller, action: actions.Study) -> str:
    rule = next(rule for rule in labeller.edition.abilities["scholar"].rules if isinstance(rule, StudyRule))
    return labeller.texts.plural("Draw the last card", "Draw {count} cards, keep one", labeller.drawn(rule.cards))


def _destroy(labeller: Labeller, action: actions.Destroy) -> str:
    owner, district = labeller.district(action.target)
    cost = district.cost - 1 + surcharge(labeller.view, owner, district.key)
    return labeller.texts.say(
        msg("Destroy {place} for {gold}"), place=labeller.place(action.target), gold=labeller.gold(cost)
    )


def _exchange(labeller: Labeller, action: actions.Exchange) -> str:
    owner, wanted = labeller.district(action.target)
    _, given = labeller.district(action.own)
    cost = max(wanted.cost - given.cost, 0) + surcharge(labeller.view, owner, wanted.key)
    return labeller.texts.say(
        msg("Give {own} for {place}, paying {gold}"),
        own=labeller.place(action.own),
        place=labeller.place(action.target),
        gold=labeller.gold(cost),
    )


def _seize(labeller: Labeller, action: actions.Seize) -> str:
    owner, district = labeller.district(action.target)
    cost = district.cost + surcharge(labeller.view, owner, district.key)
    return labeller.texts.say(
        msg("Seize {place} for {gold}"), place=labeller.place(action.target), gold=labeller.gold(cost)
    )


def _beautify(labeller: Labeller, action: actions.Beautify) -> str:
    return labeller.texts.say(
        msg("Beautify {cards} for {gold}"),
        cards=labeller.texts.districts([spot.key for spot in action.spots]),
        gold=labeller.gold(len(action.spots)),
    )


def _taxes(labeller: Labeller, action: actions.Taxes) -> str:
    return labeller.texts.say(msg("Collect the taxes: {gold}"), gold=labeller.gold(labeller.view.taxes))


CARDS: Final = (
    Card(
        "abbot",
        verbs=(Verb("levy", msg_in("verb", "take a gold from the richest"), label=_levy),),
        whys=("levy",),
        refusals={
            "split_income": msgs(
                "Say how you take your income: {count} gold or card.",
                "Say how you take your income: {count} gold and cards in all.",
            ),
            "richest_yourself": msg("Nobody is richer than you are."),
            "not_richest": msg("Choose the richest player, or one of them."),
            "several_richest": msg("Several players have most gold: nobody pays."),
        },
    ),
    Card(
        "cardinal",
        whys=("loan",),
        refusals={
            "no_loan": msg("Only the Cardinal can take missing gold for cards, once per turn."),
            "loan_needless": msg("You have enough gold: you need none from another player."),
            "loan_exact": msgs(
                "Take exactly the missing {count} gold, for one card.",
                "Take exactly the missing {count} gold, for as many cards.",
            ),
            "lender_short": msgs(
                "That player does not have the {count} gold you need.",
                "That player does not have the {count} gold you need.",
            ),
        },
    ),
    Card(
        "alchemist",
        whys=("refund",),
    ),
    Card(
        "scholar",
        verbs=(Verb("study", msg_in("verb", "study seven cards"), label=_study),),
        whys=("study",),
    ),
    Card(
        "warlord",
        verbs=(Verb("destroy", msg_in("verb", "destroy a district"), label=_destroy),),
        reasons={"destroy": msg("to destroy a district")},
        told={
            (events.Destroyed, "destroy"): (
                msg("The Warlord destroys a district of yours: {card}."),
                msg("The Warlord destroys a district of {name}'s: {card}."),
            )
        },
    ),
    Card(
        "diplomat",
        verbs=(Verb("exchange", msg_in("verb", "exchange a district"), label=_exchange),),
        whys=("exchange",),
        told={
            (events.DistrictMoved, "exchange"): (
                msg("From you to {other} goes: {card}."),
                msg("From {name} to you goes: {card}."),
                msg("From {name} to {other} goes: {card}."),
            )
        },
        refusals={
            "own_for_other": msg("Exchange a district of yours for one of another player's."),
            "twice_in_city": msg("Neither player may end up with two districts of the same name."),
        },
    ),
    Card(
        "marshal",
        verbs=(Verb("seize", msg_in("verb", "seize a district"), label=_seize),),
        whys=("seize",),
        told={
            (events.DistrictMoved, "seize"): (
                msg("{other} seizes from your city: {card}."),
                msg("You seize from {name}'s city: {card}."),
                msg("{other} seizes from {name}'s city: {card}."),
            )
        },
        refusals={
            "other_city_only": msg("Choose a district of another player's city."),
            "too_expensive": msg("It costs too much: {most} at most."),
        },
    ),
    Card(
        "queen",
        refusals={
            "not_beside_rank_four": msg("You do not sit next to a player who has revealed rank 4."),
            "not_near_the_king": msg("The King was not called just before, and you do not sit next to the crown."),
        },
    ),
    Card(
        "artist",
        verbs=(Verb("beautify", msg_in("verb", "beautify"), label=_beautify),),
        refusals={
            "beautify_how_many": msg("Choose one district or two different ones: {most} at most."),
            "beautified_already": msg("A district can be beautified once only."),
        },
    ),
    Card(
        "tax_collector",
        verbs=(Verb("taxes", msg_in("verb", "collect the taxes"), label=_taxes),),
        reasons={"taxes": msg("tax")},
        refusals={"no_taxes": msg("There are no taxes to collect.")},
    ),
)
