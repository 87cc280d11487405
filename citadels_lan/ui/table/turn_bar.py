"""The bar over the whole width: whose turn it is, to be seen from across the room, and how far it has come."""

from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine import acting
from citadels_lan.front.cells import cut, wrap
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.pending import asked_for
from citadels_lan.front.prompt.menu import capital
from citadels_lan.front.status import Mood, turn_parts
from citadels_lan.texts import Message, msg, msg_in
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.letters import HEIGHT, large

from .scene import Scene, SceneView

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
CHOOSE: Final = msg("CHOOSE IN SECRET")
MOVE: Final = msg("YOUR MOVE")
TURN: Final = msg("YOUR TURN")
HEAD = 20
"""Cells of a name at most."""
BIG = 64
"""Cells of large letters at most."""
LEAST = 80
"""Cells under which there is room only for the sentence."""
STRONG: Final = Style(bold=True)
NOW: Final = Style(bold=True, reverse=True)


def bar(scene: Scene, said: Sequence[str], mood: Mood, note: str, width: int, height: int) -> Drawing:
    """Draw a line with the player on turn, and below it the sentence about the possible moves. `said` has the
    sentence in several lengths, the longest first; `note` is shown if there is no room for the table."""
    drawing = Drawing()
    if note or width < LEAST or height < 2:  # no more than the sentence
        noted = bool(note) and height > 1
        _sentence(drawing, said, width, height - noted)
        if noted:
            Pen(drawing).write(" ").write(cut(note, max(width - 2, 0), scene.look.glyphs.cut), scene.look.dim)
        return drawing
    tall = height >= HEIGHT and scene.look.glyphs is not ASCII
    big = large(headline(scene, mood).lower().replace("'", " "), BIG) if tall else []
    if big:
        _large(scene, drawing, mood, big, said, width)
    else:
        head = f" {cut(headline(scene, mood), HEAD, scene.look.glyphs.cut)} "
        _turn(scene, Pen(drawing).write(" ").write(head, NOW).write("  "), mood, width)
        if len(said) == 1 and scene.view.turn is not None and mood in ("mine", "other"):
            said = [*said, without_name(said[0])]
        _sentence(drawing, said, width, height - 1)
    return drawing


class TurnBar(SceneView):
    """The bar at the top; its colour shows the player's situation. It never scrolls."""

    def __init__(self) -> None:
        super().__init__(bar, id="status")

    def show(self, scene: Scene, *inputs: Any) -> None:
        super().show(scene, *inputs)
        _, mood, _ = inputs
        if not self.has_class(f"-{mood}"):
            self.set_classes(f"-{mood}")


def _fitting(said: Sequence[str], width: int, height: int) -> list[str]:
    """The lines of the first way that has room, or of the last one."""
    ways = (wrap(one, max(width, 1)) for one in said)
    return next((lines for lines in ways if len(lines) <= height), wrap(said[-1], max(width, 1)))


def _sentence(drawing: Drawing, said: Sequence[str], width: int, height: int) -> None:
    lines = _fitting(said, width - 2, height)
    for number, line in enumerate(lines[:height]):
        last = number == height - 1 and len(lines) > height
        Pen(drawing).write(" ").write(cut(f"{line} {lines[number + 1]}" if last else line, max(width - 2, 0)))


def without_name(said: str) -> str:
    """What is to be done, without whose turn it is, which stands above."""
    _, colon, what = said.partition(": ")
    return capital(what) if colon else said


def _large(
    scene: Scene, drawing: Drawing, mood: Mood, big: Sequence[str], said: Sequence[str], width: int
) -> None:
    """Draw three lines: the headline in large letters, and the rest to the right of it."""
    left = cell_len(big[0]) + 5
    lines = [*_fitting(said, width - left - 1, HEIGHT - 1), ""]
    for number, row in enumerate(big):
        pen = Pen(drawing).write("  ").write(row, STRONG).to(left)
        if number == 0:
            _turn(scene, pen, mood, width)
        else:
            more = f" {lines[number]}" if number == HEIGHT - 1 and len(lines) > HEIGHT else ""
            pen.write(cut(lines[number - 1] + more if number - 1 < len(lines) else "", width - left - 1))


def _turn(scene: Scene, pen: Pen, mood: Mood, width: int) -> None:
    """Write the character on turn and the parts of its turn; at the right end the public facts of the table."""
    role, facts = _role(scene, mood), _facts(scene)
    steps = _parts(scene) if mood in ("mine", "other", "dead") and scene.view.turn is not None else []
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
    """Return the name of the player on turn in capitals, or why no player can move."""
    say, view = scene.texts.say, scene.view
    if mood in HEADS:
        return say(HEADS[mood])
    if mood == "mine":
        step = view.steps[-1].verb if view.steps else ""
        return say(CHOOSE if step == "pick" else MOVE if step and step != "keep" else TURN)
    seat = acting(view)[0]
    return scene.names[seat].upper()


def _role(scene: Scene, mood: Mood) -> str:
    """Return the character on turn; while the player's own character is dead, also the name of its player."""
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


def _parts(scene: Scene) -> list[tuple[str, Style | None]]:
    """The parts of the turn; the current one is in brackets and inverse."""
    found: list[tuple[str, Style | None]] = []
    mine = scene.view.turn is not None and scene.view.turn.seat == scene.seat
    for part in turn_parts(scene.view, scene.preselected):
        sign = f"{scene.look.glyphs.tick} " if part.progress == "done" else ""
        key = f"{scene.keys['end']} " if part.name == "end" and mine and "end" in scene.keys else ""
        count = f" {part.used}/{part.limit}" if part.limit else ""
        said = f"{sign}{key}{scene.texts.say(NAMES[part.name])}{count}"
        found.append((scene.look.glyphs.to if found else "", None))
        found.append((f"[{said}]", NOW) if part.progress == "now" else (f" {said} ", None))
    return found


def _facts(scene: Scene) -> list[str]:
    """Round, deck and crown, the most important first."""
    say, view, glyphs = scene.texts.say, scene.view, scene.look.glyphs
    facts = [say(msg("Round {round}"), round=view.round), say(msg("Deck {count}"), count=len(view.deck))]
    if view.last_round:
        facts.insert(0, say(msg("LAST TURN") if scene.shared else msg("LAST ROUND")))
    if view.crown >= 0:
        facts.append(f"{glyphs.crown} {cut(scene.called(view.crown), 14, glyphs.cut)}")
    return facts
