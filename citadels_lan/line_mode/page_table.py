"""Line mode for a web page: it exchanges JSON messages instead of lines of text."""

from collections.abc import Coroutine, Iterable, Iterator
from functools import partial
from typing import Any, Final, Literal

import msgspec

from citadels_lan.engine import HIDDEN, State, acting
from citadels_lan.engine.state import District
from citadels_lan.presenter.error_messages import REFUSED
from citadels_lan.presenter.facts import open_points, shared
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.log import Kind
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.commands import in_english
from citadels_lan.texts.topics import find_topic, page, title

from . import lines as plain_lines
from . import page_messages as messages
from .page_messages import PageBoard, PageCard, PageQuestion, PageSeat
from .streams import Output, QuestionParts
from .table import COMMANDS, LEAVING, VIEWS, PlainTable

DECODER: Final = msgspec.json.Decoder(messages.FromPage)
MOST: Final = 8
"""How many requests may wait for the host's reply at the same time, at most."""
BUSY: Final = msg("The host has not received your last messages yet. Try again in a moment.")
NOTHING: Final = msg("There is nothing to show yet.")
WORDS: Final = frozenset({*VIEWS, *COMMANDS, *LEAVING, "?"}) - {"end"}
"""The words of commands that are accepted without an open question."""
SHOWN: Final = {**VIEWS, "cast": plain_lines.cards, "city": plain_lines.city}
"""The function for each list or text that a page can request at any time."""


def board_of(game: Game) -> PageBoard:
    """Return the message that shows the table: before the game only its seats."""
    view, seat = game.table.state, game.table.seat
    if view is None:
        lobby = enumerate(plain_lines.seat_states(game))
        seats = (PageSeat(name, state, you=number == seat) for number, (name, state) in lobby)
        return PageBoard("", seats=tuple(seats))
    own = view.players[seat] if seat is not None else None
    characters = [key for key in (*own.revealed, *own.concealed) if key != HIDDEN] if own is not None else ()
    return PageBoard(
        game.status(),
        tuple(plain_lines.of_round(game, view)),
        tuple(_seats(game, view)),
        tuple(_card(game, key) for key in characters),
        tuple(_card(game, key) for key in (game.card_letters.cards if own is not None else ())),
        shared(view),
    )


def _seats(game: Game, view: State) -> Iterator[PageSeat]:
    points, deciding = open_points(view), () if game.offline else acting(view)
    for seat, player in enumerate(view.players):
        away = game.texts.say(msg("no connection")) if seat in game.table.away else ""
        bot = game.texts.say(msg("a bot plays")) if seat in game.table.substituted else ""
        characters = game.texts.characters(player.revealed) if player.revealed else ""
        yield PageSeat(
            game.names[seat], ", ".join(filter(None, (characters, bot or away))), seat == game.table.seat,
            seat in deciding, seat == view.crown, player.gold, len(player.hand), points[seat],
            tuple(_built(game, district) for district in player.city),
        )  # fmt: skip


def _card(game: Game, key: str) -> PageCard:
    texts, edition, kind = game.texts, game.edition, plain_lines.kind_of(game.edition, key)
    if kind == "character":
        return PageCard(key, texts.character(key), kind, edition.ranks[key])
    return PageCard(key, texts.district(key), kind, edition.costs[key])


def _built(game: Game, district: District) -> PageCard:
    card, notes = _card(game, district.key), plain_lines.notes_of(game.texts, district)
    return PageCard(card.key, card.name, card.kind, district.cost, ", ".join(notes))


class PageOutput(Output):
    """Sends output to a page as messages."""

    leave: Message | None = msg("Leave")
    typed = False
    _stage: messages.Stage | None = None
    _board: PageBoard | None = None

    def say(self, lines: Iterable[str] | str, kind: Kind | Literal[""] = "") -> None:
        for line in filter(None, (lines,) if isinstance(lines, str) else lines):
            self.send(messages.PageText(line, kind))

    def notice(self, text: str) -> None:
        self.send(messages.PageNotice(text))

    def ask(self, texts: Texts, question: PageQuestion, parts: QuestionParts) -> None:
        self.send(question)

    def close(self, question: int) -> None:
        self.send(messages.PageClosed(question))

    def since(self) -> None:
        self.send(messages.PageSince())

    def board(self, board: PageBoard) -> None:
        """Show the table if it has changed."""
        if board != self._board:
            self._board = board
            self.send(board)

    def stage(self, stage: messages.Stage) -> None:
        if stage != self._stage:
            self._stage = stage
            self.send(messages.PageStage(stage))

    def send(self, message: messages.ToPage) -> None:
        """Send a message to the page."""
        print(msgspec.json.encode(message).decode(), file=self._out, flush=True)


class PageTable(PlainTable):
    """A game of a guest at a web page. Requests are handled at any time; an answer is accepted only with the
    number of the open question."""

    output: PageOutput
    OUTPUT = PageOutput
    OFFERED = ()

    def _flush(self) -> None:
        super()._flush()
        self.output.board(board_of(self.game))

    async def _talk(self) -> None:
        """Handle messages of the page until the guest leaves or the input ends."""
        while not self._done and (line := await self.lines.next()) is not None:
            try:
                message = DECODER.decode(line)
            except (msgspec.DecodeError, UnicodeError):  # The web server sends only valid messages.
                continue
            await self._reply(self._take(message))

    async def _reply(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except REFUSED as reason:
            self.output.notice(self.game.why(reason))

    async def _take(self, message: messages.FromPage) -> None:
        """Handle one message of the page. Work that waits for the host's reply runs in the background, so
        that later messages are handled meanwhile."""
        match message:
            case messages.PageShow(what):
                self._show(what, SHOWN[what](self.game))
            case messages.PageAbout(key) if plain_lines.kind_of(self.game.edition, key):
                topic = find_topic(key, self.game.edition)
                explanation = page(self.texts, topic, self.game.edition)
                self._show("about", (title(self.texts, topic), *explanation))
            case messages.PageSay(text):
                await self.game.session.chat(text)
            case messages.PageLeave():
                self._done = True
            case messages.PageReady():
                self._wait_for(self.game.session.ready(True))
            case messages.PageAnswer(question):
                self._wait_for(self._question.answer(question, partial(self._question.choose, message)))
            case messages.PageLine(text, question):
                await self._line(" ".join(text.split()), question)

    def _show(self, what: str, lines: Iterable[str]) -> None:
        if lines := tuple(lines):
            self.output.send(messages.PageView(what, lines))
        else:
            self.output.notice(self.texts.say(NOTHING))

    async def _line(self, line: str, question: int) -> None:
        """Run `line`, which the guest typed. A move is accepted only if `question` is the number of the open
        question."""
        word = in_english(self.texts, line).partition(" ")[0].lower()
        if word in LEAVING:
            await self._answer(line)
        elif not word or word in WORDS or self.game.of_pause(line):
            self._wait_for(self._answer(line))
        else:
            self._wait_for(self._question.answer(question, partial(self._answer, line)))

    def _wait_for(self, work: Coroutine[Any, Any, None]) -> None:
        if len(self._later) < MOST:
            self._do_later(self._reply(work))
        else:
            work.close()
            self.output.notice(self.texts.say(BUSY))
