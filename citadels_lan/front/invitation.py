"""How friends join a table that was opened here: addresses, code, link and QR code."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from citadels_lan.net.join.door import Door
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:
    from citadels_lan.net.host.opening import OpenTable


GUESSED = msg("Somebody is guessing the code: friends come in with the link, or wait. You can make a new one.")
"""What the host is told on the screens."""
RENEWED = msg("The table has a new code; the one of before lets nobody in any more.")
GUESSED_LINES = msg(
    "Somebody is guessing the code: friends come in with the link, or wait. newcode makes a new code."
)
OPEN = msg("No code: whoever is on this network may join, and your friends cannot tell a false table from yours.")
NOWHERE = msg("This machine has no network now: only programs on it can join.")
UNANNOUNCED = msg("The network cannot be told of this table: give your friends its address or its link.")
BROWSER = msg("Without the program, in a browser, through this computer: {link}")
MORE = msg("Other addresses of this machine: {addresses}")


@dataclass(frozen=True)
class Invitation:
    """How friends join a table that this program hosts. `addresses` are those of the table, the best first; `door`
    has its code. `link` returns the present link for the program: None without a network, where there are no
    addresses. `web` returns the link for a browser: None if browsers cannot join. `table` is the table itself.
    `hand_to` hands the game over to the player of this name."""

    addresses: tuple[str, ...]
    door: Door
    link: Callable[[], str] | None = None
    web: Callable[[], str] | None = None
    table: "OpenTable | None" = None
    hand_to: Callable[[str], Awaitable[None]] | None = None

    def command(self) -> str:
        """The command for a friend to type or paste, where there is a network."""
        code = f" --code {self.door.code}" if self.door.code else ""
        return f"citadels-lan join {self.addresses[0]}{code}"

    def ways(self) -> list[str]:
        """The command and the link; none without a network."""
        return [self.command(), self.link()] if self.link is not None else []

    def qr(self, *, ascii_only: bool = False, web: bool = False) -> Sequence[str]:
        """The link as a QR code, or the one for a browser."""
        link = self.web if web else self.link
        return qr_lines(link(), ascii_only=ascii_only) if link is not None else ()


def invitation_lines(texts: Texts, invitation: Invitation) -> Iterator[str]:
    """Everything that friends need to join, for line mode."""
    say, door = texts.say, invitation.door
    if door.guessed:
        yield say(GUESSED_LINES)
    yield say(OPEN) if door.open else say(msg("code: {code}"), code=door.code)
    if invitation.link is None:
        yield say(NOWHERE)
        return
    yield say(msg("Tell your friends: {command}"), command=invitation.command())
    yield say(msg("or the link: {link} (qr: as a QR code)"), link=invitation.link())
    if invitation.web is not None:
        yield say(BROWSER, link=invitation.web())
    if len(invitation.addresses) > 1:
        yield say(MORE, addresses=", ".join(invitation.addresses[1:]))


QUIET: Final = 2
"""Light modules around the code. The standard wants four; cameras are content with two, and lines are few."""
HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules of a column, the upper first, true where dark: light ones are drawn, since terminals are dark."""
ASCII: Final = {False: "##", True: "  "}


@lru_cache(maxsize=4)
def qr_lines(text: str, *, ascii_only: bool = False) -> Sequence[str]:
    """The lines of a QR code: half blocks, about 40 columns by 20 lines for a link; or twice that in ASCII."""
    import segno

    code = segno.make(text, error="l", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]
    if ascii_only:
        return ["".join(ASCII[dark] for dark in row) for row in rows]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return [
        "".join(HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
