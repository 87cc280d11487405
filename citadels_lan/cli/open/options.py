"""The options of a table, shared by `play`, `host`, `simulate` and `arena`: what they mean, and errors in their
values.
"""

import argparse
import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import USAGE, Console, Failure, quoted
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.terms import EDITIONS, OPTIONS

if TYPE_CHECKING:
    from citadels_lan.engine import Edition, Options, TableConfig
    from citadels_lan.engine.config import Value


def edition_help(texts: Texts) -> str:
    """A sentence for each edition and for each option, and which edition has which."""
    width = max(shutil.get_terminal_size().columns - 2, 40)
    return "\n".join((*_edition_summaries(texts, width), "", *_option_help(texts, width)))


def _edition_summaries(texts: Texts, width: int) -> Iterator[str]:
    yield texts.say(msg("Editions:"))
    for key, edition in EDITIONS.items():
        least, most = edition.players
        players = texts.say(msg("For {least} to {most} players."), least=least, most=most)
        yield from _entry(key, f"{texts.say(edition.summary)} {players}", width)
        if edition.options:
            yield from _entry("", texts.say(msg("Options: {options}."), options=", ".join(edition.options)), width)


def _option_help(texts: Texts, width: int) -> Iterator[str]:
    yield texts.say(msg("Options of editions, for --option; the first value is the usual one:"))
    for key, option in OPTIONS.items():
        yield f"  {key}={'|'.join(map(str, option.values))}"
        yield from _entry("", texts.say(option.about), width)


def _entry(key: str, said: str, width: int) -> list[str]:
    return textwrap.wrap(said, width, initial_indent=f"  {key:14}", subsequent_indent=" " * 16)


PLAYERS: Final = 4
LONGEST_NAME: Final = 24


DEFAULT_LEVEL: Final = "normal"
"""The level of a bot where nobody has said one."""


def table_options(parser: Parser, *, seed: bool = False, bots: bool = True) -> None:
    """Declare the options of a table; `seed` where the whole chance of the game may be fixed, `bots` where some of
    the seats may be theirs."""
    say = parser.texts.say
    parser.epilog = edition_help(parser.texts)
    table = parser.add_argument_group(say("The table"))
    table.add_argument("--players", metavar="N", help=say("how many players, as many as the edition is for (4)"))
    if bots:
        table.add_argument(
            "--bots",
            metavar="LEVEL,…",
            help=say(
                "the bots: easy, normal, hard or expert, in a way of playing that is drawn for each or said "
                "(hard/builder, rusher, meddler, collector); sensible, random; one level for all, or one for each"
            ),
        )
    edition_options(table, say)
    table.add_argument(
        "--scenario",
        metavar="NAME",
        help=say("the characters and unique districts, where the edition has a choice (its first one)"),
    )
    table.add_argument("--cast", metavar="KEY,…", help=say("these characters, the others as in the scenario"))
    table.add_argument(
        "--uniques", metavar="KEY,…", help=say("these unique districts, the others as in the scenario")
    )
    table.add_argument("--without", metavar="KEY,…", help=say("without these unique districts"))
    if seed:
        table.add_argument("--seed", metavar="HEX", help=say("fixes all chance; such a game is not a fair one"))


def edition_options(group: "argparse._ArgumentGroup", say: Callable[[str], str]) -> None:
    """Declare the edition and its options."""
    group.add_argument("--edition", metavar="NAME", help=say("the edition of the rules, see below (2016)"))
    group.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=say("an option of the edition, see below; may be said several times"),
    )


def person_options(parser: Parser, *, plain: bool = True) -> None:
    """Declare them."""
    say = parser.texts.say
    you = parser.add_argument_group(say("You"))
    you.add_argument("--name", metavar="NAME", help=say("your name at the table"))
    you.add_argument("--out", metavar="DIR", help=say("where the transcripts go (your data folder)"))
    if plain:
        you.add_argument("--plain", action="store_true", help=say("lines of text instead of screens"))


def number(console: Console, option: str, word: str, least: int, most: int) -> int:
    """The whole number that an option says."""
    if (found := whole_number(word)) is not None and least <= found <= most:
        return found
    raise console.wrong(
        msg("{option} is a whole number from {least} to {most}, not {word}."),
        option=option, least=least, most=most, word=quoted(word),
    )  # fmt: skip


def seed_bytes(console: Console, word: str | None) -> bytes | None:
    """The seed that fixes all chance, 32 bytes, a short one filled up with zeros; None where there is none."""
    if word is None:
        return None
    if not 1 <= len(word) <= 64 or not set(word) <= set("0123456789abcdefABCDEF"):
        raise console.wrong(msg("--seed is written in 1 to 64 hexadecimal digits: 0 to 9 and a to f."))
    return bytes.fromhex(word.rjust(64, "0"))


def chosen_edition(console: Console, options: argparse.Namespace) -> "tuple[str, Options]":
    """The edition that is asked for, and its options that are not at their default."""
    from citadels_lan.engine import DEFAULT, EDITIONS

    key = DEFAULT if options.edition is None else options.edition
    if key not in EDITIONS:
        raise not_one_of(console, "--edition", key, EDITIONS)
    return key, _options(console, EDITIONS[key], options.option)


def set_up(console: Console, options: argparse.Namespace) -> "TableConfig":
    """What the options ask to play, checked against the rules."""
    from msgspec.structs import replace

    from citadels_lan.engine import Unplayable, check, edition_named, from_scenario
    from citadels_lan.texts.refusals import refusal

    key, chosen = chosen_edition(console, options)
    edition = edition_named(key, chosen)
    scenario = edition.ways[0] if options.scenario is None else options.scenario
    if scenario not in edition.ways:
        raise not_one_of(console, "--scenario", scenario, edition.ways)
    least, most = min(edition.players), max(edition.players)
    players = PLAYERS if options.players is None else number(console, "--players", options.players, least, most)
    try:
        base = from_scenario(scenario, players, edition_key=key, options=chosen)
        cast = _cast(console, edition, options.cast, base.cast)
        districts = _uniques(console, edition, options.uniques, base.districts)
        config = replace(base, cast=cast, districts=_without(console, edition, options.without, districts))
        check(config)
    except Unplayable as why:
        raise Failure(USAGE, refusal(console.texts, why.code, why.details)) from None
    return config


def with_draft(console: Console, config: "TableConfig", word: str) -> "TableConfig":
    """The same with an open draft or a sealed one, checked against the rules."""
    from typing import get_args

    from msgspec.structs import replace

    from citadels_lan.engine import Unplayable, check
    from citadels_lan.engine.config import DraftKind
    from citadels_lan.texts.refusals import refusal

    if word not in get_args(DraftKind):
        raise not_one_of(console, "--draft", word, get_args(DraftKind))
    drafting = replace(config, draft=word)
    try:
        check(drafting)
    except Unplayable as why:
        raise Failure(USAGE, refusal(console.texts, why.code, why.details)) from None
    return drafting


def _options(console: Console, edition: "Edition", words: Sequence[str]) -> "Options":
    """The options that are not at their default, as NAME=VALUE says them."""
    chosen: dict[str, Value] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise console.wrong(msg("--option is said as NAME=VALUE, not as {word}."), word=quoted(word))
        if not edition.options:
            raise console.wrong(msg("The edition {edition} has no options."), edition=edition.key)
        if name not in edition.options:
            raise not_one_of(console, "--option", name, tuple(edition.options))
        if name in chosen:
            raise console.wrong(msg("--option says {name} twice."), name=name)
        known = {str(one): one for one in edition.options[name]}
        if value not in known:
            raise not_one_of(console, f"--option {name}", value, tuple(known))
        chosen[name] = known[value]
    default = {name: next(iter(edition.options[name])) for name in chosen}
    return tuple(sorted((name, value) for name, value in chosen.items() if value != default[name]))


def bot_levels(console: Console, word: str, count: int, option: str = "--bots") -> tuple[str, ...]:
    """A bot's level for each of `count` seats; `word` is one level for all, or one for each."""
    from citadels_lan.bots import LEVELS

    levels = [level.strip() for level in word.split(",")]
    for level in levels:
        if level not in LEVELS:
            raise not_one_of(console, option, level, LEVELS)
    if len(levels) == 1:
        return (levels[0],) * count
    if len(levels) != count:
        raise console.wrong(
            msg("{option} names {named} bots, but {count} are wanted: give one level for all, or one for each."),
            option=option, named=len(levels), count=count,
        )  # fmt: skip
    return tuple(levels)


def not_one_of(console: Console, option: str, word: str, known: Iterable[str]) -> Failure:
    """The failure of a word that is none of those that an option takes."""
    return console.wrong(
        msg("{option} does not know {word}: it is one of {known}."),
        option=option, word=quoted(word), known=", ".join(known),
    )  # fmt: skip


def _cast(console: Console, edition: "Edition", word: str | None, base: Sequence[str]) -> tuple[str, ...]:
    """The characters named, in order of rank; the ranks not named are those of `base`, unless eight are named.

    Where chance draws the cast, all or none are named.
    """
    from citadels_lan.engine import Unplayable

    named = _keys(word)
    for key in named:
        if key not in edition.ranks:
            raise Unplayable("unknown_character", character=key)
    if not named or not base:
        return tuple(sorted(named, key=edition.ranks.__getitem__)) or tuple(base)
    by_rank = {} if len(named) >= 8 else {edition.ranks[key]: key for key in base}
    wanted: dict[int, str] = {}
    for key in named:
        other = wanted.setdefault(edition.ranks[key], key)
        if other != key:
            raise console.wrong(
                msg("{one} and {other} have the same rank: only one of them can be in the cast."),
                one=console.texts.character(other), other=console.texts.character(key),
            )  # fmt: skip
    return tuple(key for _, key in sorted((by_rank | wanted).items()))


def _uniques(console: Console, edition: "Edition", word: str | None, base: Sequence[str]) -> tuple[str, ...]:
    """The unique districts named, filled up with those of `base` where the edition plays with a certain number."""
    named = _keys(word)
    if len(set(named)) != len(named):
        raise console.wrong(msg("--uniques names a district twice: there is only one of each."))
    if not named or not base or edition.casting.chosen is None:
        return tuple(named) or tuple(base)
    rest = [key for key in base if key not in named]
    return (*named, *rest[: max(0, len(base) - len(named))])


def _without(console: Console, edition: "Edition", word: str | None, base: Sequence[str]) -> tuple[str, ...]:
    """Those of `base`, or where that says nothing of the edition, that are not named."""
    from citadels_lan.engine import Unplayable

    named = _keys(word)
    for key in named:
        if key not in edition.uniques:
            raise Unplayable("unknown_unique", card=key)
    if len(set(named)) != len(named):
        raise console.wrong(msg("--without names a district twice."))
    if not named:
        return tuple(base)
    left = tuple(key for key in base or edition.uniques if key not in named)
    if not left:
        raise console.wrong(msg("--without leaves no unique district."))
    return left


def _keys(word: str | None) -> list[str]:
    return (
        []
        if word is None
        else [key.strip().lower().replace(" ", "_").replace("-", "_") for key in word.split(",")]
    )


def player_name(console: Console, word: str | None, default: str = "") -> str:
    """A name to sit at a table with."""
    if word is None:
        return default or _login_name()
    name = word.strip()
    if not name:
        raise console.wrong(msg("--name must not be empty."))
    if not name.isprintable():
        raise console.wrong(msg("--name has characters that cannot be shown: use letters, digits and spaces."))
    if len(name) > LONGEST_NAME:
        raise console.wrong(msg("--name has at most {most} characters."), most=LONGEST_NAME)
    return name


def _login_name() -> str:
    import getpass

    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name[:LONGEST_NAME] if name.isprintable() and name else "player"


def folder(console: Console, option: str, word: str | None, default: Path) -> Path:
    """A folder to write to, made if it is not there: `word`, or `default` where none was said."""
    path = default if word is None else Path(word).expanduser()
    problem: Message = ""
    try:
        path.mkdir(parents=True, exist_ok=True)
        import secrets

        probe = path / f".{secrets.token_hex(6)}"
        probe.touch()
        probe.unlink()
    except (FileExistsError, NotADirectoryError):
        problem = msg("{option}: {path} is not a folder.")
    except OSError as failure:
        problem = msg("{option}: nothing can be written to {path} ({why}).")
        raise console.wrong(problem, option=option, path=path, why=failure.strerror or failure) from None
    except ValueError:
        problem = msg("{option}: {path} cannot be the name of a folder.")
    if problem:
        raise console.wrong(problem, option=option, path=path)
    return path
