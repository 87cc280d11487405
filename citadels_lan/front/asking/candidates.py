"""What somebody might want to do and cannot now: the actions worth showing with the reason for their refusal."""

from collections.abc import Iterator
from typing import Any, Final

from citadels_lan.engine import Action, IllegalMove, State, actions, refusal
from citadels_lan.engine.action import ACTIONS, OfCard, OfCharacter, OfSeat, OfSpot
from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.turn.cities import spots

SILENT: Final = frozenset(
    {"no_such_ability", "only_gathering", "used_already", "gathered_already", "no_such_bonus", "crown_yourself",
     "not_your_turn", "game_over", "answer_first", "crowned_already", "no_split", "not_yourself",
     "no_such_seat"}
)  # fmt: skip
"""Reasons that tell a player nothing new: what is refused for one of them is not shown at all."""
PLAIN: Final[tuple[type[Action], ...]] = (
    actions.End, actions.Income, actions.Divine, actions.Crown, actions.Study, actions.Taxes, actions.Smithy,
)  # fmt: skip
GIVEN_UP: Final = (actions.Build, actions.Income)
"""What a player may miss who has used the ability that ends a turn: of these alone that reason is told."""


def refused(view: State, seat: int) -> list[tuple[Action, IllegalMove]]:
    """Actions of this turn that the rules refuse for a reason worth telling."""
    found = []
    for action in _candidates(view, seat):
        reason = refusal(view, seat, action)
        if reason is not None and _worth_telling(action, reason):
            found.append((action, reason))
    return found


def _worth_telling(action: Action, reason: IllegalMove) -> bool:
    return reason.code not in SILENT and (reason.code != "only_ending" or isinstance(action, GIVEN_UP))


def _candidates(view: State, seat: int) -> Iterator[Action]:
    hand = list(dict.fromkeys(view.players[seat].hand))
    yield from map(actions.Build, hand)
    for plain in PLAIN:
        yield plain()
    yield from (actions.Gather("gold"), actions.Gather("cards"))
    for kind in _kinds(OfCharacter):
        yield from map(kind, view.cast)
    for kind in _kinds(OfSeat):
        yield from map(kind, other_seats(len(view.players), seat))
    for kind in _kinds(OfCard):
        yield from map(kind, hand)
    for kind in _kinds(OfSpot):
        for owner in range(len(view.players)):
            for spot, _ in spots(view, seat, owner):
                yield kind(spot)


def _kinds(shape: type[Action]) -> list[Any]:
    return [kind for kind in ACTIONS.values() if issubclass(kind, shape)]
