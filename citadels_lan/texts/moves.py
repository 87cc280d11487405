"""The verbs of every turn, of sales and of auctions in words; `cards` has those of single cards."""

from typing import Final

from citadels_lan.engine import actions
from citadels_lan.engine.characters.bonus import BonusRule
from citadels_lan.engine.characters.crown import CrownRule
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.edition_actions import Bid, Offer, PassBid, Sell
from citadels_lan.engine.state import Auction
from citadels_lan.engine.turn.cities import paying_districts, uniques
from citadels_lan.engine.turn.gathering import GatherRule
from citadels_lan.engine.turn.selling import half
from citadels_lan.texts.card import Verb
from citadels_lan.texts.labels import Labeller, built, built_with_cards
from citadels_lan.texts.marks import msg, msg_in


def _pick(labeller: Labeller, action: actions.Pick) -> str:
    texts = labeller.texts
    the, rank = texts.the(action.character), labeller.edition.ranks[action.character]
    if action.discarding is None:
        return texts.say(msg("Keep {the} (rank {rank})"), the=the, rank=rank)
    kept, laid = texts.character(action.character), texts.character(action.discarding)
    return texts.say(msg("{character}; aside: {other}"), character=kept, other=laid)


def _gather(labeller: Labeller, action: actions.Gather) -> str:
    rule = labeller.edition.by_action[actions.Gather]
    assert isinstance(rule, GatherRule)
    standing = uniques(labeller.view, labeller.seat)
    if action.what == "gold":
        gold = rule.gold + sum(unique.more_gold for unique in standing)
        return labeller.texts.plural("Take {count} gold", "Take {count} gold", gold)
    drawn = labeller.drawn(rule.cards + sum(unique.more_cards for unique in standing))
    if drawn < 2:
        return labeller.texts.say(msg("Draw the last card"))
    kept = max((unique.kept(drawn) for unique in standing), default=1)
    if kept == drawn:
        return labeller.texts.say(msg("Draw {count} cards, keep one or all"), count=drawn)
    if kept > 1:
        return labeller.texts.say(msg("Draw {count} cards, keep 1 or {kept}"), count=drawn, kept=kept)
    return labeller.texts.say(msg("Draw {count} cards, keep one"), count=drawn)


def _keep(labeller: Labeller, action: actions.Keep) -> str:
    cards = labeller.texts.listing([labeller.priced(card) for card in action.cards])
    return labeller.texts.say(msg("Keep {cards}"), cards=cards)


def _build(labeller: Labeller, action: actions.Build) -> str:
    return built(labeller, msg("Build {card}"), action.card, action.payment)


def _build_deal(labeller: Labeller, deal: Deal, action: actions.Build) -> str:
    return built_with_cards(labeller, deal, msg("Build {card}"), action.card, action.payment)


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


def _bonus(labeller: Labeller, action: actions.Bonus) -> str:
    for rule in labeller.edition.abilities[labeller.character].rules:
        if isinstance(rule, BonusRule):
            what = labeller.gold(rule.gold) if action.what == "gold" else labeller.cards(rule.cards)
            return labeller.texts.say(msg("Extra: {what}"), what=what)
    return labeller.texts.say(msg("Extra gold") if action.what == "gold" else msg("Extra cards"))


def _end(labeller: Labeller, action: actions.End) -> str:
    """Whoever must take the crown and has not done so yet has it then (R158)."""
    rules = labeller.edition.abilities[labeller.character].rules if labeller.character else ()
    crowns = (rule for rule in rules if isinstance(rule, CrownRule))
    taken = any(rule.refusal(labeller.view, labeller.seat, actions.Crown()) is None for rule in crowns)
    return labeller.texts.say(msg("End the turn; the crown comes to you") if taken else msg("End the turn"))


TURN_VERBS: Final = (
    Verb(
        "pick",
        msg_in("verb", "choose a character"),
        label=_pick,
        question=(msg("Choose your character."), msg("{name} is choosing a character.")),
    ),
    Verb("gather", msg_in("verb", "gather"), label=_gather),
    Verb(
        "keep",
        msg_in("verb", "choose a card"),
        label=_keep,
        question=(msg("Choose what to keep."), msg("{name} is choosing what to keep.")),
    ),
    Verb("build", msg_in("verb", "build"), label=_build, deal=_build_deal),
    Verb("income", msg_in("verb", "collect income"), label=_income),
    Verb("bonus", msg_in("verb", "take the extra"), label=_bonus),
    Verb("end", msg_in("verb", "end the turn"), label=_end),
)


def _sell(labeller: Labeller, action: Sell) -> str:
    gold = labeller.gold(half(labeller.edition.costs[action.card]))
    return labeller.texts.say(msg("Sell {card} for {gold}"), card=labeller.texts.district(action.card), gold=gold)


def _offer(labeller: Labeller, action: Offer) -> str:
    card = labeller.texts.district(action.card)
    if action.floor == 1:
        return labeller.texts.say(msg("Auction {card}"), card=card)
    return labeller.texts.say(msg("Auction {card}, from {gold}"), card=card, gold=labeller.gold(action.floor))


def _offer_deal(labeller: Labeller, deal: Deal, action: Offer) -> str:
    return labeller.texts.say(msg("Put a card up for auction"))


def _bid(labeller: Labeller, action: Bid) -> str:
    return labeller.texts.say(msg("Bid {gold}"), gold=labeller.gold(action.gold))


def _pass(labeller: Labeller, action: PassBid) -> str:
    return labeller.texts.say(msg("Pass"))


def asked_for(auction: Auction) -> str:
    """The status line of whoever may bid."""
    if auction.bidder is None:
        return msg("Auction of {card}: bid {floor} or more, or pass.")
    return msg("Auction of {card}: {bidder} bids {bid}. Bid more, or pass.")


SALE_VERBS: Final = (
    Verb("sell", msg_in("verb", "sell a card"), label=_sell),
    Verb(
        "offer",
        msg_in("verb", "put a card up for auction"),
        label=_offer,
        deal=_offer_deal,
        parts={"cards": msg("The card for the auction")},
    ),
    Verb(
        "bid",
        msg_in("verb", "bid or pass"),
        label=_bid,
        question=(msg("Bid for {card}, or pass."), msg("{name} may bid for {card}.")),
    ),
    Verb("pass", msg_in("verb", "pass"), label=_pass),
)
