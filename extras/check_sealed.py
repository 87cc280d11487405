"""Section 17 of docs/protocol.md, for `check_log`: the sealed drafts of a log."""

from collections import namedtuple
from collections.abc import Iterator
from typing import Any

from check_bytes import digest, need, u8, u64
from check_chance import edition_of
from check_draft import Draft, Table, planned, public

LINKS = 256
# What a seat has said, and with whose key.
Said = namedtuple("Said", "n before key seat what tag draft")


def hashed(game: bytes, seat: int, link: bytes, times: int) -> bytes:
    """A link of a chain, so many places further."""
    for _ in range(times):
        link = digest("beacon", game, u8(seat), link)
    return link


class Sealed:
    """The drafts of a log, by the number of their beacons. `inquiry` is what the table waits for, `begun` what the
    last beacons were, `crown` who has the crown, `given` the links after the game, by seat."""

    def __init__(self, log: Any) -> None:
        self.log = log
        self.drafts, self.begun, self.given = dict[int, Draft](), (0, b"", 0, list[bytes](), 0), dict[int, bytes]()
        self.crown, self.drawn = 0, list[str]()
        self.inquiry: Any = None

    @property
    def draft(self) -> Draft:
        """The draft of this round."""
        return self.drafts[max(self.drafts)]

    @property
    def cast(self) -> list[str]:
        header = self.log.header
        known = edition_of(header.edition, header.options)
        return self.drawn or header.cast or [*(known.cast if known else ())]

    @property
    def deals(self) -> bool:
        """Whether the table waits for a deal."""
        return self.waits("deal")

    def waits(self, what: str) -> bool:
        return self.inquiry is not None and self.inquiry[0] == what

    def happen(self, what: str, fields: list[Any]) -> None:
        """Note what a draft depends on."""
        if what == "CastDrawn":
            self.drawn = fields[0]
        elif what == "Crowned":
            self.crown = fields[0]
        elif what == "Inquired":
            self.inquiry = fields
        elif what == "InquiryAnswered" or (what == "RoundBegan" and self.deals):
            self.inquiry = None

    def due(self) -> str:
        """What may come now in a round, as `check_log.ORDER` calls it. A round that waits for its deal begins its
        draft."""
        log, n = self.log, self.begun[0]
        if self.deals and self.begun[4] > LINKS:
            return "spent"
        if self.deals and n not in self.drafts:
            need(len(self.cast) in {8, 9}, "another number of characters than one for each rank")
            stands, anchors, boxes = {**log.stands}, [*log.ends], [*log.boxes]
            for seat, (_, _, _, anchor, box) in stands.items():
                anchors[seat], boxes[seat] = anchor, box
            _, before, bits, links, attempt = self.begun
            dealers = bits | sum(1 << seat for seat in stands)
            known = log.game, log.coming, before, bits, links, attempt, anchors, boxes, dealers, stands
            chosen = ["first_face_down", "chosen"] in log.header.options
            self.drafts[n] = Draft(Table(*known), planned(self.cast, len(log.players), self.crown, chosen))
        log.over = log.over or self.draft.proven
        due = {"deal": "deal due", "": "call due" if self.inquiry else "turn due"}
        return due.get(self.draft.due[0], "draft due")

    # One method for each kind of entry

    def said(self, seat: int, what: bytes, _: list[Any]) -> None:
        log, draft, faces = self.log, self.draft, list[Any]()
        need(seat < len(log.players), "a message of nobody")
        begins, same = not draft.due[0], draft.table.stands.get(seat) == log.stands.get(seat)
        log.unsigned.append(self.by(seat, what))
        draft.waiting.append(log.n)
        name = draft.say(seat, what)
        need(name != "exchange" or not begins or same, "an exchange by who has not drafted")
        need(name != "exchange" or not begins or not self.inquiry, "an exchange while a call waits")
        if name == "deal":
            up = [self.cast[place] for place in draft.dealt[0]]
            faces = [["RoundBegan", log.coming, up, ["?"] * draft.plan.down]]
        log.happen()
        need(log.shown("RoundBegan") == faces, "another round than was dealt")
        self.passed(draft.next if faces else 0)

    def without(self, seat: int, _: list[Any]) -> None:
        left = self.draft.leave_out(seat)
        self.log.happen()
        self.passed(left)

    def passed(self, steps: int) -> None:
        need(len(self.log.shown("PassedOver")) == steps, "another number of seats that have not picked")
        need(not self.log.shown("Revealed"), "a character without a call")
        self.log.go_on()

    def call(self, place: int, replies: list[Any], _: list[Any]) -> None:
        log, draft, seats = self.log, self.draft, [seat for seat, *_ in replies]
        _, asked, character, *_ = self.inquiry
        right = self.cast[place : place + 1] == [character] and seats == sorted({*seats} & {*asked})
        need(right and seats[-1:] < [len(log.players)], "replies to another call, or of who is not asked")
        for seat, what, signature in replies:
            said = self.by(seat, what)
            log.signed(seat, said.key, signature, said.tag, u64(log.n), log.before, u8(seat), what)
            draft.sign(said, signature)
        shown = draft.call(place, {seat: what for seat, what, _ in replies})
        log.happen()
        true = [["Revealed", seat, character] for seat in shown] if len(shown) == 1 else []
        need(log.shown("Revealed") == true, "another character than was shown")
        log.go_on()

    def links(self, links: list[Any]) -> None:
        log, seats = self.log, [seat for seat, _ in links]
        need(seats == sorted({*seats} & {*range(len(log.players))}), "a link of nobody")
        for seat, link in links:
            need(hashed(log.game, seat, link, self.last) == log.ends[seat], f"the last link of {log.who(seat)}")
        self.given = dict(links)

    # What they have in common

    @property
    def last(self) -> int:
        """The attempt whose links are given in the end."""
        attempt: int = self.draft.table.attempt
        return min(attempt, LINKS)

    def by(self, seat: int, what: bytes) -> Said:
        """What a seat says in this entry, with the key of whoever drafts for it in this round."""
        log, stand_in = self.log, self.draft.table.stands.get(seat)
        key = stand_in[2] if stand_in else log.players[seat][1]
        return Said(log.n, log.before, key, seat, what, "draft-said", self.draft)

    def stand_in_key(self, what: str, n: int, seat: int) -> bytes:
        """What the stand-in of entry `n` drafts with, as it follows from the host's secret."""
        key = digest("stand-in-draft", self.log.game, self.log.secret, u64(n), u8(seat))
        return digest(f"own-{what}", key, self.log.game)

    def check_stand_ins(self) -> None:
        for n, (seat, _, *drafts) in self.log.stood.items():
            end = hashed(self.log.game, seat, self.stand_in_key("draft", n, seat), LINKS)
            right = [end, public(self.stand_in_key("box", n, seat))]
            need(drafts == right, f"what the stand-in of entry {n} drafts with")

    def opened(self) -> Iterator[tuple[Draft, dict[int, bytes]]]:
        """The drafts of which everything is signed, and the links that open them."""
        game = self.log.game
        for draft in self.drafts.values():
            attempt, stands = draft.table.attempt, draft.table.stands
            if draft.waiting or attempt > LINKS:
                continue
            owners = {seat: link for seat, link in self.given.items() if seat not in stands}
            found = {seat: hashed(game, seat, link, self.last - attempt) for seat, link in owners.items()}
            for seat, (n, *_) in stands.items() if self.log.secret else ():
                found[seat] = hashed(game, seat, self.stand_in_key("draft", n, seat), LINKS - attempt)
            yield draft, found
