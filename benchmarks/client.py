"""Run by `benchmarks.app` in a separate terminal: measures the screens with a recorded game.

`python -m benchmarks.client RESULT EDITION SCENARIO PLAYERS EVENTS` writes the figures as JSON to the file
RESULT."""

import asyncio
import json
import sys
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citadels_lan.engine import TableConfig
    from citadels_lan.ui.app import CitadelsApp

    from .recorded import Recorded


async def measure(config: "TableConfig", events: int) -> dict[str, float]:
    """Show a table, then apply this many entries (`events`) one by one. Return the measurements by name."""
    from .recorded import Recorded

    session = Recorded(config)
    from citadels_lan.presenter.launcher import Place
    from citadels_lan.ui.app import CitadelsApp

    app = CitadelsApp(Place(session), language="en")
    running = asyncio.get_running_loop().create_task(app.run_async())  # kept: awaited at the end
    await _table_painted(app)
    await asyncio.sleep(1)
    costs = sorted([await _entry(app, session) for _ in range(events)])
    app.exit()
    await running
    return {"paint_median": median(costs) * 1e3, "paint_p95": costs[len(costs) * 95 // 100] * 1e3}


async def _table_painted(app: "CitadelsApp") -> None:
    """Wait until the table has been painted for the first time."""
    from citadels_lan.ui.screens.table import TableScreen

    def ready() -> bool:
        return app.is_running and isinstance(app.screen, TableScreen) and bool(app.screen.size.area)

    while not ready():  # noqa: ASYNC110 - Textual has no event for it
        await asyncio.sleep(0.01)
    shown = asyncio.Event()
    app.screen.call_after_refresh(shown.set)
    await shown.wait()


async def _entry(app: "CitadelsApp", session: "Recorded") -> float:
    """Return the CPU seconds from the arrival of an entry until it is painted, including cursors and
    clocks."""
    before = process_time()
    if not session.tell():
        raise RuntimeError("the recorded game is too short")
    await session.heard()
    painted = asyncio.Event()
    app.call_later(app.call_after_refresh, painted.set)
    await painted.wait()
    await asyncio.sleep(0.05)  # what is painted a little later is included
    return process_time() - before


def main(result: str, edition: str, scenario: str, players: str, events: str) -> None:
    from citadels_lan.engine import from_scenario

    config = from_scenario(scenario, int(players), edition_key=edition)
    figures = asyncio.run(measure(config, int(events)))
    Path(result).write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
