"""Everything a drawing is made of: the view, whose it is, the names, the language, the look."""

from collections.abc import Sequence
from dataclasses import dataclass

from citadels_lan.engine import Edition, State, edition_of
from citadels_lan.front.common_city import shared
from citadels_lan.front.game import Game
from citadels_lan.texts import Texts
from citadels_lan.ui.widgets.look import Look


@dataclass(frozen=True)
class Scene:
    """`hidden`: the own hand and characters are covered, because people sit in one room. `away`: seats whose
    player has lost the connection; `stood_in`: those for which bots of the host move."""

    view: State
    seat: int | None
    names: Sequence[str]
    texts: Texts
    look: Look
    hidden: bool = False
    away: frozenset[int] = frozenset()
    stood_in: frozenset[int] = frozenset()

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_of(self.view)

    @property
    def shared(self) -> bool:
        """Whether the table builds one city together."""
        return shared(self.view)


def scene_of(game: Game, look: Look) -> Scene:
    """What the drawings of a game need. Only once it has begun."""
    assert game.view is not None
    away, stood_in = frozenset(game.session.away), frozenset(game.session.stood_in)
    return Scene(game.view, game.seat, game.names, game.texts, look, game.hidden, away, stood_in)
