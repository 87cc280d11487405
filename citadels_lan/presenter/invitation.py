"""How friends join a table of this program: addresses, code, link and QR code."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from citadels_lan.net.join.join_code import JoinCode
from citadels_lan.texts import Texts, msg

if TYPE_CHECKING:
    from citadels_lan.net.host.opening import OpenTable


GUESSED = msg("Many wrong codes were entered. Friends can join with the link, or wait. You can make a new code.")
"""The warning, shown on screens, that someone is guessing the code."""
WRONG = msg("{count} wrong codes from {address}.")
"""The notice that an address has entered wrong codes and is delayed."""
RENEWED = msg("The game has a new code. The old one no longer works.")
GUESSED_LINES = msg(
    "Many wrong codes were entered. Friends can join with the link, or wait. newcode makes a new code."
)
OPEN = msg("No code: anyone on this network can join, and your friends cannot recognize a fake game.")
NOWHERE = msg("This computer has no network now. Only programs on this computer can join.")
UNANNOUNCED = msg("This game cannot be announced on the network. Give your friends its address or link.")
BROWSER = msg("In a browser, without the program, through this computer: {link}")
MORE = msg("Other addresses of this computer: {addresses}")


async def watch_table(table: "OpenTable", tell: Callable[..., object]) -> None:
    """Call `tell` with a text and its values whenever the host should know something about the table: a guest
    guesses the code, the code changes, or friends cannot find the table (once)."""

    async def announced() -> None:
        await table.unannounced.wait()
        tell(UNANNOUNCED)

    async def changed() -> None:
        while True:
            await table.code_changed.wait()
            table.code_changed.clear()
            address, count = table.join_code.wrong
            if table.join_code.guessed or not count:
                tell(GUESSED if table.join_code.guessed else RENEWED)
            else:
                tell(WRONG, count=str(count), address=address)

    # A TaskGroup would wrap what `tell` raises.
    await asyncio.gather(announced(), changed())


@dataclass(frozen=True)
class Invitation:
    """How friends join a table that this program hosts. `addresses` are the addresses of this computer, the
    best one first. `join_code` contains the code. `link` returns the current link for the program; None
    without a network. `web` returns the link for a browser; None if browsers cannot join. `table` is the
    hosted table. `hand_to` hands over the hosting to the player with this name."""

    addresses: tuple[str, ...]
    join_code: JoinCode
    link: Callable[[], str] | None = None
    web: Callable[[], str] | None = None
    table: "OpenTable | None" = None
    hand_to: Callable[[str], Awaitable[None]] | None = None

    def command(self) -> str:
        """Return the command that a friend types or pastes to join. Call it only if there is a network."""
        code = f" --code {self.join_code.code}" if self.join_code.code else ""
        return f"citadels-lan join {self.addresses[0]}{code}"

    def ways(self) -> list[str]:
        """Return the command and the link; an empty list without a network."""
        return [self.command(), self.link()] if self.link is not None else []

    def qr(self, *, ascii_only: bool = False, web: bool = False) -> Sequence[str]:
        """Return the lines of a QR code with the link for the program, or with `web` the link for a
        browser."""
        link = self.web if web else self.link
        return qr_lines(link(), ascii_only=ascii_only) if link is not None else ()


def invitation_lines(texts: Texts, invitation: Invitation) -> Iterator[str]:
    """Yield, for line mode, everything that friends need to join."""
    say, door = texts.say, invitation.join_code
    if door.guessed:
        yield say(GUESSED_LINES)
    yield say(OPEN) if door.open else say("code: {code}", code=door.code)
    if invitation.link is None:
        yield say(NOWHERE)
        return
    yield say("Tell your friends: {command}", command=invitation.command())
    yield say("or the link: {link} (qr: as a QR code)", link=invitation.link())
    if invitation.web is not None:
        yield say(BROWSER, link=invitation.web())
    if len(invitation.addresses) > 1:
        yield say(MORE, addresses=", ".join(invitation.addresses[1:]))


QUIET: Final = 2
"""The width of the light border of a QR code, in modules. The standard requires four; two are enough for
cameras and save lines."""
HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""The character for two modules of a QR code that are above each other; True is a dark module. The program
draws the light modules and leaves the dark ones empty, because most terminals are dark."""
ASCII: Final = {False: "##", True: "  "}


@lru_cache(maxsize=4)
def qr_lines(text: str, *, ascii_only: bool = False) -> Sequence[str]:
    """Return the lines of a QR code: half blocks, about 40 columns by 20 lines for a link; twice that in ASCII."""
    # The library is loaded only when a QR code is shown.
    import segno

    code = segno.make(text, error="l", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET)]
    if ascii_only:
        return ["".join(ASCII[dark] for dark in row) for row in rows]
    # Two rows of modules share one line of text.
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=[False] * len(rows[0]))
    return ["".join(HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs]
