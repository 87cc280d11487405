"""The bar over the whole width: whose turn it is, to be seen from across the room, and how far it has come."""

from collections.abc import Callable, Sequence
from typing import Final, get_args

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import acting
from citadels_lan.front.asking.menu import capital
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.shown.stage import Mood, TurnPart, parts
from citadels_lan.front.waiting.calling import asked_for
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.widgets.canvas import Canvas
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.letters import HEIGHT, large

from .scene import Scene

HEADS: Final[dict[Mood, Message]] = {
    "dead": msg("YOU ARE DEAD"),
    "stopped": msg("NOBODY CAN MOVE"),
    "waiting": msg("ONE MOMENT"),
    "over": msg("GAME OVER"),
    "closed": msg("GAME CLOSED"),
    "offline": msg("NOT CONNECTED"),
}
"""What stands large where it does not say whose move it is."""
NAMES: Final = {
    "gather": msg_in("part of a turn", "gather"),
    "build": msg_in("part of a turn", "build"),
    "end": msg_in("part of a turn", "end"),
}
HEAD = 20
"""Cells of a name at most."""
BIG = 64
"""Cells of large letters at most."""
LEAST = 80
"""Cells under which there is room only for the sentence."""
STRONG: Final = Style(bold=True)
NOW: Final = Style(bold=True, reverse=True)


class TurnBar(Canvas):
    """A line with whose turn it is, and below it the sentence that says what may be done, `said` in several ways,
    the longest first. It never scrolls. `key` ends the own turn; `note` stands below where there is no table."""

    def __init__(
        self,
        scene: Callable[[], Scene],
        said: Callable[[], Sequence[str]],
        mood: Callable[[], Mood],
        key: Callable[[], str] = lambda: "",
        note: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(id="status")
        self._key = key
        self._note = note
        self._scene = scene
        self._said = said
        self._mood = mood

    def on_mount(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        mood = self._mood()
        for other in get_args(Mood):
            self.set_class(other == mood, f"-{other}")
        super().redraw()

    def draw(self, width: int, height: int) -> Drawing:
        drawing, scene, mood, said, note = Drawing(), self._scene(), self._mood(), self._said(), self._note()
        if note or self.size.width < LEAST or height < 2:  # no more than the sentence
            noted = bool(note) and height > 1
            _sentence(drawing, said, width, height - noted)
            if noted:
                Pen(drawing).write(" ").write(cut(note, max(width - 2, 0), scene.look.glyphs.cut), scene.look.dim)
            return drawing
        big = (
            large(_plain(headline(scene, mood)), BIG)
            if height >= HEIGHT and scene.look.glyphs is not ASCII
            else []
        )
        if big:
            _large(scene, drawing, mood, big, said, width, self._key())
        else:
            _line(scene, Pen(drawing).write(" "), mood, width, self._key())
            turn = len(said) == 1 and scene.view.turn is not None and mood in ("mine", "other")
            _sentence(drawing, [*said, _what(said[0])] if turn else said, width, height - 1)
        return drawing


def _fitting(said: Sequence[str], width: int, height: int) -> list[str]:
    """The lines of the first way that has room, or of the last one."""
    ways = (wrap(one, max(width, 1)) for one in said)
    return next((lines for lines in ways if len(lines) <= height), wrap(said[-1], max(width, 1)))


def _sentence(drawing: Drawing, said: Sequence[str], width: int, height: int) -> None:
    lines = _fitting(said, width - 2, height)
    for number, line in enumerate(lines[:height]):
        last = number == height - 1 and len(lines) > height
        Pen(drawing).write(" ").write(cut(f"{line} {lines[number + 1]}" if last else line, max(width - 2, 0)))


def _what(said: str) -> str:
    """What is to be done, without whose turn it is, which stands above."""
    _, colon, what = said.partition(": ")
    return capital(what) if colon else said


def _large(
    scene: Scene, drawing: Drawing, mood: Mood, big: Sequence[str], said: Sequence[str], width: int, key: str
) -> None:
    """Three lines: the headline in large letters, and beside it everything else."""
    left = cell_len(big[0]) + 5
    lines = [*_fitting(said, width - left - 1, HEIGHT - 1), ""]
    for number, row in enumerate(big):
        pen = Pen(drawing).write("  ").write(row, STRONG).to(left)
        if number == 0:
            _turn(scene, pen, mood, width, key)
        else:
            more = f" {lines[number]}" if number == HEIGHT - 1 and len(lines) > HEIGHT else ""
            pen.write(cut(lines[number - 1] + more if number - 1 < len(lines) else "", width - left - 1))


def _plain(text: str) -> str:
    return text.lower().replace("'", " ")


def _line(scene: Scene, pen: Pen, mood: Mood, width: int, key: str) -> None:
    """Everything in one line."""
    glyphs = scene.look.glyphs
    head = f" {cut(headline(scene, mood), HEAD, glyphs.cut)} "
    pen.write(head, Style(bold=True, reverse=True)).write("  ")
    _turn(scene, pen, mood, width, key)


def _turn(scene: Scene, pen: Pen, mood: Mood, width: int, key: str) -> None:
    """As whom the turn is played and how far it has come; at the right end what everybody can see of the table."""
    role, facts = _role(scene, mood), _facts(scene)
    steps = _parts(scene, key) if mood in ("mine", "other", "dead") and scene.view.turn is not None else []
    length = sum(cell_len(step) for step, _ in steps)
    needs = pen.x + cell_len(role) + length + 4
    while len(facts) > 1 and needs + cell_len("   ".join(facts)) + 1 > width:
        facts.pop()
    right = "   ".join(facts)
    room = width - pen.x - cell_len(right) - 3
    pen.write(cut(role, room), STRONG)
    if steps and cell_len(role) + length + 2 <= room:
        pen.write("  ")
        for step, style in steps:
            pen.write(step, style)
    if right and width - cell_len(right) - 1 > pen.x:
        pen.to(width - cell_len(right) - 1).write(right, STRONG)


def headline(scene: Scene, mood: Mood) -> str:
    """Whose move it is, or why nobody's, in capitals."""
    say, view = scene.texts.say, scene.view
    if mood in HEADS:
        return say(HEADS[mood])
    if mood == "mine":
        step = view.steps[-1].verb if view.steps else ""
        return say(CHOOSE if step == "pick" else MOVE if step and step != "keep" else TURN)
    seat = acting(view)[0]
    return scene.names[seat].upper()


CHOOSE: Final = msg("CHOOSE IN SECRET")
MOVE: Final = msg("YOUR MOVE")
TURN: Final = msg("YOUR TURN")


def _role(scene: Scene, mood: Mood) -> str:
    """As whom the turn is played; while I am dead also by whom."""
    view, texts = scene.view, scene.texts
    if mood in ("stopped", "over", "closed", "offline"):
        return ""
    if mood == "waiting":
        called = asked_for(view)
        return texts.say(msg("called: {character}"), character=texts.character(called)).upper() if called else ""
    if view.turn is None:
        return texts.say(msg("choice of characters")).upper() if view.phase == "draft" else ""
    role = texts.character(view.turn.character).upper()
    shown = mood == "dead" or view.turn.seat not in acting(view)
    return f"{scene.names[view.turn.seat]}: {role}" if shown else role


def _parts(scene: Scene, key: str) -> list[tuple[str, Style | None]]:
    """The parts of the turn; the current one is in brackets and inverse."""
    found: list[tuple[str, Style | None]] = []
    for part in parts(scene.view, scene.preselected):
        said, now = _part(scene, part, key), part.progress == "now"
        found.append((scene.look.glyphs.to if found else "", None))
        found.append((f"[{said}]", NOW) if now else (f" {said} ", None))
    return found


def _part(scene: Scene, part: TurnPart, key: str) -> str:
    glyphs = scene.look.glyphs
    sign = f"{glyphs.tick} " if part.progress == "done" else ""
    count = f" {part.used}/{part.limit}" if part.limit else ""
    mine = scene.view.turn is not None and scene.view.turn.seat == scene.seat
    pressed = f"{key} " if key and part.name == "end" and mine else ""
    return f"{sign}{pressed}{scene.texts.say(NAMES[part.name])}{count}"


def _facts(scene: Scene) -> list[str]:
    """Round, deck and crown, the most important first."""
    say, view, glyphs = scene.texts.say, scene.view, scene.look.glyphs
    if scene.shared:
        last = [say(msg("LAST TURN"))] if view.last_round else []
    else:
        last = [say(msg("LAST ROUND"))] if view.last_round else []
    crown = f"{glyphs.crown} {cut(scene.called(view.crown), 14, glyphs.cut)}" if view.crown >= 0 else ""
    return [
        *last,
        say(msg("Round {round}"), round=view.round),
        say(msg("Deck {count}"), count=len(view.deck)),
        *filter(None, (crown,)),
    ]
