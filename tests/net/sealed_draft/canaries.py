"""What would give away something of a sealed draft, wherever it turns up: nonces, links, seeds, tokens, keys of
boxes, and the lines of the commitments themselves."""

from collections.abc import Iterator

from citadels_lan.crypto.draft.drafting import DraftHand
from citadels_lan.engine import State
from citadels_lan.net.client.client import Client
from tests.net.watch import Watch, WatchedRoom

Named = Iterator[tuple[str, bytes]]


def of_draft(hand: DraftHand) -> Named:
    """What a seat hides in one draft, as far as that has come."""
    yield "link", hand.secret.link
    yield "seed", hand.secret.seed
    for slot, character in enumerate(hand.record.holdings.get(hand.seat, ())):
        if character.kind == "pick":
            yield "pick", hand.secret.nonce("pick", slot)
    yield from _of_packets(hand)
    for number, box in enumerate(hand.record.given):
        if box.by == hand.seat:
            yield "given", hand.secret.nonce("given", number)
    for box in hand.record.boxes:
        if box.by == hand.seat:
            yield "key", hand.secret.key(box.kind, box.index, box.to, box.commit)


def _of_packets(hand: DraftHand) -> Named:
    for done in hand.record.steps:
        if done.seat == hand.seat:
            yield "aside", hand.secret.nonce("discard", done.slot)
            yield "left", hand.secret.nonce("packet", done.after.index)
    if hand.record.dealer == hand.seat:
        yield "dealt", hand.secret.nonce("packet", 0)
        yield "face down", hand.secret.nonce("face-down", 0)
        yield "token", hand.secret.token


def of_lines(state: State) -> Named:
    """The lines that commitments hide, which nobody is ever sent: what is shown is a nonce."""
    for name in state.cast:
        yield f"pick {name}", f"pick {name}".encode()
        yield f"discard {name}", f"discard {name}".encode()


def shown_now(room: WatchedRoom, client: Client) -> bytes | None:
    """The nonce that a seat shows at the call that the host has made; None where it is asked nothing, or does not
    hold that. It follows from what the host has called, not from what the client believes."""
    hand = client.drafting.hand
    if hand is None:
        return None
    state, inquiry = room.game.state, room.game.state.inquiry
    if inquiry is None or inquiry.character is None or hand.seat not in inquiry.seats:
        return None
    place = state.cast.index(inquiry.character)
    return hand.reply(place).nonce if 1 << place & hand.held() else None


def keep_drafts(room: WatchedRoom, watch: Watch) -> None:
    """Look for what seats have hidden in the drafts of all rounds and attempts."""
    audit = room.game.host_log.audit
    if audit.drafts is None:
        return
    for guest in room.seated():
        seat = guest.client.seat
        assert seat is not None
        for begun in audit.drafts.rounds:
            hand = guest.records.owner(seat).hand(audit, begun)
            for what, value in of_draft(hand) if hand is not None else ():
                watch.keep_draft(guest.name, what, value)
    for what, value in of_lines(room.game.state):
        watch.keep_draft("nobody", what, value)
