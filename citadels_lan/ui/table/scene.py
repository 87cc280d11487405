"""The scene of the table screen at one moment, and the widget that draws a scene."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from citadels_lan.engine import Edition, State, acting, edition_of
from citadels_lan.front.game import Game
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing
from citadels_lan.ui.widgets.look import Look

from .commands import USUAL

YOU: Final = msg("YOU")


@dataclass(frozen=True)
class Scene:
    """The input of all drawings of the table. A new scene is made for each update, and when the language, the
    look or the keys change. `hidden`: the player's own hand and characters are covered. `away`: the seats whose
    players are not connected; `substituted`: the seats that bots of the host play. `letters` has the letters of
    each card of the own hand, one for each copy. `places` has the keys of the districts that the question is
    about, by seat and place in the city. `guided`: the game is explained. `offline`: the host cannot be reached,
    so no seat can decide. `keys` has the name of each command's key. `preselected` is the verb of the preselected
    move; empty if this player has nothing to decide."""

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
    guided: bool = False
    offline: bool = False
    keys: Mapping[str, str] = field(default_factory=lambda: USUAL)
    preselected: str = ""

    @cached_property
    def reader(self) -> int | None:
        """The seat of the player at this screen; None for spectators, and for replays that show all hands."""
        return None if self.view.whole else self.seat

    @cached_property
    def deciding(self) -> Sequence[int]:
        """The seats whose move it is."""
        return () if self.offline else acting(self.view)

    @cached_property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_of(self.view)

    @cached_property
    def goal(self) -> int | None:
        """How many districts complete a city; None if no city is ever complete."""
        return self.edition.goal(self.view)

    @property
    def shared(self) -> bool:
        """Whether the players build one city together."""
        return self.goal is None

    def called(self, seat: int) -> str:
        """The name of a seat; "YOU" for the player at this screen."""
        return self.texts.say(YOU) if seat == self.reader else self.names[seat]


def scene_of(
    game: Game, look: Look, places: Mapping[tuple[int, int], str] | None = None, keys: Mapping[str, str] = USUAL
) -> Scene:
    """The scene of a game that has begun."""
    assert game.table.state is not None
    named, letters = game.card_letters, defaultdict[str, list[str]](list)
    for card, letter in zip(named.cards, named.letters, strict=True):
        letters[card].append(letter)
    return Scene(
        game.table.state, game.table.seat, game.names, game.texts, look, game.hidden,
        frozenset(game.table.away), frozenset(game.table.substituted), letters, places or {},
        game.guide.on, game.offline, keys, game.preselected,
    )  # fmt: skip


def whole(scene: Scene) -> tuple[object, ...]:
    """The whole scene, for drawings that depend on much of it."""
    return (scene,)


class SceneView(Canvas):
    """A widget that draws a scene and further inputs with a function: `draw(scene, *inputs, width, height)`. It
    draws again if these inputs change, or those that `inputs` takes from the scene. `points`: arrows move a
    cursor over the things in the drawing."""

    def __init__(
        self,
        draw: Callable[..., Drawing],
        inputs: Callable[[Scene], tuple[object, ...]] = whole,
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
        """Show a scene. If the inputs of the drawing are equal to those before, nothing is drawn again."""
        before, self._inputs = self._inputs, (*self._inputs_of(scene), *inputs)
        self._shown = (scene, *inputs)
        if self._inputs != before:
            self.redraw()

    def draw(self, width: int, height: int) -> Drawing:
        return self._function(*self._shown, width, height) if self._shown else Drawing()
