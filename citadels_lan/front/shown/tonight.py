"""What everybody knows of a character in this round, in words: out of play, called, killed, one's own."""

from collections.abc import Iterator, Sequence

from citadels_lan.engine import State, edition_of
from citadels_lan.front.common_city import shared
from citadels_lan.front.signs import mark_word
from citadels_lan.front.waiting.calling import asked_for
from citadels_lan.texts import Texts, msg


def known_of(texts: Texts, view: State, seat: int | None, names: Sequence[str], character: str) -> Iterator[str]:
    """A few words for each thing that is known; nothing where it may still be anybody's."""
    if character in view.faceup:
        yield texts.say(msg("out of play, face up"))
    yield from dict.fromkeys(
        texts.say(mark_word(view, mark)) for mark in view.marks if mark.character == character
    )
    holder = next((number for number, player in enumerate(view.players) if character in player.revealed), None)
    if seat is not None and character in view.players[seat].concealed:
        yield texts.say(msg("yours in this round"))
    elif holder is not None:
        yield texts.say(msg("yours, shown")) if holder == seat else names[holder]
    elif _called(view, character) and character not in view.faceup:
        yield texts.say(msg("called, nobody answered"))


def _called(view: State, character: str) -> bool:
    """Whether its rank has been called in this round and nobody has shown it."""
    late = not shared(view) and view.phase == "turns" and edition_of(view).ranks[character] <= view.rank
    return late and character != asked_for(view)
