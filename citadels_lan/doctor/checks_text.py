"""Checks as lines for people, and as data for programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from citadels_lan.systems.kind import Kind
from citadels_lan.texts import Message, Texts, msg

from .advice import ADVICE
from .check import Check, State

STATES: Final[dict[State, Message]] = {"fine": msg("fine"), "note": msg("note"), "trouble": msg("trouble")}
GOOD: Final = msg("This machine can host and join.")
BAD: Final = msg("Something has to be done first: see above.")


def good(checks: Iterable[Check]) -> bool:
    """Whether a table can be hosted and joined here."""
    return all(check.state != "trouble" for check in checks)


def check_lines(texts: Texts, kind: Kind, ports: Mapping[str, int], check: Check) -> list[str]:
    """One line, and a second where there is something to do. `ports` are the values of remedies."""
    said = texts.say(check.said, **check.values)
    lines = [f"{texts.say(STATES[check.state]):>8}  {texts.say(check.what)}: {said}"]
    if check.advice:
        lines.append(f"{'':10}{remedy(texts, kind, ports, check)}")
    return lines


def remedy(texts: Texts, kind: Kind, ports: Mapping[str, int], check: Check) -> str:
    """What to do about it, "" where it is nothing."""
    return texts.say(ADVICE[check.advice].remedy(kind), **ports) if check.advice else ""


def checks_json(texts: Texts, kind: Kind, ports: Mapping[str, int], checks: Sequence[Check]) -> str:
    """One JSON object."""
    return json.dumps(
        {"good": good(checks), "system": kind, "checks": [_data(texts, kind, ports, one) for one in checks]},
        ensure_ascii=False,
    )


def _data(texts: Texts, kind: Kind, ports: Mapping[str, int], check: Check) -> dict[str, Any]:
    values = {name: value if isinstance(value, int | str) else str(value) for name, value in check.values.items()}
    return {
        "key": check.key,
        "state": check.state,
        "said": texts.say(check.said, **check.values),
        "values": values,
        "advice": check.advice,
        "remedy": remedy(texts, kind, ports, check),
    }
