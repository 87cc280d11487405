"""The scene: all input of the table's drawings at one moment, and the widget that draws a scene."""

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
    """The input of all drawings of the table. A new scene is made for each update, and when the language, the
    look or the keys change. `hidden`: the player's own cards are covered. `away`: the seats of disconnected
    players; `substituted`: the seats that bots of the host play. `letters`: the letters of each hand card, one
    for each copy. `places`: the keys of the districts in the question, by seat and place in the city. `lesson`:
    that of the tutorial. `offline`: the host cannot be reached, so no seat can decide. `keys`: the key names of
    commands. `preselected`: the verb of the preselected move; empty if this player has nothing to decide.
    `changed`: the numbers that have just changed, by seat and name ("gold", "hand", "points", "city")."""

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
        """The seat of the player at this screen; None for spectators, and for replays that show all hands."""
        return None if self.view.whole else self.seat

    @cached_property
    def acting(self) -> Sequence[int]:
        """The seats that must decide by the rules."""
        return acting(self.view)

    @cached_property
    def deciding(self) -> Sequence[int]:
        """The seats that must decide by the rules; none while the host cannot be reached."""
        return () if self.offline else self.acting

    @cached_property
    def calling(self) -> bool:
        """Whether the board shows the characters: only in the turns of other players. The draft has its own lines
        about them."""
        return self.reader is None or (self.view.phase != "draft" and self.reader not in self.acting)

    @cached_property
    def points(self) -> Sequence[int]:
        """The points of each seat, as far as they are public."""
        return open_points(self.view)

    @cached_property
    def suspects(self) -> Mapping[int, Sequence[str]]:
        """The possible characters of each other seat; none while the cards are covered."""
        return {} if self.shared or self.view.whole or self.hidden else possible(self.view, self.seat)

    @cached_property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_of(self.view)

    @cached_property
    def goal(self) -> int | None:
        """How many districts complete a city; None if no city can be complete."""
        return self.edition.goal(self.view)

    @property
    def shared(self) -> bool:
        """Whether the players build one city together."""
        return self.goal is None

    def passed(self, key: str) -> bool:
        """Return whether the rank of a character was called in this round and its holder no longer answers."""
        view = self.view
        return view.phase == "turns" and self.edition.ranks[key] <= view.rank and key != asked_for(view)

    def called(self, seat: int) -> str:
        """Return the name of a seat; "YOU" for the player at this screen."""
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
    """A widget that draws a scene and further inputs with a function: `draw(scene, *inputs, width, height)`.
    It draws again if these inputs change, or the part of the scene that `inputs` returns. `points`: arrows
    move a cursor over the parts of the drawing that can be pointed at."""

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
        """Show a scene. If no input of the drawing has changed, nothing is drawn again."""
        if not self.display:  # it is shown again when it gets a region
            return
        of_scene = (scene,) if self._inputs_of is None else self._inputs_of(scene)
        before, self._inputs = self._inputs, (*of_scene, *inputs)
        self._shown = (scene, *inputs)
        if self._inputs != before:
            self.redraw()

    def draw(self, width: int, height: int) -> Drawing:
        return self._function(*self._shown, width, height) if self._shown else Drawing()
