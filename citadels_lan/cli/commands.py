"""The commands and their options. A --help imports no other command module."""

import shutil
import textwrap
from argparse import SUPPRESS, Action, Namespace
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Final, NamedTuple

from citadels_lan import PROTOCOL, __version__
from citadels_lan.cli.console import NOT_FOUND, Console
from citadels_lan.cli.parser import (
    A_DAY,
    FOLDER,
    PROGRAM,
    UNRECOGNIZED,
    Parser,
    Types,
    argparse_speaks,
    keys,
    path,
)
from citadels_lan.texts import LANGUAGES, Message, Texts, msg
from citadels_lan.texts.record import LIMITS, PROMISED, PROMISES
from citadels_lan.texts.terms import EDITIONS, OPTIONS

UNATTENDED: Final = 30
"""Seconds that `join` searches for a game without a terminal, unless --timeout says otherwise."""
SHELLS: Final = ("bash", "zsh", "fish")


def whole_parser(texts: Texts) -> Parser:
    """Return the parser of all commands, also for a shell's completion and for the manual page."""
    return _program(texts)[0]


def parse(texts: Texts, words: Sequence[str]) -> Namespace:
    """Read a command line; `command` is "home" if there is none. Raises Failure, or SystemExit after --help."""
    with argparse_speaks(texts):
        parser, commands = _program(texts)
        options, extra = parser.parse_known_args(words)
        if extra:  # argparse would show the help of the program, and not that of the command
            commands.get(options.command, parser).error(texts.say(UNRECOGNIZED) % " ".join(extra))
    # A subparser has no default: without a command it leaves None.
    options.command = options.command or "home"
    return options


def run(console: Console, options: Namespace) -> int:
    """Run a command, and return its exit code."""
    module = "play" if options.command == "home" else COMMANDS[options.command].module
    command: Callable[[Console, Namespace], int] = getattr(
        import_module(f"citadels_lan.cli.{module}"), options.command
    )
    return command(console, options)


def _program(texts: Texts) -> tuple[Parser, dict[str, Parser]]:
    say = texts.say
    about = say("Play Citadels with friends on one network, each in a terminal.")
    parser = Parser(
        texts,
        prog=PROGRAM,
        description=f"{about}\n{say('Without a command: the home screen.')}",
        epilog=say("For the promises of a closed game, run `citadels-lan verify --help`."),
    )
    _language(parser, None)
    parser.add_argument("--plain", action="store_true", help=say("lines of text instead of screens"))
    parser.add_argument(
        "--version", action="version", version=f"{PROGRAM} {__version__}, {say('protocol')} {PROTOCOL}",
        help=say("the versions of the program and of the protocol"),
    )  # fmt: skip
    title, word = say("Commands"), say("COMMAND")
    adding = parser.add_subparsers(title=title, metavar=word, dest="command", prog=PROGRAM)
    commands = {}
    for name, command in COMMANDS.items():
        summary = say(command.summary)
        commands[name] = adding.add_parser(name, texts=texts, help=summary, description=summary)
        command.declare(commands[name])
        _language(commands[name], SUPPRESS)
    return parser, commands


def _language(parser: Parser, default: str | None) -> None:
    about = parser.texts.say("the language; else CITADELS_LANG, the settings, the system")
    # The default of a command would replace a value that stands before the command.
    parser.add_argument("--lang", choices=LANGUAGES, default=default, help=about)


# Groups of options that several commands share


def _table(parser: Parser, *, seed: bool = False, bots: bool = True) -> None:
    """Declare the options of a game. `seed`: all chance can be fixed. `bots`: bots can have seats."""
    say, types = parser.texts.say, Types(parser.texts)
    parser.epilog = _edition_help(parser.texts)
    add = parser.add_argument_group(say("The table")).add_argument
    players = say("how many players, as many as the edition is for (4)")
    add("--players", metavar="N", type=types.whole(0, 99), default=4, help=players)
    if bots:
        levels = say(
            "the bots: easy, normal, hard or expert, in a way of playing that is drawn for each or said "
            "(hard/builder, rusher, meddler, collector); sensible, random; one level for all, or one for each"
        )
        add("--bots", metavar="LEVEL,…", type=types.levels, default=(), help=levels)
    _edition(add, parser.texts)
    scenario = say("the characters and unique districts, where the edition has a choice (its first one)")
    add("--scenario", metavar="NAME", help=scenario)
    cast = say("these characters, the others as in the scenario")
    add("--cast", metavar="KEY,…", type=keys, default=(), help=cast)
    uniques = say("these unique districts, the others as in the scenario")
    add("--uniques", metavar="KEY,…", type=keys, default=(), help=uniques)
    add("--without", metavar="KEY,…", type=keys, default=(), help=say("without these unique districts"))
    if seed:
        fixed = say("fixes all chance; such a game is not a fair one")
        add("--seed", metavar="HEX", type=types.seed, help=fixed)


def _edition(add: Callable[..., Action], texts: Texts) -> None:
    edition = texts.say("the edition of the rules, see below (2016)")
    add("--edition", metavar="NAME", type=Types(texts).edition, help=edition)
    option = texts.say("an option of the edition, see below; repeatable")
    add("--option", metavar="NAME=VALUE", action="append", default=[], help=option)


def _edition_help(texts: Texts) -> str:
    """Return a sentence for each edition and for each option."""
    # argparse does not wrap an epilog, because that would join the lines of the list.
    width = max(shutil.get_terminal_size().columns - 2, 40)
    return "\n".join(_edition_lines(texts, width))


def _edition_lines(texts: Texts, width: int) -> Iterator[str]:
    yield texts.say(msg("Editions:"))
    for key, edition in EDITIONS.items():
        least, most = edition.players
        players = texts.say(msg("For {least} to {most} players."), least=least, most=most)
        yield from _entry(key, f"{texts.say(edition.summary)} {players}", width)
        if edition.options:
            yield from _entry("", texts.say(msg("Options: {options}."), options=", ".join(edition.options)), width)
    yield ""
    yield texts.say(msg("Options of editions, for --option; the first value is the usual one:"))
    for key, option in OPTIONS.items():
        yield f"  {key}={'|'.join(map(str, option.values))}"
        yield from _entry("", texts.say(option.about), width)


def _entry(key: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, initial_indent=f"  {key:14}", subsequent_indent=" " * 16)


def _person(parser: Parser) -> None:
    """Declare the options of the player at this computer."""
    say = parser.texts.say
    group = parser.add_argument_group(say("You"))
    name = say("your name at the table")
    group.add_argument("--name", metavar="NAME", type=Types(parser.texts).name, help=name)
    out = say("where the transcripts go (your data folder)")
    path(group.add_argument("--out", metavar="DIR", help=out), FOLDER)
    plain = say("lines of text instead of screens")
    group.add_argument("--plain", action="store_true", default=SUPPRESS, help=plain)


# The commands


def _play(parser: Parser) -> None:
    say = parser.texts.say
    _table(parser)
    _person(parser)
    speed = say("how long bots wait before their moves: slow, normal or instant (the settings)")
    parser.add_argument("--bot-speed", choices=("slow", "normal", "instant"), metavar="SPEED", help=speed)
    parser.add_argument("--guide", action="store_true", help=say("the tutorial: three rounds with lessons"))
    parser.add_argument("--auto", action="store_true", help=say("a bot plays your seat too, without a screen"))


def _host(parser: Parser) -> None:
    say, types = parser.texts.say, Types(parser.texts)
    _table(parser)
    _person(parser)
    host = parser.add_argument_group(say("The host"))
    add = host.add_argument
    port = say("the port to listen on (47110, or any free one)")
    add("--port", metavar="N", type=types.whole(0, 65535), help=port)
    quiet = say(
        "do not announce the table on the network, by mDNS or otherwise; who has a seat there still finds it"
    )
    add("--no-mdns", action="store_true", help=quiet)
    code = say("the words that let friends in (three, made for the table)")
    admission = host.add_mutually_exclusive_group()
    admission.add_argument("--code", nargs="+", metavar="WORD", help=code)
    admission.add_argument("--open", action="store_true", help=say("ask for no code"))
    web = say("let friends play in a browser, through this computer (port 47180, or any free one)")
    add("--web", metavar="PORT", nargs="?", const=True, type=types.whole(0, 65535), help=web)
    draft = say(
        "sealed: no computer, not even this one, knows another player's character before "
        "it is called; all players must be connected at each call (open)"
    )
    add("--draft", metavar="open|sealed", choices=("open", "sealed"), default="open", help=draft)
    hints = say("players cannot ask for hints")
    add("--no-hints", action="store_true", help=hints)
    add("--headless", action="store_true", help=say("only host: do not play here"))
    takeover = say(
        "seconds after which a bot moves for a player who is gone, or ask, or never (ask; headless: 60)"
    )
    add("--takeover", metavar="WHEN", type=types.takeover, help=takeover)
    level = say("which bot that is (sensible)")
    add("--takeover-level", metavar="LEVEL", type=types.substitute, default="sensible", help=level)
    clock = say("show how long each decision takes, and remind the player; never decides")
    add("--clock", metavar="SECONDS", type=types.whole(1, 3600), default=0, help=clock)
    resume = say("resume a game: its journal, or its number in the list")
    path(add("--resume", metavar="FILE", nargs="?", const="", help=resume))
    about = say(
        "--bots names one bot for each seat that a bot takes; without it all seats are for people.\n"
        "A table that is only run begins when all seats are taken, and ends with the game.\n"
        "A line n makes a new code for it; so does the signal SIGUSR1, where there is one.\n"
        "A line `hand NAME` hands the game over to that player's computer."
    )
    parser.epilog = f"{about}\n\n{parser.epilog}"


def _join(parser: Parser) -> None:
    say, types, add = parser.texts.say, Types(parser.texts), parser.add_argument
    address = say("an address or a link; else the tables found here")
    add("address", nargs="?", metavar=say("ADDRESS"), help=address)
    code = say("the words that let in, as the host tells them; or a link")
    add("--code", nargs="+", metavar="WORD", help=code)
    role = parser.add_mutually_exclusive_group()
    role.add_argument("--spectate", action="store_true", help=say("only watch"))
    level = say("send a bot: easy, normal, hard, expert, sensible or random")
    role.add_argument("--bot", metavar="LEVEL", type=types.level, help=level)
    timeout = say(
        "search this long for a game; 0: until Ctrl-C (0; without a terminal {seconds})", seconds=UNATTENDED
    )
    add("--timeout", metavar="SECONDS", type=types.whole(0, A_DAY), help=timeout)
    # For a program that shows this one elsewhere (`host --web`): the code is the first line of standard input, and
    # the screens go to standard output as packets (ui.pipe_driver).
    add("--pipe", action="store_true", help=SUPPRESS)
    _person(parser)
    parser.epilog = say("Exit code {code}: no game was found on this network.", code=NOT_FOUND)


def _verify(parser: Parser) -> None:
    say = parser.texts.say
    files = say("transcripts, folders of files ending in .ctr, or - for standard input")
    path(parser.add_argument("files", nargs="+", metavar=say("FILE"), help=files))
    parser.add_argument("--json", action="store_true", help=say("the report as one JSON object, for programs"))
    codes = say(
        "Exit codes: 0 verified, 1 proof of cheating, 2 wrong command, 3 damaged, no transcript, or an older\n"
        "format, 4 incomplete, 5 played with other rules than this program has. (5 of `join` means that it\n"
        "found no game.)"
    )
    promises = (f"{number}. {say(text)}" for number, text in enumerate(PROMISES, 1))
    parts = (codes, say(PROMISED), *promises, *map(say, LIMITS))
    parser.epilog = "\n".join(textwrap.fill(part, 80) for part in parts)


def _replay(parser: Parser) -> None:
    say, types, add = parser.texts.say, Types(parser.texts), parser.add_argument
    out = say("OUT")
    path(add("file", metavar=say("FILE"), help=say("a transcript, a file ending in .ctr")))
    add("--text", metavar=out, nargs="?", const="-", help=say("the whole game in sentences, to a file or here"))
    plain = say("lines of text instead of screens: the same as --text")
    add("--plain", action="store_true", default=SUPPRESS, help=plain)
    path(add("--svg", metavar=out, help=say("a picture of one moment, which --at says")))
    add("--cast", metavar=out, help=say("a film of the whole game, which asciinema plays"))
    at = say("the number of the move for --svg; without it the last one")
    add("--at", metavar="N", type=types.whole(1, 999_999), help=at)
    speed = say("moves in a second of the film; without it 2")
    add("--speed", metavar="N", type=types.real(0.1, 100), help=speed)
    size = say("columns and lines of picture and film; 120x40")
    add("--size", metavar="CxL", type=types.size, default=(120, 40), help=size)
    add("--ascii", action="store_true", help=say("picture and film with signs of ASCII alone"))
    add("--force", action="store_true", help=say("replace existing files"))
    parser.epilog = say("The file is not checked. To check it, run `citadels-lan verify FILE`.")


def _show(parser: Parser) -> None:
    say = parser.texts.say
    file = say("a transcript, a file ending in .ctr, or - for standard input")
    path(parser.add_argument("file", metavar=say("FILE"), help=file))
    review = say("the biggest mistakes of the player who saved the file, with better moves")
    parser.add_argument("--review", action="store_true", help=review)
    parser.epilog = say("The file is not checked. To check it, run `citadels-lan verify FILE`.")


def _games(parser: Parser) -> None:
    say, add = parser.texts.say, parser.add_argument
    add("--statistics", action="store_true", help=say("what they come to: wins, points, characters"))
    add("--json", action="store_true", help=say("the same as JSON"))
    path(add("--out", metavar="DIR", help=say("where the transcripts are")), FOLDER)
    parser.epilog = say("Resume a game that this computer hosts with `citadels-lan host --resume`.")


def _people(parser: Parser) -> None:
    say, add = parser.texts.say, parser.add_argument
    add("name", nargs="*", metavar=say("NAME"), help=say("a name, a nickname, or the first words of a key"))
    add("--json", action="store_true", help=say("the list as one JSON object"))
    change = parser.add_mutually_exclusive_group()
    nickname = say('set a nickname; "" removes it')
    change.add_argument("--nickname", metavar=say("TEXT"), help=nickname)
    change.add_argument("--forget", action="store_true", help=say("forget a player"))
    parser.epilog = say(
        "The program remembers the key of each player who finished a game with you. Six "
        "words stand\nfor a key: compare them with your friend's screen (keys in the "
        "lobby, or `citadels-lan verify`)."
    )


def _rules(parser: Parser) -> None:
    say, add = parser.texts.say, parser.add_argument
    name = say("a card or a rule, by its name in any language or its key")
    add("name", nargs="*", metavar=say("NAME"), help=name)
    _edition(add, parser.texts)
    add("--list", action="store_true", help=say("all topics"))
    parser.epilog = _edition_help(parser.texts)


def _doctor(parser: Parser) -> None:
    say = parser.texts.say
    parser.add_argument("--json", action="store_true", help=say("what was found as one JSON object"))
    parser.epilog = say(
        "The exit code is 0 where this machine can host and join, and 1 where something has to be done first."
    )


def _simulate(parser: Parser) -> None:
    _table(parser, seed=True)
    _run_of_games(parser, "--games", parser.texts.say("how many games (100)"))


def _arena(parser: Parser) -> None:
    say, types, add = parser.texts.say, Types(parser.texts), parser.add_argument
    bots = say("the bot in question, and those it plays against: one for all other seats, or one for each")
    add("bots", metavar=say("LEVEL,…"), help=bots)
    plugin = say(
        "a bot from this file or folder; it runs with all your permissions, so use only "
        "code that you trust; repeatable"
    )
    path(add("--plugin", metavar=say("FILE"), action="append", default=[], help=plugin))
    match = parser.add_mutually_exclusive_group()
    match.add_argument("--round-robin", action="store_true", help=say("each bot against tables of each other one"))
    _table(parser, seed=True, bots=False)
    deals = say("how many deals, each played once for every seat (100)")
    dask = say("the workers of this Dask scheduler play them (the extra `dask`)")
    add = _run_of_games(parser, "--deals", deals, dask)
    share = say(
        "stop as soon as it is settled whether the first bot wins this share of the games, in percent; ends "
        "with 0 only where it does"
    )
    match.add_argument("--at-least", metavar="SHARE", type=types.real(0.1, 99.9), help=share)
    margin = say("so many percent less than --at-least are certainly not enough (5)")
    add("--margin", metavar="SHARE", type=types.real(0.1, 99.9), help=margin)
    path(add("--svg", metavar=say("OUT"), help=say("a picture of the strengths")))
    add("--force", action="store_true", help=say("replace an existing picture"))


def _run_of_games(parser: Parser, option: str, about: str, dask: str = "") -> Callable[..., Action]:
    say, types = parser.texts.say, Types(parser.texts)
    run = parser.add_argument_group(say("The run"))
    run.add_argument(option, metavar="N", type=types.whole(1, 1_000_000), default=100, help=about)
    jobs = say("how many processes play them (1)")
    workers = run.add_mutually_exclusive_group()
    workers.add_argument("--jobs", metavar="J", type=types.whole(1, 256), default=1, help=jobs)
    if dask:
        workers.add_argument("--dask", metavar="ADDRESS", type=types.scheduler, help=dask)
    run.add_argument("--json", action="store_true", help=say("the last line is one JSON object"))
    return run.add_argument


def _completion(parser: Parser) -> None:
    say = parser.texts.say
    parser.add_argument("shell", choices=SHELLS, help=say("the shell that is to complete"))
    parser.epilog = say(
        "For bash: `citadels-lan completion bash > ~/.local/share/bash-completion/completions/citadels-lan`"
    )


class Command(NamedTuple):
    """A command: what it does, what declares its options, and the module that has the function of its name."""

    summary: Message
    declare: Callable[[Parser], None]
    module: str


COMMANDS: Final = {
    "play": Command(msg("play against bots on this machine"), _play, "play"),
    "host": Command(msg("open a table on the network and sit at it"), _host, "host"),
    "join": Command(msg("sit at a table on the network, or watch one"), _join, "join"),
    "verify": Command(msg("check the proofs in transcripts, offline"), _verify, "transcripts"),
    "replay": Command(msg("step through a finished game, all hands open"), _replay, "replay"),
    "show": Command(msg("a transcript as text, a line for each move"), _show, "transcripts"),
    "games": Command(msg("your games, finished and unfinished"), _games, "games"),
    "people": Command(msg("the players you know, and the words of their keys"), _people, "people"),
    "rules": Command(msg("what a character, a district or a rule says"), _rules, "information"),
    "doctor": Command(msg("can this machine host and join, and what to do about it"), _doctor, "information"),
    "simulate": Command(msg("games without network and screen, for numbers"), _simulate, "arena"),
    "arena": Command(msg("measure bots in matches, also your own"), _arena, "arena"),
    "completion": Command(msg("what a shell needs to complete these commands"), _completion, "information"),
}
"""The commands, in the order of the help."""
