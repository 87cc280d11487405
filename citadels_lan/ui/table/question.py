"""The question with its choices: the one place of the table screen where something is decided."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from textual import events
from textual.message import Message

from citadels_lan.engine import Action, Choice
from citadels_lan.engine.edition_actions import PassBid
from citadels_lan.front.cells import cut
from citadels_lan.front.log import Line
from citadels_lan.front.prompt.keys import LETTERS
from citadels_lan.front.prompt.menu import Item, Menu
from citadels_lan.front.prompt.prompt import Bidding, Prompt
from citadels_lan.front.sealed import Waits
from citadels_lan.texts import msg
from citadels_lan.ui.widgets.drawing import Drawing, Hit, Pen

from .question_lines import QuestionLines, draw_auction
from .scene import Scene, SceneView

FLOOR: Final = {"plus": 1, "minus": -1}
"""Keys that change the least that may be bid for what is offered."""
RAISES: Final = {"up": 1, "plus": 1, "down": -1, "minus": -1}
"""Keys that change a bid."""
MOVES: Final = {"up": -1, "down": 1}
STEPS: Final = frozenset({*MOVES, "enter", "space", "escape", "left", "right", "end_turn", "undo"})
"""What is pressed in any question; the other keys are those of its lines."""
GRACE = 0.2
"""Seconds after a new question in which keys are dropped: they were meant for the one before."""


class QuestionPanel(SceneView, can_focus=True):
    """Shows a `Prompt`. A line's own key or the arrows point at it, Enter confirms, Escape goes back a step; a
    click does what the key does, and what Enter does on what is pointed at already.
    `apart`: the card under the cursor is shown in full elsewhere."""

    class Chosen(Message):
        """The player has decided."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    class Moved(Message):
        """The question looks different: another list, cards to tick, or back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(self._question, self._drawn_from, id="question")
        self._clock = clock
        self._asked = -1.0
        self._first = 0
        self.asking = Prompt()
        self.bidding: Bidding | None = None
        self.news: list[Line] = []
        self.idle: Sequence[Line] = ()
        self.covered = False
        self.apart = False
        self.looked = ""
        self._clicked: Prompt | None = None

    @property
    def pointed_card(self) -> str:
        """The card that is looked at, or that the line under the cursor is about; empty where there is none."""
        item = self.asking.current
        return self.looked or ("" if item is None else item.about)

    @property
    def places(self) -> Mapping[tuple[int, int], str]:
        """The keys of the districts that the open list is about, by seat and place in the city."""
        if self.covered or self.asking.at.selection is not None or self.asking.at.ending:
            return {}
        return {item.place: item.keys[:1] for item in self.asking.items if item.place and item.open}

    def _drawn_from(self, scene: Scene) -> tuple[object, ...]:
        auction = scene.view if scene.view.auction is not None else None  # all players follow an auction
        return scene.texts, scene.look, scene.keys, self.covered, scene.guided, auction, self.apart

    def ask(self, menu: Menu, choices: Sequence[Choice], news: list[Line], idle: Sequence[Line]) -> None:
        """Put a new question, `choices` as a menu; `news` is what happened since the own last turn, `idle` stands
        there when there is nothing to decide."""
        self.asking, self.bidding = Prompt(menu), Bidding.of(choices)
        self.news, self.idle = news, idle
        self._asked = self._clock()
        self._first = 0
        self.looked = ""
        self.redraw()

    def show_again(self, menu: Menu, idle: Sequence[Line]) -> None:
        """The same question in another language."""
        self.asking = Prompt(menu)
        self.idle = idle
        self.redraw()

    # Keys and clicks

    def early(self) -> bool:
        """Whether a key pressed now was meant for the question before."""
        return self._clock() - self._asked < GRACE

    def on_key(self, event: events.Key) -> None:
        key = event.character if event.character and event.character in LETTERS else event.key
        if key != "escape" and self.press(key):  # the screen clears its last line as well
            event.stop()

    def press(self, key: str) -> bool:
        """Handle a key; False where it is none of this question's."""
        if self.bidding is None and not self._known(key):
            return False
        if self.early() or self.covered:
            return True
        if self.bidding is not None:
            return self._bid(self.bidding, key)
        self.looked = ""
        self._send(self._step(key))
        self._changed()
        return True

    def _known(self, key: str) -> bool:
        return key in STEPS or (key in FLOOR and self.asking.at.floor > 0) or self.asking.line(key) is not None

    def _step(self, key: str) -> Action | None:
        """Take the step of a key; return the action to send, if there is one."""
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
        """Show what a card is that this question is not about."""
        self.looked = card
        self._changed()

    def _bid(self, bidding: Bidding, key: str) -> bool:
        """Handle a key in an auction; False where it is none of those that bid."""
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
        """Do the same as the line's key, or as Enter if the cursor is on this line already."""
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
        """The line that is about what was clicked in a part of the screen."""
        if self.asking.at.selection is not None:
            free = self.asking.at.selection.free()
            places = [place for place in free if self.asking.at.selection.deal.pool[place] == hit.key]
            return free.index(places[0]) if places else None
        lines = [number for number, item in enumerate(self.asking.items) if self._is_about(item, part, hit)]
        return lines[0] if lines else None

    def _is_about(self, item: Item, part: str, hit: Hit) -> bool:
        """Whether a line chooses a player, or has the letter of a card of the hand, the rank of a character, or is
        a district that stands."""
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
            lines = QuestionLines(
                scene, self.asking, held, self.news, self.idle, self.looked, self._first, apart=self.apart
            )
            lines.draw(drawing, width, height)
            self._first = lines.first
        return drawing
