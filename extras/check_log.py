"""Sections 3 to 11 of docs/protocol.md, for `check_transcript`: the entries, their order and signatures."""

import re
from collections import Counter, defaultdict, namedtuple
from itertools import pairwise
from typing import Any

from check_bytes import alike, digest, fits, frame, need, read, u8, u16, u64, valid
from check_draft import FREE, LINKS, MESSAGES, Draft, chained, laid_out, shuffled

# fmt: off
# Shapes, as `check_bytes.fits` reads them.
U8, U16, U64, NIL, TEXT, SEATS = range(9), range(1 << 16), range(1 << 64), type(None), ".{1,1024}", 9
OPENING, SIGNED, PLAYER = (U16, U8, range(1 << 8), ".{1,32}", TEXT, 32), (32, 64), (".{1,24}", 32, range(4), 64)
HEADER = (16, str, 32, str, [(str, {str, U16})], [str], [str], 32, 32, 32, {NIL, SIGNED}, range(2),
          {NIL, range(1)}, [(32, [U8]), 16], [PLAYER, SEATS])
# The kinds of entries by number: a name, which is that of a method of Log, and the shapes of the fields.
ENTRIES: dict[int, tuple[Any, ...]] = {
    0: ("open", HEADER), 1: ("commits", [(32, [32, 2], 64), SEATS]), 2: ("table", [list]),
    3: ("move", U8, range(2), {TEXT, 32, 64}, [list], [OPENING, 24], {0, 64}),
    4: ("signed", [(U8, 32, range(2), 64), SEATS]), 5: ("words", [(U8, 16), SEATS]),
    6: ("seat", U8, range(3), ".{0,32}", {0, 64}), 7: ("handover", U8, 32, 32, 64),
    8: ("said", [(U8, bytes, 64), SEATS], [list]),
    9: ("close", range(3), [OPENING, 24], {0, 32}, [32, SEATS], [(U8, 64), SEATS])}
EVENTS_AT, PLAY = {"move": 3, "table": 0, "said": 1}, {"table", "move", "seat", "handover", "said", "close"}
# Events that matter without the rules: number, name, shapes of the fields.
EVENTS: dict[int, tuple[Any, ...]] = {
    2: ("RoundBegan", U16, [str], [str]), 3: ("Offered", U8, [str]), 7: ("CastDrawn", [str], [str]),
    11: ("Revealed", U8, str), 15: ("RoundEnded",), 16: ("GameEnded", list, list), 32: ("Crowned", U8),
    35: ("Confiscated", U8, U8, str, U64, str, U64), 51: ("Placed", str, U8, [str], str),
    53: ("ThreatShown", str, bool), 72: ("LapBegan", U16), 83: ("InquiryAnswered", {U8, NIL}),
    82: ("Inquired", str, [U8], {str, NIL}, {U8, NIL}, [str])}
CLASSIC = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
# Lines that have to be hidden; sealed ones; the same when they are opened; what breaks a seal; kinds of markers.
HIDDEN = re.compile(r"(pick|keep|redraw|give|laboratory|museum|lighthouse|tribute)( |$)|theater (.* )?giving( |$)|"
                    r"take(?!.* building( |$))( |$)|(take|build) (.* )?(with|borrowing)( |$)")
SEALED = re.compile(r"((warrant|threaten) [a-z_ ]+) sealed ([0-9a-f]{64})")
STARRED = re.compile(r"[^*]+ [^* ]+\*( [^*]+)?")
BREAKS = {"confiscate yes": "warrant", "reveal yes": "threaten"}
MARKERS = {"warrant": "warrant", "threaten": "threat"}

# A commitment; `second` is a discard, `sealed` the line without star of a sealed move, `head` hash[n-1].
Place = namedtuple("Place", "round seat slot second sealed bot head")
# fmt: on
Raw = list[bytes]


class Log:
    """The entries of a game, which must be read in order. Raises Bad at the first contradiction; `at` is the
    entry that proves it. Read no further then. Entry `n` is being read, `heads[n]` is hash[n], and `before`
    is hash[n-1]. `next` are the kinds of entries that may come. `keys` are the hosts' keys, each with the
    first entry that it signs and the host's seat."""

    def __init__(self, game: bytes, rules: bytes, fp: bytes, host: bytes, viewer: int | None) -> None:
        self.game, self.rules, self.fp, self.viewer = game, rules, fp, viewer
        self.keys: list[tuple[int, bytes, int | None]] = [(1, host, None)]
        self.owner: int | None = None
        self.heads, self.signed_by = [digest("genesis", game, rules, fp)], [(b"", b"")]
        self.n, self.at, self.before, self.next, self.forged = 0, 0, b"", {"open"}, False
        self.players, self.cast, self.options, self.closing = list[Any](), list[str](), list[Any](), list[Any]()
        self.round, self.coming, self.over, self.sealed, self.secret = 0, 1, False, 0, b""
        # By seat: the *away* entry, and whether a bot plays. The rows of *commits* and the last *signed*.
        self.away, self.agreed, self.last = dict[int, Any](), list[Any](), list[Any]()
        # Unopened commitments. In this round: by seat the moves with commitments, by seat and verb the sealed
        # ones, and the starred characters that were opened.
        self.pending, self.slots = dict[bytes, Any](), Counter[int]()
        self.seals, self.stars = defaultdict[Any, Raw](list), dict[Any, str]()
        # Sealed drafts by round, and the last y by seat; the last event of each name.
        self.drafts, self.proven, self.ys, self.latest = list[Draft](), False, dict[int, bytes](), dict[str, Any]()
        # Openings of bots' moves, with the hash before each move.
        self.bots = list[tuple[bytes, Any]]()
        # The events of this entry; all of them by entry, as all viewers and as the owner saw them; salts.
        self.events, self.seen, self.salts = list[Any](), list[Any](), list[tuple[int, bytes]]()

    def take(self, public: bytes, leaves: bytes, salt: bytes | None, private: bytes | None) -> None:
        """Check the content of the last entry in `heads`: its public bytes, its leaves, and the viewer's
        private part."""
        self.n, self.at, self.before = len(self.heads) - 1, len(self.heads) - 1, self.heads[-2]
        kind, *fields = read(public, list) or [NIL]
        name, *shape = ENTRIES[kind] if fits(kind, range(10)) else ["an unknown kind"]
        need(name in self.next and fits(fields, tuple(shape)), f"{name} may not come here, or has another shape")
        self.events = [named(event) for event in (fields[EVENTS_AT[name]] if name in EVENTS_AT else [])]
        told = read(private, [(range(256), list)]) if private is not None else []
        need(told or private is None, "an empty private part")
        own = dict(enumerate(self.events)) | {i: named(event) for i, event in told}
        rising = [i for i, _ in told] == sorted({i for i, _ in told}) and len(own) == len(self.events)
        need(rising and all(map(alike, self.events, own.values())), "a private event contradicts the public one")
        seats = not leaves or (name in EVENTS_AT and [*blocks(leaves)][-1:] < [len(self.players)])
        need(seats and (not leaves or blocks(leaves)), "a wrong leaf")
        self.seen += [(self.n, event, seen) for event, seen in zip(self.events, own.values(), strict=True)]
        self.salts += [(self.n, salt)] if salt else []
        kept = self.next - {"words"}
        self.next = {"close"} if self.over or self.proven else kept if name in {"seat", "handover"} else PLAY
        getattr(self, name)(*fields)
        for what, *values in self.events:
            if what in {"RoundBegan", "LapBegan"}:
                need(values[0] == self.round + 1 == self.coming, "a round begins that is not the next one")
                self.round, self.slots = values[0], Counter()
                self.seals, self.stars = defaultdict(list), {}
            elif what in {"RoundEnded", "GameEnded"}:
                self.over = self.over or what == "GameEnded"
                self.next = {"signed"} if self.over else {"signed", "close"}
            self.latest[what] = values

    def who(self, seat: int | None) -> str:
        return f"{self.players[seat][0]} (seat {chr(97 + seat)})" if seat is not None else "the host"

    def signer(self, n: int) -> tuple[int, bytes, int | None]:
        """Return the host that signs entry `n`: its first entry, its key, and its seat (None for the first
        host)."""
        return [key for key in self.keys if key[0] <= n or key[0] == 1][-1]

    def host(self, n: int) -> str:
        """Return the name of the host that signs entry `n`. The first host is named by the key that endorsed
        its key."""
        first, _, seat = self.signer(n)
        return f"{self.who(seat if first > 1 else self.owner)}, host from entry {first},"

    def proof(self, n: int) -> list[str]:
        """Return the lines of evidence for entry `n`: its public bytes and the host's signature."""
        over, (signature, public) = frame("entry", self.game, u64(n), self.heads[n]), self.signed_by[n]
        return [f"entry {public.hex()}", *evidence(self.signer(n)[1], signature, over)]

    def by(self, seat: int, signature: bytes, tag: str, *fields: bytes | str) -> None:
        need(seat < len(self.players), "a seat that the table does not have")
        need(valid(self.players[seat][1], signature, tag, *fields), f"the signature {tag} of {self.who(seat)}")

    def rows(self, rows: list[Any]) -> list[int]:
        seats = [seat for seat, *_ in rows]
        need(seats == sorted({*seats} & {*range(len(self.players))}), "seats twice, or in another order")
        return seats

    # One method for each kind of entry

    def open(self, header: list[Any]) -> None:
        game, _, rules, edition, self.options, cast, _, fp, host, self.commit, endorsement, *more = header
        self.sealed, _, called_off, self.players = more
        self.cast, table = cast or CLASSIC * (edition == "classic"), (self.game, self.fp, self.keys[0][1])
        self.known = edition in {"2016", "classic", "dark_city"}  # others may lay characters out in another way
        self.forged, starts = host != table[2], dict(called_off)
        keys, self.next = [key for _, key, *_ in self.players], {"commits"}
        right = (game, rules, fp, host) == (self.game, self.rules, *table[1:]) and len({*keys, host}) > len(
            keys
        ) > 1
        right = right and all(one == sorted({*one}) for one in starts.values()) and len(starts) == len(called_off)
        need(right, "the header of another table, a key twice, or called-off starts that are twice or not sorted")
        for seat, (name, _, kind, claim) in enumerate(self.players):
            self.by(seat, claim, "seat", *table, name, u8(kind))
        need(not endorsement or valid(*endorsement, "host-key", *table), "the endorsement of the host")
        self.owner = keys.index(endorsement[0]) if endorsement and endorsement[0] in keys else None

    def commits(self, rows: list[Any]) -> None:
        values = [value for c, anchors, _ in rows for value in (c, *anchors)]
        right = len(rows) == len(self.players) and len({*values}) == len(values)
        need(right and all(len(one[1]) == 2 * self.sealed for one in rows), "not one commitment of each seat")
        for seat, (c, anchors, signature) in enumerate(rows):
            self.by(seat, signature, "agree", self.before, u8(seat), c, *anchors)
        self.agreed, self.next = rows, {"table"}

    def table(self, _: list[Any]) -> None:
        need(not self.shown("Placed", "Confiscated", "ThreatShown", "Revealed"), "an event of a move")
        self.next = PLAY - {"table"} if self.sealed else PLAY

    def move(self, seat: int, by: int, what: Any, _: list[Any], openings: list[Any], signature: bytes) -> None:
        right = self.round == self.coming and by == (seat in self.away and self.away[seat][1])
        need(right and not (by and signature), "a move of another player, or before the round")
        if not by:
            tag = "hidden" if isinstance(what, bytes) else "move"
            self.by(seat, signature, tag, self.game, u64(self.n), self.before, u8(seat), what)
        _, called, character, *_ = self.latest.get("Inquired", ["", [], None])
        waits = (called and character is not None) or any(draft.due != FREE for draft in self.drafts[-1:])
        need(not waits, "a move while a message is due")
        self.next = PLAY - {"table"}
        self.conceal(seat, what, by)
        verb, opened = BREAKS.get(str(what), ""), self.opens(openings)
        broken = self.seals[seat, verb].pop(0) if self.seals[seat, verb] else b""
        picks = {(one[0], one[4]) for value, one in opened.items() if value != broken}
        revealed = {(self.round, f"pick {character}") for _, _, character in self.shown("Revealed")}
        right = picks == revealed and (not broken or broken in opened)
        need(right, "a character or a broken seal without its opening, or an early opening")
        if broken:
            self.stars[seat, MARKERS[verb]] = opened[broken][4].split("*")[0].split(" ")[-1]
        for _, owner, _, _, _, character, _ in self.shown("Confiscated"):
            right = owner == seat and alike(character, self.stars.get((seat, "warrant")))
            need(right, "another warrant was signed")
        star = self.stars.get((seat, "threat"))
        for _, one, flower in self.shown("ThreatShown"):
            need(star and (star == "?" or flower == (star == one)), "another threat was shown")

    def signed(self, rows: list[Any]) -> None:
        self.rows(rows)
        for seat, c, protest, signature in rows:
            said = self.before, u8(seat), c, u8(protest)
            self.by(seat, signature, "signed", self.game, u64(self.n - 1), *said)
        self.last, self.coming = rows, self.round + 1
        self.next = (self.next - {"handover"}) | {"words"} if rows else self.next

    def words(self, rows: list[Any]) -> None:
        need(self.rows(rows) == [seat for seat, *_ in self.last], "words of other seats than co-signed")
        for (seat, w), (_, c, *_) in zip(rows, self.last, strict=True):
            need(digest("word", self.game, u64(self.n - 2), u8(seat), w) == c, f"the word of {self.who(seat)}")

    def seat(self, seat: int, what: int, level: str, signature: bytes) -> None:
        away = self.away.get(seat)
        right = (away is None, away and not away[1] and not self.sealed, away is not None)[what]
        right = right and bool(level) == (what == 1) and bool(signature) == (what == 2)
        need(seat < len(self.players) and right, "a seat changes hands as it cannot")
        self.away[seat] = (away[0], True) if away else (self.n, False)
        if away and what == 2:
            self.by(seat, signature, "back", self.game, u64(away[0]), self.heads[away[0]], u8(seat))
            del self.away[seat]

    def handover(self, seat: int, key: bytes, fp: bytes, accept: bytes) -> None:
        self.by(seat, accept, "accept", self.game, u64(self.n), self.before, key, fp)
        known = {old[1] for old in (*self.keys, *self.players)}
        right = key not in known and len(self.keys) < 13 and self.players[seat][2] in {1, 2}
        need(right, "a handover that may not be")
        self.keys.append((self.n + 1, key, seat))

    def said(self, rows: list[Any], _: list[Any]) -> None:
        """Check an entry with messages of a sealed draft. All are of one kind. Only `begin` and `reply` may
        come from several seats."""
        need(self.sealed and self.rows(rows) and not self.proven, "a message without a sealed draft")
        names, fields = set[str](), dict[int, Any]()
        cast = self.cast or self.latest.get("CastDrawn", [[]])[0]
        for seat, message, signature in rows:
            self.by(seat, signature, "said", self.game, u64(self.n), self.before, u8(seat), message)
            number, *fields[seat] = read(message, list) or [NIL]
            name, *shape = MESSAGES[number] if fits(number, range(len(MESSAGES))) else [""]
            need(name and fits(fields[seat], tuple(shape)), "not a message of a draft")
            names.add(name)
        need(len(names) == 1 and (len(rows) == 1 or names <= {"begin", "reply"}), "messages of several kinds")
        if self.known and names == {"begin"}:
            right = len(cast) in {8, 9} and "Crowned" in self.latest
            need(right and not any(one.round > self.round for one in self.drafts), "a draft that may not begin")
            chosen, ends = ["first_face_down", "chosen"] in self.options, [one[1] for one in self.agreed]
            table = self.game, self.round + 1, cast, len(self.players), self.latest["Crowned"][0], chosen, ends
            self.drafts.append(Draft(table, {}))
        waits = "exchange" in names and self.latest.get("Inquired", [""])[0] == "call"
        need((self.drafts or not self.known) and not waits, "a message before a draft, or in a call")
        for draft in self.drafts[-1:]:
            asked: Any = self.latest.pop("Inquired", ["", []]) if name == "reply" else ["", fields]
            need({*fields} == {*asked[1]}, "replies of other seats than were asked")
            place = cast.index(asked[2]) if asked[2:] and asked[2] in cast else -1
            shown = draft.take(self.n, self.before, name, fields, place)
            began = [["RoundBegan", draft.round, draft.up, ["?"] * draft.down]] if name == "deal" else []
            revealed = [["Revealed", shown[0], asked[2]]] if len(shown) == 1 else []
            need(self.shown("RoundBegan", "Revealed") == began + revealed, "other characters than were shown")
            self.proven, self.next = draft.proven, {"signed"} if draft.proven else PLAY - {"table"}

    def close(self, why: int, openings: list[Any], secret: bytes, parts: Raw, sigs: list[Any]) -> None:
        self.closing = self.closing or [why, self.n, self.before]
        right = why == self.closing[0] == (2 if self.proven else 0 if self.over else 1)
        need(right and (not secret or len(parts) > 0), "another reason to close, or no parts")
        need(bool(sigs) == (why == 1 and secret != b""), "signatures that close does not need, or none")
        links = [one for one in openings if one[3] == "link" and self.sealed]
        need(all(map(self.link, links)), "a y of another chain, or twice")
        self.opens([one for one in openings if one not in links])
        self.next = set() if secret else {"close"}
        if not secret:
            return
        here = {seat for seat, player in enumerate(self.players) if player[2]} - {*self.away}
        need(why != 1 or here <= {*self.rows(sigs)}, "an end without all who had to agree")
        for seat in self.rows(sigs):
            self.by(seat, dict(sigs)[seat], "end", self.game, u64(self.closing[1] - 1), self.closing[2])
        opened = [digest("part", self.heads[1], u8(seat), part) for seat, part in enumerate(parts)]
        right = digest("seed-host", self.game, secret) == self.commit and opened == [one[0] for one in self.agreed]
        need(right, "the secret or a part does not open its commitment")
        need(all(place.sealed for place in self.pending.values()), "a hidden move is never opened")
        for n, salt in self.salts:
            need(salt == digest("salt", secret, u64(n), u8(self.viewer or 0))[:16], f"the salt of entry {n}")
        for head, (_, seat, slot, kind, _, nonce) in self.bots:
            k = digest("bot", secret, u8(seat))
            need(nonce == digest("nonce", k, self.game, head, kind, u8(slot)), "the nonce of a bot")
        self.secret, seed = secret, digest("seed", self.heads[2], secret, *parts)
        crown, rest, true, cast = -1, list[str](), list[Any](), self.cast or self.latest.get("CastDrawn", [[]])[0]
        for at, event, own in self.seen:
            true, self.at = event[1:], at
            if event[0] == "Crowned":
                first = shuffled(seed, "crown/0/table/0", range(len(self.players)))[0]
                true, crown = (true if crown >= 0 else [int(first)]), event[1]
            elif event[0] == "RoundBegan" and self.known and not self.sealed:
                *laid, rest = laid_out(seed, event[1], cast, len(event[2]), len(event[3]))
                true = [event[1], *laid]
            elif event[0] == "Offered" and rest:
                true, rest = [crown, rest], []
            need(alike(event[1:], true) and alike(own[1:], true), f"{event[0]} does not follow from the seed")

    # Shared parts

    def shown(self, *names: str) -> list[Any]:
        return [event for event in self.events if event[0] in names]

    def opens(self, openings: list[Any]) -> dict[bytes, Any]:
        """Remove the commitments that these openings open from `pending`. Return the openings by
        commitment."""
        found = {}
        for opening in openings:
            value = committed(self.game, opening)
            place, found[value] = self.pending.pop(value, None), opening
            need(opens(place, opening), "an opening fits no commitment")
            self.bots += [(place.head, opening)] if place.bot else []
        return found

    def conceal(self, seat: int, what: str | bytes, bot: int) -> None:
        """Record the commitments of a move. Only the words of a line decide whether it must have any."""
        line, found, shown = "", list[bytes](), self.shown("Placed")
        verb, *names = what.replace("*", "").split(" ") if isinstance(what, str) else [""]
        if isinstance(what, bytes):
            found = [what[at : at + 32] for at in range(0, len(what), 32)]
        elif not bot and (sealed := SEALED.fullmatch(what)):
            line, names, found = sealed[1], names[:-2], [bytes.fromhex(sealed[3])]
            self.seals[seat, verb] += found
        else:
            need(not HIDDEN.match(what) and verb not in MARKERS, "an open move that must be hidden")
        markers = [["Placed", MARKERS[verb], seat, names, "?"]] if verb in MARKERS else []
        # The marker of a bot is a hidden move.
        own = bot and found and len(shown) == 1 and shown[0][2:5:2] == [seat, "?"]
        need(own or shown == markers, "other markers than the move names")
        self.stars |= {(seat, shown[0][1]): "?"} if own else {}
        for second, value in enumerate(found):
            need(value not in self.pending, "a commitment appears twice")
            self.pending[value] = Place(self.round, seat, self.slots[seat], bool(second), line, bot, self.before)
        self.slots[seat] += bool(found)

    def link(self, opening: Any) -> bool:
        """Record the last secret link y of a seat from an opening. Return False if it is not new, or does not
        lead to the seat's chain commitment."""
        round_, seat, *_, y = opening
        last = self.drafts[-1].round if self.drafts else min(round_, LINKS)
        right = seat < len(self.agreed) and seat not in self.ys and round_ == last
        right = right and chained(self.game, seat, y, round_) == self.agreed[seat][1][1]
        self.ys |= {seat: y} if right else {}
        return bool(right)

    def lies(self) -> list[list[str]]:
        """Return the first lie of each seat in each sealed draft, with evidence, as far as the known links
        reveal it."""
        said, last = list[list[str]](), self.drafts[-1].round if self.drafts else 0
        lies = [(seat, (n, code)) for draft in self.drafts for n, seat, code in draft.again(self.ys, last)]
        for seat, (n, code) in sorted(dict(sorted(lies, reverse=True)).items()):
            message, signature = {one: row for one, *row in read(self.signed_by[n][1], list)[1]}[seat]
            over = frame("said", self.game, u64(n), self.heads[n - 1], u8(seat), message)
            who = f"{self.who(seat)} lied in the sealed draft, entry {n}: {code}"
            said.append([who, *evidence(self.players[seat][1], signature, over)])
        return said


def evidence(*values: bytes) -> list[str]:
    """Return the lines of a proof: a key, its signature, and the signed bytes."""
    return [f"{what} {value.hex()}" for what, value in zip(("key", "signature", "over"), values, strict=True)]


def named(event: list[Any]) -> list[Any]:
    """Return an event with its name in place of its number. Events that are not in EVENTS keep the number."""
    need(event and fits(event[0], U16), "an event without a number")
    name, *shape = EVENTS.get(event[0], (event[0],))
    need(event[0] not in EVENTS or fits(event[1:], tuple(shape)), f"{name} has another shape")
    return [name, *event[1:]]


def blocks(leaves: bytes) -> dict[int, bytes]:
    """Split leaves by seat; {} if the seats do not rise."""
    rising = len(leaves) % 33 == 0 and all(a < b for a, b in pairwise(leaves[::33]))
    return {leaves[at]: leaves[at + 1 : at + 33] for at in range(0, len(leaves), 33)} if rising else {}


def committed(game: bytes, opening: Any) -> bytes:
    """Return the commitment that an opening opens."""
    round_, seat, slot, kind, line, nonce = opening
    return digest("commit", game, kind, u16(round_), u8(seat), u8(slot), line, nonce)


def opens(place: Any, opening: Any) -> bool:
    """Return whether an opening has the values that the place of its commitment requires."""
    round_, seat, slot, kind, line, _ = opening or [0, 0, 0, "", "", b""]
    here = place and (round_, seat, slot, kind == "discard") == place[:4] and kind == line.split(" ")[0]
    if here and place.sealed:
        return line.replace("*", "") == place.sealed and STARRED.fullmatch(line) is not None
    return bool(here) and (kind == "discard" or (place.bot and kind in MARKERS) or HIDDEN.match(line) is not None)
