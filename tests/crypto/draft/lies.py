"""Clients that lie in a sealed draft, one way each: what an honest client would say, made into something else."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from citadels_lan.crypto.draft.boxes import NO_TOKEN, BoxContent, BoxKey, SealedBox, fill, seal_again
from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.crypto.draft.messages import AnyDraftMessage, Dealt, HandedOver, KeyShown, PassedOn
from citadels_lan.crypto.draft.plan import lay_out
from citadels_lan.crypto.draft.secrets import DraftSecret

from .simulated import Lie

Forger = Callable[[DraftHand, PassedOn], PassedOn]


def forged(hand: DraftHand, said: PassedOn, pick: int | None = None, left: int | None = None) -> PassedOn:
    """A step with another pick, or with another list of what is left, and all else as if that were right."""
    secret, index = hand.secret, hand.record.next
    slot = sum(done.seat == hand.seat for done in hand.record.steps)
    if pick is not None:
        said = replace(said, pick=secret.pick_commitment("pick", slot, pick))
    if left is not None:
        said = replace(said, packet=secret.cards_commitment("packet", index + 1, left), box=boxed(hand, left))
    return said


def boxed(hand: DraftHand, left: int, token: bytes | None = None, fixed: int | None = None) -> bytes | None:
    """A box for the next step with a list, and maybe a token that is none, or a commitment to another list."""
    plan, index = hand.record.table.plan, hand.record.next + 1
    if index == len(plan.steps):
        return None
    to = plan.steps[index].seat
    carries = plan.carries(to, left.bit_count())
    right = right_token(hand) if carries else NO_TOKEN
    nonce = hand.secret.nonce("packet", index)
    if fixed is None:
        return fill(hand.secret, "packet", index, to, BoxContent(left, nonce, token or right)).sealed
    commit = hand.secret.cards_commitment("packet", index, fixed)
    return sealed_as(hand.secret, index, to, commit, BoxContent(left, nonce, right))


def sealed_as(secret: DraftSecret, index: int, to: int, commit: bytes, content: BoxContent) -> bytes:
    """A box with the right key and place, whatever is in it."""
    box = SealedBox("packet", index, secret.seat, to, commit, b"")
    key = BoxKey(secret.key("packet", index, to, commit))
    return seal_again(secret.table, box, key, content, NO_TOKEN).sealed


def right_token(hand: DraftHand) -> bytes:
    """The token that this seat was given, or has made."""
    packet = hand.record.packet
    assert packet is not None
    return hand._packet(packet.commit).token


def picked(hand: DraftHand, said: PassedOn) -> int:
    slot = sum(done.seat == hand.seat for done in hand.record.steps)
    card = hand.secret.picked("pick", slot, said.pick)
    assert card is not None
    return card


def laid(hand: DraftHand, said: PassedOn) -> int:
    slot = sum(done.seat == hand.seat for done in hand.record.steps)
    return (hand.secret.picked("discard", slot, said.aside) or 0) if said.aside is not None else 0


def left_of(hand: DraftHand, said: PassedOn) -> int:
    """What an honest client passes on."""
    left = hand.offered() & ~picked(hand, said) & ~laid(hand, said)
    if hand.record.table.plan.steps[hand.record.next].loses:
        left &= ~hand.secret.chance("third", hand.record.next, left)
    return left


def lowest(cards: int) -> int:
    return cards & -cards


def other(hand: DraftHand) -> int:
    """The characters that were not offered and do not lie face up."""
    return hand.record.table.plan.all_cards & ~hand.offered() & ~hand.record.face_up


def picks_unoffered(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Takes a character that was not in the list; what is missing from the list is one that was."""
    strange = lowest(other(hand))
    return forged(hand, said, pick=strange) if strange else said


def picks_face_up(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Takes one that lies face up."""
    face_up = hand.record.face_up
    return forged(hand, said, pick=lowest(face_up)) if face_up else said


def picks_nothing(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Commits to nothing at all."""
    return replace(said, pick=bytes([1, hand.record.next]) * 16)


def lays_aside_nothing(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Commits to nothing where something is to be laid aside."""
    return said if said.aside is None else replace(said, aside=bytes([2, hand.record.next]) * 16)


def lays_its_pick_aside(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Lays aside what it keeps."""
    slot = sum(done.seat == hand.seat for done in hand.record.steps)
    card = picked(hand, said)
    return said if said.aside is None else replace(said, aside=hand.secret.pick_commitment("discard", slot, card))


def keeps_it_in_the_list(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Passes its own pick on, instead of another one."""
    left = left_of(hand, said)
    return forged(hand, said, left=left & ~lowest(left) | picked(hand, said)) if left else said


def passes_on_another(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Passes a character on that was not in the list."""
    left, strange = left_of(hand, said), lowest(other(hand))
    return forged(hand, said, left=left & ~lowest(left) | strange) if left and strange else said


def passes_on_too_few(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Takes one more than it may."""
    left = left_of(hand, said)
    return forged(hand, said, left=left & ~lowest(left)) if left else said


def passes_on_face_up(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Passes on one that lies face up."""
    left, face_up = left_of(hand, said), hand.record.face_up
    return forged(hand, said, left=left & ~lowest(left) | lowest(face_up)) if left and face_up else said


def boxes_another_list(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Commits to the right list, and tells the next seat another one."""
    left = left_of(hand, said)
    return replace(said, box=boxed(hand, left ^ lowest(left), fixed=left)) if said.box is not None else said


def boxes_noise(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Sends a box that nobody can open."""
    return said if said.box is None else replace(said, box=bytes([9]) * len(said.box))


def spoils_the_token(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Passes on another token."""
    plan = hand.record.table.plan
    spoilt = plan.back and said.box is not None
    return replace(said, box=boxed(hand, left_of(hand, said), token=bytes([3]) * 32)) if spoilt else said


def loses_another(hand: DraftHand, said: PassedOn) -> PassedOn:
    """Chooses itself what chance should take."""
    record = hand.record
    if not record.table.plan.steps[record.next].loses:
        return said
    left = hand.offered() & ~picked(hand, said) & ~laid(hand, said)
    lost = hand.secret.chance("third", record.next, left)
    return forged(hand, said, left=left & ~lowest(left & ~lost))


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
        boxes_noise,
        spoils_the_token,
        loses_another,
    )
}


def at_step(forger: Forger) -> Lie:
    """A client that lies at every step of its own."""
    return lambda hand, said: forger(hand, said) if isinstance(said, PassedOn) else said


def deals_by(link: bytes) -> Lie:
    """A dealer that takes another link than its own, until it likes what comes of it."""

    def lie(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
        if not isinstance(said, Dealt):
            return said
        other_hand = DraftHand(hand.record, replace(hand.secret, link=link), hand.box)
        return other_hand._deal()

    return lie


def lays_another_face_up(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """A dealer that exchanges a face-up character for one of the packet."""
    if not isinstance(said, Dealt) or not said.face_up:
        return said
    table = hand.record.table
    packet = lay_out(table.plan, hand.secret.seed, table.number).packet
    free = [place for place in range(len(table.plan.cast)) if packet >> place & 1 and place != table.plan.never_up]
    return replace(said, face_up=bytes([free[0], *said.face_up[1:]]))


def deals_another_packet(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """A dealer that exchanges the face-down character for one of the packet."""
    if not isinstance(said, Dealt):
        return said
    return replace(said, packet=hand.secret.cards_commitment("packet", 0, hand.record.table.plan.all_cards >> 1))


def boxes_no_face_down(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """A dealer that gives the last seat nothing to open."""
    if not isinstance(said, Dealt) or said.back is None:
        return said
    return replace(said, back=bytes([9]) * len(said.back))


def fixes_another_token(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """A dealer whose token opens nothing."""
    if not isinstance(said, Dealt) or said.token is None:
        return said
    return replace(said, token=bytes([4]) * 32)


DEALS: Final[dict[str, Lie]] = {
    "deals_by_another_link": deals_by(bytes([5]) * 32),
    "lays_another_face_up": lays_another_face_up,
    "deals_another_packet": deals_another_packet,
    "boxes_no_face_down": boxes_no_face_down,
    "fixes_another_token": fixes_another_token,
}


def gives_what_it_has_not(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """Gives a character away in an exchange that it does not hold."""
    if not isinstance(said, HandedOver):
        return said
    card = lowest(hand.record.table.plan.all_cards & ~hand.held() & ~hand.record.face_up)
    return hand._give(said.to, card)


def chooses_what_it_gives(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """Gives another one than chance takes."""
    if not isinstance(said, HandedOver):
        return said
    chance = hand.secret.given(len(hand.record.given), said.given) or 0
    rest = hand.held() & ~chance
    return hand._give(said.to, lowest(rest)) if rest else said


def shows_no_key(hand: DraftHand, said: AnyDraftMessage) -> AnyDraftMessage:
    """Answers a complaint with a key that has sealed nothing."""
    return replace(said, secret=bytes([6]) * 32) if isinstance(said, KeyShown) else said
