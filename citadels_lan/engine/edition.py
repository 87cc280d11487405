"""The editions that there are, by key, and which one a table plays.

A state holds the key of its edition and the options chosen; `edition_of` finds the value. Nothing else knows which
editions there are: rules, bots and screens ask the edition of the table they look at.
"""

from typing import Final

from .config import Options, Scenario, Unplayable
from .edition_value import Casting, Edition
from .state import State

__all__ = ["EDITIONS", "Casting", "Edition", "Scenario", "add_edition", "edition_named", "edition_of"]

EDITIONS: Final[dict[str, Edition]] = {}
"""Every edition by its key, with the default of each option; `editions` fills it."""
_VARIANTS: Final[dict[str, dict[Options, Edition]]] = {}
"""The same by its options, too; each is made once."""


def add_edition(edition: Edition) -> None:
    """Make an edition known by its key."""
    EDITIONS[edition.key] = edition
    _VARIANTS[edition.key] = {(): edition}


def edition_named(key: str, options: Options = ()) -> Edition:
    """An edition as these options make it. Raises Unplayable for one that there is not."""
    if key not in _VARIANTS:
        raise Unplayable("unknown_edition", edition=key)
    variants = _VARIANTS[key]
    try:
        return variants[options]
    except KeyError:
        return variants.setdefault(options, with_options(variants[()], options))


def with_options(played: Edition, options: Options) -> Edition:
    """What options make of an edition. Raises Unplayable for those that it does not have."""
    if [name for name, _ in options] != sorted({name for name, _ in options}):
        raise Unplayable("options_in_order")
    for name, value in options:
        if name not in played.options:
            raise Unplayable("unknown_option", option=name)
        if value not in played.options[name]:
            raise Unplayable("unknown_value", option=name, value=value)
        if value == next(iter(played.options[name])):
            raise Unplayable("options_in_order")
        played = played.options[name][value](played)
    return played


def edition_of(state: State) -> Edition:
    """The edition that a table plays. Raises Unplayable for one that there is not."""
    try:  # asked all the time
        return _VARIANTS[state.edition][state.options]
    except KeyError:
        return edition_named(state.edition, state.options)
