"""The rows of the lobby: the seats, what can be done, what will be played."""

from dataclasses import dataclass

from rich.cells import cell_len

from citadels_lan.engine import SEATS
from citadels_lan.front.acquaintances import badge, in_lobby
from citadels_lan.front.advice.hint import FORBIDDEN
from citadels_lan.front.cells import pad, wrap
from citadels_lan.front.game import Game, called_off
from citadels_lan.front.plan import Plan
from citadels_lan.front.plan_words import in_lines, options_line, scenario_name
from citadels_lan.front.sealed_draft import kind, sealed_draft
from citadels_lan.front.signs import GUEST
from citadels_lan.front.table_session import Seat, Settings
from citadels_lan.people.people import Acquaintance, OtherKey
from citadels_lan.texts import Texts, editions, msg
from citadels_lan.ui.widgets.choice_list import Row
from citadels_lan.ui.widgets.look import Look

NAME = 24
"""Cells that a name may take."""


def found(game: Game) -> list[Acquaintance | None]:
    """By seat, what is known of whoever sits there."""
    return in_lobby(game.known, game.session.lobby, game.seat)


def me_ready(game: Game) -> bool:
    """Whether this person has said that they are ready."""
    seats, mine = game.session.lobby, game.seat
    return mine is not None and mine < len(seats) and seats[mine].ready


@dataclass(frozen=True)
class LobbyRows:
    """Makes the rows in so many cells. `roomy`: groups stand apart, and every seat has its row; `beside`: what is
    played stands beside, and needs no row."""

    game: Game
    look: Look
    width: int
    roomy: bool
    beside: bool

    @property
    def texts(self) -> Texts:
        return self.game.texts

    @property
    def plan(self) -> Plan:
        """What will be played."""
        return Plan.of(self.game.session.settings.config)

    def rows(self) -> list[Row]:
        """All of them."""
        session = self.game.session
        known = found(self.game)
        room = min(max(map(cell_len, self.game.names), default=0), NAME)
        rows = [self._seat(number, seat, known[number], room) for number, seat in enumerate(session.lobby)]
        rows += self._free(len(rows), apart=self.roomy)
        gap = [Row("", "")] if self.roomy else []
        if self.game.offline:
            return [*rows, *gap, self._leave()]
        return [*rows, *gap, *self._buttons(), *gap, *self._settings(session.settings), *self._cards()]

    def _free(self, taken: int, *, apart: bool) -> list[Row]:
        """The seats that nobody has yet: a row for each, or one for all."""
        say, session, dot = self.texts.say, self.game.session, self.look.glyphs.dot
        kept = session.settings.bots > sum(seat.bot for seat in session.lobby)
        free = say(msg("free seat, or a bot's")) if kept else say(msg("free seat"))
        letters = [SEATS[number] for number in range(taken, session.settings.players)]
        if apart or len(letters) < 2:
            return [Row("", f"{letter} {dot} {free}") for letter in letters]
        count = self.texts.plural("{count} free seat", "{count} free seats", len(letters))
        bots = say(msg("kept for bots, or for friends")) if kept else say(msg("for friends"))
        return [Row("", f"{letters[0]}-{letters[-1]} {dot} {count}, {bots}")]

    def _seat(self, number: int, seat: Seat, known: Acquaintance | None, room: int) -> Row:
        """A seat that is taken. What is known of the person stands first: the sign says already who is ready."""
        say, look = self.texts.say, self.look
        sign = look.glyphs.tick if seat.ready or seat.bot else look.glyphs.dot
        words = [say(msg("bot")) if seat.bot else say(msg("ready")) if seat.ready else say(msg("not ready yet"))]
        words += [say(msg("opened the table"))] if seat.owner else []
        words += [say(GUEST)] if seat.guest else []
        words += [say(msg("that is you"))] if number == self.game.seat else []
        words += [say(msg("away, says the host"))] if seat.away else []
        said = " · ".join(filter(None, (badge(self.texts, known), ", ".join(words))))
        name = pad(self.game.names[number], room, look.glyphs.cut)
        key = f"seat {number}" if self.game.session.owner and number != self.game.seat else ""
        return Row(key, f"{SEATS[number]} {sign} {name} {said}", warns=isinstance(known, OtherKey), aside=True)

    def _settings(self, settings: Settings) -> list[Row]:
        """What will be played; the owner may change it."""
        say, plan = self.texts.say, self.plan
        shown = [
            ("players", say(msg("Players")), str(settings.players)),
            ("bots", say(msg("of them bots")), str(settings.bots)),
        ]
        if plan.chooses:
            shown.append(("scenario", say(msg("Characters")), scenario_name(self.texts, plan.scenario)))
        edition = editions.name(self.texts, plan.config.edition)
        options = Row("options", say(msg("Edition and options…")), f"{edition}: {options_line(self.texts, plan)}",
                      letter="o")  # fmt: skip
        draft, agreed = kind(self.texts, settings.config.draft), [Row("", line) for line in self._agreed(settings)]
        if self.game.session.owner:
            rows = [Row(key, label, value=value) for key, label, value in shown]
            sealed = [Row("draft", say(msg("The draft")), value=draft, letter="d")] if plan.drafts else []
            cast = [Row("cast", say(msg("Characters and districts…")), letter="p")] if plan.chooses else []
            return [*rows, *cast, options, *sealed, *agreed]
        rows = [options, Row("cast", say(msg("Cards in play…")), letter="p")]
        rows += [Row("draft", say(msg("The draft: {draft}"), draft=draft), letter="d")] if plan.drafts else []
        return [*rows, *(Row("", f"{label}: {value}") for _, label, value in shown), *agreed]

    def _agreed(self, settings: Settings) -> list[str]:
        """Special conditions of this table: a sealed draft, no hints; and starts that were called off."""
        hints = "" if settings.hints else self.texts.say(FORBIDDEN)
        conditions = [sealed_draft(self.texts, settings), hints, called_off(self.game)]
        return [line for text in conditions if text for line in wrap(text, max(self.width - 3, 20))]

    def _cards(self) -> list[Row]:
        """The characters and districts, as far as there is room for them, where they do not stand beside."""
        if not self.plan.chooses or self.beside:
            return []
        return [Row("", line) for line in in_lines(self.texts, self.plan, max(self.width - 3, 20))]

    def _buttons(self) -> list[Row]:
        say = self.texts.say
        ready = say(msg("I am not ready after all")) if me_ready(self.game) else say(msg("I am ready"))
        rows = [] if self.game.seat is None else [Row("ready", ready, letter="r")]
        if self.game.session.owner:
            rows.insert(0, Row("start", say(msg("Start the game")), letter="s"))
        keys = [Row("keys", say(msg("Compare keys…")), letter="w")] if any(found(self.game)) else []
        code = (
            [Row("invite", say(msg("How friends come in…")), letter="n")]
            if self.game.door is not None and self.roomy
            else []
        )
        chat = Row("chat", say(msg("Say something…")), letter="c")
        return [*rows, chat, *keys, *code, self._leave()]

    def _leave(self) -> Row:
        return Row("leave", self.texts.say(msg("Leave the table")), letter="q")
