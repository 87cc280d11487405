"""Plays random games of all editions, and yields the questions to the player, their lists and their drawings.
Also an artificial language that shows every word that is not translated."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from gettext import NullTranslations
from string import ascii_letters
from typing import Final

from citadels_lan.engine import Action, Choice, Deal, TableConfig, expand
from citadels_lan.engine.actions import Build
from citadels_lan.net.client.updates import Happened, Update
from citadels_lan.presenter.facts import shared
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.prompt import Prompt
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import LANGUAGES, Texts
from citadels_lan.texts.language import Language
from citadels_lan.texts.pages import CardText
from citadels_lan.ui.table.arrangement import Contents, arrange
from citadels_lan.ui.table.question import QuestionLines
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.widgets.canvas import Drawing
from citadels_lan.ui.widgets.look import DARK, Look

from .fake import FakeSession

LOOK: Final = Look(DARK, UNICODE)
NUMBERS: Final = ("11", "22", "33", "44", "55", "66", "77", "88", "99")
"""Names of players that consist of digits, so that they are not taken for untranslated words."""
STRANGE: Final = str.maketrans({letter: chr(0x0410 + number) for number, letter in enumerate(ascii_letters)})
"""Replaces each Latin letter by a letter of another alphabet with the same width."""


class Strange(NullTranslations):
    """A translation that replaces the Latin letters of every text by letters of another alphabet.
    Placeholders in braces stay unchanged."""

    def gettext(self, message: str) -> str:
        parts = message.replace("{", "\0{").replace("}", "}\0").split("\0")
        return "".join(part if part.startswith("{") else part.translate(STRANGE) for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


class NoLanguage(Language):
    """The artificial language that `Strange` makes."""

    def translations(self) -> Strange:
        return Strange()

    @cached_property
    def cards(self) -> dict[str, CardText]:
        say = Strange().gettext
        return {
            key: CardText(
                say(card.name),
                say(card.article),
                say(card.short),
                [(editions, say(text)) for editions, text in card.lines],
                [(editions, say(text)) for editions, text in card.paragraphs],
            )
            for key, card in super().cards.items()
        }


def strange() -> Texts:
    """Return the texts of the artificial language. If a word in Latin letters is visible, it was not
    translated."""
    return Texts(NoLanguage("en", LANGUAGES["en"].folder))


@dataclass
class Met:
    """Counts over all games played: how often each verb was used and each district was built, and which of
    them added no line to the log."""

    verbs: Counter[str] = field(default_factory=Counter)
    silent: set[str] = field(default_factory=set)


async def walk(
    edition: str, players: int, seed: int, moves: int, met: Met, texts: Texts
) -> AsyncIterator[tuple[FakeSession, Game]]:
    """Play a game, and yield its questions to seat 0. The player prefers actions that were not made
    before."""
    session = table(edition, players, seed)
    game = Game(session, texts)
    async for _ in asked(session, moves, met):
        while not session.queue.empty():
            take(game, session.queue.get_nowait(), met)
        yield session, game


def table(edition: str, players: int, seed: int) -> FakeSession:
    return FakeSession(seed=seed, names=NUMBERS, config=TableConfig(players, (), (), edition=edition))


async def asked(session: FakeSession, moves: int, met: Met) -> AsyncIterator[None]:
    """Play a game in which seat 0 makes the action that was made least often. Yield before each of its
    moves."""
    for _ in range(moves):
        if not session.choices():
            return
        yield
        action = rarest(session, met.verbs)
        met.verbs[what(action)] += 1
        await session.act(action)


def take(game: Game, update: Update, met: Met) -> None:
    """Let the game process an update. If it is a move of seat 0 about which the log shows nothing, add the
    verb to `met.silent`."""
    start = len(game.story.entries)
    game.take(update)
    if isinstance(update, Happened) and update.seat == 0 and update.line:
        told = list(game.story.lines(game.texts, start))
        met.silent |= set() if told else {update.line.split()[0]}


def rarest(session: FakeSession, met: Counter[str]) -> Action:
    """Return the legal action that was made least often. Ending the turn is the last choice."""
    choices, random = session.choices(), session.dice.random.random
    least = min(choices, key=lambda one: (one.verb == "end", met[what(one)], random()))
    return next(expand([least])) if isinstance(least, Deal) else least


def what(choice: Choice) -> str:
    """Return the key under which an action is counted: its verb, for a build also the district."""
    return f"build {choice.card}" if isinstance(choice, Build) else choice.verb


def positions(asking: Prompt) -> Iterator[Prompt]:
    """Yield the prompt at every list and at every selection of cards of a question. It is always the same
    object, at another position."""
    yield asking
    if asking.at.selection is not None:
        return
    for item in asking.items:
        if item.open and item.keys and (item.items or isinstance(item.choice, Deal)):
            asking.press(item.keys[0])
            yield from positions(asking)
            asking.back()


def room(game: Game, width: int, height: int) -> tuple[int, int]:
    """Return the width and the height that the question has on a screen of this size."""
    view = game.table.state
    assert view is not None
    names = len(game.edition.districts) if shared(view) else 0
    parts = arrange(width, height, Contents(len(view.players), names, drafting=view.phase == "draft"))
    return parts["question"].width, parts["question"].height


def drawn(scene: Scene, asking: Prompt, width: int, height: int) -> Drawing:
    """Return the drawing of the question."""
    lines = QuestionLines(scene, asking, None, "", "")
    lines.draw(width, height)
    return lines.drawing
