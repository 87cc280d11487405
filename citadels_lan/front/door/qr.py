"""A link as a QR code in lines of text, for a phone's camera."""

from typing import Final

QUIET: Final = 2
"""Light modules around the code. The standard wants four; cameras are content with two, and lines are few."""
HALVES: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules of a column, the upper first, true where dark: light ones are drawn, since terminals are dark."""
ASCII: Final = {False: "##", True: "  "}


def qr_lines(text: str, *, ascii_only: bool = False) -> list[str]:
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
