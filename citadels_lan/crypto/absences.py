"""Seats whose players are away: since which entry, and what a substitute bot of the host has done meanwhile.

A player who is away must not stop the game. After the entry *away* the host may let a bot play the seat (*bot*),
which all players see, until *back*, which the seat's key signs. A substitute bot has no key: its moves are the
host's.
"""

from collections.abc import Sequence

from msgspec import Struct

from .frames import Field, digest, u8, u64
from .identity import Identity, verify
from .log import AWAY, BACK, BOT, SeatChange


class Absence(Struct):
    """The player of a seat is away from entry `n` on, whose hash is `head`, empty until the next entry. `bot` is
    the entry from which on a substitute of this level plays the seat, None without one; `moves` are the entries
    with its moves. `until` is the entry with *back*, None while the player is away."""

    n: int
    seat: int
    head: bytes = b""
    bot: int | None = None
    level: str = ""
    moves: list[int] = []
    until: int | None = None


class Absences:
    """The absences of a game; `all` has them in order."""

    def __init__(self, game: bytes, keys: Sequence[bytes]) -> None:
        """`keys` are those of the seats."""
        self._game = game
        self._keys = tuple(keys)
        self.all: list[Absence] = []
        self._now: dict[int, Absence] = {}

    def now(self, seat: int) -> Absence | None:
        """The absence of a seat whose player is away now."""
        return self._now.get(seat)

    def substitute(self, seat: int) -> Absence | None:
        """The absence of a seat that a substitute plays now."""
        absence = self._now.get(seat)
        return absence if absence is not None and absence.bot is not None else None

    @property
    def substituted(self) -> tuple[int, ...]:
        """The seats that substitutes play now."""
        return tuple(seat for seat in sorted(self._now) if self.substitute(seat) is not None)

    def reached(self, n: int, head: bytes) -> None:
        """Entry `n` has the hash `head`."""
        if self.all and self.all[-1].n == n:
            self.all[-1].head = head

    def moved(self, seat: int, n: int) -> None:
        """A seat moves in entry `n`."""
        if (absence := self.substitute(seat)) is not None:
            absence.moves.append(n)

    def change(self, n: int, entry: SeatChange) -> str:
        """Take entry `n`; what is wrong with it, a code of `findings`, or nothing."""
        if entry.seat >= len(self._keys):
            return "seats"
        absence = self._now.get(entry.seat)
        if entry.what == AWAY:
            if absence is not None:
                return "away"
            self._now[entry.seat] = Absence(n, entry.seat)
            self.all.append(self._now[entry.seat])
        elif entry.what == BOT:
            if absence is None or absence.bot is not None:
                return "substitute"
            absence.bot, absence.level = n, entry.level
        elif not self.returns(entry.seat, entry.sig):
            return "back"
        else:
            self._now.pop(entry.seat).until = n
        return ""

    def returns(self, seat: int, signature: bytes) -> bool:
        """Whether the seat's key has signed that its player is back from the absence that lasts."""
        absence = self._now.get(seat)
        if absence is None:
            return False
        return verify(self._keys[seat], signature, "back", *_back_fields(self._game, absence, absence.head))


def sign_back(owner: Identity, game: bytes, absence: Absence, head: bytes) -> SeatChange:
    """The entry by which the player of a seat is back from an absence; `head` is the hash of its *away* entry."""
    return SeatChange(absence.seat, BACK, "", owner.sign("back", *_back_fields(game, absence, head)))


def _back_fields(game: bytes, absence: Absence, head: bytes) -> tuple[Field, ...]:
    return game, u64(absence.n), head, u8(absence.seat)


def substitute_key(secret: bytes, seat: int) -> bytes:
    """The key of the nonces of a seat's substitute, from the host's secret."""
    return digest("bot", secret, u8(seat))
