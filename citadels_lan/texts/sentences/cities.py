"""Sentences about cities, the crown and the markers on characters."""

from citadels_lan.engine import HIDDEN, events
from citadels_lan.texts.cards import TOLD
from citadels_lan.texts.marks import msg, msgs

from .teller import Teller, tells

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
