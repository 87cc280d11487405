"""Clients that lie in a sealed draft. Each function changes the message of an honest client (`said`) in one
way; it returns `said` if that lie is not possible."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.draft import drafts
from citadels_lan.crypto.draft.knowledge import DraftHand
from citadels_lan.crypto.draft.secrets import SEALED, Fixed, public_key

from .simulated import Lie

CODES: Final = {
    *("key", "deal", "box", "secret", "complaint", "pick", "not_offered", "rest", "given", "denied", "shown")
}
"""The codes of lies that name a seat."""
Forger = Callable[[DraftHand, drafts.PassedOn, bytes], drafts.PassedOn]


def forged(
    hand: DraftHand, said: drafts.PassedOn, head: bytes, pick: int | None = None, left: int | None = None
) -> drafts.PassedOn:
    """Return the message of a step with another pick, or with other remaining characters (`left`); all
    commitments in it match each other."""
    secret, at = hand.secret, len(hand.record.steps)
    if pick is not None:
        said = replace(said, pick=secret.fix("pick", slot(hand), head, pick).commit)
    if left is not None:
        packet = secret.fix("packet", at + 1, head, left)
        said = replace(said, packet=packet.commit, box=said.box and boxed(hand, packet, left))
    return said


def boxed(hand: DraftHand, packet: Fixed, cards: int) -> bytes:
    """Return a box that contains `cards` for the seat of the next step, whatever the commitment `packet`
    contains."""
    to = hand.record.table.plan.steps[len(hand.record.steps) + 1].seat
    return hand.secret.seal(packet, cards, to, hand.record.keys)


def slot(hand: DraftHand) -> int:
    return len(hand.record.holdings.get(hand.seat, ()))


def picked(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> int:
    card = hand.secret.one_in(Fixed("pick", slot(hand), hand.seat, head, said.pick))
    assert card is not None
    return card


def laid(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> int:
    if said.aside is None:
        return 0
    return hand.secret.one_in(Fixed("discard", slot(hand), hand.seat, head, said.aside)) or 0


def left_of(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> int:
    """Return the characters that an honest client passes on after this pick, as a bitmap."""
    left = hand.offered() & ~picked(hand, said, head) & ~laid(hand, said, head)
    if hand.record.table.plan.steps[len(hand.record.steps)].loses:
        left &= ~hand.secret.chance("third", 0, left)
    return left


def lowest(cards: int) -> int:
    return cards & -cards


def other(hand: DraftHand) -> int:
    """Return the characters that were not offered to this seat and are not face up, as a bitmap."""
    return hand.record.table.plan.all_cards & ~hand.offered() & ~hand.record.face_up


def picks_unoffered(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Picks a character that it was not offered."""
    strange = lowest(other(hand))
    return forged(hand, said, head, pick=strange) if strange else said


def picks_face_up(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Picks a face-up character."""
    face_up = hand.record.face_up
    return forged(hand, said, head, pick=lowest(face_up)) if face_up else said


def picks_nothing(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Commits to no character as its pick."""
    return replace(said, pick=bytes([1, len(hand.record.steps)]) * 16)


def lays_aside_nothing(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Commits to no character as its discard."""
    return said if said.aside is None else replace(said, aside=bytes([2, len(hand.record.steps)]) * 16)


def lays_its_pick_aside(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Discards the character that it keeps."""
    fixed = hand.secret.fix("discard", slot(hand), head, picked(hand, said, head))
    return said if said.aside is None else replace(said, aside=fixed.commit)


def keeps_it_in_the_list(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Passes on the character that it has picked, in place of another one."""
    left = left_of(hand, said, head)
    return forged(hand, said, head, left=left & ~lowest(left) | picked(hand, said, head)) if left else said


def passes_on_another(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Passes on a character that it was not offered."""
    left, strange = left_of(hand, said, head), lowest(other(hand))
    return forged(hand, said, head, left=left & ~lowest(left) | strange) if left and strange else said


def passes_on_too_few(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Passes on one character too few."""
    left = left_of(hand, said, head)
    return forged(hand, said, head, left=left & ~lowest(left)) if left else said


def passes_on_face_up(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Passes on a face-up character."""
    left, face_up = left_of(hand, said, head), hand.record.face_up
    return forged(hand, said, head, left=left & ~lowest(left) | lowest(face_up)) if left and face_up else said


def boxes_another_list(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Commits to the right characters, but sends the next seat other ones."""
    if said.box is None:
        return said
    left = left_of(hand, said, head)
    packet = hand.secret.fix("packet", len(hand.record.steps) + 1, head, left)
    return replace(said, box=boxed(hand, packet, left ^ lowest(left)))


def boxes_for_another_key(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Encrypts the right characters for a key that the receiver does not have."""
    if said.box is None:
        return said
    left = left_of(hand, said, head)
    packet = hand.secret.fix("packet", len(hand.record.steps) + 1, head, left)
    to = hand.record.table.plan.steps[len(hand.record.steps) + 1].seat
    return replace(said, box=hand.secret.seal(packet, left, to, [public_key(bytes([7]) * 32)] * 9))


def boxes_noise(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Sends a box that cannot be decrypted."""
    return said if said.box is None else replace(said, box=bytes([9]) * SEALED)


def loses_another(hand: DraftHand, said: drafts.PassedOn, head: bytes) -> drafts.PassedOn:
    """Chooses by itself which character is lost, where chance must do that."""
    if not hand.record.table.plan.steps[len(hand.record.steps)].loses:
        return said
    left = hand.offered() & ~picked(hand, said, head) & ~laid(hand, said, head)
    return forged(hand, said, head, left=left & ~lowest(left & ~hand.secret.chance("third", 0, left)))


STEPS: Final[dict[str, Forger]] = {
    forger.__name__: forger
    for forger in (
        picks_unoffered,
        picks_face_up,
        picks_nothing,
        lays_aside_nothing,
        lays_its_pick_aside,
        keeps_it_in_the_list,
        passes_on_another,
        passes_on_too_few,
        passes_on_face_up,
        boxes_another_list,
        boxes_for_another_key,
        boxes_noise,
        loses_another,
    )
}


def at_step(forger: Forger) -> Lie:
    """Return a lie for all kinds of messages, which changes only picks by `forger`."""
    return lambda hand, said, head: forger(hand, said, head) if isinstance(said, drafts.PassedOn) else said


def deals_by_another_link(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """As the dealer, deals by the chance of another secret link than its own."""
    if not isinstance(said, drafts.Dealt):
        return said
    secret = replace(hand.secret, y=bytes([5]) * 32)
    return DraftHand(hand.record, secret, hand.link, {})._deal(head)


def lays_another_face_up(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """As the dealer, swaps a face-up character with one of the packet."""
    if not isinstance(said, drafts.Dealt) or not said.face_up:
        return said
    plan, (_, _, packet) = hand.record.table.plan, hand.secret.layout(hand.record.links)
    free = [place for place in range(len(plan.cast)) if packet >> place & 1 and place != plan.never_up]
    return replace(said, face_up=bytes([free[0], *said.face_up[1:]]))


def deals_another_packet(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """As the dealer, swaps the face-down character with one of the packet."""
    if not isinstance(said, drafts.Dealt):
        return said
    cards = hand.record.table.plan.all_cards >> 1
    return replace(said, packet=hand.secret.fix("packet", 0, head, cards).commit)


DEALS: Final[dict[str, Lie]] = {
    lie.__name__: lie for lie in (deals_by_another_link, lays_another_face_up, deals_another_packet)
}


def gives_no_face_down(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """As the dealer, sends the last seat no face-down character."""
    return replace(said, box=bytes([9]) * SEALED) if isinstance(said, drafts.GivenBack) else said


def gives_another_face_down(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """As the dealer, sends the last seat another face-down character than the one that it committed to."""
    if not isinstance(said, drafts.GivenBack):
        return said
    down, to = hand.record.face_down, hand.record.table.plan.steps[-1].seat
    assert down is not None
    right = hand.known.face_down or 0
    return replace(said, box=hand.secret.seal(down, 1 if right > 1 else 2, to, hand.record.keys))


def gives_what_it_has_not(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """In an exchange, gives a character that it does not hold."""
    if not isinstance(said, drafts.HandedOver):
        return said
    card = lowest(hand.record.table.plan.all_cards & ~hand.held() & ~hand.record.face_up)
    return hand._give(said.to, card, head)


def chooses_what_it_gives(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """In an exchange, chooses by itself which character it gives back, where chance must do that."""
    if not isinstance(said, drafts.HandedOver):
        return said
    index = len(hand.record.given)
    chance = hand.secret.one_in(Fixed("given", index, hand.seat, head, said.given)) or 0
    rest = hand.held() & ~chance
    return hand._give(said.to, lowest(rest), head) if rest else said


def says_another_box_key(hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes) -> drafts.AnyDraftMessage:
    """Begins a round with a public key for boxes that does not follow from its chain."""
    return replace(said, box=public_key(bytes([8]) * 32)) if isinstance(said, drafts.Begun) else said


def complains_with_another_secret(
    hand: DraftHand, said: drafts.AnyDraftMessage, head: bytes
) -> drafts.AnyDraftMessage:
    """Complains with a secret that does not belong to its public key."""
    return replace(said, secret=bytes([6]) * 32) if isinstance(said, drafts.Complained) else said
