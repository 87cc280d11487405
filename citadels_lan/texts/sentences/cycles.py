"""Sentences about a city that all build together: calls, auctions, the face-up pile, cycles."""

from citadels_lan.engine import events
from citadels_lan.texts.marks import msg, msgs

from .teller import Teller, tells


@tells(events.LapBegan)
def _lap_began(teller: Teller, event: events.LapBegan) -> str:
    return teller.texts.say(msg("Round {round}"), round=event.round)


@tells(events.CharacterCalled)
def _character_called(teller: Teller, event: events.CharacterCalled) -> str:
    the = teller.texts.the(event.character)
    if event.silent:
        return teller.tell(
            event.seat, msg("You call {the}, who was killed."), msg("{name} calls {the}, who was killed."), the=the
        )
    return teller.tell(event.seat, msg("You call {the}."), msg("{name} calls {the}."), the=the)


@tells(events.QueenWaits)
def _queen_waits(teller: Teller, event: events.QueenWaits) -> str:
    return teller.tell(
        event.seat,
        msg("If the King is called next, the Queen's gold is yours."),
        msg("If the King is called next, {name} gets the Queen's gold."),
    )


@tells(events.CycleScored)
def _cycle_scored(teller: Teller, event: events.CycleScored) -> str:
    points = [f"{name} {count}" for name, count in zip(teller.names, event.points, strict=False) if count]
    if not points:
        return teller.texts.say(msg("All characters have been called. Nobody gets points."))
    return teller.texts.say(
        msg("All characters have been called. Points: {points}."), points=teller.texts.listing(points)
    )


@tells(events.CycleEnded)
def _cycle_ended(teller: Teller, event: events.CycleEnded) -> str:
    return teller.texts.say(msg("The characters are shuffled."))


@tells(events.AllStand)
def _all_stand(teller: Teller, event: events.AllStand) -> str:
    return teller.texts.say(msg("The city is complete! The game ends with this turn."))


@tells(events.AuctionBegan)
def _auction_began(teller: Teller, event: events.AuctionBegan) -> str:
    card = teller.texts.district(event.card)
    if event.floor == 1:
        return teller.tell(
            event.seller,
            msg("You put up for auction: {card}."),
            msg("{name} puts up for auction: {card}."),
            card=card,
        )
    return teller.tell(
        event.seller,
        msgs(
            "You put up for auction: {card}, from {count} gold.",
            "You put up for auction: {card}, from {count} gold.",
        ),
        msgs(
            "{name} puts up for auction: {card}, from {count} gold.",
            "{name} puts up for auction: {card}, from {count} gold.",
        ),
        count=event.floor,
        card=card,
    )


@tells(events.BidMade)
def _bid_made(teller: Teller, event: events.BidMade) -> str:
    return teller.tell(event.seat, msg("You bid {gold}."), msg("{name} bids {gold}."), gold=event.gold)


@tells(events.BidPassed)
def _bid_passed(teller: Teller, event: events.BidPassed) -> str:
    return teller.tell(event.seat, msg("You pass."), msg("{name} passes."))


@tells(events.AuctionEnded)
def _auction_ended(teller: Teller, event: events.AuctionEnded) -> str:
    return teller.texts.say(msg("The auction is over."))


@tells(events.Discarded)
def _discarded(teller: Teller, event: events.Discarded) -> str:
    return teller.texts.say(msg("On the discard pile: {cards}."), cards=teller.texts.districts(event.cards))


@tells(events.Restocked)
def _restocked(teller: Teller, event: events.Restocked) -> str:
    return teller.texts.say(msg("The discard pile is shuffled and becomes the deck."))
