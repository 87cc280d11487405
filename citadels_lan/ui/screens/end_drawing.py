"""The end: the scores by reason, who was who, what the proof says, where the transcript lies."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style

from citadels_lan.engine.state import Score
from citadels_lan.front.acquaintances import at_end
from citadels_lan.front.cells import cut, pad, wrap
from citadels_lan.front.common_city import shared
from citadels_lan.front.evening import evening_lines
from citadels_lan.front.game import Game
from citadels_lan.texts import Message, Texts, msg, msg_in
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.look import Look

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


class Ending:
    """Draws the end of a game."""

    def __init__(self, game: Game, look: Look) -> None:
        assert game.view is not None
        self.game = game
        self.look = look
        self.view = game.view
        self.texts: Texts = game.texts
        self.columns = OF_CYCLES if shared(self.view) else COLUMNS
        self.order = sorted(range(len(self.view.players)), key=self._place)

    def _place(self, seat: int) -> tuple[bool, int]:
        return seat not in self.view.winners, -self.view.scores[seat].total

    def draw(self, width: int) -> Drawing:
        """Everything, as long as it may be."""
        drawing = Drawing()
        self._scores(drawing, width)
        if level := self.game.level():
            self._paragraph(drawing, level, self.look.bold, width)
        Pen(drawing)
        self._proof(drawing, width)
        for said in evening_lines(self.texts, self.game.evening):
            self._paragraph(drawing, said, self.look.bold, width)
        for said, warns in at_end(self.texts, self.game.known, self.game.proof, self.game.seat):
            self._paragraph(drawing, said, self.look.danger if warns else self.look.dim, width)
        if not shared(self.view):  # there ranks mean nothing
            Pen(drawing)
            self._rounds(drawing, width)
        return drawing

    # Scores

    def _scores(self, drawing: Drawing, width: int) -> None:
        head = Pen(drawing).to(NAME + 4)
        titles = [self.texts.say(msg("Total")), *(self.texts.say(title) for title, _ in self.columns)]
        for title in (*titles, self.texts.say(msg_in("score", "Unique"))):
            head.write(f"{cut(title, WIDE - 1, ''):>{WIDE}}", self.look.dim)
        head.write(f"{cut(self.texts.say(msg('Proof')), 6, ''):>7}", self.look.dim)
        for number, seat in enumerate(self.order):
            self._score(drawing, number, seat, width)

    def _score(self, drawing: Drawing, number: int, seat: int, width: int) -> None:
        look, score = self.look, self.view.scores[seat]
        won = seat in self.view.winners
        pen = Pen(drawing).write(f"{look.glyphs.crown if won else ' '}{number + 1} ", look.gold)
        style = look.title if won else look.bold
        pen.write(pad(self.game.names[seat], NAME, look.glyphs.cut), style).to(NAME + 4)
        pen.write(f"{score.total:>{WIDE}}", look.strong)
        for _, reasons in self.columns:
            self._number(pen, _sum(score, reasons))
        rest = [part for part in score.parts if all(part[0] not in reasons for _, reasons in self.columns)]
        self._number(pen, sum(points for _, points in rest))
        self._verdict(pen, seat)
        self._uniques(drawing, pen, score, rest, width)
        if won:
            pen.to(width).line.stylize_before(look.turn)

    def _number(self, pen: Pen, points: int) -> None:
        pen.write(f"{points or self.look.glyphs.dot:>{WIDE}}", None if points else self.look.dim)

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
        """Which unique districts gave points: beside the numbers where there is room, else below."""
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
            Pen(drawing).to(4).write(cut(text, width - 5), self.look.dim)

    # Who was who

    def _rounds(self, drawing: Drawing, width: int) -> None:
        """The ranks everybody showed, round by round, and the characters of the last one."""
        rounds = [shown for _, shown in sorted(self.game.story.who.items())]
        title = self.texts.say(msg("Who was who (ranks, round by round)"))
        Pen(drawing).write(f" {title}", self.look.title)
        ranks = [{seat: self._ranks(keys) for seat, keys in shown.items()} for shown in rounds]
        wide = max((len(said) for shown in ranks for said in shown.values()), default=1)
        cell = max(wide + 1, 3)
        room = max((width - NAME - 22) // cell, 1)
        for seat in self.order:
            pen = Pen(drawing).to(3).write(pad(self.game.names[seat], NAME), self.look.bold).write(" ")
            for shown in ranks[-room:]:
                said = shown.get(seat) or self.look.glyphs.dot
                pen.write(f"{said:>{cell}}", None if seat in shown else self.look.dim)
            last = rounds[-1].get(seat, []) if rounds else []
            pen.write("  ").write(" ".join(map(self.texts.character, last)), self.look.accent)

    def _ranks(self, keys: Sequence[str]) -> str:
        return "/".join(str(self.game.edition.ranks[key]) for key in keys)

    # The proof

    def _proof(self, drawing: Drawing, width: int) -> None:
        """A line where all is proven, what was found where it is not; by whom it is signed, the words; and where
        the transcript is."""
        texts, look, proof = self.texts, self.look, self.game.proof
        if proof is None:
            checked = msg("There is no transcript to check.")
            said = texts.say(checked if self.game.checked else msg("The proofs are being checked."))
            self._paragraph(drawing, said, look.dim, width)
        elif proof.sound:
            self._paragraph(drawing, f"{look.glyphs.tick} {proof.verdict(texts)}", look.accent, width)
        else:
            sign, style = ("?", look.gold) if proof.gaps else (look.glyphs.gone, look.danger)
            for said in (proof.verdict(texts), *proof.sentences(texts)):
                self._paragraph(drawing, f"{sign} {said}", style, width)
        for said in proof.history(texts) if proof is not None else ():
            self._paragraph(drawing, said, look.bold, width)
        path = self.game.session.transcript
        if path is not None:
            said = texts.say(msg("Anyone can check it: citadels-lan verify {path}"), path=path)
            self._paragraph(drawing, said, look.dim, width)

    def _paragraph(self, drawing: Drawing, text: str, style: Style, width: int) -> None:
        for number, line in enumerate(wrap(text, width - 5)):
            Pen(drawing).to(1 if number == 0 else 3).write(line, style)


def _sum(score: Score, reasons: tuple[str, ...]) -> int:
    return sum(points for reason, points in score.parts if reason in reasons)
