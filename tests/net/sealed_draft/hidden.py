"""What gives away something of a sealed draft that a seat has not shown."""

from collections.abc import Iterator

from citadels_lan.crypto.draft.drafting import DraftHand


def hidden_in(hand: DraftHand) -> Iterator[tuple[str, bytes]]:
    """The secret bytes of a hand in its draft, with what they are; not those of what it has shown."""
    record, secret = hand.record, hand.secret
    yield "link", secret.y
    yield "box", secret.box
    fixed = [one for done in record.steps for one in (done.pick, done.aside) if one is not None]
    fixed += [*record.packets, *(box.fixed for box in record.given)]
    fixed += [record.face_down] if record.face_down is not None else []
    for one in fixed:
        if one.by == hand.seat and one not in record.shown:
            yield one.kind, secret.nonce(one)
    for box in record.boxes:
        content = record.table.open_box(box, secret.box) if box.to == hand.seat else None
        if content is not None and box.fixed not in record.shown:
            yield "told", content[1]
