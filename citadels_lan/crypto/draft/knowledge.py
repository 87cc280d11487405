"""What the secrets of some seats reveal of a sealed draft (during the game those of one seat, after it those
of all seats); and the engine's actions for draft messages, at the host and in a replay.

All of this comes from opened commitments, so no one can invent it. Each finding compares commitments of the
one seat that it names. A seat whose client follows the protocol is never named.

The codes of findings:

- `key`: the public key for boxes does not follow from the seat's chain.
- `deal`: the layout does not follow from the dealer's secret (a link of its second hash chain) and the
  links of all seats' first chains.
- `box`: a box contains something else than its sender has committed to, or impossible content.
- `secret`, `complaint`: a complaint contains a false secret; the box of a complaint was correct.
- `pick`: a commitment to a pick or a discard contains no single character.
- `not_offered`: a seat picked or discarded a character that it was not offered.
- `rest`: a seat passed on other characters than the remaining ones.
- `given`: in an exchange a seat gave a character that it did not hold, or not the one that chance chose.
- `denied`, `shown`: a seat did not show a character that it held; it showed one that it did not hold.
- `twice`: two seats have shown one character.

A `DraftHand` makes the messages of a seat's own client. They follow from the seat's secrets and the log,
except for random bytes in boxes, so a client stores a message before it sends it. `KnownEvents` fills known
characters into the events of the log. Unknown characters stay hidden."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from citadels_lan.crypto.draft.secrets import NOBODY, DraftSecret, Fixed, SealedBox
from citadels_lan.crypto.log import Said, SaidItem
from citadels_lan.engine import HIDDEN, Action, Chance, Event, State, Table, go_on, play_move
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.choices import Answer, Holder, LaidOut
from citadels_lan.engine.events import CharactersSwapped, Inquired, Offered, Picked, RoundBegan, SetAside
from citadels_lan.engine.flow.sealed_draft import OwnPicks, asks_own, outline

from . import drafts
from .drafts import TOGETHER, DraftCall, DraftFinding, DraftRecord, TakenStep, decode_message


def judge(record: DraftRecord, secrets: Mapping[int, DraftSecret]) -> list[DraftFinding]:
    """Return the lies in a draft in order of entries, as far as `secrets` (by seat) prove them. If two seats
    have shown one character and no other lie explains it, the finding has the seat NOBODY."""
    twice = [DraftFinding(call.n, NOBODY, "twice") for call in record.calls if len(call.shown) > 1]
    return sorted(set(Knowledge(record, secrets).findings)) or twice


class Knowledge:
    """The characters that the secrets of some seats reveal, as bitmaps. A value is None or absent if it is
    not known.

    `packets` are the characters that each step received, and those left after the last step. `picked` and
    `aside` are the picked and the discarded character of each step. `gifts` are the characters given in
    exchanges. `hands` are the characters that each seat holds and has not shown. `unsound` are the boxes with
    wrong content, and `findings` the lies."""

    def __init__(self, record: DraftRecord, secrets: Mapping[int, DraftSecret]) -> None:
        self.record = record
        self.findings = list(record.findings)
        self.packets: list[int | None] = []
        self.picked: list[int | None] = []
        self.aside: list[int | None] = []
        self.hands: dict[int, int | None] = {}
        self.unsound: list[SealedBox] = []
        self._secrets = secrets
        self._opened: dict[SealedBox, int] = {}
        for seat, secret in secrets.items():
            if record.keys and secret.box_key != record.keys[seat]:
                self._blame(record.begun_in, seat, "key")
        for box in record.boxes:
            self._open(box)
        down = (card for box, card in self._opened.items() if box.fixed.kind == "face-down")
        self.face_down: int | None = next(down, None)
        if record.packets:
            self._read_deal()
        for step in record.steps:
            self._read_step(step)
        self.gifts = [
            self._opened[box] if box in self._opened else self._committed(box.n, box.fixed, "given")
            for box in record.given
        ]
        for at in range(0, len(record.given), 2):
            self._swap(record.given[at : at + 2])
        for call in record.calls:
            self._call(call)

    def offered(self, at: int) -> int | None:
        """Return the characters from which step `at` may choose, as a bitmap; None if they are not known."""
        packet = self.packets[at] if at < len(self.packets) else None
        if packet is None or not self.record.table.plan.goes_back(at):
            return packet
        return None if self.face_down is None else packet | self.face_down

    def _blame(self, n: int, seat: int, code: str) -> None:
        self.findings.append(DraftFinding(n, seat, code))

    def _open(self, box: SealedBox) -> None:
        """Decrypt a box with the secret of its receiver, if that is known. Wrong content is a lie of the
        sender."""
        secret = self._secrets.get(box.to)
        # With a false key the receiver could claim any content. The key itself is a lie that is named.
        if secret is None or secret.box_key != self.record.keys[box.to]:
            return
        content = self.record.table.open_box(box, secret.box)
        if content is not None and self.record.sound(box, content):
            self._opened[box] = content[0]
        else:
            self.unsound.append(box)
            self._blame(box.n, box.fixed.by, "box")

    def _read_deal(self) -> None:
        record, dealer = self.record, self.record.table.plan.dealer
        secret, down, first = self._secrets.get(dealer), self.record.face_down, self.record.packets[0]
        self.packets.append(None)
        if secret is None:
            return
        face_up, laid_down, packet = secret.layout(record.links)
        if whole := secret.fixes(first, packet):
            self.packets[0] = packet
        if down is not None and (whole := whole and secret.fixes(down, laid_down)):
            self.face_down = laid_down
        if not whole or record.layout != face_up:
            self._blame(record.dealt_in, dealer, "deal")

    def _read_step(self, step: TakenStep) -> None:
        """Check a step, and record its characters: the seat must pick and discard from what it was offered,
        and pass on the remaining characters."""
        at, seat, secret = len(self.picked), step.step.seat, self._secrets.get(step.step.seat)
        # Without the secret of a seat, a pick is known once it was shown at a call.
        pick = self._committed(step.n, step.pick, "pick") if secret else self.record.shown.get(step.pick)
        aside = self._committed(step.n, step.aside, "pick") if step.aside else None
        offered = self.offered(at)
        after, taken, left = self._opened.get(step.box) if step.box else None, (pick or 0) | (aside or 0), None
        if offered is not None and (taken & ~offered or (pick is not None and pick == aside)):
            self._blame(step.n, seat, "not_offered")
        elif secret is not None and offered is not None and pick and (aside is None) == (step.aside is None):
            left = offered & ~taken
            if step.step.loses:
                left &= ~secret.chance("third", 0, left)
            if not secret.fixes(self.record.packets[at + 1], left):
                self._blame(step.n, seat, "rest")
                left = None
        # Without the secret of a seat, the next packet still shows what is missing.
        elif secret is None and offered is not None and after is not None:
            if after & ~offered or after & taken:
                self._blame(step.n, seat, "rest")
            elif step.step.taken == 1:
                pick = offered & ~after
        self.picked.append(pick)
        self.aside.append(aside)
        self.packets.append(after if after is not None else left)
        held = self.hands.get(seat, 0)
        self.hands[seat] = None if held is None or pick is None else held | pick

    def _committed(self, n: int, fixed: Fixed, code: str) -> int | None:
        """Return the character that the commitment `fixed` in entry `n` contains, as a bitmap; None if the
        secret of its seat is not known. If the commitment contains no single character, record a lie with
        `code` and return None."""
        secret = self._secrets.get(fixed.by)
        card = secret.one_in(fixed) if secret is not None else None
        if secret is not None and card is None:
            self._blame(n, fixed.by, code)
        return card

    def _swap(self, boxes: list[SealedBox]) -> None:
        """Update the hands after an exchange. With two boxes: both characters change hands. With one box (no
        answer so far): only check that the seat held what it gave."""
        for box in boxes:
            seat, card, hand = box.fixed.by, self.gifts[box.fixed.index], self.hands.get(box.fixed.by)
            secret, chosen = self._secrets.get(seat), box is boxes[0]
            if hand is not None and card is not None:
                # The first seat chooses what it gives. Chance takes the answer.
                takes = secret.chance("theater", box.fixed.index, hand) if secret and hand and not chosen else card
                if not card & hand or card != takes:
                    self._blame(box.n, seat, "given")
        for box, other in zip(boxes, boxes[::-1], strict=True) if len(boxes) == 2 else ():
            hand, given, got = self.hands.get(box.fixed.by), *(self.gifts[one.fixed.index] for one in (box, other))
            known = hand is not None and given is not None and got is not None and given & hand
            self.hands[box.fixed.by] = (hand or 0) & ~(given or 0) | (got or 0) if known else None

    def _call(self, call: DraftCall) -> None:
        for seat in call.seats:
            hand, card, shows = self.hands.get(seat, 0), 1 << call.place, seat in call.shown
            if hand is not None:
                if shows != bool(hand & card):
                    self._blame(call.n, seat, "shown" if shows else "denied")
                self.hands[seat] = hand & ~card if shows else hand


class DraftHand(Struct, frozen=True):
    """One seat's side of a draft: the `record` that all players share, the seat's `secret`, and the `link` of
    its first hash chain. The parameter `head` of its methods is the hash before the entry that will contain
    the message. `read` caches the result of `known`."""

    record: DraftRecord
    secret: DraftSecret
    link: bytes
    read: dict[int, Knowledge] = {}

    @property
    def seat(self) -> int:
        """The seat of this hand."""
        return self.secret.seat

    @property
    def known(self) -> Knowledge:
        """The knowledge that this seat has of the draft so far."""
        if self.record.taken not in self.read:
            self.read.clear()
            self.read[self.record.taken] = Knowledge(self.record, {self.seat: self.secret})
        return self.read[self.record.taken]

    @property
    def complaint(self) -> drafts.Complained | None:
        """The complaint that this seat has to send because a box for it has wrong content; None if no box
        has."""
        entries = (box.n for box in self.known.unsound if box.n not in self.record.complaints)
        return next((drafts.Complained(n, self.secret.box) for n in entries), None)

    @property
    def readable(self) -> bool:
        """Whether this seat can continue: no lie is proven, and every box for it has the right content."""
        return not self.record.proven and self.complaint is None

    def due(self, head: bytes) -> drafts.AnyDraftMessage | None:
        """Return the message that this seat has to send without a choice of its player; None if there is
        none. If a complaint is necessary, it comes first."""
        what, seats = self.record.due
        if not self.readable or self.seat not in seats:
            return None if self.record.proven else self.complaint
        match what:
            case "begin":
                return drafts.Begun(self.link, self.secret.box_key)
            case "deal":
                return self._deal(head)
            case "back" if self.record.face_down is not None and self.known.face_down is not None:
                last, keys = self.record.table.plan.steps[-1].seat, self.record.keys
                return drafts.GivenBack(self.secret.seal(self.record.face_down, self.known.face_down, last, keys))
            case "hand":
                card = self.secret.chance("theater", len(self.record.given), self.held())
                return self._give(self.record.given[-1].fixed.by, card, head)
        return None

    def offered(self) -> int:
        """Return the characters from which this seat has to choose now, as a bitmap. Raises ValueError if the
        seat has nothing to choose, or has to complain."""
        offered = self.known.offered(len(self.record.steps))
        if self.record.due != ("pick", (self.seat,)) or offered is None:
            raise ValueError("this seat is not to pick")
        return offered

    def pick(self, character: str, aside: str | None, head: bytes) -> drafts.PassedOn:
        """Return the message with which this seat keeps `character`, discards `aside` if the step requires
        it, and passes the other characters on. Raises ValueError for a character that is not offered."""
        secret, plan, at = self.secret, self.record.table.plan, len(self.record.steps)
        offered, step, slot = self.offered(), plan.steps[at], len(self.record.holdings.get(self.seat, ()))
        kept, laid = plan.cards(character), plan.cards(*([aside] if aside is not None else []))
        if (kept | laid) & ~offered or (kept | laid).bit_count() != 1 + step.aside:
            raise ValueError("these are not offered")
        left = offered & ~kept & ~laid
        if step.loses:
            left &= ~secret.chance("third", 0, left)
        packet, following = secret.fix("packet", at + 1, head, left), plan.steps[at + 1 : at + 2]
        discard = secret.fix("discard", slot, head, laid).commit if laid else None
        box = secret.seal(packet, left, following[0].seat, self.record.keys) if following else None
        return drafts.PassedOn(secret.fix("pick", slot, head, kept).commit, discard, packet.commit, box)

    def give(self, to: int, character: str, head: bytes) -> drafts.HandedOver:
        """Return the message that begins an exchange: the seat gives `character`, which it holds, to the seat
        `to`. Raises ValueError if the seat does not hold it."""
        card = self.record.table.plan.cards(character)
        if not card & self.held():
            raise ValueError("this seat does not hold that")
        return self._give(to, card, head)

    def reply(self, place: int) -> drafts.CallReply:
        """Return the reply to the call of the character at `place` in the cast."""
        table, card, given = self.record.table, 1 << place, self.record.given
        for fixed in self.record.holdings.get(self.seat, ()) if card & self.held() else ():
            own = fixed.by == self.seat
            content = (
                (card, self.secret.nonce(fixed)) if own else table.open_box(given[fixed.index], self.secret.box)
            )
            if content is not None and content[0] == card and table.opens(fixed, *content):
                return drafts.CallReply(content[1])
        return drafts.NOT_HELD

    def held(self) -> int:
        """Return the characters that this seat holds and has not shown, as a bitmap."""
        return self.known.hands.get(self.seat) or 0

    def _deal(self, head: bytes) -> drafts.Dealt:
        secret, plan = self.secret, self.record.table.plan
        face_up, down, packet = secret.layout(self.record.links)
        face_down = secret.fix("face-down", 0, head, down).commit if plan.face_down else None
        return drafts.Dealt(face_up, face_down, secret.fix("packet", 0, head, packet).commit)

    def _give(self, to: int, card: int, head: bytes) -> drafts.HandedOver:
        given = self.secret.fix("given", len(self.record.given), head, card)
        return drafts.HandedOver(to, given.commit, self.secret.seal(given, card, to, self.record.keys))


DraftPlay: TypeAlias = Action | Answer | None
"""What the engine does for a message: an action of the seat that sent it, or an answer to the table's
inquiry. None: the message has no events."""


def speaker(entry: Said) -> SaidItem | None:
    """Return the message of an entry that has one sender. None: the entry has the messages of several seats,
    which begin or reply together."""
    together = isinstance(decode_message(entry.items[0].message), TOGETHER)
    return None if together else entry.items[0]


def play_of(items: Sequence[SaidItem], state: State) -> DraftPlay:
    """Return the action or answer that the engine needs for the messages of one entry; None if they have no
    events. `state` is that of a table that does not know the picks: they are HIDDEN in the action."""
    said = {item.seat: decode_message(item.message) for item in items}
    (seat, message), *_ = said.items()
    match message:
        case drafts.Dealt():
            return LaidOut(tuple(state.cast[place] for place in message.face_up if place < len(state.cast)))
        case drafts.PassedOn() if not _waits(state):
            return Pick(HIDDEN, None if message.aside is None else HIDDEN)
        case drafts.GivenBack():
            return Pick(HIDDEN)
        case drafts.HandedOver() if state.inquiry is None:
            return Theater(message.to, HIDDEN if len(state.players[seat].concealed) > 1 else None)
        case drafts.HandedOver():
            return Holder(seat)
        case drafts.CallReply():
            shown = [seat for seat, reply in said.items() if reply != drafts.NOT_HELD]
            return Holder(shown[0] if shown else None) if len(shown) < 2 else None
    return None


def _waits(state: State) -> bool:
    """Return whether the next pick has no events before the face-down character has reached the last seat."""
    drawn = outline(state)
    return drawn.returns and state.picks == len(drawn.picks) - 2


def drafted(state: State, chance: Chance, items: Sequence[SaidItem]) -> list[Event]:
    """Return the engine's events for the messages `items` of one entry. Does not change `state`. Raises
    IllegalMove and Impossible."""
    table, play = Table(state.copy(), chance), play_of(items, state)
    if isinstance(play, Action):
        play_move(table, state.steps[-1].seat if isinstance(play, Pick) else items[0].seat, play)
    elif play is not None:
        go_on(table, play)
    return table.events


def own_picks(hand: DraftHand) -> OwnPicks:
    """Return the characters that a seat was offered, holds, and has discarded, from its `DraftHand`."""
    known, seat = hand.known, hand.seat
    steps = [at for at, step in enumerate(hand.record.steps) if step.step.seat == seat]
    now = [len(hand.record.steps)] if hand.record.due == ("pick", (seat,)) else []
    names = hand.record.table.plan.names
    packets = tuple(names(known.offered(at) or 0) for at in [*steps, *now])
    laid = tuple(name for at in steps for name in names(known.aside[at] or 0))
    return OwnPicks(packets, names(known.hands.get(seat) or 0), laid)


class KnownEvents:
    """Fills known characters into the events of a log, which must be passed in order. `known` is a function
    that returns the knowledge of the draft of a round, or None. The knowledge may be newer than the events,
    so reading the log again gives the same result."""

    def __init__(self, known: Callable[[int], Knowledge | None]) -> None:
        self._known = known
        self._round = self._done = self._given = 0

    def opened(self, events: Sequence[Event]) -> list[Event]:
        """Return the next events of the log with all characters that are known."""
        return [self._opened(event) for event in events]

    def own(self, events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
        """Return the next events of the log as `seat` knows them (None: a spectator)."""
        return own_part(events, self.opened(events), seat)

    def _opened(self, event: Event) -> Event:
        if isinstance(event, RoundBegan):
            self._round, self._done, self._given = event.round, 0, 0
        done, given, known = self._done, self._given, self._known(self._round)
        self._done += isinstance(event, Picked)
        self._given += 2 * isinstance(event, CharactersSwapped)
        return event if known is None else _opened(event, known, done, given)


def _opened(event: Event, known: Knowledge, done: int, given: int) -> Event:
    def cards(hidden: tuple[str, ...], which: int | None) -> tuple[str, ...]:
        names = known.record.table.plan.names(which or 0)
        return names if len(names) == len(hidden) else hidden

    match event:
        case RoundBegan():
            return event.but(facedown=cards(event.facedown, known.face_down))
        case Offered():
            return event.but(packet=cards(event.packet, known.offered(done)))
        case Picked() if done < len(known.picked):
            character, *_ = cards((event.character,), known.picked[done])
            return event.but(character=character, laid=cards(event.laid, known.aside[done]))
        case SetAside() if done:
            left = known.packets[done]
            if known.record.steps[done - 1].step.loses and left is not None:
                left = (known.offered(done - 1) or 0) & ~(left | (known.picked[done - 1] or 0))
            return event.but(characters=cards(event.characters, left))
        case Inquired() if event.what == "swap":
            return event.but(given=cards(event.given, known.gifts[given]))
        case CharactersSwapped():
            gifts = [cards((HIDDEN,), known.gifts[at])[0] for at in (given, given + 1)]
            return event.but(given=gifts[0], received=gifts[1])
    return event


def own_part(events: Sequence[Event], opened: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    """Return `events` as `seat` knows them: those about the seat's own characters are taken from `opened`,
    which are the same events with all known characters."""
    pairs = zip(events, opened, strict=True)
    return tuple(more if seat is not None and asks_own(event, seat) else event for event, more in pairs)
