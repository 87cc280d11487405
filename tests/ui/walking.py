"""Plays through the questions of a person at tables of all editions: the questions, their lists and their
drawings; and an artificial language that shows every word that is not translated."""

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
"""Names of players that are not taken for words."""
STRANGE: Final = str.maketrans({letter: chr(0x0410 + number) for number, letter in enumerate(ascii_letters)})
"""Letters of another alphabet in place of Latin ones, with the same width."""


class Strange(NullTranslations):
    """Replaces the letters of every text by letters of another alphabet; placeholders in braces stay
    unchanged."""

    def gettext(self, message: str) -> str:
        parts = message.replace("{", "\0{").replace("}", "}\0").split("\0")
        return "".join(part if part.startswith("{") else part.translate(STRANGE) for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


class NoLanguage(Language):
    """The artificial language of these texts."""

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
    """Return texts in which every word in Latin letters is one that was not translated."""
    return Texts(NoLanguage("en", LANGUAGES["en"].folder))


@dataclass
class Met:
    """The statistics of the games played: how often each verb was done and each district built, and which of
    them gave no line in the log."""

    verbs: Counter[str] = field(default_factory=Counter)
    silent: set[str] = field(default_factory=set)


async def walk(
    edition: str, players: int, seed: int, moves: int, met: Met, texts: Texts
) -> AsyncIterator[tuple[FakeSession, Game]]:
    """Yield the questions of a person who prefers actions not done before."""
    session = table(edition, players, seed)
    game = Game(session, texts)
    async for _ in asked(session, moves, met):
        while not session.queue.empty():
            take(game, session.queue.get_nowait(), met)
        yield session, game


def table(edition: str, players: int, seed: int) -> FakeSession:
    return FakeSession(seed=seed, names=NUMBERS, config=TableConfig(players, (), (), edition=edition))


async def asked(session: FakeSession, moves: int, met: Met) -> AsyncIterator[None]:
    """Play the same without yielding the questions."""
    for _ in range(moves):
        if not session.choices():
            return
        yield
        action = rarest(session, met.verbs)
        met.verbs[what(action)] += 1
        await session.act(action)


def take(game: Game, update: Update, met: Met) -> None:
    """Record events. Return whether the log shows anything about the person's own moves."""
    start = len(game.story.entries)
    game.take(update)
    if isinstance(update, Happened) and update.seat == 0 and update.line:
        told = list(game.story.lines(game.texts, start))
        met.silent |= set() if told else {update.line.split()[0]}


def rarest(session: FakeSession, met: Counter[str]) -> Action:
    """Return the possible action that was done least often; ending the turn comes last."""
    choices, random = session.choices(), session.dice.random.random
    least = min(choices, key=lambda one: (one.verb == "end", met[what(one)], random()))
    return next(expand([least])) if isinstance(least, Deal) else least


def what(choice: Choice) -> str:
    """Return the key under which an action is counted: the verb, and for a build the district."""
    return f"build {choice.card}" if isinstance(choice, Build) else choice.verb


def positions(asking: Prompt) -> Iterator[Prompt]:
    """Yield the prompt at every list of a question and at every selection of cards; it is the same object,
    moved on."""
    yield asking
    if asking.at.selection is not None:
        return
    for item in asking.items:
        if item.open and item.keys and (item.items or isinstance(item.choice, Deal)):
            asking.press(item.keys[0])
            yield from positions(asking)
            asking.back()


def room(game: Game, width: int, height: int) -> tuple[int, int]:
    """Return the cells and lines of the question on a screen of this size."""
    view = game.table.state
    assert view is not None
    names = len(game.edition.districts) if shared(view) else 0
    parts = arrange(width, height, Contents(len(view.players), names, drafting=view.phase == "draft"))
    return parts["question"].width, parts["question"].height


def drawn(scene: Scene, asking: Prompt, width: int, height: int) -> Drawing:
    """Return the question as it is drawn."""
    lines = QuestionLines(scene, asking, None, "", "")
    lines.draw(width, height)
    return lines.drawing
