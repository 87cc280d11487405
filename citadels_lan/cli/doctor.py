"""`doctor`: can this machine host and join, and what has to be done about it?"""

import argparse
from typing import TYPE_CHECKING

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, REFUSED, Console

if TYPE_CHECKING:
    from citadels_lan.doctor.machine import Check, Machine


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.options.add_argument("--json", action="store_true", help=say("what was found as one JSON object"))
    parser.epilog = say(
        "The exit code is 0 where this machine can host and join, and 1 where something has to be done first."
    )


def run(console: Console, options: argparse.Namespace) -> int:
    import asyncio

    from citadels_lan.doctor.advice import BAD, GOOD, checks_json, good
    from citadels_lan.doctor.machine import machine
    from citadels_lan.doctor.network import PORTS
    from citadels_lan.systems.logs import log_to_file

    log_to_file()
    this = machine()
    checks = asyncio.run(_examine(console, this, quiet=options.json))
    if options.json:
        console.line(checks_json(console.texts, this.kind, PORTS, checks))
    else:
        console.line()
        console.say(GOOD if good(checks) else BAD)
    return DONE if good(checks) else REFUSED


async def _examine(console: Console, this: "Machine", *, quiet: bool) -> "list[Check]":
    """All checks, each said as it comes."""
    from citadels_lan.doctor.advice import check_lines
    from citadels_lan.doctor.network import PORTS, examine

    checks = []
    async for check in examine(this):
        checks.append(check)
        for line in () if quiet else check_lines(console.texts, this.kind, PORTS, check):
            console.line(line)
    return checks
