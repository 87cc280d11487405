"""The log of a game, for `check_transcript`: its entries, their order, and what must hold of each."""

import re
from collections import Counter, defaultdict, namedtuple
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from check_bytes import alike, digest, fits, need, read, u8, u16, u64, valid
from check_chance import edition_of, follow
from check_draft import exchanged
from check_sealed import Sealed, hashed

# fmt: off
RULES, LINKS, SEAL_AFTER = "2", 256, 32
# Shapes, as `check_bytes.fits` reads them.
U8, U16, U64, NIL, TEXT = range(1 << 8), range(1 << 16), range(1 << 64), type(None), ".{1,1024}"
OPENING, SIGNED, PLAYER = (U16, U8, U8, ".{1,32}", TEXT, 32), (32, 64), (".{1,24}", 32, bool, 64)
HEADER = (16, str, str, str, [(str, {str, U16})], [str], [str], 32, 32, 32, {NIL, SIGNED}, [PLAYER, 9])
# What may stand behind that: guests, hints, draft.
OPTIONAL: list[Any] = [[range(9), 9], range(1), range(1, 2)]
# The kinds of entries by number: a name, which is that of the method of Log that checks it, and the fields.
ENTRIES: dict[int, tuple[Any, ...]] = {
    0: ("open", list), 1: ("commits", [32], [32], [64]), 2: ("parts", [32], [64]),
    3: ("move", U8, {TEXT, 32, 64}, [list], [OPENING, 24]), 4: ("table", [list]), 5: ("seal", [64]),
    6: ("close", 32, [OPENING, 24]), 7: ("opens", [OPENING, 24]), 8: ("beacons", [32]),
    9: ("present", U16, U16, U16, [64]), 10: ("restart", U16), 11: ("stand_in", U8, 32, ".{1,32}", 64),
    13: ("back", U8, bool, 64), 15: ("said", U8, bytes, [list]), 16: ("without", U8, [list]),
    17: ("call", U8, [(U8, bytes, 64), 9], [list]), 18: ("links", [(U8, 32), 9])}
# The last fields that these have where the draft is sealed.
MORE: dict[str, Any] = {"commits": [[32], [32]], "stand_in": [32, 32]}
# Where the events of an entry stand among its fields.
EVENTS_AT = {"move": 2, "table": 0, "said": 2, "without": 1, "call": 2}
# What may come next. Some entries are called otherwise by their methods where that depends on more than the kind;
# those in PASSING change nothing of it.
ORDER = {"nothing": "open", "open": "commits", "commits": "parts", "parts": "present",
         "present": "beacons restart", "restart": "present", "beacons": "table",
         "last beacons": "opens close", "table": "table move stand_in back", "move": "move stand_in back",
         "due move": "seal", "seal": "move stand_in back", "last seal": "present", "opens": "opens close",
         "close": "", "deal due": "said stand_in back restart", "draft due": "said without stand_in back",
         "call due": "said call stand_in back", "turn due": "said move stand_in back",
         "spent": "stand_in back", "last draft beacons": "links", "links": "opens close"}
PASSING = {"stand_in", "back", "said", "without", "call"}
# What only a sealed draft has: methods of Sealed.
SEALED_ONLY = {"said", "without", "call", "links"}
# Events of which not only the rules know what they must be: number, name, fields.
EVENTS: dict[int, tuple[Any, ...]] = {
    1: ("Shuffled", [str]), 2: ("RoundBegan", U16, [str], [str]), 3: ("Offered", U8, [str]),
    7: ("CastDrawn", [str], [str]), 11: ("Revealed", U8, str), 15: ("RoundEnded",), 16: ("GameEnded", list, list),
    21: ("Drawn", U8, [str], str), 23: ("CardsGained", U8, [str], str), 32: ("Crowned", U8),
    35: ("Confiscated", U8, U8, str, U64, str, U64), 51: ("Placed", str, U8, [str], r"\?"),
    53: ("ThreatShown", str, bool), 58: ("PutUnder", [str]), 66: ("TakenFromDeck", U8, str),
    71: ("Restocked", [str]), 72: ("LapBegan", U16), 73: ("CharacterCalled", U8, str, bool), 76: ("CycleEnded",),
    82: ("Inquired", "deal|swap|call|late", [U8], {str, NIL}, {U8, NIL}, [str]),
    83: ("InquiryAnswered", {U8, NIL}), 84: ("PassedOver", U8)}
# Lines that have to be hidden; sealed ones; the same when they are opened; what breaks a seal; kinds of markers.
HIDDEN = re.compile(r"(pick|keep|redraw|give|laboratory|museum|lighthouse|tribute)( |$)|theater (.* )?giving( |$)|"
                    r"take(?!.* building( |$))( |$)|(take|build) (.* )?(with|borrowing)( |$)")
SEALED = re.compile(r"((warrant|threaten) [a-z_ ]+) sealed ([0-9a-f]{64})")
STARRED = re.compile(r"[^*]+ [^* ]+\*( [^*]+)?")
BREAKS = {"confiscate yes": "warrant", "reveal yes": "threaten"}
MARKERS = {"warrant": "warrant", "threaten": "threat"}

Header = namedtuple("Header", "game program rules edition options cast uniques fp host commit endorsement players "
                              "guests hints draft", defaults=[(), None, 0])
Opening = namedtuple("Opening", "round seat slot kind line nonce")
Move = namedtuple("Move", "n before key seat what tag draft", defaults=[None])
# Where a commitment stands: whether it is the second of its move, of a sealed one the line without its star, and
# the entry of the stand-in that has made it, or 0.
Place = namedtuple("Place", "round seat slot second sealed stand_in")
# fmt: on
Raw = list[bytes]


class Log:
    """The entries of a game, read one after another; Bad at the first that contradicts, and then it is of no more
    use. Entry `n` is being read, `before` is hash[n-1], `after` what ORDER calls the entry before."""

    def __init__(self, game: bytes, fp: bytes, host: bytes, seat: int | None) -> None:
        self.game, self.fp, self.host, self.seat = game, fp, host, seat
        self.n, self.before, self.after, self.before_that, self.secret = 0, b"", "nothing", "", b""
        # The table; `forged`: its host is not the one that has signed this.
        self.header: Any = None
        self.players, self.forged = list[Any](), False
        # The round, that of the last beacons, attempts, the seats that are present, and those that were missed.
        self.round, self.coming, self.attempt, self.bits, self.here, self.missing = 0, 0, 0, 0, list[int](), 0
        self.round_over, self.over = False, False
        # Moves without signature; commitments not opened; in this round, by seat how many moves had some, and by
        # seat and verb the sealed ones, and the characters that had the star.
        self.unsigned = list[Any]()
        self.pending = dict[bytes, Any]()
        self.slots, self.seals, self.stars = Counter[int](), defaultdict[Any, Raw](list), dict[Any, str]()
        # The stand-ins that move now, by seat: entry, head before it, key. All of them, by entry.
        self.stands, self.stood = dict[int, Any](), dict[int, Any]()
        self.sealed = Sealed(self)
        # Events of this entry. What waits for the secret: all events, as everybody and the owner are told; leaves.
        self.events, self.told, self.leaves = list[Any](), list[Any](), list[Any]()

    def take(self, before: bytes, public: bytes, leaves: bytes, salt: bytes | None, private: bytes | None) -> None:
        self.n, self.before = self.n + 1, before
        kind, *fields = read(public, list) or [NIL]
        need(fits(kind, U8) and kind in ENTRIES, "no kind of entry")
        name, *shape = ENTRIES[kind]
        need(name in ORDER[self.after].split(), f"{name} has no place after {self.after}")
        shape += MORE.get(name, []) if self.header and self.header.draft else []
        need(fits(fields, tuple(shape)), f"{name} of another shape")
        self.events = [named(event) for event in (fields[EVENTS_AT[name]] if name in EVENTS_AT else [])]
        told = read(private, [(U8, list)]) if private is not None else []
        own = dict(enumerate(self.events)) | {i: named(event) for i, event in told}
        rising = [i for i, _ in told] == sorted({i for i, _ in told}) and len(own) == len(self.events)
        need(rising and all(map(alike, self.events, own.values())), "private events that are not the public ones")
        seats = [*blocks(leaves)]
        need(not leaves or (seats and name in EVENTS_AT), "leaves where none belong")
        self.told += zip(self.events, own.values(), strict=True)
        self.leaves += [(self.n, salt, seats)] if seats else []
        self.before_that, self.after = self.after, self.after if name in PASSING else name
        getattr(self.sealed if name in SEALED_ONLY else self, name)(*fields)

    def who(self, seat: int) -> str:
        return f"{self.players[seat][0]} (seat {chr(97 + seat)})"

    def signed(self, seat: int, key: bytes, signature: bytes, tag: str, *fields: bytes | str) -> None:
        need(valid(key, signature, tag, self.game, *fields), f"the signature of {self.who(seat)}")

    def all_signed(self, seats: Iterable[int], signatures: Raw, tag: str, fields: Any) -> None:
        """Each of these seats has signed its fields."""
        need(len([*seats]) == len(signatures), "not one signature of each seat")
        for seat, signature in zip(seats, signatures, strict=True):
            self.signed(seat, self.players[seat][1], signature, tag, *fields(seat))

    # One method for each kind of entry

    def open(self, header: list[Any]) -> None:
        more = header[len(HEADER) :]
        right = fits(header[: len(HEADER)], HEADER) and len(more) <= len(OPTIONAL) and header[-1] is not None
        right = right and all(one is None or fits(one, shape) for one, shape in zip(more, OPTIONAL, strict=False))
        need(right, "a header of another shape")
        told, self.players, table = Header(*header), header[11], (self.game, self.fp, self.host)
        self.forged = told.host != self.host
        need((told.rules, told.game, told.fp, told.host) == (RULES, *table), "the header of another table")
        keys = {key for _, key, _, _ in self.players}
        need(len(keys) == len(self.players) > 0, "a key at two seats, or no seat")
        for seat, (name, key, bot, claim) in enumerate(self.players):
            self.signed(seat, key, claim, "seat", self.fp, self.host, name, u8(bot))
        need(not told.endorsement or valid(*told.endorsement, "host-key", *table), "the endorsement of the host")
        seats = told.guests is None or [*told.guests] == sorted({*told.guests} & {*range(len(self.players))})
        need(seats and told.guests != [], "guests without a seat")
        self.header = told._replace(guests=told.guests or (), draft=told.draft or 0)

    def commits(self, commitments: Raw, anchors: Raw, signatures: Raw, *more: Raw) -> None:
        boxes, drafts, lists = more[0] if more else [], more[1] if more[1:] else [], [commitments, anchors, *more]
        need({*map(len, lists)} == {len(self.players)}, "not one of each for each seat")
        need(len({*anchors, *drafts}) == len(anchors) + len(drafts) or not drafts, "a chain that stands twice")
        own, seats = [*zip(*lists, strict=True)], range(len(self.players))
        self.all_signed(seats, signatures, "agree", lambda seat: (self.before, u8(seat), *own[seat]))
        for box in boxes:
            exchanged(bytes(32), box)
        self.commitments, self.anchors, self.boxes, self.ends = commitments, anchors, boxes, drafts

    def parts(self, parts: Raw, signatures: Raw) -> None:
        true = [digest("seed-part", self.game, u8(seat), part) for seat, part in enumerate(parts)]
        need(true == self.commitments, "a part is not the one committed to")
        self.all_signed(range(len(parts)), signatures, "seed", lambda _: (self.before,))
        self.seed = [*parts, self.before]

    def present(self, round_: int, bits: int, disputed: int, signatures: Raw) -> None:
        self.bits, self.here = bits, [seat for seat in range(16) if bits >> seat & 1]
        there = bits >> len(self.players) == 0 and (bits or self.over)
        need(there and not bits & self.missing, "nobody takes part, or somebody who was missed, or has no seat")
        need(round_ == self.round + 1 and not disputed & ~bits, "another round, or a dispute of who is not there")
        said = u64(self.n - 1), self.before, u16(round_)
        self.all_signed(self.here, signatures, "here", lambda seat: (*said, u8(disputed >> seat & 1)))
        self.stands = {seat: who for seat, who in self.stands.items() if seat not in self.here}
        self.attempt += 1

    def restart(self, bits: int) -> None:
        need(bits and not bits & ~self.bits, "nobody's link is missing, or that of a seat that is not present")
        dealt = self.before_that == "deal due" and bits != 1 << self.sealed.draft.due[1]
        need(not dealt, "a restart without who deals")
        self.missing |= bits

    def beacons(self, links: Raw) -> None:
        need(len(self.here) == len(links), "not one link of each who is present")
        for seat, link in zip(self.here, links, strict=True):
            spent = self.attempt > LINKS
            end = hashed(self.game, seat, link, 0 if spent else self.attempt)
            need(end == (bytes(32) if spent else self.anchors[seat]), f"the link of {self.who(seat)}")
        self.coming = self.round + 1
        self.sealed.begun = self.n, self.before, self.bits, links, self.attempt
        self.told.append((["Beacons", self.coming], [self.before, u16(self.bits), *links]))
        self.after = "last beacons" if self.over else "beacons"
        if self.header.draft and self.over:
            self.after = "last draft beacons"
        elif self.sealed.deals:
            self.go_on()

    def table(self, _: list[Any]) -> None:
        self.happen()
        need(not self.shown("Placed", "Confiscated", "ThreatShown", "Revealed"), "what only a move can show")
        if self.header.draft:
            need(self.sealed.deals, "a round without a deal")
            self.go_on()

    def go_on(self) -> None:
        """Say what may come next in a round, or after it."""
        if self.header.draft:
            self.after = self.sealed.due()
        over = self.over or (self.round_over and not self.sealed.deals)
        self.after = "due move" if over or len(self.unsigned) >= SEAL_AFTER else self.after

    def move(self, seat: int, what: str | bytes, _: list[Any], openings: list[Any]) -> None:
        need(seat < len(self.players) and self.round == self.coming, "a move by nobody, or before the round")
        hidden = [what[:32], what[32:]][: len(what) // 32] if isinstance(what, bytes) else []
        key = self.stands[seat][2] if seat in self.stands else self.players[seat][1]
        tag = "hidden" if hidden else "move"
        self.unsigned.append(Move(self.n, self.before, key, seat, what, tag))
        self.commit(seat, what, hidden)
        verb = BREAKS.get(str(what), "")
        broken = self.seals[seat, verb].pop(0) if self.seals[seat, verb] else b""
        opened = self.opens(openings)
        self.happen()
        picks = {(one.round, one.line) for value, one in opened.items() if value != broken}
        revealed = {(self.round, f"pick {character}") for _, _, character in self.shown("Revealed")}
        need(picks == revealed, "characters without their openings, or openings too early")
        need(not broken or broken in opened, "a seal is broken without opening")
        if broken:
            self.stars[seat, verb] = opened[broken].line.split("*")[0].split(" ")[-1]
        for _, by, _, _, _, character, _ in self.shown("Confiscated"):
            need((by, character) == (seat, self.stars.get((seat, "warrant"))), "another warrant was signed")
        star = self.stars.get((seat, "threaten"))
        for _, character, flower in self.shown("ThreatShown"):
            need(star and flower == (star == character), "another threat was shown")
        need(not self.shown("Inquired") or not self.sealed.waits("swap"), "an exchange without a message")
        self.go_on()

    def seal(self, signatures: Raw) -> None:
        need(len(signatures) == len(self.unsigned), "too many signatures, or too few")
        for signature, move in zip(signatures, self.unsigned, strict=True):
            self.signed(
                move.seat, move.key, signature, move.tag, u64(move.n), move.before, u8(move.seat), move.what
            )
            if move.draft:
                move.draft.sign(move, signature)
        self.unsigned = []
        self.after = "last seal" if self.round_over or self.over else "seal"
        if self.after == "seal" and self.header.draft:
            self.go_on()

    def stand_in(self, seat: int, key: bytes, level: str, claim: bytes, *drafts: bytes) -> None:
        need(seat < len(self.players) and seat not in self.stands, "a stand-in for nobody, or for a stand-in")
        need(key not in [own for _, own, *_ in self.players], "a stand-in with a player's key")
        self.signed(seat, key, claim, "stand-in", u64(self.n), self.before, u8(seat), level, *drafts)
        for box in drafts[1:]:
            exchanged(bytes(32), box)
        self.stands[seat], self.stood[self.n] = (self.n, self.before, key, *drafts), (seat, key, *drafts)

    def back(self, seat: int, disputes: bool, signature: bytes) -> None:
        need(seat in self.stands, "somebody is back who was not away")
        (n, before, key, *_), own = self.stands.pop(seat), self.players[seat][1]
        self.signed(seat, own, signature, "back", u64(n), before, u8(seat), key, u8(disputes))

    def opens(self, openings: list[Any]) -> dict[bytes, Any]:
        """The openings by their commitments, which were pending until now."""
        found = {}
        for opening in openings:
            value = committed(self.game, opening)
            place, found[value] = self.pending.pop(value, None), Opening(*opening)
            need(opens(place, found[value]), f"{opening[4]!r} fits no commitment")
        return found

    def close(self, secret: bytes, openings: list[Any]) -> None:
        need(digest("seed-host", self.game, secret) == self.header.commit, "the host's secret is another")
        self.opens(openings)
        owned = [place.sealed and not place.stand_in for place in self.pending.values()]
        need(all(owned), "what the host could open was never opened")
        self.secret = secret
        for n, salt, seats in self.leaves:
            right = salt in {None, digest("salt", secret, u64(n), u8(self.seat or 0))[:16]}
            need(right and seats[-1] < len(self.players), f"the salt of entry {n}, or a leaf of nobody")
        if known := edition_of(self.header.edition, self.header.options):
            seed = digest("seed", self.game, secret, *self.seed)
            dealt = {"RoundBegan", "Offered"} if self.header.draft else {}
            told = [one for one in self.told if one[0][0] not in dealt]  # by a seat, and judged by its link
            follow(known, len(self.players), self.header.cast, self.header.uniques, seed, told)
        if self.header.draft:
            self.sealed.check_stand_ins()

    # What they have in common

    def shown(self, *names: str) -> list[Any]:
        return [event for event in self.events if event[0] in names]

    def happen(self) -> None:
        """Rounds begin and end."""
        for what, *fields in self.events:
            self.sealed.happen(what, fields)
            if what in {"RoundBegan", "LapBegan"}:
                need(self.round + 1 == self.coming == fields[0], "a round begins that is not the next")
                self.round, self.round_over, self.missing = self.coming, False, 0
                self.slots, self.seals, self.stars = Counter(), defaultdict(list), {}
            self.round_over, self.over = self.round_over or what == "RoundEnded", self.over or what == "GameEnded"

    def commit(self, seat: int, what: str | bytes, found: Raw) -> None:
        """Take the commitments of a move; its words alone say whether it has some."""
        line, markers = "", list[Any]()
        if isinstance(what, str) and (sealed := SEALED.fullmatch(what)):
            line, verb, found = sealed[1], sealed[2], [bytes.fromhex(sealed[3])]
            markers = [["Placed", MARKERS[verb], seat, line.split(" ")[1:], "?"]]
            self.seals[seat, verb] += found
        elif isinstance(what, str):
            need(not HIDDEN.match(what) and what.split(" ")[0] not in MARKERS, f"{what!r} had to be hidden")
        need(self.shown("Placed") == markers, "other markers than the move says")
        stand_in = self.stands[seat][0] if seat in self.stands else 0
        for second, value in enumerate(found):
            need(value not in self.pending, "a commitment for the second time")
            self.pending[value] = Place(self.round, seat, self.slots[seat], bool(second), line, stand_in)
        self.slots[seat] += bool(found)


def named(event: list[Any]) -> list[Any]:
    """An event with its name for its number, which stays where it is not one of those above."""
    need(event and fits(event[0], U16), "an event without number")
    name, *shape = EVENTS.get(event[0], (event[0],))
    need(event[0] not in EVENTS or fits(event[1:], tuple(shape)), f"{name} of another shape")
    return [name, *event[1:]]


def blocks(leaves: bytes) -> dict[int, bytes]:
    """The leaves by seat; none where they are not in order."""
    rising = len(leaves) % 33 == 0 and all(a < b for a, b in pairwise(leaves[::33]))
    return {leaves[at]: leaves[at + 1 : at + 33] for at in range(0, len(leaves), 33)} if rising else {}


def committed(game: bytes, opening: Any) -> bytes:
    """The commitment that an opening opens."""
    round_, seat, slot, kind, line, nonce = opening
    return digest("commit", game, kind, u16(round_), u8(seat), u8(slot), line, nonce)


def opens(place: Any, opening: Any) -> bool:
    """Whether an opening is there, and says what it may say at this place."""
    if not place or not opening:
        return False
    round_, seat, slot, kind, line, _ = opening
    there = (round_, seat, slot, kind == "discard") == place[:4] and kind == line.split(" ")[0]
    if place.sealed:
        return there and line.replace("*", "") == place.sealed and STARRED.fullmatch(line) is not None
    return there and (kind == "discard" or HIDDEN.match(line) is not None)
