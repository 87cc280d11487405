"""The picture in the README: `python -m tests.ui.readme_picture` plays a game to its eighth round and draws it."""

import asyncio
import re
from pathlib import Path

from citadels_lan.bots import make_policy
from citadels_lan.front.launcher import Place
from citadels_lan.ui.app import CitadelsApp
from tests.ui.fake import FakeSession

TARGET = Path(__file__).parent.parent.parent / "docs" / "table.svg"
SIZE = (120, 40)
MOVES = 34
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


async def draw() -> str:
    """The table as SVG, with the fonts of whoever looks at it."""
    session = FakeSession(5, seed=5)
    session.words = ("zebra", "opera", "radio", "tango")
    app = CitadelsApp(Place(session), language="en")
    policy = make_policy("sensible", 1)
    moves = 0
    async with app.run_test(size=SIZE) as pilot:
        while session.state is None or moves < MOVES or not session.choices() or session.state.phase != "turns":
            choices = session.choices()
            if choices and session.state is not None and session.seat is not None:
                await session.act(policy.choose(session.state, session.seat, choices))
                moves += 1
            await pilot.pause()
        await pilot.pause(0.5)
        return FONT_FACE.sub("", app.export_screenshot(title="citadels-lan"))


if __name__ == "__main__":
    TARGET.write_text(asyncio.run(draw()), encoding="utf-8")
