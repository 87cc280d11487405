"""A turn: gathering, income, building and ending (rulebook p. 4)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .actions import Action, End, Gather, Keep, in_order
from .building import BuildRule
from .choices import Choice
from .cities import uniques
from .events import CardsGained, Drawn, Gathered, Kept, PutUnder, Shuffled, TurnEnded, Used
from .registry import ABILITIES, MARKERS, register_steps
from .rules import HARMLESS, IllegalMove, Rule
from .state import State, Turn, marks_on

if TYPE_CHECKING:
    from .table import Table


class GatherRule(Rule[Gather]):
    """Take gold, or draw cards and keep one; once, and it must be done (R034)."""

    action = Gather

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        if state.turn is None or state.turn.gathered:
            return ()
        return (Gather("gold"), Gather("cards")) if state.deck else (Gather("gold"),)

    def refusal(self, state: State, seat: int, action: Gather) -> IllegalMove | None:
        if state.turn is None or state.turn.gathered:
            return IllegalMove("gathered_already")
        if action.what == "cards" and not state.deck:
            return IllegalMove("deck_empty")
        return None

    def perform(self, table: "Table", seat: int, action: Gather) -> None:
        effects = uniques(table.state.players[seat])
        if action.what == "gold":
            table.emit(Gathered(seat, 2 + sum(unique.gold for unique in effects)))
            has_gathered(table, seat)
            return
        table.emit(Gathered(seat, 0))
        cards = table.top(2 + sum(unique.drawn for unique in effects))
        if len(cards) == 1:
            table.emit(CardsGained(seat, cards, "gather"))
            has_gathered(table, seat)
        else:
            table.emit(Drawn(seat, cards, "gather"))


def has_gathered(table: "Table", seat: int) -> None:
    """Let the markers on the character act that wait for the gathering."""
    turn = table.state.turn
    assert turn is not None
    for mark in marks_on(table.state, turn.character):
        MARKERS.get(mark.kind, HARMLESS).gathered(table, seat, mark)


class KeepRule(Rule[Keep]):
    """Keep one of the cards drawn, or all with the Library; the others go under the deck (R035, R281), or are
    shuffled into it after the Scholar's study (R201)."""

    action = Keep

    def _sizes(self, state: State, seat: int) -> tuple[int, ...]:
        step = state.steps[-1]
        if step.why == "gather" and any(unique.keeps_all for unique in uniques(state.players[seat])):
            return (1, len(step.cards))
        return (1,)

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        cards = state.steps[-1].cards
        kept = [Keep((card,)) for card in sorted(set(cards))]
        if len(self._sizes(state, seat)) > 1:
            kept.append(Keep(in_order(cards)))
        return kept

    def refusal(self, state: State, seat: int, action: Keep) -> IllegalMove | None:
        left = list(state.steps[-1].cards)
        for card in action.cards:
            if card not in left:
                return IllegalMove("not_drawn", card=card)
            left.remove(card)
        if len(action.cards) not in self._sizes(state, seat):
            return IllegalMove("keep_how_many", count=self._sizes(state, seat)[-1])
        return None

    def perform(self, table: "Table", seat: int, action: Keep) -> None:
        step = table.state.steps[-1]
        returned = list(step.cards)
        for card in action.cards:
            returned.remove(card)
        if step.why == "gather":
            table.emit(Kept(seat, action.cards, in_order(returned)))
            table.put_under(returned, "kept")
            has_gathered(table, seat)
        else:
            table.emit(Kept(seat, action.cards, in_order(returned)))
            table.emit(PutUnder(tuple(returned)))
            table.emit(Shuffled(tuple(table.chance.shuffle(table.label("study"), table.state.deck))))


class EndRule(Rule[End]):
    """End the turn; what happens by itself then comes in the order of R301."""

    action = End

    def _unfinished(self, state: State, seat: int) -> str | None:
        assert state.turn is not None
        if not state.turn.gathered:
            return "gather_first"
        return ABILITIES[state.turn.character].unfinished(state, seat)

    def choices(self, state: State, seat: int) -> Sequence[Choice]:
        return () if self._unfinished(state, seat) else (End(),)

    def refusal(self, state: State, seat: int, action: End) -> IllegalMove | None:
        code = self._unfinished(state, seat)
        return IllegalMove(code) if code else None

    def perform(self, table: "Table", seat: int, action: End) -> None:
        end_turn(table, seat)


def end_turn(table: "Table", seat: int) -> None:
    """What happens by itself at the end of a turn, and the end."""
    state = table.state
    assert state.turn is not None
    effects = uniques(state.players[seat])
    for unique in effects:
        if not unique.ends_last:
            unique.ending(table, seat)
    ABILITIES[state.turn.character].ending(table, seat)
    for unique in effects:
        if unique.ends_last:
            unique.ending(table, seat)
    table.emit(TurnEnded(seat))


def spend(table: "Table", ability: str) -> None:
    """Note that the seat on turn has used an ability of this turn."""
    table.emit(Used(ability))


GATHER, BUILD, END = GatherRule(), BuildRule(), EndRule()
COMMON: tuple[Rule[Any], ...] = (GATHER, BUILD, END)
BY_ACTION = {rule.action: rule for rule in COMMON}
register_steps(keep=KeepRule())


def _rules(state: State, turn: Turn) -> Sequence[Rule[Any]]:
    """Every rule the seat on turn may act under."""
    ability = ABILITIES[turn.character]
    if turn.bound:
        return (GATHER, *ability.rules) if ability.bound else (GATHER,)
    rules = [*COMMON, *ability.rules]
    for unique in uniques(state.players[turn.seat]):
        rules += unique.rules
    return rules


def choices(state: State, turn: Turn) -> list[Choice]:
    """Everything the seat on turn may do."""
    found: list[Choice] = []
    for rule in _rules(state, turn):
        if not rule.once or rule.once not in turn.used:
            found.extend(rule.choices(state, turn.seat))
    return found


def rule_for(state: State, turn: Turn, action: Action) -> Rule[Any]:
    """The rule of an action of the seat on turn."""
    if not turn.bound and type(action) in BY_ACTION:
        return BY_ACTION[type(action)]
    for rule in _rules(state, turn):
        if rule.action is type(action):
            if rule.once and rule.once in turn.used:
                raise IllegalMove("used_already", verb=action.verb)
            return rule
    raise IllegalMove("only_gathering" if turn.bound else "no_such_ability", verb=action.verb)
