"""Sentences about cities, the crown, markers, and the shared city of Città Comune."""

from citadels_lan.engine import HIDDEN, events
from citadels_lan.texts.cards import TOLD
from citadels_lan.texts.marks import msg, msgs
from citadels_lan.texts.sentences.teller import Teller, tells

# Cities, crown and markers


@tells(events.BuildPaid)
def _build_paid(teller: Teller, event: events.BuildPaid) -> str:
    card = teller.texts.district(event.card)
    if not event.gold:
        return teller.tell(
            event.seat,
            msg("You build: {card}, without paying gold."),
            msg("{name} builds: {card}, without paying gold."),
            card=card,
        )
    return teller.tell(
        event.seat,
        msgs("You build: {card}, for {count} gold.", "You build: {card}, for {count} gold."),
        msgs("{name} builds: {card}, for {count} gold.", "{name} builds: {card}, for {count} gold."),
        count=event.gold,
        card=card,
    )


@tells(events.Confiscated)
def _confiscated(teller: Teller, event: events.Confiscated) -> str:
    said = teller.between(
        (event.by, event.seat),
        msg("You show the signed warrant ({character}) and confiscate from {other}: {card}."),
        msg("{name} shows the signed warrant ({character}) and confiscates from you: {card}."),
        msg("{name} shows the signed warrant ({character}) and confiscates from {other}: {card}."),
        character=teller.texts.character(event.character),
        card=teller.texts.district(event.card),
    )
    if not event.gold:
        return said
    back = teller.texts.plural("{count} gold is given back.", "{count} gold is given back.", event.gold)
    return f"{said} {back}"


@tells(events.DistrictMoved)
def _district_moved(teller: Teller, event: events.DistrictMoved) -> str:
    first, second, other = TOLD[events.DistrictMoved, event.why]
    return teller.between((event.giver, event.taker), first, second, other, card=teller.texts.district(event.card))


@tells(events.Beautified)
def _beautified(teller: Teller, event: events.Beautified) -> str:
    return teller.tell(
        event.seat,
        msg("You beautify: {card}, now worth one gold more."),
        msg("{name} beautifies: {card}, now worth one gold more."),
        card=teller.texts.district(event.card),
    )


@tells(events.Slid)
def _slid(teller: Teller, event: events.Slid) -> str:
    said = teller.tell(
        event.seat, msg("You lay a card under your Museum."), msg("{name} lays a card under the Museum.")
    )
    return teller.with_secret(said, (event.card,))


@tells(events.Destroyed)
def _destroyed(teller: Teller, event: events.Destroyed) -> str:
    yours, others = TOLD[events.Destroyed, event.why]
    said = teller.tell(event.owner, yours, others, card=teller.texts.district(event.card))
    if not event.under:
        return said
    lost = teller.texts.plural(
        "The card under it is lost too.", "The {count} cards under it are lost too.", len(event.under)
    )
    return f"{said} {lost}"


@tells(events.Turned)
def _turned(teller: Teller, event: events.Turned) -> str:
    return teller.tell(
        event.seat,
        msg("You turn the Bell Tower: fewer districts end the game now."),
        msg("{name} turns the Bell Tower: fewer districts end the game now."),
    )


@tells(events.Completed)
def _completed(teller: Teller, event: events.Completed) -> str:
    return teller.tell(
        event.seat,
        msg("Your city is complete! The game ends with this round."),
        msg("{name}'s city is complete! The game ends with this round."),
    )


@tells(events.Crowned)
def _crowned(teller: Teller, event: events.Crowned) -> str:
    return teller.tell(event.seat, msg("The crown is yours."), msg("{name} has the crown now."))


@tells(events.Marked)
def _marked(teller: Teller, event: events.Marked) -> str:
    yours, others = TOLD[events.Marked, event.kind]
    return teller.tell(event.by, yours, others, the=teller.texts.the(event.character))


@tells(events.Placed)
def _placed(teller: Teller, event: events.Placed) -> str:
    yours, others, secret = TOLD[events.Placed, event.kind]
    said = teller.tell(event.by, yours, others, characters=teller.texts.characters(event.characters))
    if event.chosen == HIDDEN:
        return said
    return f"{said} {teller.texts.say(secret, character=teller.texts.character(event.chosen))}"


@tells(events.ThreatLifted)
def _threat_lifted(teller: Teller, event: events.ThreatLifted) -> str:
    character = teller.texts.character(event.character)
    return teller.texts.say(msg("The threat is taken away unseen ({character})."), character=character)


@tells(events.ThreatShown)
def _threat_shown(teller: Teller, event: events.ThreatShown) -> str:
    character = teller.texts.character(event.character)
    if event.flower:
        return teller.texts.say(msg("The threat is turned over ({character}): the flower!"), character=character)
    return teller.texts.say(msg("The threat is turned over ({character}): no flower."), character=character)


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
