"""The game that the options of `play`, `host`, `simulate` and `arena` describe, checked against the rules."""

import argparse
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from citadels_lan import engine
from citadels_lan.cli.console import USAGE, Console, Failure
from citadels_lan.engine import Edition, Options, TableConfig, Unplayable
from citadels_lan.engine.config import Value
from citadels_lan.texts import msg
from citadels_lan.texts.refusals import refusal

DEFAULT_LEVEL = "normal"
"""The level of a bot if the command line names none."""


def chosen_edition(console: Console, options: argparse.Namespace) -> tuple[str, Options]:
    """Return the key of the chosen edition, and the options of this edition that are not at their default.
    Raises Failure."""
    key = options.edition or engine.DEFAULT
    known = engine.edition_named(key).options
    if options.option and not known:
        raise console.failure(msg("The edition {edition} has no options."), edition=key)
    values = {f"{name}={value}": (name, value) for name, of_name in known.items() for value in of_name}
    for word in options.option:
        if word not in values:
            raise not_one_of(console, "--option", word, values)
    chosen: dict[str, Value] = dict(values[word] for word in options.option)
    return key, tuple(item for item in sorted(chosen.items()) if item[1] != next(iter(known[item[0]])))


def game_config(console: Console, options: argparse.Namespace) -> TableConfig:
    """Return the configuration of the game that the options describe. Raises Failure if the rules do not
    allow it."""
    key, chosen = chosen_edition(console, options)
    edition = engine.edition_named(key, chosen)
    scenario = options.scenario or edition.ways[0]
    if scenario not in edition.ways:
        raise not_one_of(console, "--scenario", scenario, edition.ways)
    try:
        base = engine.from_scenario(scenario, options.players, edition_key=key, options=chosen)
        districts = _uniques(edition, options.uniques, base.districts)
        config = replace(
            base,
            cast=_cast(edition, options.cast, base.cast),
            districts=_without(console, edition, options.without, districts),
            draft=getattr(options, "draft", base.draft),
        )
        engine.check(config)
    except Unplayable as why:
        raise Failure(USAGE, refusal(console.texts, why.code, why.details)) from None
    return config


def levels_of_seats(console: Console, levels: Sequence[str], count: int) -> tuple[str, ...]:
    """Return one bot level for each of `count` seats. If `levels` has one level, all seats get it. Raises
    Failure."""
    if len(levels) == 1:
        return tuple(levels) * count
    if len(levels) != count:
        raise console.failure(
            msg("{option} names {named} bots instead of {count}. Give one level for all, or one for each."),
            option="--bots", named=len(levels), count=count,
        )  # fmt: skip
    return tuple(levels)


def not_one_of(console: Console, option: str, word: str, choices: Iterable[str]) -> Failure:
    """Return the failure for an option whose value `word` is none of `choices`."""
    text = msg("Invalid {option} {word}. Choose from: {known}.")
    return console.failure(text, option=option, word=repr(word), known=", ".join(choices))


def _cast(edition: Edition, named: Sequence[str], base: Sequence[str]) -> tuple[str, ...]:
    """Return a cast in order of rank: the `named` characters, and those of `base` for the ranks without a
    named one.

    Eight named characters are the whole cast. If the edition draws the cast at random, name all characters or
    none.
    """
    ranks = edition.ranks
    for key in named:
        if key not in ranks:
            raise Unplayable("unknown_character", character=key)
    taken = {ranks[key] for key in named}
    others = [key for key in base if ranks[key] not in taken] if len(named) < 8 else []
    return tuple(sorted((*named, *others), key=ranks.__getitem__))


def _uniques(edition: Edition, named: Sequence[str], base: Sequence[str]) -> tuple[str, ...]:
    """Return the `named` unique districts. If the edition plays with a fixed number of them, those of `base`
    fill the remaining places."""
    if not named or not base or edition.casting.chosen is None:
        return tuple(named) or tuple(base)
    others = [key for key in base if key not in named]
    return (*named, *others[: max(0, len(base) - len(named))])


def _without(console: Console, edition: Edition, named: Sequence[str], base: Sequence[str]) -> tuple[str, ...]:
    """Return the unique districts of `base` (if that is empty: of the edition) except the `named` ones.
    Raises Unplayable for an unknown name, Failure if none remains."""
    for key in named:
        if key not in edition.uniques:
            raise Unplayable("unknown_unique", card=key)
    if not named:
        return tuple(base)
    remaining = tuple(key for key in base or edition.uniques if key not in named)
    if not remaining:
        raise console.failure(msg("--without removes all unique districts. Leave at least one."))
    return remaining
