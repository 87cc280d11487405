"""What an arena is asked for: who plays whom, what is to be settled, and who plays the games."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.console import Console
from citadels_lan.cli.failures import REFUSED, UNREADABLE, Failure
from citadels_lan.cli.open.options import not_one_of, number
from citadels_lan.texts import Message, msg

if TYPE_CHECKING:
    from citadels_lan.bots.arena import Contender, Pairing, PluginFault, Question, Workers

MARGIN: Final = "5"
SCHEDULER: Final = re.compile(r"(tcp://|tls://)?[^\s/]+:[0-9]{1,5}")

FAULTS: Final[dict[str, Message]] = {
    "bad_name": msg("The plug-in {name} cannot be called so: letters, digits and _ make a name, 32 at most."),
    "unreadable": msg("The plug-in {name} cannot be read: {detail}."),
    "not_loaded": msg("The plug-in {name} cannot be loaded: {detail}."),
    "no_choose": msg("The plug-in {name} has no function `choose`; docs/bots.md shows one."),
    "raised": msg("The plug-in {name} failed: {detail}."),
    "no_action": msg("The plug-in {name} returned no action but a value of type {detail}."),
    "illegal": msg("The plug-in {name} played what the rules refuse: {detail}."),
}


def question_of(console: Console, options: argparse.Namespace) -> "Question | None":
    """What is to be settled, where something is. Raises Failure."""
    from citadels_lan.bots.arena import Question

    if options.at_least is None:
        if options.margin is not None:
            raise console.wrong(msg("--margin belongs to --at-least, and needs it."))
        return None
    if options.round_robin:
        raise console.wrong(msg("--at-least asks for one bot, and --round-robin plays them all: choose one."))
    share = _percent(console, "--at-least", options.at_least)
    margin = _percent(console, "--margin", options.margin or MARGIN)
    if margin >= share:
        raise console.wrong(msg("--margin is less than --at-least."))
    return Question(share, margin)


def _percent(console: Console, option: str, word: str) -> float:
    try:
        value = float(word) if word.isascii() else 0.0
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 99.9:
        raise console.wrong(msg("{option} is a number of percent from 0.1 to 99.9."), option=option)
    return value / 100


def check_picture(console: Console, options: argparse.Namespace) -> None:
    """Raises Failure before anything is played where the picture could not be kept."""
    if options.svg is None:
        if options.force:
            raise console.wrong(msg("--force replaces a picture: say which, with --svg."))
        return
    if Path(options.svg).exists() and not options.force:
        said = msg("There is a file {path} already; --force replaces it.")
        raise Failure(REFUSED, console.texts.say(said, path=options.svg))


def who_plays(
    console: Console, options: argparse.Namespace, players: int
) -> "tuple[tuple[Contender, ...], tuple[Pairing, ...]]":
    """The bots, each once, and who plays whom. Raises PluginFault."""
    from citadels_lan.bots import LEVELS
    from citadels_lan.bots.arena import Contender, read_plugin
    from citadels_lan.bots.arena.contest import against
    from citadels_lan.bots.arena.plugins import function_of

    names = [name.strip() for name in options.bots.split(",")]
    known = {name: Contender(name) for name in (*LEVELS, *names) if name in LEVELS}
    for path in options.plugin:
        plugin = read_plugin(Path(path).expanduser())
        if plugin.name in known:
            raise console.wrong(
                msg("There is a bot {name} already: give the plug-in another name."), name=plugin.name
            )
        function_of(plugin)
        known[plugin.name] = Contender(plugin.name, plugin)
    for name in names:
        if name not in known:
            raise not_one_of(console, "arena", name, known)
    distinct = tuple(dict.fromkeys(names))
    contenders = tuple(known[name] for name in distinct)
    if options.round_robin:
        if len(names) < 2 or len(distinct) != len(names):
            raise console.wrong(msg("--round-robin is played by two bots or more, each named once."))
        return contenders, tuple(against(len(names), players))
    if len(names) not in (2, players):
        raise console.wrong(
            msg(
                "arena takes a bot and those it plays against: one for all other seats, or one for each of the "
                "{others}; {named} are named."
            ),
            others=players - 1, named=len(names) - 1,
        )  # fmt: skip
    hero, *others = (distinct.index(name) for name in names)
    return contenders, ((hero, *(others if len(others) == players - 1 else others * (players - 1))),)


def workers_of(console: Console, options: argparse.Namespace) -> "Workers":
    """Who plays. Raises Failure where nobody can."""
    from citadels_lan.bots.arena.workers import OtherVersion, Workers

    jobs = number(console, "--jobs", options.jobs, 1, 256)
    if options.dask is None:
        return Workers.here(jobs)
    if jobs != 1:
        raise console.wrong(msg("--jobs and --dask both say who plays: choose one."))
    if SCHEDULER.fullmatch(options.dask) is None:
        raise console.wrong(msg("--dask takes the address of a scheduler, such as tcp://192.168.1.20:8786."))
    try:
        return Workers.dask(options.dask)
    except ImportError:
        raise console.wrong(
            msg("--dask needs {package}, which is not installed: `pip install 'citadels-lan[dask]'` installs it."),
            package="distributed",
        ) from None
    except OtherVersion as reason:
        said = msg("A worker has another version of this program ({reason}): all need the same.")
        raise Failure(REFUSED, console.texts.say(said, reason=reason)) from None
    except (OSError, ValueError):
        said = msg("No Dask scheduler with workers answers at {address}.")
        raise Failure(REFUSED, console.texts.say(said, address=options.dask)) from None


def at_fault(console: Console, fault: "PluginFault") -> Failure:
    """What is wrong with a plug-in, in a sentence that names it."""
    code = UNREADABLE if fault.code in ("unreadable", "not_loaded", "no_choose") else REFUSED
    return Failure(code, console.texts.say(FAULTS[fault.code], name=fault.plugin, detail=fault.detail))
