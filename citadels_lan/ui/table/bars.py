"""Single lines of the table screen: the turn bar, the notice about an attack, hints, the input line. Also the
log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events, message, on
from textual.widgets import Input

from citadels_lan.presenter.facts import asked_for
from citadels_lan.presenter.log import Kind, Line
from citadels_lan.presenter.prompt.menu import capital
from citadels_lan.presenter.status import Mood, turn_parts
from citadels_lan.presenter.symbols import ASCII
from citadels_lan.presenter.text_width import cut, fitted, wrap
from citadels_lan.texts import Message, Texts, msg, msg_in
from citadels_lan.texts.tables import sentences
from citadels_lan.ui.table.board import marker_sign
from citadels_lan.ui.table.scene import Scene, SceneView
from citadels_lan.ui.widgets.canvas import Canvas, Drawing, Pen, heading
from citadels_lan.ui.widgets.letters import HEIGHT, large
from citadels_lan.ui.widgets.look import Look, printed
from citadels_lan.ui.widgets.program import program

HEADS: Final = sentences("citadels_lan.ui", "screens.toml")["heads"]
"""The headline for each situation in which it is not the name of the player on turn."""
NAMES: Final = {
    "gather": msg_in("part of a turn", "gather"),
    "build": msg_in("part of a turn", "build"),
    "end": msg_in("part of a turn", "end"),
}
CHOOSE: Final = msg("CHOOSE IN SECRET")
MOVE: Final = msg("YOUR MOVE")
TURN: Final = msg("YOUR TURN")
HEAD = 20
"""Most cells of the headline in normal letters."""
BIG = 64
"""Most cells of the headline in large letters."""
LEAST = 80
"""With fewer cells than this, the bar shows only its sentence."""
STRONG: Final = Style(bold=True)
NOW: Final = Style(bold=True, reverse=True)


def bar(scene: Scene, said: Sequence[str], mood: Mood, words: str, note: str, width: int, height: int) -> Drawing:
    """Draw the bar of the turn: a line with the player on turn, and below it a sentence about the possible
    moves. `said` has that sentence in several lengths, the longest first. `words` are the check words, shown
    during the draft. `note` is shown below the sentence if the screen is too small for the table."""
    drawing, look = Drawing(), scene.look
    if note or width < LEAST or height < 2:  # at most the sentence fits
        noted = bool(note) and height > 1
        _sentence(drawing, said, width, height - noted)
        if noted:
            Pen(drawing).write(" ").write(cut(note, max(width - 2, 0), look.glyphs.cut), look.dim)
        return drawing
    head = headline(scene, mood)
    # Large letters consist of block characters, which a terminal with ASCII alone does not have.
    tall = height >= HEIGHT and look.glyphs is not ASCII
    if tall and (big := large(head.lower().replace("'", " "), BIG)):
        _large(scene, drawing, mood, big, said, width)
        return drawing
    pen = Pen(drawing).write(" ").write(f" {cut(head, HEAD, look.glyphs.cut)} ", NOW).write("  ")
    _turn(scene, pen, mood, width)
    if len(said) == 1 and scene.view.turn is not None and mood in ("mine", "other"):
        _, colon, what = said[0].partition(": ")  # without the name of the player, which is in the line above
        said = [capital(what)] if colon else said
        # The moves are listed below, so a long sentence about them is not needed.
        said = [*said, scene.texts.say(msg("Choose a move from the list."))] if mood == "mine" else said
    words = words if scene.view.phase == "draft" and cell_len(words) + len(said[-1]) + 4 <= width else ""
    last = _sentence(drawing, said, width - cell_len(words) - bool(words), height - 1)
    if words and last is not None:
        last.to(width - cell_len(words) - 1).thing("page", "words", words, look.accent)
    return drawing


class TurnBar(SceneView):
    """The bar of the turn at the top of the screen. Its colour shows the player's situation."""

    def __init__(self) -> None:
        super().__init__(bar, id="status")

    def show(self, scene: Scene, *inputs: Any) -> None:
        super().show(scene, *inputs)
        _, mood, *_ = inputs
        if not self.has_class(f"-{mood}"):
            self.set_classes(f"-{mood}")


def _fitting(said: Sequence[str], width: int, height: int) -> list[str]:
    """Return, in at most `height` lines, the first sentence of `said` that fits. If none fits, cut the last
    one."""
    ways = [wrap(way, max(width, 1)) for way in said]
    lines = next((way for way in ways if len(way) <= height), ways[-1])
    if len(lines) > height > 0:
        lines = [*lines[: height - 1], f"{lines[height - 1]} {lines[height]}"]
    return lines[: max(height, 0)]


def _sentence(drawing: Drawing, said: Sequence[str], width: int, height: int) -> Pen | None:
    """Write the first sentence of `said` that fits into `height` lines, and return the pen at its end; None
    if nothing was written."""
    pen = None
    for line in _fitting(said, width - 2, height):
        pen = Pen(drawing).write(" ").write(cut(line, max(width - 2, 0)))
    return pen


def _large(
    scene: Scene, drawing: Drawing, mood: Mood, big: Sequence[str], said: Sequence[str], width: int
) -> None:
    """Draw three lines: at the left the large letters `big`, at the right the turn and the sentence."""
    left = cell_len(big[0]) + 5
    lines = [*_fitting(said, width - left - 1, HEIGHT - 1), "", ""]
    for number, row in enumerate(big):
        pen = Pen(drawing).write("  ").write(row, STRONG).to(left)
        if number == 0:
            _turn(scene, pen, mood, width)
        else:
            pen.write(cut(lines[number - 1], width - left - 1))


def _turn(scene: Scene, pen: Pen, mood: Mood, width: int) -> None:
    """Write the character on turn and the steps of its turn. The public facts of the table are at the right
    end."""
    role, facts = _role(scene, mood), _facts(scene)
    steps = _parts(scene) if mood in ("mine", "other", "dead") and scene.view.turn is not None else []
    length = sum(cell_len(step) for step, _ in steps)
    needs = pen.x + cell_len(role) + length + 4
    # The parts of the turn are more important than the facts, which are in the log as well.
    while len(facts) > 1 and needs + cell_len("   ".join(facts)) + 1 > width:
        facts.pop()
    right = "   ".join(facts)
    room = width - pen.x - cell_len(right) - 3
    pen.write(cut(role, room), STRONG)
    if steps and cell_len(role) + length + 2 <= room:
        pen.write("  ")
        for step, style in steps:
            pen.write(step, style)
    if width - cell_len(right) - 1 > pen.x:
        pen.to(width - cell_len(right) - 1).write(right, STRONG)


def headline(scene: Scene, mood: Mood) -> str:
    """Return the name of the player on turn in capitals, or the reason why no player can move."""
    say, view = scene.texts.say, scene.view
    if mood in HEADS:
        return say(HEADS[mood])
    if mood == "mine":
        step = view.steps[-1].verb if view.steps else ""
        return say(CHOOSE if step == "pick" else MOVE if step and step != "keep" else TURN)
    return scene.names[scene.acting[0]].upper()


def _role(scene: Scene, mood: Mood) -> str:
    """Return the character on turn; before a turn, what is happening instead. Add the name of the player if
    the headline does not name that player."""
    view, texts = scene.view, scene.texts
    if mood in ("stopped", "over", "closed", "offline"):
        return ""
    if mood == "waiting":
        called = asked_for(view)
        return texts.say("called: {character}", character=texts.character(called)).upper() if called else ""
    if view.turn is None:
        return texts.say("choosing characters").upper() if view.phase == "draft" else ""
    role = texts.character(view.turn.character).upper()
    named = mood == "dead" or view.turn.seat not in scene.acting
    return f"{scene.names[view.turn.seat]}: {role}" if named else role


def _parts(scene: Scene) -> list[tuple[str, Style | None]]:
    """Return the numbered steps of the turn with their styles; the current step is inverse."""
    parts: list[tuple[str, Style | None]] = []
    mine = scene.view.turn is not None and scene.view.turn.seat == scene.seat
    # Gold that follows gathering, such as income, makes that part the current one again: it keeps its tick.
    done = {part.name for part in turn_parts(scene.view) if part.progress == "done"}
    for number, part in enumerate(turn_parts(scene.view, scene.preselected), 1):
        sign = scene.look.glyphs.tick if part.name in done else str(number)
        key = f"{scene.keys['end']} " if part.name == "end" and mine and "end" in scene.keys else ""
        count = f" {part.used}/{part.limit}" if part.limit else ""
        text = f" {sign} {key}{scene.texts.say(NAMES[part.name])}{count} "
        parts.append((text, NOW if part.progress == "now" else None))
    return parts


def _facts(scene: Scene) -> list[str]:
    """Return the public facts (round, deck, crown), the most important first."""
    say, view, glyphs = scene.texts.say, scene.view, scene.look.glyphs
    facts = [say("Round {round}", round=view.round), say("Deck {count}", count=len(view.deck))]
    if view.last_round:
        facts.insert(0, say(msg("LAST TURN") if scene.shared else msg("LAST ROUND")))
    if view.crown >= 0:
        facts.append(f"{glyphs.crown} {cut(scene.called(view.crown), 14, glyphs.cut)}")
    return facts


ATTACK: Final = 2
"""Most lines of the notice about attacks."""
CLOSE: Final = msg("Esc: close")
COVERED = "..."
"""Replaces a text that is hidden together with the player's hand."""


def attack_lines(scene: Scene, attacks: Sequence[str], width: int, most: int = ATTACK) -> list[str]:
    """Return the attacks on this player in at most `most` lines, the newest first. If some have no room, the
    last line ends with their number."""
    attacks = [COVERED] if scene.hidden else list(attacks) or [""]
    room = width - cell_len(scene.texts.say(CLOSE)) - 5
    for count in range(len(attacks), 0, -1):
        text, more = "  ".join(attacks[:count]), f" (+{len(attacks) - count})" if count < len(attacks) else ""
        if cell_len(text + more) <= room:
            break
    *lines, last = fitted(text, room - cell_len(more), most, scene.look.glyphs.cut)
    return [*lines, f"{last}{more}"]


def attack_bar(scene: Scene, attacks: Sequence[str], width: int, height: int) -> Drawing:
    """Draw the attacks on this player, and the key that removes them from the screen."""
    drawing, key = Drawing(), scene.texts.say(CLOSE)
    for number, line in enumerate(attack_lines(scene, attacks, width, height)):
        pen = Pen(drawing).write(f" {' ' if number else scene.look.glyphs.gone} ").write(line)
        if not number:
            pen.to(width - cell_len(key) - 1).thing("key", "Esc", key)
    return drawing


def hint_line(scene: Scene, keys: Sequence[tuple[str, Message]], urgent: str, width: int, height: int) -> Drawing:
    """Draw the hints about keys. `urgent` is a warning that someone guesses the join code; it is drawn first,
    with the key that shows the invitation."""
    drawing, look = Drawing(), scene.look
    pen = Pen(drawing).write(" ")
    if urgent and pen.x + cell_len(urgent) + 2 < width:
        key = scene.keys["invite"]
        pen.thing("key", key, f"{key} {urgent}", look.danger).write("  ")
    for key, does in keys:
        name, meaning = printed(scene.texts, key), scene.texts.say(does)
        if pen.x + cell_len(name) + cell_len(meaning) + 1 > width - 1:
            break
        pen.thing("key", key, name, look.title).thing("key", key, f" {meaning}", look.dim).write("  ")
    return drawing


class HintLine(SceneView):
    """The bottom line with the hints."""

    def __init__(self) -> None:
        super().__init__(hint_line, lambda scene: (scene.texts, scene.look, scene.keys), id="hints")


class BottomLine(Input):
    """The line in which a player types a chat message or a move; Escape closes it without sending."""

    @dataclass
    class Sent(message.Message):
        """The player has entered a line. `said`: it is a chat message, otherwise a move or a command."""

        text: str
        said: bool

    class Closed(message.Message):
        """The player has closed the input line."""

    def __init__(self) -> None:
        super().__init__(id="command", compact=True)

    def open(self, texts: Texts, *, chat: bool) -> None:
        """Show the input line: with `chat` for a chat message, otherwise for a move."""
        move = msg("A move, for example: build market (Enter sends, Esc closes)")
        self.placeholder = texts.say(msg("Write to all players (Enter sends, Esc closes)") if chat else move)
        self.set_class(chat, "-chat")
        self.value = ""
        self.display = True
        self.focus()

    def close(self) -> None:
        """Hide the input line, and discard its text."""
        self.display = False
        self.post_message(self.Closed())

    @on(Input.Submitted)
    def _submitted(self, submitted: Input.Submitted) -> None:
        submitted.stop()
        self.close()
        if submitted.value.strip():
            self.post_message(self.Sent(submitted.value, said=self.has_class("-chat")))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.close()


# The log

SILENT: Final = msg("No messages yet ({key}: write one).")
SECRET: Final = ("private", "notice")
"""The kinds of log lines that are hidden together with the player's hand."""


class LogView(Canvas):
    """Shows the last lines of the log. If the player has scrolled up, new lines do not change the visible
    lines. Lines are wrapped again only if the width or the look changes."""

    def __init__(self, *, id: str = "log", title: Message = "", silent_key: str = "") -> None:  # noqa: A002
        """`title` is the heading above the lines. `silent_key` is the key that is shown while the chat is
        empty."""
        super().__init__(id=id)
        self._title, self._silent_key = title, silent_key
        self._lines: list[Line] = []
        self._rows: list[tuple[Kind, Text]] = []
        self._wrapped_for: tuple[int, Look | None] = (0, None)
        self._up = 0
        self._left_out: Sequence[str] = ()
        self._covered = False

    def limit(self, without: Sequence[str], *, covered: bool) -> None:
        """Leave out lines of the kinds in `without`. With `covered`, hide the text of lines that only this
        player may see."""
        if (without, covered) != (self._left_out, self._covered):
            self._left_out, self._covered, self._wrapped_for = without, covered, (0, None)
            self.redraw()

    def add(self, lines: Sequence[Line], *, again: bool = False) -> None:
        """Add lines at the end; with `again` they replace all earlier lines."""
        width, look = self._wrapped_for
        if again:
            self._lines, self._wrapped_for = list(lines), (0, None)
        else:
            self._lines.extend(lines)
            if look is not None:
                rows = list(self._wrapped(look, lines, width))
                self._rows.extend(rows)
                self._up += len(rows) if self._up else 0
        if again or lines:
            self.redraw()

    def scroll(self, rows: int) -> None:
        """Scroll up by `rows` lines; down if the number is negative."""
        self._up = max(0, min(self._up + rows, len(self._rows) - self.size.height))
        self.redraw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(-3)

    def draw(self, width: int, height: int) -> Drawing:
        here, drawing = program(self.app), Drawing()
        look = here.look
        if self._title:
            heading(look, Pen(drawing), here.texts.say(self._title), width - 1)
        if self._wrapped_for != (width, look):
            self._wrapped_for = (width, look)
            self._rows = list(self._wrapped(look, self._lines, width))
        end = len(self._rows) - self._up
        shown = self._rows[max(0, end - height + len(drawing.lines)) : end]
        drawing.lines += [_covered(look) if self._covered and kind in SECRET else row for kind, row in shown]
        if self._silent_key and not shown:
            silent = here.texts.say(SILENT, key=here.keys.get(self._silent_key, self._silent_key))
            Pen(drawing).write(cut(f" {silent}", width), look.dim)
        return drawing

    def _wrapped(self, look: Look, lines: Sequence[Line], width: int) -> Iterator[tuple[Kind, Text]]:
        return chain.from_iterable(rows(look, line, width) for line in lines if line.kind not in self._left_out)


def _covered(look: Look) -> Text:
    return Text(f"{look.glyphs.secret} {look.glyphs.dot * 3}", look.dim, no_wrap=True, end="")


def rows(look: Look, line: Line, width: int) -> Iterator[tuple[Kind, Text]]:
    """Yield the lines into which a log line is wrapped at `width`, each with the kind of the log line."""
    signs = look.glyphs
    lead = {"private": signs.secret, "mine": signs.mark, "notice": marker_sign(signs, line.marker)}
    styles: dict[str, Style] = {
        "round": look.title + Style(reverse=True), "turn": look.title, "event": Style(), "private": look.dim,
        "mine": look.accent, "notice": look.danger, "chat": look.gold,
    }  # fmt: skip
    text = f"{line.text} {signs.matched}" if line.matched else line.text
    before = {"round": 1, "turn": 1, "chat": 4}.get(line.kind, 2)
    indent = " " if line.kind in ("round", "turn") else "  "
    first = f"{lead[line.kind]} " if line.kind in lead else indent
    further = "    " if line.kind == "chat" else indent  # no player's text looks like a line of its own
    for number, row in enumerate(wrap(text, max(width - 1 - before, 8))):
        pen = Pen(Drawing()).write(cut((further if number else first) + row, width), styles[line.kind])
        if line.kind == "round":
            pen.line.append(" " * max(width - pen.x, 0), styles["round"])
        yield line.kind, pen.line
