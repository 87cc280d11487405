"""Sealed drafts from section 11 of docs/protocol.md: the messages of honest seats, and of seats that lie."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from .outsider import EIGHT, GAME, HPKE, Table, frame, hashed, laid_out, link, shuffled, u

CAST: Final = list(EIGHT)
Lie = Callable[["Drafting", list[Any]], list[Any]]


def box_secret(y: bytes) -> bytes:
    return hashed("box-key", y)


def box_key(y: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(box_secret(y)).public_key().public_bytes_raw()


def names(cards: int) -> list[str]:
    return [name for at, name in enumerate(CAST) if cards >> at & 1]


def card(*characters: str) -> int:
    return sum(1 << CAST.index(character) for character in characters)


class Drafting:
    """The draft of one round of a table, message by message. `lies` change a message before it is signed, by its
    name and seat."""

    def __init__(self, table: Table, crown: int, lies: Mapping[tuple[str, int], Lie] = {}) -> None:
        self.table, self.crown, self.lies, self.round = table, crown, lies, table.round + 1
        self.players = len(table.keys)
        self.ys = [link(seat, "y", self.round) for seat in range(self.players)]
        self.entries: dict[str, int] = {}
        self.picks: dict[int, tuple[int, bytes]] = {}
        self.boxes: dict[int, int] = {}
        self.packet = 0

    def say(self, name: str, messages: dict[int, list[Any]], events: Any = ()) -> None:
        told = {seat: self.told(name, seat, message) for seat, message in messages.items()}
        self.entries[name] = self.table.say(told, events)

    def told(self, name: str, seat: int, message: list[Any]) -> list[Any]:
        """The message of a seat, changed if the seat lies."""
        lie = self.lies.get((name, seat))
        return lie(self, message) if lie is not None else message

    def fix(self, seat: int, kind: str, index: int, cards: int) -> tuple[bytes, bytes]:
        """A commitment of the next entry, and its nonce."""
        nonce = hashed("draft-nonce", GAME, self.ys[seat], self.table.head, kind, u(index, 1))
        place = u(self.round, 2), u(seat, 1), u(index, 1), u(cards, 2)
        return hashed("cards", GAME, kind, *place, nonce), nonce

    def box(self, kind: str, index: int, by: int, to: int, cards: int, commit: bytes, nonce: bytes) -> bytes:
        info = frame("box", GAME, kind, u(self.round, 2), u(index, 1), u(by, 1), u(to, 1), commit)
        sealed: bytes = HPKE.encrypt(
            u(cards, 2) + nonce, X25519PublicKey.from_public_bytes(box_key(self.ys[to])), info
        )
        return sealed

    def begin(self) -> None:
        said = {seat: [0, link(seat, "x", self.round), box_key(y)] for seat, y in enumerate(self.ys)}
        self.say("begin", said)

    def deal(self) -> None:
        """4 to 7 players, 8 characters."""
        xs = [link(seat, "x", self.round) for seat in range(self.players)]
        seed = hashed("deal", u(self.round, 2), *xs, self.ys[self.crown])
        up, down, offered = laid_out(seed, self.round, CAST, max(0, 6 - self.players))
        self.packet = card(*offered)
        hidden, packet = (
            self.fix(self.crown, "face-down", 0, card(down))[0],
            self.fix(self.crown, "packet", 0, self.packet)[0],
        )
        message = [1, bytes(CAST.index(character) for character in up), hidden, packet]
        said = self.told("deal", self.crown, message)
        self.entries["deal"] = self.table.say(
            {self.crown: said}, [[2, self.round, [CAST[at] for at in said[1]], ["?"]]]
        )

    def pick(self, at: int) -> None:
        """Step `at`: the seat keeps the first character that it is offered."""
        seat, after = (self.crown + at) % self.players, (self.crown + at + 1) % self.players
        kept = card(names(self.packet)[0])
        self.packet &= ~kept
        mine, (rest, nonce) = self.fix(seat, "pick", 0, kept), self.fix(seat, "packet", at + 1, self.packet)
        box = self.box("packet", at + 1, seat, after, self.packet, rest, nonce) if at + 1 < self.players else None
        self.picks[seat] = (kept, mine[1])
        self.say(f"pick{at}", {seat: [2, mine[0], None, rest, box]})

    def complain(self, seat: int, name: str) -> None:
        self.say("complaint", {seat: [4, self.entries[name], box_secret(self.ys[seat])]})

    def call(self, character: str, *, shown: bool = True) -> None:
        """All seats reply to the call of a character; `shown`: it is revealed."""
        holders = [seat for seat, (kept, _) in self.picks.items() if kept == card(character)]
        said = {
            seat: [6, self.picks[seat][1]] if seat in holders else [6, bytes(32)] for seat in range(self.players)
        }
        self.say("reply", said, [[83, None], *([[11, holders[0], character]] if shown else [])])


def links(drafting: Drafting, without: int = -1) -> list[Any]:
    """The last y of every seat, as openings of *close*."""
    ys = enumerate(drafting.ys)
    return [[drafting.round, seat, 0, "link", "link", y] for seat, y in ys if seat != without]


def drafted(
    lies: Mapping[tuple[str, int], Lie] = {}, rounds: int = 1, *, shown: bool = True
) -> tuple[Table, Drafting]:
    """A game of four with sealed drafts, which ends with the call of the dealer's character."""
    table, players = Table(4, draft=1), 4
    seed = table.start()
    crown = int(shuffled(seed, "crown/0/table/0", range(players))[0])
    for round_ in range(1, rounds + 1):
        last = round_ == rounds
        table.table([*([[32, crown]] if round_ == 1 else []), [82, "deal", [crown], None, None, []]])
        drafting = Drafting(table, crown, lies if last else {})
        drafting.begin()
        drafting.deal()
        for at in range(players):
            drafting.pick(at)
        character = names(drafting.picks[crown][0])[0]
        table.move(crown, "end", [[82, "call", list(range(players)), character, None, []]])
        drafting.call(character, shown=shown or not last)
        ends = [[16, [0] * players, [0]]] if last else [[15]]
        table.move(crown, "end", ends)
        table.cosign(range(players))
    return table, drafting


def sealed_game(
    lies: Mapping[tuple[str, int], Lie] = {}, rounds: int = 2, without: int = -1, *, shown: bool = True
) -> Table:
    """A whole game with sealed drafts; seats lie in the last one. Seat `without` does not open its drafts."""
    table, drafting = drafted(lies, rounds, shown=shown)
    table.close(0, links(drafting, without))
    return table
