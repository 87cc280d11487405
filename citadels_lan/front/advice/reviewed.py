"""A review in sentences: the biggest mistakes of a player."""

from collections.abc import Iterator, Sequence
from typing import Final

from citadels_lan.bots.search.reviewing import CostlyMove, Review
from citadels_lan.texts import Texts, msg

from .wording import Wording

NONE: Final = msg("{name}: no clear mistake.")
PARTLY: Final = msg("Time was up after {looked} of {decisions} decisions.")
BY_WHAT: Final = msg(
    "Chances to win are estimated: the rest of the round is simulated many times, using only what the player could"
    " see."
)


def headline(texts: Texts, count: int, name: str) -> str:
    """How many mistakes were found."""
    if not count:
        return texts.say(NONE, name=name)
    return texts.plural("{name}: the biggest mistake", "{name}: the {count} biggest mistakes", count, name=name)


def places(review: Review) -> dict[str, int]:
    """The step of each move by its number, as it is typed."""
    return {str(number): move.decision.step for number, move in enumerate(review.moves, 1)}


def lines(texts: Texts, review: Review, names: Sequence[str], seat: int) -> Iterator[str]:
    """The whole review of a seat, for a page or a terminal."""
    yield headline(texts, len(review.moves), names[seat])
    for number, move in enumerate(review.moves, 1):
        first, *rest = costly(texts, move, names)
        yield ""
        yield f"{number}. {first}"
        yield from (f"   {line}" for line in rest)
    yield ""
    if review.looked < review.decisions:
        yield texts.say(PARTLY, looked=review.looked, decisions=review.decisions)
    yield texts.say(BY_WHAT)


def costly(texts: Texts, move: CostlyMove, names: Sequence[str]) -> Iterator[str]:
    """When it was, what was chosen, what was better, and why."""
    view = move.decision.view
    wording = Wording(texts, view, move.decision.seat, names)
    yield texts.say(msg("Round {round}, move {move}"), round=max(view.round, 1), move=move.decision.step + 1)
    yield texts.say(msg("Chosen: {move}"), move=wording.rated(move.made))
    yield texts.say(msg("Better: {move}"), move=wording.rated(move.better))
    yield wording.why(move.better, move.made)
