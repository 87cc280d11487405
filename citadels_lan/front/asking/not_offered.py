"""Why a question about characters does not offer one of them."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from citadels_lan.engine import Action, Choice, Deal, State, actions, edition_of, refusal
from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.cards import by_rank
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.refusals import refusal as sentence

from .menu import Item
from .prompt import Prompt

NO_RANK: Final = msg("No character of this game has rank {rank}.")
MISSING: Final = msg("{character} is not among the characters you may choose from.")


def not_offered(texts: Texts, view: State, seat: int, asking: Prompt, key: str) -> str:
    """Why the question does not offer the characters of a rank, which `key` is the digit of; empty where it is not
    about characters, and a digit is no rank."""
    sample = next(_naming(asking), None) if key.isdecimal() else None
    if sample is None:
        return ""
    ranks = edition_of(view).ranks
    found = [character for character in view.cast or ranks if ranks[character] == int(key)]
    if not found:
        return texts.say(NO_RANK, rank=int(key))
    others = (_other(sample, character, inner=len(asking.levels) > 1) for character in found)
    said = (_why(texts, view, seat, *pair) for pair in zip(others, found, strict=True))
    return " ".join(dict.fromkeys(said))


def _naming(asking: Prompt) -> Iterator[Action]:
    """What can be done in the list that is open, or with the cards to be ticked, and names a character."""
    picked = asking.at.picked
    if picked is not None:
        leaves = _actions(picked.choice)
    else:
        leaves = _leaves(item for item in asking.items if item.keys[:1].isdigit() and item.seat is None)
    return (action for action in leaves if isinstance(action, OfCharacter | actions.Pick | actions.Marks))


def _leaves(items: Iterable[Item]) -> Iterator[Action]:
    for item in items:
        yield from _actions(item.choice)
        yield from _leaves(item.items)


def _actions(choice: Choice | None) -> Iterator[Action]:
    return iter(()) if choice is None else choice.actions() if isinstance(choice, Deal) else iter((choice,))


def _other(sample: Action, key: str, *, inner: bool) -> Action:
    """The same with another character; in an inner list it is the one beside the first."""
    match sample:
        case actions.Pick() if inner:
            return replace(sample, discarding=key)
        case actions.Marks(characters, chosen):
            kept = {*characters} - {chosen or characters[0]}
            return replace(sample, characters=by_rank({*kept, key}), chosen=chosen and key)
    return replace(sample, character=key)


def _why(texts: Texts, view: State, seat: int, action: Action, key: str) -> str:
    reason = refusal(view, seat, action)
    if reason is None:
        return texts.say(MISSING, character=texts.character(key))
    return sentence(texts, reason.code, reason.details)
