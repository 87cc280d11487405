"""The question with its choices. Here the player decides."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from textual import events
from textual.message import Message

from citadels_lan.engine import Action, Choice
from citadels_lan.engine.actions import PassBid
from citadels_lan.presenter.log import Line
from citadels_lan.presenter.prompt.keys import LETTERS
from citadels_lan.presenter.prompt.menu import Item, Menu
from citadels_lan.presenter.prompt.prompt import Bidding, Prompt
from citadels_lan.presenter.sealed import Waits
from citadels_lan.presenter.text_width import cut
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .question_lines import QuestionLines, draw_auction
from .scene import Scene, SceneView

FLOOR: Final = {"plus": 1, "minus": -1}
"""Keys that change the least bid for an offered card, by the change."""
RAISES: Final = {"up": 1, "plus": 1, "down": -1, "minus": -1}
"""Keys that change a bid, by the change."""
MOVES: Final = {"up": -1, "down": 1}
STEPS: Final = frozenset({*MOVES, "enter", "space", "escape", "left", "right", "end_turn", "undo"})
"""The keys that every question has, besides the keys of its lines."""
GRACE = 0.2
"""Seconds after a new question in which keys are dropped: they were meant for the question before."""


class QuestionPanel(SceneView, can_focus=True):
    """Shows a `Prompt`. The key of a line or the arrows move the cursor, Enter confirms, Escape goes back one
    step. A click does the same as the key, or as Enter if the cursor is already there."""

    class Chosen(Message):
        """The player has chosen an action."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    class Moved(Message):
        """The question shows another list, other ticks, or another cursor."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(self._question, self._drawn_from, id="question")
        self._clock = clock
        self._asked = -1.0
        self._first = 0
        self.asking = Prompt()
        self.bidding: Bidding | None = None
        self.idle: Sequence[Line] = ()
        self.covered = False
        self.looked = ""
        self._clicked: Prompt | None = None

    @property
    def places(self) -> Mapping[tuple[int, int], str]:
        """The keys of the districts in the open list, by seat and place in the city."""
        if self.covered or self.asking.at.selection is not None or self.asking.at.ending:
            return {}
        return {item.place: item.keys[:1] for item in self.asking.items if item.place and item.open}

    def _drawn_from(self, scene: Scene) -> tuple[object, ...]:
        auction = scene.view if scene.view.auction is not None else None  # all players follow an auction
        return scene.texts, scene.look, scene.keys, self.covered, auction, scene.view.phase

    def ask(self, menu: Menu, choices: Sequence[Choice], idle: Sequence[Line]) -> None:
        """Ask a new question. `idle` is shown if there is nothing to decide."""
        self.asking, self.bidding = Prompt(menu), Bidding.of(choices)
        self.idle = idle
        self._asked = self._clock()
        self._first = 0
        self.looked = ""
        self.redraw()

    def show_again(self, menu: Menu, idle: Sequence[Line]) -> None:
        """Show the same question in another language."""
        self.asking = Prompt(menu)
        self.idle = idle
        self.redraw()

    # Keys and clicks

    def early(self) -> bool:
        """Return whether a key pressed now was meant for the question before."""
        return self._clock() - self._asked < GRACE

    def on_key(self, event: events.Key) -> None:
        key = event.character if event.character and event.character in LETTERS else event.key
        if key != "escape" and self.press(key):  # the screen clears its last line as well
            event.stop()

    def press(self, key: str) -> bool:
        """Handle a key; return False if the question has no such key."""
        if self.bidding is None and not self._known(key):
            return False
        if self.early() or self.covered:  # the key is used up: as a command it would surprise the player
            return True
        if self.bidding is not None:
            return self._bid(self.bidding, key)
        self.looked = ""
        self._send(self._step(key))
        self._changed()
        return True

    def _known(self, key: str) -> bool:
        if key == "space" and not self.asking.items and self.bidding is None:
            return False  # Nothing is asked: the key skips to the next question.
        return key in STEPS or (key in FLOOR and self.asking.at.floor > 0) or self.asking.line(key) is not None

    def _step(self, key: str) -> Action | None:
        """Handle a key of the question; return the action to send, if there is one."""
        asking = self.asking
        if key in FLOOR:
            asking.raise_floor(FLOOR[key])
        elif key in MOVES:
            asking.move(MOVES[key])
        elif key in ("escape", "left"):
            asking.back()
        elif key == "right":
            asking.open()
        elif key == "undo":
            asking.undo()
        elif key == "space":
            asking.tick()
        elif key == "end_turn":
            return asking.end()
        elif key in STEPS:
            return asking.confirm()
        else:
            return asking.press(key)
        return None

    def _changed(self) -> None:
        self.redraw()
        self.post_message(self.Moved())

    def look_at(self, card: str) -> None:
        """Show a card that the question is not about."""
        self.looked = card
        self._changed()

    def _bid(self, bidding: Bidding, key: str) -> bool:
        """Handle a key in an auction; return False if it is not a key for bids."""
        if key.isdecimal():
            bidding.type(key)
        elif key in RAISES:
            bidding.raise_by(RAISES[key])
        elif key in ("backspace", "escape", "undo"):
            bidding.erase(all_=key != "backspace")
        elif key == "enter":
            self._send(bidding.confirm())
        elif key == "p":
            self._send(PassBid())
        else:
            return False
        self._changed()
        return True

    def _send(self, action: Action | None) -> None:
        if action is not None:
            self.post_message(self.Chosen(action))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.focus()
        number = self.drawing.at(event.x, event.y)
        again = event.chain > 1 and self._clicked is not self.asking  # the first click was for another question
        self._clicked = self.asking
        if number is None or again or self.early() or self.covered:
            return
        hit = self.drawing.hits[number]
        if hit.kind == "press":
            self.press(hit.key)
        elif hit.kind == "item":
            self._click_line(int(hit.key))

    def _click_line(self, number: int) -> None:
        """Handle a click on a line: like its key, or like Enter if the cursor is already there."""
        asking, self.looked = self.asking, ""
        pointed = asking.cursor == number
        key = asking.key(number)
        if asking.at.selection:
            asking.point(number)
            asking.tick()
        elif pointed and asking.items[number].open:
            self._send(asking.confirm())
        elif key:
            self._send(asking.press(key))
        else:
            asking.point(number)
        self._changed()

    def point_at(self, part: str, hit: Hit) -> bool:
        """Answer a click on the table or the hand; return False if the question is not about it."""
        line = None if self.bidding is not None or self.covered or self.early() else self._line_of(part, hit)
        if line is not None:
            self._click_line(line)
        return line is not None

    def _line_of(self, part: str, hit: Hit) -> int | None:
        """Return the line about the thing that was clicked."""
        if self.asking.at.selection is not None:
            free = self.asking.at.selection.free()
            places = [place for place in free if self.asking.at.selection.deal.pool[place] == hit.key]
            return free.index(places[0]) if places else None
        lines = [number for number, item in enumerate(self.asking.items) if self._is_about(item, part, hit)]
        return lines[0] if lines else None

    def _is_about(self, item: Item, part: str, hit: Hit) -> bool:
        """Return whether a line chooses this player, hand card, character or district."""
        if hit.kind == "player":
            return item.seat == int(hit.key)
        in_hand = bool(item.keys) and item.keys[0] in LETTERS
        right = (part == "hand") == in_hand or hit.kind == "character"
        return item.about == hit.key and right and (item.open or in_hand)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.asking.move(1)
        self.redraw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.asking.move(-1)
        self.redraw()

    # Drawing

    def _question(self, scene: Scene, held: Waits | None, width: int, height: int) -> Drawing:
        drawing = Drawing()
        if self.covered:
            said = scene.texts.say(msg("Your cards are covered; {key} shows them."), key=scene.keys["hide"])
            Pen(drawing).write(f" {cut(said, width - 2)}", scene.look.dim)
        elif scene.view.auction is not None:
            draw_auction(scene, drawing, scene.view.auction, self.bidding, width, height)
        else:
            lines = QuestionLines(scene, self.asking, held, self.idle, self.looked, self._first)
            lines.draw(width, height)
            self._first = lines.first
            return lines.drawing
        return drawing
