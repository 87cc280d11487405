"""How friends join a table that was opened here: addresses, code, link and QR code."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.texts import Message, Texts, msg

if TYPE_CHECKING:
    from citadels_lan.net.host.opening import OpenTable


GUESSED = msg("Many wrong codes arrive. Friends can join with the link, or wait. You can make a new code.")
"""The warning on the screens."""
WRONG = msg("{count} wrong codes from {address}.")
"""The notice about an address that has to wait."""
RENEWED = msg("The table has a new code. The old one no longer works.")
GUESSED_LINES = msg("Many wrong codes arrive. Friends can join with the link, or wait. newcode makes a new code.")
OPEN = msg("No code: anyone on this network can join, and your friends cannot recognize a false table.")
NOWHERE = msg("This machine has no network now: only programs on it can join.")
UNANNOUNCED = msg("This table cannot be announced on the network. Give your friends its address or link.")
BROWSER = msg("Without the program, in a browser, through this computer: {link}")
MORE = msg("Other addresses of this machine: {addresses}")


def code_news(join_code: JoinCode) -> tuple[Message, dict[str, str]]:
    """The sentence for the host after `JoinCode.changed`, and its values."""
    address, count = join_code.wrong
    if join_code.guessed:
        return GUESSED, {}
    return (WRONG, {"count": str(count), "address": address}) if count else (RENEWED, {})


@dataclass(frozen=True)
class Invitation:
    """How friends join a table that this program hosts. `addresses` are those of the table, the best first; `door`
    has its code. `link` returns the present link for the program: None without a network, where there are no
    addresses. `web` returns the link for a browser: None if browsers cannot join. `table` is the table itself.
    `hand_to` hands the game over to the player of this name."""

    addresses: tuple[str, ...]
    join_code: JoinCode
    link: Callable[[], str] | None = None
    web: Callable[[], str] | None = None
    table: "OpenTable | None" = None
    hand_to: Callable[[str], Awaitable[None]] | None = None

    def command(self) -> str:
        """The command for a friend to type or paste, where there is a network."""
        code = f" --code {self.join_code.code}" if self.join_code.code else ""
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
    say, door = texts.say, invitation.join_code
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
"""Light modules around the code. The standard requires four; two are enough for cameras and save lines."""
HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules of a column, the upper first, True for dark. Light modules are drawn, because terminals are dark."""
ASCII: Final = {False: "##", True: "  "}


@lru_cache(maxsize=4)
def qr_lines(text: str, *, ascii_only: bool = False) -> Sequence[str]:
    """The lines of a QR code: half blocks, about 40 columns by 20 lines for a link; or twice that in ASCII."""
    # The library is loaded only when a QR code is shown.
    import segno

    code = segno.make(text, error="l", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]
    if ascii_only:
        return ["".join(ASCII[dark] for dark in row) for row in rows]
    # Two rows of modules share one line of text.
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=[False] * len(rows[0]))
    return ["".join(HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]
