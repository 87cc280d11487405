"""Everything a drawing is made of: the view, whose it is, the names, the language, the look."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from citadels_lan.engine import Edition, State, acting, edition_of
from citadels_lan.front.common_city import shared
from citadels_lan.front.game import Game
from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.look import Look

from .commands import usual

YOU: Final = msg("YOU")
NOWHERE: Final[Mapping[tuple[int, int], str]] = MappingProxyType({})


@dataclass(frozen=True)
class Scene:
    """`hidden`: the own hand and characters are covered, because people sit in one room. `away`: seats whose
    player has lost the connection; `substituted`: those that bots of the host play. `letters` are those of each
    card of the own hand, one for each copy; `places` are the keys of districts that a question is about, by seat
    and place in the city. `guided`: the game is explained. `offline`: the host cannot be reached, so no
    seat can decide. `key_of` tells how the key of a command is called. `preselected` is the verb of the
    preselected move, empty where this person decides nothing."""

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
    key_of: Callable[[str], str] = usual
    preselected: str = ""

    @property
    def reader(self) -> int | None:
        """The seat of whoever looks; None for somebody who watches, or sees all hands in a replay."""
        return None if self.view.whole else self.seat

    @property
    def deciding(self) -> Sequence[int]:
        """The seats whose move it is."""
        return () if self.offline else acting(self.view)

    def called(self, seat: int) -> str:
        """The name of a seat; the own one is called so."""
        return self.texts.say(YOU) if seat == self.reader else self.names[seat]

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return edition_of(self.view)

    @property
    def shared(self) -> bool:
        """Whether the table builds one city together."""
        return shared(self.view)


def scene_of(
    game: Game,
    look: Look,
    places: Mapping[tuple[int, int], str] = NOWHERE,
    key_of: Callable[[str], str] = usual,
) -> Scene:
    """What the drawings of a game need. Only once it has begun."""
    assert game.view is not None
    away, substituted = frozenset(game.session.away), frozenset(game.session.substituted)
    named, letters = game.card_letters, defaultdict[str, list[str]](list)
    for card, letter in zip(named.cards, named.letters, strict=True):
        letters[card].append(letter)
    return Scene(
        game.view,
        game.seat,
        game.names,
        game.texts,
        look,
        game.hidden,
        away,
        substituted,
        letters,
        places,
        game.guide.on,
        game.offline,
        key_of,
        game.preselected,
    )
