"""The functions that play: a move becomes events, and the table continues to the next decision."""

from collections.abc import Sequence
from typing import Any

from citadels_lan.engine.action import Action
from citadels_lan.engine.edition import Edition, edition_of

from .choices import Answer, Choice
from .events import Event, Impossible, Used
from .rules import IllegalMove, Rule
from .state import State, Turn, acting
from .table import Chance, Table


def play_move(table: Table, seat: int, action: Action, unsealed: str | None = None) -> None:
    """Make a move on a table and continue to the next decision.

    Raises IllegalMove. `unsealed` is explained at `decide`.
    """
    rule = rule_for(table.state, seat, action)
    if unsealed is not None:
        rule.unseal(table, seat, action, unsealed)
    # The rule sees the revealed marker, because `unseal` has changed the state already.
    refused = rule.refusal(table.state, seat, action)
    if refused is not None:
        raise refused
    _perform(table, edition_of(table.state), rule, seat, action)


def play_listed(table: Table, seat: int, action: Action) -> None:
    """Make a move that is one of the `decisions` of the table's state.

    Its legality is not checked again, which makes random games and rollouts a tenth faster. For any other
    move use `play_move`.
    """
    state = table.state
    played = edition_of(state)
    # The listed move names its rule, so no rule has to be asked whether the move is legal.
    if state.steps:
        rule = played.answers[state.steps[-1].verb][type(action)]
    else:
        rule = played.rules_by_action[state.current_turn.character][type(action)]
    _perform(table, played, rule, seat, action)


def _perform(table: Table, played: Edition, rule: Rule[Any], seat: int, action: Action) -> None:
    table.seat = seat
    # The ability counts as used before it acts, so a question that it asks cannot offer it again.
    if rule.once:
        table.emit(Used(rule.once))
    rule.perform(table, seat, action)
    played.flow.proceed(table)


def go_on(table: Table, answer: Answer | None = None) -> None:
    """Let the table act by itself, as `advance` describes."""
    state = table.state
    table.seat = None
    flow = edition_of(state).flow
    if state.inquiry is None:
        if answer is not None:
            raise Impossible("inquiry")
        flow.advance(table)
    # A blind table without an answer keeps waiting; it cannot answer for the seats.
    elif answer is not None or state.draft != "blind":
        flow.answered(table, answer)


def rule_for(state: State, seat: int, action: Action) -> Rule[Any]:
    """Return the rule for an action of `seat`. Raises IllegalMove if the action is not possible now."""
    played = edition_of(state)
    if seat not in acting(state):
        raise IllegalMove("game_over" if state.phase == "over" else "not_your_turn")
    if state.steps:
        # The last step is the innermost question, and it must be answered first.
        verb = state.steps[-1].verb
        answer = played.answers[verb].get(type(action))
        if answer is None:
            raise IllegalMove("answer_first", verb=verb)
        return answer
    return _rule_of_turn(played, state, state.current_turn, action)


def _rule_of_turn(played: Edition, state: State, turn: Turn, action: Action) -> Rule[Any]:
    # Moves of every turn are looked up directly, because nearly all moves are of this kind.
    usual = None if turn.bound else played.by_action.get(type(action))
    if usual is not None and (usual.closing or not _closed(played, turn)):
        return usual
    for rule in _rules(played, state, turn):
        if rule.action is type(action):
            if rule.once and rule.once in turn.used:
                raise IllegalMove("used_already", verb=action.verb)
            return rule
    if turn.bound or _closed(played, turn):
        raise IllegalMove("only_gathering" if turn.bound else "only_ending", verb=action.verb)
    # The reason for the player: an ability that comes after gathering, or one that this turn lacks.
    later = any(rule.action is type(action) for rule in played.turn_rules[turn.character])
    raise IllegalMove("gather_first" if later else "no_such_ability", verb=action.verb)


def _closed(played: Edition, turn: Turn) -> bool:
    """Return whether an ability that ends the turn was used, so that only closing rules remain."""
    # `used` is empty at the beginning of most turns, which saves the second look-up.
    return bool(turn.used) and played.last_abilities.get(turn.character) in turn.used


def _rules(played: Edition, state: State, turn: Turn) -> Sequence[Rule[Any]]:
    """Return every rule that the seat on turn may use."""
    if turn.bound:
        return played.bound_rules[turn.character]
    if not turn.gathered:
        rules = played.early_rules[turn.character]
    elif _closed(played, turn):
        return played.closing_rules
    else:
        rules = played.late_rules[turn.character]
    # Districts bring rules in the order of the city, after those of the character.
    brought = played.district_rules
    for district in state.players[turn.seat].city:
        key = district.key
        if key in brought:
            rules = (*rules, *brought[key])
    return rules


def _choices_of_turn(state: State, turn: Turn) -> list[Choice]:
    """Return all choices of the seat on turn."""
    choices: list[Choice] = []
    seat, used = turn.seat, turn.used
    for rule in _rules(edition_of(state), state, turn):
        once = rule.once
        if not once or once not in used:
            choices += rule.choices(state, seat)
    return choices


def _answers(state: State, seat: int) -> Sequence[Choice]:
    """Return every answer to the pending step of a seat."""
    choices: list[Choice] = []
    for rule in edition_of(state).answers[state.steps[-1].verb].values():
        choices += rule.choices(state, seat)
    return choices


def decisions(state: State) -> dict[int, Sequence[Choice]]:
    """Return {seat: choices} with the seat that must decide now. Empty if no seat must decide, because the
    table acts next or the game is over.

    In the view of another seat the choices are empty, because they may depend on what only the deciding seat
    knows.
    """
    if state.steps:
        # While programs have to answer an inquiry, no player may decide.
        if state.inquiry is not None:
            return {}
        seat = state.steps[-1].seat
        return {seat: _answers(state, seat) if state.knows(seat) else ()}
    if state.turn is not None:
        seat = state.turn.seat
        return {seat: _choices_of_turn(state, state.turn) if state.knows(seat) else ()}
    return {}


def refusal(state: State, seat: int, action: Action) -> IllegalMove | None:
    """Return why the rules reject a move, or None if it is legal. `state` may be the view of `seat`."""
    try:
        return rule_for(state, seat, action).refusal(state, seat, action)
    except IllegalMove as reason:
        return reason


def decide(state: State, seat: int, action: Action, chance: Chance, unsealed: str | None = None) -> list[Event]:
    """Return the events of a move, up to the next decision. `state` does not change.

    Raises IllegalMove. At a sealed table, `confiscate yes` and `reveal yes` need `unsealed`, the character
    with the marker that counts. The caller must have checked the player's proof of it.
    """
    # Rules change the table that they act on, so they get a copy.
    table = Table(state.copy(), chance)
    play_move(table, seat, action, unsealed)
    return table.events


def advance(state: State, chance: Chance, answer: Answer | None = None) -> list[Event]:
    """Return the events of the table itself before the game and between rounds: it deals, or begins a round.
    Empty at any other time.

    In a sealed draft the table also continues after its `inquiry`. A blind table then needs the `answer`,
    whose proof the caller has checked; without it nothing happens. Raises Impossible if `answer` cannot be
    true.
    """
    table = Table(state.copy(), chance)
    go_on(table, answer)
    return table.events


def evolve(state: State, *events: Event) -> State:
    """Return the state after these events; `state` does not change. It works for a full state and for a
    view."""
    after = state.copy()
    for event in events:
        event.apply(after)
        # `Table.emit` counts in the same way, so that host and clients agree on `tick`.
        after.tick += 1
    return after


def redact(event: Event, viewer: int | None) -> Event:
    """Return an event as `viewer` (a seat, None for a spectator) receives it."""
    return event.redact(viewer)
