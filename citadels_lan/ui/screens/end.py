"""The screen after the game: the scores, the cities, who was who, what the proof says, what comes next."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from citadels_lan.engine.score import Score
from citadels_lan.front.acquaintances import ASIDE, at_end, evening_lines, remember
from citadels_lan.front.cells import cut, pad, wrap
from citadels_lan.front.city_view import shared
from citadels_lan.front.game import Game
from citadels_lan.net.client.updates import Update
from citadels_lan.texts import Message, Texts, msg, msg_in
from citadels_lan.ui.drawings.doing import Doing, draw_doings
from citadels_lan.ui.drawings.frame import EDGES, SIDES, beside, frame, put
from citadels_lan.ui.screens.thought import proof_page
from citadels_lan.ui.table.city import high_skyline, low_skyline
from citadels_lan.ui.table.commands import USUAL
from citadels_lan.ui.table.scene import scene_of
from citadels_lan.ui.widgets.canvas import Canvas, DrawnBy
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import PageScreen

from .list_screen import CHOOSE, HELP, LANGUAGE, CssPath, ListScreen
from .thought import ThoughtScreen, review_of

ROOMY = 110
"""Cells from which there are words beside what can be done."""
ROOMIEST = 150
"""Cells from which that takes three columns."""
ACTIONS = {
    "t": "back", "m": "review", "v": "verify", "r": "app.rematch", "d": "app.rematch(True)",
    "q": "app.leave_table",
}  # fmt: skip
"""What each letter does."""
COLUMNS: Final[tuple[tuple[Message, tuple[str, ...]], ...]] = (
    (msg_in("score", "Districts"), ("districts",)),
    (msg_in("score", "5 types"), ("types",)),
    (msg_in("score", "Complete"), ("first", "completed")),
)
"""Reasons with a column of their own; the rest are unique districts."""
OF_CYCLES: Final[tuple[tuple[Message, tuple[str, ...]], ...]] = (
    (msg_in("score", "Districts"), ("districts",)),
    (msg_in("score", "Cycles"), ("cycles",)),
)
"""The same where the table builds one city."""
HAUNTED: Final = ("haunted_quarter", "haunted_city")
"""What counts as another type in scoring; an edition has one of them."""
NAME: Final = 18
WIDE: Final = 10
"""Cells of a column of points."""
LAST: Final = 22
"""Cells of the characters of the last round, beside those of all rounds."""
FRAMED: Final = 100
"""Cells from which the parts stand in frames."""
ABREAST: Final = (140, 58)
"""Cells from which the proof stands beside the scores, and how many it gets."""
TALLEST: Final = 5
"""Lines of a city at most."""
WHO: Final = msg("Who was who, round by round")
Shown = Mapping[int, Sequence[str]]
"""The characters that seats showed in a round."""


class Ending:
    """Draws the end of a game."""

    def __init__(self, game: Game, look: Look) -> None:
        assert game.table.state is not None
        self.game = game
        self.look = look
        self.view = game.table.state
        self.texts: Texts = game.texts
        self.columns = OF_CYCLES if shared(self.view) else COLUMNS
        self.order = sorted(range(len(self.view.players)), key=self._place)

    def _place(self, seat: int) -> tuple[bool, int]:
        return seat not in self.game.winners, -self.view.scores[seat].total

    def draw(self, width: int, height: int = 0) -> Drawing:
        """Everything, as long as it may be; the cities as high as the height leaves room for."""
        for lines in range(TALLEST, 1, -1):
            whole = self._whole(width, lines)
            if len(whole.lines) <= height:
                return whole
        return self._whole(width, 1)

    def _whole(self, width: int, lines: int) -> Drawing:
        drawing, say = Drawing(), self.texts.say
        who, score, cities = say(WHO), say(msg("The score")), say(msg("The cities"))
        parts: list[tuple[str, Callable[[int], Drawing]]] = [
            (score, self._scores), (say(msg("The proof")), self._proof),
            *([] if shared(self.view) else [(who, self._rounds)]),  # there ranks mean nothing
            (cities, lambda room: self._cities(room, lines)),
        ]  # fmt: skip
        if width >= ABREAST[0]:
            left = width - ABREAST[1] - 3
            (one, scores), (two, proof), *parts = parts
            first, second = scores(left - SIDES), proof(ABREAST[1] - SIDES)
            high = max(len(first.lines), len(second.lines)) + EDGES
            put(drawing, beside([(frame(self.look, one, first, left, high), left),
                                 (frame(self.look, two, second, ABREAST[1], high), ABREAST[1])]), 1)  # fmt: skip
        for title, part in parts:
            self._part(drawing, title, part, width, bare=title == score)
        return drawing

    def _part(
        self, drawing: Drawing, title: str, part: Callable[[int], Drawing], width: int, *, bare: bool
    ) -> None:
        """In a frame, or under its title; the scores speak for themselves."""
        if width >= FRAMED:
            inside = part(width - 2 - SIDES)
            put(drawing, frame(self.look, title, inside, width - 2, len(inside.lines) + EDGES), 1)
            return
        if not bare:
            Pen(drawing).write(cut(f" {title}", width), self.look.title)
        put(drawing, part(width - 1), 1)

    # Scores

    def _scores(self, width: int) -> Drawing:
        drawing = Drawing()
        head = Pen(drawing).to(NAME + 3)
        titles = [self.texts.say(msg("Total")), *(self.texts.say(title) for title, _ in self.columns)]
        for title in (*titles, self.texts.say(msg_in("score", "Unique"))):
            head.write(f"{cut(title, WIDE - 1, ''):>{WIDE}}", self.look.dim)
        head.write(f"{cut(self.texts.say(msg('Proof')), 6, ''):>7}", self.look.dim)
        if self._has_course(head.x, width):
            head.write(f"   {self.texts.say(msg('Rounds'))}", self.look.dim)
        for number, seat in enumerate(self.order):
            self._score(drawing, number, seat, width)
        if level := self.game.level():
            self._paragraph(drawing, level, self.look.bold, width)
        return drawing

    def _has_course(self, x: int, width: int) -> bool:
        return bool(self.game.course) and x + 6 + len(self.game.course) <= width

    def _score(self, drawing: Drawing, number: int, seat: int, width: int) -> None:
        look, score = self.look, self.view.scores[seat]
        won = seat in self.game.winners
        pen = Pen(drawing).write(f"{look.glyphs.crown if won else ' '}{number + 1} ", look.gold)
        style = look.title if won else look.bold
        pen.write(pad(self.game.names[seat], NAME, look.glyphs.cut), style).to(NAME + 3)
        pen.write(f"{score.total:>{WIDE}}", look.strong)
        for _, reasons in self.columns:
            self._number(pen, sum(points for reason, points in score.parts if reason in reasons))
        rest = [part for part in score.parts if all(part[0] not in reasons for _, reasons in self.columns)]
        self._number(pen, sum(points for _, points in rest))
        self._verdict(pen, seat)
        if self._has_course(pen.x, width):
            pen.write("   ").write(self._course(seat), look.accent)
        self._uniques(drawing, pen, score, rest, width)
        if won:
            pen.to(width).line.stylize_before(look.turn)

    def _number(self, pen: Pen, points: int) -> None:
        pen.write(f"{points or self.look.glyphs.dot:>{WIDE}}", None if points else self.look.dim)

    def _course(self, seat: int) -> str:
        """The points at the end of each round, as heights."""
        heights = self.look.glyphs.heights
        most = max((points for round_ in self.game.course for points in round_), default=0) or 1
        return "".join(heights[-(-round_[seat] * (len(heights) - 1) // most)] for round_ in self.game.course)

    def _verdict(self, pen: Pen, seat: int) -> None:
        signs = self.look.glyphs
        proof = self.game.proof
        if proof is None or (not proof.sound and seat not in proof.failed):
            pen.write(f"{signs.dot:>7}", self.look.dim)
        elif proof.sound:
            pen.write(f"{signs.tick:>7}", self.look.accent)
        elif proof.gaps:
            pen.write(f"{'?':>7}", self.look.gold)
        else:
            pen.write(f"{signs.gone:>7}", self.look.danger)

    def _uniques(
        self, drawing: Drawing, pen: Pen, score: Score, rest: Sequence[tuple[str, int]], width: int
    ) -> None:
        """Write the unique districts that gave points: after the numbers if there is room, else below."""
        said = [f"{self.texts.district(key)} {points:+}" for key, points in rest]
        if score.haunted is not None and score.haunted != "unique":
            quarter = self.texts.district(next(key for key in HAUNTED if key in self.game.edition.districts))
            said.append(
                self.texts.say(
                    msg("{quarter} counts as {type}"), quarter=quarter, type=self.texts.type(score.haunted)
                )
            )
        if not said:
            return
        text = ", ".join(said)
        if pen.x + len(text) + 3 <= width:
            pen.write(f"   {text}", self.look.dim)
        else:
            for line in wrap(text, width - 5):
                Pen(drawing).to(4).write(line, self.look.dim)

    # The cities

    def _cities(self, width: int, lines: int) -> Drawing:
        """Each city as it stood at the end, in so many lines."""
        drawing, scene = Drawing(), scene_of(self.game, self.look)
        for seat in self.order:
            pens = [Pen(drawing) for _ in range(lines)]
            pens[0].write(pad(self.game.names[seat], NAME, self.look.glyphs.cut), self.look.bold).write(" ")
            if lines == 1:
                low_skyline(scene, pens[0], seat, width - pens[0].x)
            else:
                high_skyline(scene, pens, seat, width - pens[0].x)
        drawing.hits.clear()
        return drawing

    # Who was who

    def _rounds(self, width: int) -> Drawing:
        """Draw the characters that each player showed, round by round: names if they have room, else ranks, and
        then the names of the last round."""
        drawing = Drawing()
        ranks = self.game.edition.ranks
        rounds = [shown for _, shown in sorted(self.game.story.who.items())]
        for name in (self.texts.character, self.texts.short_character):
            if self._fits(rounds, name, width):
                self._grid(drawing, rounds, name, len(rounds))
                return drawing
        cell = max(self._cell(rounds, lambda key: str(ranks[key])), 3)
        self._grid(drawing, rounds, lambda key: str(ranks[key]), max((width - NAME - 1 - LAST) // cell, 1), cell)
        for pen_line, seat in zip(drawing.lines[1:], self.order, strict=True):
            last = rounds[-1].get(seat, []) if rounds else []
            room = width - cell_len(pen_line.plain)
            full, short = (
                "  " + " ".join(map(name, last)) for name in (self.texts.character, self.texts.short_character)
            )
            said = full if cell_len(full) <= room else cut(short, room, self.look.glyphs.cut)
            pen_line.append(said, self.look.accent)
        return drawing

    def _cell(self, rounds: Sequence[Shown], name: Callable[[str], str]) -> int:
        said = (_joined(keys, name) for shown in rounds for keys in shown.values())
        return max(map(cell_len, said), default=1) + 1

    def _fits(self, rounds: Sequence[Shown], name: Callable[[str], str], width: int) -> bool:
        return NAME + 1 + len(rounds) * self._cell(rounds, name) <= width

    def _grid(
        self, drawing: Drawing, rounds: Sequence[Shown], name: Callable[[str], str], room: int, cell: int = 0
    ) -> None:
        """A line for each player, with the last rounds for which there is room."""
        cell = cell or max(self._cell(rounds, name), 3)
        numbers = [number for number, _ in sorted(self.game.story.who.items())]
        title = pad(self.texts.say(msg_in("who was who", "Round")), NAME)
        head = Pen(drawing).write(title, self.look.dim).write(" ")
        for number in numbers[-room:]:
            head.write(pad(str(number), cell), self.look.dim)
        for seat in self.order:
            pen = Pen(drawing).write(pad(self.game.names[seat], NAME, self.look.glyphs.cut), self.look.bold)
            pen.write(" ")
            for shown in rounds[-room:]:
                said = _joined(shown.get(seat, ()), name) or self.look.glyphs.dot
                pen.write(pad(said, cell), None if seat in shown else self.look.dim)

    # The proof

    def _proof(self, width: int) -> Drawing:
        """Draw the verdict of the proof, the signatures, the check words, the transcript's path, the
        acquaintances, and the results of the evening."""
        texts, look, proof, drawing = self.texts, self.look, self.game.proof, Drawing()
        if not self.game.session.table.record_closed:
            self._paragraph(drawing, self.game.status(), look.gold, width)
        elif proof is None:
            checked = msg("There is no transcript to check.")
            said = texts.say(checked if self.game.checked else msg("Checking the transcript…"))
            self._paragraph(drawing, said, look.dim, width)
        elif proof.sound:
            self._paragraph(drawing, f"{look.glyphs.tick} {proof.verdict(texts)}", look.accent, width)
        else:
            sign, style = ("?", look.gold) if proof.gaps else (look.glyphs.gone, look.danger)
            for said in (proof.verdict(texts), *proof.sentences(texts)):
                self._paragraph(drawing, f"{sign} {said}", style, width)
        for said in proof.history(texts) if proof is not None else ():
            self._paragraph(drawing, said, look.bold, width)
        path = self.game.session.table.transcript
        if path is not None:
            said = texts.say(msg("Anyone can check it: citadels-lan verify {path}"), path=path)
            self._paragraph(drawing, said, look.dim, width)
        for said in evening_lines(texts, self.game.evening):
            self._paragraph(drawing, said, look.bold, width)
        for said, warns in at_end(texts, self.game.known, proof, self.game.table.seat):
            self._paragraph(drawing, said, look.danger if warns else look.dim, width)
        return drawing

    def _paragraph(self, drawing: Drawing, text: str, style: Style, width: int) -> None:
        for number, line in enumerate(wrap(text, width - 2)):
            Pen(drawing).to(0 if number == 0 else 2).write(line, style)


def _joined(keys: Sequence[str], name: Callable[[str], str]) -> str:
    return "/".join(map(name, keys))


class EndView(Canvas, can_focus=True):
    """The result, in a window that scrolls over it, and what can be done below."""

    def __init__(self, screen: "EndScreen") -> None:
        super().__init__(id="result")
        self._screen = screen
        self._top = 0

    def draw(self, width: int, height: int) -> Drawing:
        screen, look = self._screen, self._screen.look
        shown, below = Drawing(), Drawing()
        head = wrap(screen.title_text(), max(width - 5, 1))
        for number, line in enumerate(head):
            Pen(shown).write(f" {look.glyphs.crown} " if number == 0 else "   ", look.gold).write(line, look.title)
        columns = 3 if width >= ROOMIEST else 2 if width >= 60 else 1
        draw_doings(look, below, screen.doings(), screen.cursor, width, columns=columns, details=width >= ROOMY)
        room = max(height - len(shown.lines) - len(below.lines) - 1, 1)
        whole = Ending(screen.game, look).draw(width, room)
        self._top = max(0, min(self._top, len(whole.lines) - room))
        seen = Drawing(whole.lines[self._top : self._top + room])
        left = len(whole.lines) - self._top - room
        put(shown, seen)
        for _ in range(room - len(seen.lines)):
            Pen(shown)
        more = screen.texts.plural("PgDn: {count} more line", "PgDn: {count} more lines", left)
        Pen(shown).write(f" {look.glyphs.down} {more}" if left > 0 else "", look.title)
        put(shown, below)
        return shown

    def scroll(self, rows: int) -> None:
        self._top = max(0, self._top + rows)
        self.redraw()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll(-3)


class EndScreen(ListScreen):
    """Scores, cities, who was who, the proof, and where to go from here."""

    CSS_PATH: ClassVar[CssPath] = ["list_screen.tcss", "end.tcss"]
    STAGE = "end"
    HINTS = (CHOOSE, ("PgUp PgDn", msg("scroll")), LANGUAGE, HELP, ("Q", msg("leave")))
    AUTO_FOCUS = "#result"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_result(-5)", show=False),
        Binding("pagedown", "scroll_result(5)", show=False),
        Binding("up,left", "move(-1)", show=False),
        Binding("down,right", "move(1)", show=False),
        Binding("enter", "choose", show=False),
        *(Binding(f"{letter},{letter.upper()}", f"do('{letter}')", show=False) for letter in ACTIONS),
    ]

    def __init__(self, game: Game, result: str = USUAL["result"]) -> None:
        """`result` is the key that leads back here from the table."""
        super().__init__()
        self.game = game
        self.cursor = "t"
        self._result = result
        self._verifying = False

    def compose(self) -> ComposeResult:
        yield EndView(self)
        yield DrawnBy("foot", self.draw_foot)

    def on_mount(self) -> None:
        super().on_mount()
        self._verify_closed()

    def _verify_closed(self) -> None:
        """Check the transcript once the record is closed."""
        if self.game.session.table.record_closed and not self._verifying:
            self._verifying = True
            self._verify()

    @work(thread=True)
    def _verify(self) -> None:
        """Check the transcript in a thread, show the result, and remember the players."""
        from citadels_lan.front.proof import check

        game = self.game
        if not game.checked:
            game.proof = check(game.session.table.transcript)
            game.checked = True
            self.app.call_from_thread(self.retell)
            aside = remember(game.known, game.proof, game.table.seat, date.today())
            if aside is not None:
                self.app.call_from_thread(self.say, self.texts.say(ASIDE, path=aside))
            from citadels_lan.front.retelling import points_of_game

            game.course = points_of_game(game.session.table.transcript)
            self.app.call_from_thread(self.retell)

    def title_text(self) -> str:
        return self.game.status()

    def purpose(self) -> list[str]:
        say = self.texts.say
        return [
            say(msg("The crown marks the winner. A dot in the last column: not verified yet.")),
            say(msg("A letter does what stands beside it.")),
        ]

    def doings(self) -> list[Doing]:
        """Return the possible next steps."""
        say = self.texts.say
        closed = self._file() is not None and self.game.session.table.record_closed
        proof = [Doing("v", say(msg("The proof in full")))] if closed else []
        table = Doing(
            "t", say(msg("See the table once more")), say(msg("{key} comes back here"), key=self._result)
        )
        review = [Doing("m", say(msg("Your biggest mistakes")), say(msg("a bot thinks them over")))]
        reviewed = review if proof and self.game.table.seat is not None else []
        return [table, *reviewed, *proof, *self._again(), Doing("q", say(msg("Leave the table")))]

    def _again(self) -> list[Doing]:
        """Return the ways to play again."""
        if not self.program.may_rematch or not self.game.session.table.record_closed:
            return []
        say, game = self.texts.say, self.game
        if game.invitation is None and game.session.table.again is not None:
            kept = say(msg("the host has opened the next table and keeps your seat"))
            return [Doing("r", say(msg("Play again")), kept)]
        drawn = [Doing("d", say(msg("Play again, seats drawn anew")))] if game.invitation is not None else []
        return [Doing("r", say(msg("Play again")), say(msg("at the next table, the same people"))), *drawn]

    def _file(self) -> object:
        path = self.game.session.table.transcript
        return path if path is not None and path.exists() else None

    def updated(self, updates: Sequence[Update]) -> None:
        self._verify_closed()
        self.retell()

    def action_scroll_result(self, rows: int) -> None:
        self.query_one(EndView).scroll(rows)

    # What can be done

    def action_move(self, step: int) -> None:
        letters = [doing.letter for doing in self.doings()]
        here = letters.index(self.cursor) if self.cursor in letters else 0
        self.cursor = letters[(here + step) % len(letters)]
        self.retell()

    async def action_choose(self) -> None:
        await self.action_do(self.cursor)

    async def action_do(self, letter: str) -> None:
        """Do this, where it can be done now."""
        if any(doing.letter == letter for doing in self.doings()):
            await self.run_action(ACTIONS[letter])

    @on(Canvas.Pointed, "#result")
    async def _clicked(self, message: Canvas.Pointed) -> None:
        await self.action_do(message.hit.key)

    def action_review(self) -> None:
        """Show the moves that cost the player most."""
        path = self.game.session.table.transcript
        if path is not None:
            from citadels_lan.front.recording import load_recording

            self.app.push_screen(ThoughtScreen(review_of(lambda: load_recording(path))))

    @work(thread=True)
    def action_verify(self) -> None:
        """The report of verification."""
        path = self.game.session.table.transcript
        if path is not None:
            page = proof_page(self.texts, self.look, path)
            self.app.call_from_thread(self.app.push_screen, PageScreen(page))
