"""A review in sentences: the moves that have cost a seat most."""

from collections.abc import Iterator, Sequence
from typing import Final

from citadels_lan.bots.search.reviewing import CostlyMove, Review
from citadels_lan.texts import Texts, msg

from .wording import because, percent, spoken

NONE: Final = msg("{name}: no move has clearly cost anything.")
PARTLY: Final = msg("There was time for {looked} of {decisions} decisions.")
BY_WHAT: Final = msg(
    "Weighed by what could be known then, in supposed worlds in which bots play on to the end of the round, and by"
    " what one more turn adds for everybody."
)


def headline(texts: Texts, count: int, name: str) -> str:
    """How many moves there are to tell of."""
    if not count:
        return texts.say(NONE, name=name)
    return texts.plural(
        "{name}: the move that cost most", "{name}: the {count} moves that cost most", count, name=name
    )


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
    """When it was, what was done, what was better, and why."""
    view, seat = move.decision.view, move.decision.seat
    yield texts.say(msg("Round {round}, move {move}"), round=max(view.round, 1), move=move.decision.step + 1)
    made, better = (spoken(texts, one, view, seat, names) for one in (move.made, move.better))
    yield texts.say(msg("Done: {move} ({chance} to win)"), move=made, chance=percent(move.made.chance))
    yield texts.say(msg("Better: {move} ({chance} to win)"), move=better, chance=percent(move.better.chance))
    yield because(texts, move.better, move.made, names[seat])
