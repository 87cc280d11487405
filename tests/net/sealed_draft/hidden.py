"""What gives away something of a sealed draft that a seat has not shown."""

from collections.abc import Iterator

from citadels_lan.crypto.draft.drafting import DraftHand


def hidden_in(hand: DraftHand) -> Iterator[tuple[str, bytes]]:
    """The secret bytes of a hand in its draft, with what they are; not those of what it has shown."""
    yield "link", hand.secret.link
    yield "seed", hand.secret.seed
    for slot, character in enumerate(hand.record.holdings.get(hand.seat, ())):
        if character.kind == "pick" and character.live:
            yield "pick", hand.secret.nonce("pick", slot)
    for done in hand.record.steps:
        if done.seat == hand.seat:
            yield "aside", hand.secret.nonce("discard", done.slot)
            yield "left", hand.secret.nonce("packet", done.after.index)
    if hand.record.dealer == hand.seat:
        yield "dealt", hand.secret.nonce("packet", 0)
        yield "face down", hand.secret.nonce("face-down", 0)
        yield "token", hand.secret.token
    for box in hand.record.boxes:
        if box.by == hand.seat:
            yield "key", hand.secret.key(box.kind, box.index, box.to, box.commit)
    for content in hand.contents().values():
        yield "told", content.nonce
