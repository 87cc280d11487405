"""The scene: all values from which the table is drawn at one moment; and the widget that draws a part of
it."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field

from citadels_lan.engine import Edition, State, acting, edition_of
from citadels_lan.presenter.facts import asked_for, open_points, possible
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.keys import by_card
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.canvas import Canvas, Drawing
from citadels_lan.ui.widgets.look import Look

from .commands import USUAL

YOU: Final = msg("YOU")


class Scene(Struct, frozen=True, dict=True):
    """The values from which all parts of the table are drawn. A new scene is made for each update, and when
    the language, the look or the keys change. `hidden`: the player's own cards are covered. `away`: the seats
    of disconnected players. `substituted`: the seats that bots of the host play for absent players.
    `letters`: the letters of each hand card, one for each copy. `places`: the keys of the districts that the
    question offers, by seat and index in the city. `lesson`: the text of the tutorial's lesson. `offline`:
    the host cannot be reached, so no player can move. `keys`: the displayed key of each command.
    `preselected`: the verb of the preselected move; "" if this player has nothing to decide. `changed`: the
    numbers that have just changed, by seat and name ("gold", "hand", "points", "city")."""

    view: State
    seat: int | None
    names: Sequence[str]
    texts: Texts
    look: Look
    hidden: bool = False
    away: frozenset[int] = frozenset()
    substituted: frozenset[int] = frozenset()
    letters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    places: Mapping[tuple[int, int], str] = field(default_factory=dict)
    lesson: str = ""
    offline: bool = False
    keys: Mapping[str, str] = field(default_factory=lambda: USUAL)
    preselected: str = ""
    changed: frozenset[tuple[int, str]] = frozenset()

    @cached_property
    def reader(self) -> int | None:
        """The seat of the player at this screen; None for a spectator, and in a replay that shows all
        hands."""
        return None if self.view.whole else self.seat

    @cached_property
    def acting(self) -> Sequence[int]:
        """The seats that must decide by the rules, even if the host cannot be reached."""
        return acting(self.view)

    @cached_property
    def deciding(self) -> Sequence[int]:
        """The seats that must decide and can: as `acting`, but none while the host cannot be reached."""
        return () if self.offline else self.acting

    @cached_property
    def calling(self) -> bool:
        """Whether the board shows the characters above the players. It does in turns of other players only;
        during the draft the draft panel shows them."""
        return self.reader is None or (self.view.phase != "draft" and self.reader not in self.acting)

    @cached_property
    def points(self) -> Sequence[int]:
        """The points of each seat, as far as they are public."""
        return open_points(self.view)

    @cached_property
    def suspects(self) -> Mapping[int, Sequence[str]]:
        """The possible characters of each other seat; empty while the player's cards are covered."""
        return {} if self.shared or self.view.whole or self.hidden else possible(self.view, self.seat)

    @cached_property
    def edition(self) -> Edition:
        """The edition of the game."""
        return edition_of(self.view)

    @cached_property
    def goal(self) -> int | None:
        """How many districts make a city complete; None if cities are never complete."""
        return self.edition.goal(self.view)

    @property
    def shared(self) -> bool:
        """Whether all players build one common city."""
        return self.goal is None

    def passed(self, key: str) -> bool:
        """Return whether the rank of this character was already called in this round, and no player can still
        answer the call."""
        view = self.view
        return view.phase == "turns" and self.edition.ranks[key] <= view.rank and key != asked_for(view)

    def called(self, seat: int) -> str:
        """Return the displayed name of a seat: "YOU" for the player at this screen."""
        return self.texts.say(YOU) if seat == self.reader else self.names[seat]


def scene_of(game: Game, look: Look, keys: Mapping[str, str] = USUAL) -> Scene:
    """Return the scene of a game that has begun."""
    assert game.table.state is not None
    preselected = game.preselected
    letters = by_card(game.card_letters.cards, game.card_letters.letters)
    return Scene(
        game.table.state, game.table.seat, game.names, game.texts, look, game.hidden,
        frozenset(game.table.away), frozenset(game.table.substituted), letters, lesson=game.lesson(keys),
        offline=game.offline, keys=keys, preselected=preselected.verb if preselected is not None else "",
    )  # fmt: skip


class SceneView(Canvas):
    """A widget that draws the scene with the function `draw(scene, *inputs, width, height)`. It is drawn
    again only if `inputs` or the values that the function `inputs(scene)` returns have changed. With
    `points`, arrow keys move a cursor over the parts of the drawing."""

    def __init__(
        self,
        draw: Callable[..., Drawing],
        inputs: Callable[[Scene], tuple[object, ...]] | None = None,
        *,
        id: str,  # noqa: A002 - as every widget of Textual has it
        points: bool = False,
    ) -> None:
        super().__init__(id=id)
        self._function = draw
        self._inputs_of = inputs
        self._shown: tuple[Any, ...] = ()
        self._inputs: tuple[object, ...] = ()
        if points:
            self.can_focus = self.POINTS = True

    def show(self, scene: Scene, *inputs: Any) -> None:
        """Draw this scene with these further inputs, unless nothing on which the drawing depends has
        changed."""
        if not self.display:  # it is shown again when it gets a region
            return
        of_scene = (scene,) if self._inputs_of is None else self._inputs_of(scene)
        before, self._inputs = self._inputs, (*of_scene, *inputs)
        self._shown = (scene, *inputs)
        if self._inputs != before:
            self.redraw()

    def draw(self, width: int, height: int) -> Drawing:
        return self._function(*self._shown, width, height) if self._shown else Drawing()
