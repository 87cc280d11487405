"""The lobby of line mode: the players, how friends join, the settings of the game, and how the owner changes
them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace
from rich.cells import cell_len

from citadels_lan.engine import EDITIONS, RANDOM, Unplayable
from citadels_lan.engine.config import DraftKind, Value
from citadels_lan.presenter import plan as plans
from citadels_lan.presenter.game import Game, called_off
from citadels_lan.presenter.invitation import invitation_lines, qr_lines
from citadels_lan.presenter.plan import Plan
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import LANGUAGES, Texts, load, msg, terms
from citadels_lan.texts.commands import whole_number
from citadels_lan.texts.tables import sentences
from citadels_lan.texts.topics import UnknownTopic, find_edition, find_topic, plain, unknown

from . import lines as plain_lines
from .streams import Output

Key = TypeVar("Key", bound=Value)
DRAFTS: Final[Sequence[DraftKind]] = ("open", "sealed")
NARROW: Final = msg("This terminal is too narrow for the QR code: it needs {cells} columns. Use the link: {link}")


class PlainLobby:
    """Prints changes in the lobby, and changes the settings of the game for the host."""

    def __init__(self, game: Game, output: Output) -> None:
        self._game = game
        self._output = output
        self._say = output.say
        self._planned: Plan | None = None
        self._invited: list[str] = []
        self._printed: list[str] = []

    def invite(self) -> None:
        """Print how friends join if that has changed since it was last printed."""
        invitation = self._game.invitation
        lines = list(invitation_lines(self._game.texts, invitation)) if invitation is not None else []
        # The lobby changes often, but the invitation seldom does.
        if lines != self._invited:
            self._invited = lines
            self._say(lines)

    def tell(self) -> None:
        """Print the players and the settings if they have changed since they were last printed. Nothing after
        the game has begun."""
        table, texts = self._game.table, self._game.texts
        if table.state is not None:
            return
        self.invite()
        plan = Plan.of(table.settings.config)
        seats = [f"{name}: {state}" for name, state in plain_lines.seat_states(self._game)]
        if seats == self._printed and plan == self._planned:
            return  # only hidden facts have changed, for example the parts of the seed
        self._printed = seats
        self._say(seats if self._output.typed else ())
        if plan != self._planned:
            self._planned = plan
            self._say(_plan_lines(texts, plan))
            self._say(filter(None, (*plans.conditions(texts, table.settings), called_off(self._game))))
            self._say(self._commands(plan) if self._output.typed else ())
        if not self._output.typed:
            return
        if table.seat is None:
            self._say(texts.say(msg("You are watching: the game begins when the players are ready.")))
            self._say(texts.say(msg("say TEXT: chat; quit: leave")))
        else:
            usage = msg("ready: you are ready; start: the host starts the game; say TEXT: chat; quit: leave")
            self._say(texts.say(usage))
        if any(seat.key and not seat.bot for seat in table.lobby):
            self._say(texts.say(msg("keys: the six words of each player's key")))

    def _commands(self, plan: Plan) -> Iterator[str]:
        """Yield the lines of help about the commands for settings: all of them for the host, only reading for
        other players."""
        has = {"draft": plan.drafts, "scenario": plan.chooses, "uniques": plan.chooses}
        for key, text in sentences(__package__, "help.toml")["lobby"].items():
            if key == "read" or (self._game.table.owner and has.get(key, True)):
                yield self._game.texts.say(text)

    async def remove(self, name: str) -> None:
        """Remove the player with this name from the table."""
        names = list(self._game.table.names)
        if name in names:
            await self._game.session.remove(names.index(name))
        else:
            self._say(self._game.texts.say(msg("Type a name: remove NAME.")))

    def door(self, what: str) -> None:
        """Run the command `what` of the host: `newcode` makes a new code, `code` prints how friends join,
        `qr` prints the links as QR codes. For other players, print that only the host has the code."""
        invitation = self._game.invitation
        if invitation is None:
            self._say(self._game.texts.say(msg("Only the host has the code.")))
        elif what == "newcode":
            invitation.join_code.renew()  # The table prints the new code when the door reports the change.
        elif what == "code":
            self._say(invitation_lines(self._game.texts, invitation))
        else:
            for link in filter(None, (invitation.link, invitation.web)):
                rows = qr_lines(link(), ascii_only=self._output.glyphs is not UNICODE)
                # A terminal would break the rows of a wide code, so it gets the link.
                if (width := self._output.columns) is not None and any(cell_len(row) > width for row in rows):
                    self._say(self._game.texts.say(NARROW, cells=cell_len(rows[0]), link=link()))
                else:
                    self._say(rows)

    async def cards(self, about: str, rest: str) -> None:
        """Show or change a setting. `about` is the setting (for example `edition` or `cast`), `rest` the text
        typed after it; if `rest` is empty, the setting is only shown. After the start, show the cards of the
        game. Raises Rejected."""
        texts, table = self._game.texts, self._game.table
        if about == "draft" and (table.state is not None or not rest):
            self._say(plans.about_draft(texts, table.settings))
            return
        if table.state is not None:
            self._say(plain_lines.cards(self._game))
            return
        plan = Plan.of(table.settings.config)
        if not rest:
            self._say(_shown(texts, plan, about))
            return
        try:
            changed = _changed(plan, about, rest)
            problem = changed.problem()
        except UnknownTopic as error:
            self._say(unknown(texts, error))
            return
        except Unplayable as refused:
            problem = refused
        if problem is not None:
            self._say(plans.reason(texts, problem))
            return
        # With fewer seats there is less room for bots.
        bots = min(table.settings.bots, changed.config.players - 1)
        await self._game.session.configure(replace(table.settings, config=changed.config, bots=bots))
        self._say(plans.changes(texts, plan, changed))


def _shown(texts: Texts, plan: Plan, about: str) -> list[str]:
    """Return the lines for a command without arguments: the editions for `edition`, the options for `option`,
    for all others the whole plan."""
    if about == "edition":
        return [f"{key}: {terms.name(texts, key)}. {terms.summary(texts, key)}" for key in EDITIONS]
    if about == "option":
        lines = [plans.players_line(texts, plan)]
        for name, values in plan.edition.options.items():
            listed = texts.alternatives([f"{value} ({terms.value(texts, name, value)})" for value in values])
            here = terms.value(texts, name, plan.option(name))
            lines.append(f"{name}: {terms.option(texts, name)}: {here}. {terms.about(texts, name)} {listed}.")
        return lines
    ways = [texts.alternatives([plans.scenario_name(texts, way) for way in plan.edition.ways])]
    return [*_plan_lines(texts, plan), *(ways if about == "scenario" else [])]


def _plan_lines(texts: Texts, plan: Plan) -> list[str]:
    """Return the lines that describe the settings of the game."""
    lines = [(msg("Edition"), plans.heading(texts, plan))]
    lines += [(msg("Options"), plans.options_line(texts, plan))] if plan.edition.options else []
    lines.append((msg("Characters"), ", ".join(plans.cast_names(texts, plan))))
    lines.append((msg("Unique districts"), ", ".join(plans.unique_names(texts, plan))))
    return [f"{texts.say(name)}: {value}" for name, value in lines]


def _changed(plan: Plan, about: str, rest: str) -> Plan:
    """Return the plan after the change of a setting: `about` names the setting, `rest` is the new value as
    typed. Raises Unplayable and UnknownTopic."""
    match about:
        case "edition":
            return plan.in_edition(edition_called(rest))
        case "option":
            name, _, value = (part.strip() for part in rest.partition("="))
            values = plan.edition.options.get(name, ())
            chosen = _named(value, values, lambda texts, key: terms.value(texts, name, key))
            return plan.with_option(name, value if chosen is None else chosen)
        case "draft":
            draft = _named(rest, DRAFTS, plans.draft_kind)
            if draft is None:
                raise Unplayable("unknown_value", option="draft", value=rest)
            return plan.with_draft(draft)
        case "scenario":
            way = _named(rest, plan.edition.ways, plans.scenario_name, beginning=True)
            if way is None:
                raise Unplayable("unknown_scenario", scenario=rest)
            return plan.like(way)
        case "seats":
            return plan.for_players(whole_number(rest) or 0)
        case "cast":
            return _with_cast(plan, rest)
    return _with_uniques(plan, rest)


def edition_called(name: str) -> str:
    """Return the key of the edition with this name or key. Raises Unplayable if there is none."""
    key = find_edition(name)
    if key is None:
        raise Unplayable("unknown_edition", edition=name)
    return key


def _named(
    name: str, keys: Iterable[Key], named: Callable[[Texts, Key], str], *, beginning: bool = False
) -> Key | None:
    """Return the key among `keys` that equals `name` or whose displayed name, in any language, equals `name`.
    With `beginning`, `name` may be the beginning of the displayed name. None if there is none."""
    typed = plain(name)
    for key in keys:
        for text in map(plain, (str(key), *(named(load(language), key) for language in LANGUAGES))):
            if text == typed or (beginning and typed and text.startswith(typed)):
                return key
    return None


def _with_cast(plan: Plan, rest: str) -> Plan:
    if rest.lower() == RANDOM:
        return plan if plan.cast is None else plan.draw_cast()
    for sign, key in _signed(plan, rest, "character"):
        if sign == "-" and plan.edition.ranks.get(key, 9) != 9:
            raise Unplayable("one_character_per_rank")
        plan = plan.without_nine() if sign == "-" and key in plan.edition.ranks else plan.choose(key)
    return plan


def _with_uniques(plan: Plan, rest: str) -> Plan:
    if rest.lower() == RANDOM:
        return plan.with_uniques(None)
    named = _signed(plan, rest, "district")
    chosen = [key for sign, key in named if sign != "-"]
    if any(sign for sign, _ in named):
        taken = {key for sign, key in named if sign == "-"}
        chosen = [*(key for key in plan.uniques or () if key not in taken), *chosen]
    return plan.with_uniques(chosen)


def _signed(plan: Plan, rest: str, kind: str) -> list[tuple[str, str]]:
    """Split the typed cards in `rest`, for example `+castle, -museum`, into pairs of sign ("+", "-" or "")
    and card key. Cards are separated by commas; names of a single word also by spaces. Raises UnknownTopic
    for a name that is not a card of this `kind`."""
    parts = rest.split(",")
    if len(parts) == 1:  # The words are one name of several words, or several names.
        try:
            find_topic(rest.lstrip("+-"))
        except UnknownTopic:
            parts = rest.split()
    found = []
    for part in filter(None, map(str.strip, parts)):
        sign = part[0] if part[0] in "+-" else ""
        topic = find_topic(part.removeprefix(sign), plan.edition)
        if topic.kind != kind:
            raise UnknownTopic(part, ())
        found.append((sign, topic.key))
    return found
