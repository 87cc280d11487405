"""Configurations of tables for random games: every edition, with any options, players, cast and districts.

    python -m tools.long_games --edition classic --option deck=68

An edition that is added to the program is included automatically, because its casting says what may be
played.
"""

import random
from argparse import ArgumentParser, Namespace
from typing import Final, Self, get_args

from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.engine import EDITIONS, Edition, Options, TableConfig, Unplayable, check, edition_named
from citadels_lan.engine.config import DraftKind, Value
from tests.play.dice import Dice

LEFT_TO_CHANCE: Final = 0.1
"""The part of the tables whose configuration names no cast and no districts, so that chance draws them at the
table."""
TRIES: Final = 1000


class Tables(Struct, frozen=True):
    """Which tables may be drawn: those of these editions (empty: all), with these options (others are random)
    and this kind of draft."""

    editions: tuple[str, ...] = ()
    options: Options = ()
    draft: DraftKind = "open"

    @classmethod
    def add_arguments(cls, parser: ArgumentParser) -> None:
        """Add the command-line options for the editions and options of random tables."""
        parser.add_argument("--edition", action="append", default=[], help="only this one; may be said again")
        parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="plays with this")

    @classmethod
    def add_draft(cls, parser: ArgumentParser) -> None:
        """Add the command-line option for tables with a sealed draft."""
        parser.add_argument(
            "--draft", choices=get_args(DraftKind), default="open", help="sealed: where there is one"
        )

    @classmethod
    def of(cls, arguments: Namespace) -> Self:
        """Return the tables that the parsed arguments of a command allow. Raises LookupError if there is no
        such table."""
        options = tuple(_option(said) for said in sorted(arguments.option))
        wanted = cls(tuple(arguments.edition), options, vars(arguments).get("draft", "open"))
        if not wanted.known:
            raise LookupError(f"no edition for {wanted}")
        return wanted

    @property
    def known(self) -> list[Edition]:
        """Return the editions that have these options and this kind of draft."""
        keys = self.editions or tuple(EDITIONS)
        known = [EDITIONS[key] for key in keys if all(name in EDITIONS[key].options for name, _ in self.options)]
        return [edition for edition in known if self.draft == "open" or edition.flow.drafts]

    def draw(self, rng: random.Random, players: int | None = None) -> TableConfig:
        """Return the configuration of a random table, with `players` players if given."""
        known = [edition for edition in self.known if players is None or players in edition.players]
        for _ in range(TRIES):
            edition = rng.choice(known)
            count = players or rng.choice(edition.players)
            try:
                options = self._options(rng, edition)
                return _drawn(rng, TableConfig(count, (), (), edition.key, options, self.draft))
            except Unplayable:  # some options are only for some numbers of players
                continue
        raise LookupError(f"no table for {players} players of {self}")

    def _options(self, rng: random.Random, edition: Edition) -> Options:
        """Return the given options and random other ones. Half of the tables have the defaults of the others."""
        fixed, printed = dict(self.options), rng.random() < 0.5
        chosen = {
            name: fixed.get(name, next(iter(values)) if printed else rng.choice(list(values)))
            for name, values in edition.options.items()
        }
        return tuple(
            (name, chosen[name]) for name in sorted(chosen) if chosen[name] != next(iter(edition.options[name]))
        )


ALL: Final = Tables()


def _option(said: str) -> tuple[str, Value]:
    name, _, value = said.partition("=")
    return name, int(value) if value.isdecimal() else value


def _drawn(rng: random.Random, config: TableConfig) -> TableConfig:
    """Return `config` with a random cast and random districts, but sometimes without, so that chance draws
    them at the table. If the edition does not prescribe the number of unique districts, often only some of
    them."""
    check(config)
    if rng.random() < LEFT_TO_CHANCE:
        return config
    edition = edition_named(config.edition, config.options)
    drawn = edition.casting.draw(edition, config, Dice(rng.getrandbits(64)))
    if edition.casting.chosen is None and edition.uniques and rng.random() < 0.5:
        some = rng.sample(edition.uniques, rng.randrange(len(edition.uniques)))
        fewer = replace(drawn, districts=tuple(key for key in edition.uniques if key in some))
        try:
            check(fewer)
        except Unplayable:  # its districts are fixed
            return drawn
        return fewer
    return drawn
