"""The screen after the game: the winner, the scores, the turning point and the possible next steps. More
pages show the cities, the characters and the proof."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from citadels_lan.net.client.updates import Update
from citadels_lan.presenter.facts import shared
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.known_players import ASIDE, at_end, evening_lines, remember
from citadels_lan.presenter.symbols import ASCII
from citadels_lan.presenter.text_width import cut, pad, wrap
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.table.city import brief, high_skyline
from citadels_lan.ui.table.scene import Scene, scene_of
from citadels_lan.ui.widgets.canvas import Drawing, Pen, Styled, write_lines
from citadels_lan.ui.widgets.letters import large
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.program import ChoiceList, PageScreen, Row, letters

from .analysis import MistakesScreen, proof_page
from .list_screen import CHOOSE, HELP, LANGUAGE, ListScreen

ACTIONS = {
    "r": "app.rematch", "d": "app.rematch(True)", "m": "review", "w": "part('rounds')", "c": "part('cities')",
    "t": "back", "v": "verify", "q": "app.leave_table",
}  # fmt: skip
"""The Textual action of each letter key."""
DISTRICTS: Final = (msg_in("score", "Districts"), ("districts",))
COLUMNS: Final[tuple[tuple[Message, tuple[str, ...]], ...]] = (
    DISTRICTS, (msg_in("score", "5 types"), ("types",)), (msg_in("score", "Complete"), ("first", "completed")),
)  # fmt: skip
"""The columns of the table of scores: the heading, and the reasons for points that the column adds up. Unique
districts are listed outside the columns."""
OF_CYCLES: Final = (DISTRICTS, (msg_in("score", "Cycles"), ("cycles",)))
"""The columns of the scores in an edition with one common city."""
HAUNTED: Final = ("haunted_quarter", "haunted_city")
"""Districts that can count as another type. Each edition has one of them."""
NAME: Final = 18
WIDE: Final = 10
"""Cells of a column of points."""
LAST: Final = 22
"""Cells of the names of the last round's characters, to the right of the ranks of all rounds."""
PAGE: Final = 6
"""Cells that the text of a page cannot use: frame, padding and scroll bar."""
LARGE: Final = 30
"""Fewest lines of a screen that shows the winner in large letters."""
NAMED: Final = 100
"""Fewest cells of a page on which drawn districts show their names."""
TALLEST: Final = 5
"""Most lines of a drawn city."""
LOWEST: Final = 3
"""Fewest lines of a drawn city below the scores."""
SHARE: Final = 60
"""How much of the screen's height the scores may take, in per cent. The style sheet has the same value."""


class Ending:
    """Draws the pages about the end of a game."""

    def __init__(self, game: Game, look: Look) -> None:
        assert game.table.state is not None
        self.game = game
        self.look = look
        self.view = game.table.state
        self.texts = game.texts
        self.columns = OF_CYCLES if shared(self.view) else COLUMNS
        places = {seat: (seat not in game.winners, -score.total) for seat, score in enumerate(self.view.scores)}
        self.order = sorted(places, key=places.__getitem__)

    def first(self, width: int) -> Drawing:
        """Draw the first page: the scores, the turning point, the result of the verification, and the results
        of the evening."""
        drawing, say = self.scores(width), self.texts.say
        parts: list[Styled] = []
        if (turning := self.turning_point()) is not None:
            parts.append((say("Turning point: {what}", what=turning), None))
        parts += self._verdict()
        parts += [(line, self.look.bold) for line in evening_lines(self.texts, self.game.evening)]
        people = at_end(self.texts, self.game.known, self.game.proof, self.game.table.seat)
        parts += [(line, self.look.danger) for line, warns in people if warns]
        if parts:
            Pen(drawing)
        self._paragraphs(drawing, parts, width)
        return drawing

    def part(self, name: str, width: int, height: int) -> tuple[str, Drawing]:
        """Return the title and the drawing of the page `name`: "rounds" or "cities"."""
        if name == "rounds":
            return self.texts.say("Who was who, round by round"), self.rounds(width)
        lines = max(2, min(height // len(self.order), TALLEST))
        return self.texts.say("The cities"), self.cities(width, lines)

    def turning_point(self) -> str | None:
        """Return a sentence about when the winner took the lead for the rest of the game; None if the points
        of the rounds are not known."""
        course, winners = self.game.course, self.game.winners
        if not course or len(winners) != 1:
            return None
        winner = winners[0]
        ahead = [points[winner] > max(*points[:winner], *points[winner + 1 :], -1) for points in course]
        if not ahead[-1]:
            return None
        began = max((at for at, leads in enumerate(ahead) if not leads), default=-1) + 1
        own = winner == self.game.table.seat
        leads = msg("round {round}, you take the lead.") if own else msg("round {round}, {name} takes the lead.")
        return self.texts.say(leads, round=began + 1, name=self.game.names[winner])

    # Scores

    def scores(self, width: int) -> Drawing:
        drawing, look, say, course = Drawing(), self.look, self.texts.say, self.game.course
        head = Pen(drawing).to(NAME + 3)
        for title in (msg("Total"), *(title for title, _ in self.columns), msg_in("score", "Unique")):
            head.write(f"{cut(say(title), WIDE - 1, ''):>{WIDE}}", look.dim)
        charted = bool(course) and head.x + 6 + len(course) <= width
        if charted:
            head.write(f"   {say('Rounds')}", look.dim)
        for number, seat in enumerate(self.order):
            self._score(drawing, number, seat, width, charted=charted)
        if level := self.game.level():
            self._paragraphs(drawing, [(level, look.bold)], width)
        return drawing

    def _score(self, drawing: Drawing, number: int, seat: int, width: int, *, charted: bool) -> None:
        look, score, won = self.look, self.view.scores[seat], seat in self.game.winners
        pen = Pen(drawing).write(f"{look.glyphs.crown if won else ' '}{number + 1} ", look.gold)
        style = look.title if won else look.bold
        pen.write(pad(self.game.names[seat], NAME, look.glyphs.cut), style).to(NAME + 3)
        pen.write(f"{score.total:>{WIDE}}", look.strong)
        named = [reason for _, reasons in self.columns for reason in reasons]
        unique = [part for part in score.parts if part[0] not in named]
        for reasons in (*(reasons for _, reasons in self.columns), [reason for reason, _ in unique]):
            points = sum(points for reason, points in score.parts if reason in reasons)
            pen.write(f"{points or look.glyphs.dot:>{WIDE}}", None if points else look.dim)
        if self.game.proof is not None and seat in self.game.proof.failed:
            pen.write(f" {look.glyphs.gone}", look.danger)
        if charted:
            heights, most = look.glyphs.heights, max(1, *map(max, self.game.course))
            course = (heights[-(-round_[seat] * (len(heights) - 1) // most)] for round_ in self.game.course)
            pen.write("   ").write("".join(course), look.accent)
        self._uniques(drawing, pen, seat, unique, width)
        if won:
            pen.to(width).line.stylize_before(look.turn)

    def _uniques(
        self, drawing: Drawing, pen: Pen, seat: int, parts: Sequence[tuple[str, int]], width: int
    ) -> None:
        """Write the unique districts that gave points: to the right of the numbers if there is room,
        otherwise in lines below."""
        texts, haunted = self.texts, self.view.scores[seat].haunted
        districts = [f"{texts.district(key)} {points:+}" for key, points in parts]
        if haunted is not None and haunted != "unique":
            quarter = texts.district(next(key for key in HAUNTED if key in self.game.edition.districts))
            counts = msg("{quarter} counts as {type}")
            districts.append(texts.say(counts, quarter=quarter, type=texts.type(haunted)))
        text = ", ".join(districts)
        if pen.x + len(text) + 3 <= width:
            pen.write(f"   {text}" if text else "", self.look.dim)
        else:
            write_lines(drawing, wrap(text, width - 5) if text else (), self.look.dim, 4)

    # The cities

    def cities(self, width: int, lines: int) -> Drawing:
        """Draw each city at the end of the game: as a skyline of `lines` lines, or on a narrow page as a list
        of names."""
        drawing, scene = Drawing(), scene_of(self.game, self.look)
        for seat in self.order:
            pens = [Pen(drawing) for _ in range(lines if width >= NAMED else 1)]
            pens[0].write(pad(self.game.names[seat], NAME, self.look.glyphs.cut), self.look.bold).write(" ")
            if width >= NAMED:
                high_skyline(scene, pens, seat, width - pens[0].x)
            else:
                self._named(scene, pens[0], seat, width)
        drawing.hits.clear()
        return drawing

    def _named(self, scene: Scene, pen: Pen, seat: int, width: int) -> None:
        """Write the districts of a city with their complete names."""
        for district in self.view.players[seat].city:
            text = f"{brief(scene, district)} {self.texts.district(district.key)}  "
            if pen.x + cell_len(text) > width:
                pen = Pen(pen.drawing).to(NAME + 1)
            pen.write(text, self.look.types[scene.edition.types[district.key]])

    # The characters of each round

    def rounds(self, width: int) -> Drawing:
        """Draw the characters that each player revealed in each round. If there is not enough room for names,
        only the last round has names, and the other rounds have ranks."""
        drawing, look, ranks, texts = Drawing(), self.look, self.game.edition.ranks, self.texts
        rounds = sorted(self.game.story.who.items())
        for name in (texts.character, texts.short_character, lambda key: str(ranks[key])):
            shown = {
                seat: ["/".join(map(name, who.get(seat, ()))) or look.glyphs.dot for _, who in rounds]
                for seat in self.order
            }
            cell = 1 + max((cell_len(text) for row in shown.values() for text in row), default=1)
            named = NAME + 1 + len(rounds) * cell <= width and name in (texts.character, texts.short_character)
            if named:
                break
        cell = max(cell, 3)
        first = 0 if named else max(len(rounds) - max((width - NAME - 1 - LAST) // cell, 1), 0)
        head = "".join(pad(str(number), cell) for number, _ in rounds[first:])
        Pen(drawing).write(f"{pad(texts.say(msg_in('who was who', 'Round')), NAME)} {head}", look.dim)
        for seat, row in shown.items():
            pen = Pen(drawing).write(pad(self.game.names[seat], NAME, look.glyphs.cut), look.bold).write(" ")
            for text in row[first:]:
                pen.write(pad(text, cell), look.dim if text == look.glyphs.dot else None)
            if rounds and not named:
                last, room = rounds[-1][1].get(seat, ()), width - pen.x
                full, short = (f"  {' '.join(map(n, last))}" for n in (texts.character, texts.short_character))
                pen.write(full if cell_len(full) <= room else cut(short, room, look.glyphs.cut), look.accent)
        return drawing

    # The proof

    def _verdict(self) -> list[Styled]:
        """Return the result of the verification in one line; in several lines if something is wrong."""
        texts, look, game, proof = self.texts, self.look, self.game, self.game.proof
        if not game.session.table.record_closed:
            return []
        if proof is None:
            checked = msg("There is no transcript to check.")
            return [(texts.say(checked if game.checked else msg("Checking the transcript…")), look.dim)]
        if proof.sound:
            return [(f"{look.glyphs.tick} {texts.say('Game verified')}", look.accent)]
        sign, style = ("?", look.gold) if proof.gaps else (look.glyphs.gone, look.danger)
        return [(f"{sign} {line}", style) for line in (proof.verdict(texts), *proof.sentences(texts))]

    def proof_lines(self) -> list[str]:
        """Return lines with the result of the verification, the signatures, the check words, the path of the
        transcript, and what this player knows about the other persons."""
        texts, game, proof = self.texts, self.game, self.game.proof
        lines = [proof.verdict(texts), *proof.history(texts)] if proof is not None else []
        if (path := game.session.table.transcript) is not None:
            lines.append(texts.say("To check the game: citadels-lan verify {path}", path=path))
        return [*lines, *(line for line, _ in at_end(texts, game.known, proof, game.table.seat))]

    def _paragraphs(self, drawing: Drawing, parts: Sequence[Styled], width: int) -> None:
        for text, style in parts:
            first, *others = wrap(text, width - 2)
            Pen(drawing).write(first, style)
            write_lines(drawing, others, style, 2)


class EndScreen(ListScreen):
    """Shows the winner, the scores and the possible next steps."""

    STAGE = "end"
    NUMBERS = False
    HINTS = (CHOOSE, ("PgUp PgDn", msg("scroll")), LANGUAGE, HELP, ("Q", msg("leave")))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_result(-5)", show=False, priority=True),
        Binding("pagedown", "scroll_result(5)", show=False, priority=True),
        *letters(**{letter: f"do('{letter}')" for letter in ACTIONS}),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self._verifying = False

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        with VerticalScroll(id="result", can_focus=False):
            yield Static(id="scores")
        yield ChoiceList("list", numbers=False)
        yield self.key_bar()

    def on_mount(self) -> None:
        self.updated(())

    def updated(self, updates: Sequence[Update]) -> None:
        """Verify the transcript once the record is closed, and show the screen again."""
        if self.game.session.table.record_closed and not self._verifying:
            self._verifying = True
            self._verify()
        self.retell()

    def retell(self) -> None:
        super().retell()
        (width, height), ending = self.app.size, Ending(self.game, self.look)
        lines = ending.first(width - 2).lines
        room = height * SHARE // 100 - len(lines) - 2
        if room >= LOWEST * len(ending.order):  # a tall terminal has room for the cities, too
            title, cities = ending.part("cities", width - 2, room)
            lines = [*lines, Text(), Text(title, self.look.title), *cities.lines]
        for static in self.query("#scores").results(Static):  # none yet before it is composed
            static.update(Text("\n").join(lines))

    # Checking a transcript takes seconds, in which the screen must answer.
    @work(thread=True)
    def _verify(self) -> None:
        """Verify the transcript in a thread, show the result, and store the other players as known
        players."""
        from citadels_lan.presenter.proof import check
        from citadels_lan.presenter.recording import points_of_game

        game = self.game
        if not game.checked:
            game.proof = check(game.session.table.transcript)
            game.checked = True
            self.app.call_from_thread(self.retell)
            aside = remember(game.known, game.proof, game.table.seat, date.today())
            if aside is not None:
                self.app.call_from_thread(self.say, self.texts.say(ASIDE, path=aside))
            game.course = points_of_game(game.session.table.transcript)
            self.app.call_from_thread(self.retell)

    def title_text(self) -> str:
        return self.game.status()

    def heading(self) -> Text:
        """Return the winner, in large letters if there is room, and the rank of this player."""
        look, game, say = self.look, self.game, self.texts.say
        if not game.winners:
            return super().heading()
        own = game.table.seat in game.winners
        name = game.names[game.winners[0]]
        wins = say("You win") if own else say("{name} wins", name=name)
        big = large(wins.lower(), self.app.size.width - 4) if self.app.size.height >= LARGE else []
        shown = big if big and look.glyphs is not ASCII and len(game.winners) == 1 else []
        text = Text("\n").join(Text(f" {row}", look.gold) for row in shown) if shown else super().heading()
        seat = game.table.seat
        if seat is not None and not own:
            order = Ending(game, look).order
            place = msg("You: place {place} of {count}")
            text.append(f"\n  {say(place, place=order.index(seat) + 1, count=len(order))}", look.bold)
        return text

    def action_scroll_result(self, rows: int) -> None:
        self.query_one("#result").scroll_relative(y=rows, animate=False)

    # Commands

    def rows(self) -> list[Row]:
        """Return a row for each possible next step."""
        say, game, table = self.texts.say, self.game, self.game.session.table

        def step(letter: str, label: Message, detail: str = "") -> Row:
            return Row(letter, say(label), detail, letter=letter.upper())

        # The first rows are there from the beginning, so that the cursor starts on one of them.
        rows, over, playing = [], table.record_closed, game.table.seat is not None
        soon = "" if over else say(msg("One moment…"))
        if self.program.may_rematch:
            kept = say(msg("the host opened the next game and keeps your seat"))
            waits = game.invitation is None and table.again is not None
            rows.append(step("r", msg("Rematch"), soon or (kept if waits else "")))
            if game.invitation is not None:
                rows.append(step("d", msg("Rematch, new seats")))
        elif self.program.launcher is not None and playing and game.with_people:
            later = say(msg("when the host opens the next game"))
            rows.append(replace(step("r", msg("Rematch"), later), aside=True))
        kept_file = table.transcript is not None and table.transcript.exists() and over
        if playing and (kept_file or not over):
            rows.append(step("m", msg("Learn from mistakes"), soon))
        if game.table.state is not None and not shared(game.table.state):  # else characters are called off a deck
            rows.append(step("w", msg("Who was who")))
        back = say(msg("{key} again: back here"), key=self.program.keys["result"])
        rows += [step("c", msg("Cities")), step("t", msg("Table"), back)]
        if kept_file:
            rows.append(step("v", msg("Proof")))
        return [*rows, step("q", msg("Leave"))]

    @on(ChoiceList.Chosen)
    async def _chosen(self, message: ChoiceList.Chosen) -> None:
        await self.action_do(message.key)

    async def action_do(self, letter: str) -> None:
        """Run the action of a letter key, if it is available at the moment."""
        closed = self.game.session.table.record_closed
        early = (letter in "rdm" and not closed) or (letter == "r" and not self.program.may_rematch)
        if not early and any(row.key == letter for row in self.rows()):
            await self.run_action(ACTIONS[letter])

    def action_part(self, name: str) -> None:
        """Open the page `name`, with the cities or with the characters."""
        width, height = self.app.size
        title, drawing = Ending(self.game, self.look).part(name, width - PAGE - 2, height - PAGE)
        text = Text("\n").join([Text(f"{title}\n", self.look.title), *drawing.lines])
        self.app.push_screen(PageScreen(text, ("w", "c"), wide=True))

    def action_review(self) -> None:
        """Show this player's mistakes as exercises."""
        path = self.game.session.table.transcript
        if path is not None:
            from citadels_lan.presenter.recording import load_recording

            self.app.push_screen(MistakesScreen(lambda: load_recording(path)))

    @work(thread=True)
    def action_verify(self) -> None:
        """Open the report of the verification."""
        path = self.game.session.table.transcript
        if path is not None:
            above = "\n".join(Ending(self.game, self.look).proof_lines())
            page = Text(f"{above}\n\n").append_text(proof_page(self.texts, self.look, path))
            self.app.call_from_thread(self.app.push_screen, PageScreen(page))
