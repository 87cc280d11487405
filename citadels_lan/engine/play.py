"""The engine's doors: how a move becomes events, and how play goes on from one decision to the next."""

from collections.abc import Sequence
from typing import Any

from .action import Action
from .chance import Chance
from .choices import Answer, Choice
from .edition import Edition, edition_of
from .events import Event, Used
from .events.base import Impossible
from .rules import IllegalMove, Rule
from .state import State, Turn, acting
from .table import Table


def play_move(table: Table, seat: int, action: Action, unsealed: str | None = None) -> None:
    """Make a move on a table and go on to the next decision; see `decide`."""
    played = edition_of(table.state)
    rule = _rule_for(played, table.state, seat, action)
    if unsealed is not None:
        rule.unseal(table, seat, action, unsealed)
    refused = rule.refusal(table.state, seat, action)
    if refused is not None:
        raise refused
    _perform(played, table, rule, seat, action)


def play_listed(table: Table, seat: int, action: Action) -> None:
    """Make a move that is one of the `decisions` on this very state. It is not looked at once more, which whole
    games and rollouts save a tenth of their time with; any other move goes through `play_move`."""
    state = table.state
    played = edition_of(state)
    if state.steps:
        rule = played.answers_by_action[state.steps[-1].verb][type(action)]
    else:
        assert state.turn is not None
        rule = played.rules_by_action[state.turn.character][type(action)]
    _perform(played, table, rule, seat, action)


def _perform(played: Edition, table: Table, rule: Rule[Any], seat: int, action: Action) -> None:
    table.seat = seat
    if rule.once:
        table.emit(Used(rule.once))
    rule.perform(table, seat, action)
    played.flow.proceed(table)


def go_on(table: Table, told: Answer | None = None) -> None:
    """Let a table do what it does by itself; see `advance`."""
    state = table.state
    table.seat = None
    flow = edition_of(state).flow
    if state.inquiry is None:
        if told is not None:
            raise Impossible("inquiry")
        flow.advance(table)
    elif told is not None or state.draft != "blind":
        flow.answered(table, told)


def rule_for(state: State, seat: int, action: Action) -> Rule[Any]:
    """The rule that an action of `seat` falls under now; IllegalMove where it is out of place."""
    return _rule_for(edition_of(state), state, seat, action)


def _rule_for(played: Edition, state: State, seat: int, action: Action) -> Rule[Any]:
    if seat not in acting(state):
        raise IllegalMove("game_over" if state.phase == "over" else "not_your_turn")
    if state.steps:
        verb = state.steps[-1].verb
        for rule in played.answers[verb]:
            if type(action) is rule.action:
                return rule
        raise IllegalMove("answer_first", verb=verb)
    assert state.turn is not None
    return _rule_of_turn(played, state, state.turn, action)


def _rule_of_turn(played: Edition, state: State, turn: Turn, action: Action) -> Rule[Any]:
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
    later = any(rule.action is type(action) for rule in played.turn_rules[turn.character])
    raise IllegalMove("gather_first" if later else "no_such_ability", verb=action.verb)


def _closed(played: Edition, turn: Turn) -> bool:
    """Whether nothing is left but the end of the turn."""
    return bool(turn.used) and played.last_abilities.get(turn.character) in turn.used


def _rules(played: Edition, state: State, turn: Turn) -> Sequence[Rule[Any]]:
    """Every rule the seat on turn may act under."""
    if turn.bound:
        return played.bound_rules[turn.character]
    if not turn.gathered:
        rules = played.early_rules[turn.character]
    elif _closed(played, turn):
        return played.closing_rules
    else:
        rules = played.late_rules[turn.character]
    brought = played.district_rules
    for district in state.players[turn.seat].city:
        key = district.key
        if key in brought:
            rules = (*rules, *brought[key])
    return rules


def _choices_of_turn(state: State, turn: Turn) -> list[Choice]:
    """Everything the seat on turn may do."""
    found: list[Choice] = []
    seat, used = turn.seat, turn.used
    for rule in _rules(edition_of(state), state, turn):
        once = rule.once
        if not once or once not in used:
            found += rule.choices(state, seat)
    return found


def _answers(state: State, seat: int) -> Sequence[Choice]:
    """Every answer to what is asked of a seat."""
    rules = edition_of(state).answers[state.steps[-1].verb]
    if len(rules) == 1:
        return rules[0].choices(state, seat)
    return [choice for rule in rules for choice in rule.choices(state, seat)]


def decisions(state: State) -> dict[int, Sequence[Choice]]:
    """Who must decide now, and everything they may choose. Empty while the table itself must go on.

    In a view the choices of other seats are left empty: they depend on what only those seats know.
    """
    if state.steps:
        if state.inquiry is not None:
            return {}
        seat = state.steps[-1].seat
        return {seat: _answers(state, seat) if state.knows(seat) else ()}
    if state.turn is not None:
        seat = state.turn.seat
        return {seat: _choices_of_turn(state, state.turn) if state.knows(seat) else ()}
    return {}


def refusal(state: State, seat: int, action: Action) -> IllegalMove | None:
    """Why a move would be refused, or None where it is legal. A client may ask its own view."""
    try:
        return rule_for(state, seat, action).refusal(state, seat, action)
    except IllegalMove as reason:
        return reason


def decide(state: State, seat: int, action: Action, chance: Chance, unsealed: str | None = None) -> list[Event]:
    """What comes of a move, up to the next decision. Raises IllegalMove; changes nothing.

    At a sealed table a `confiscate yes` or `reveal yes` breaks a seal: `unsealed` is the character that has the
    marker that counts, and whoever calls has checked the proof of it.
    """
    table = Table(state.copy(), chance)
    play_move(table, seat, action, unsealed)
    return table.events


def advance(state: State, chance: Chance, told: Answer | None = None) -> list[Event]:
    """What the table does by itself before the game and between rounds: deals, begins a round. Empty at any
    other time.

    Where the draft is sealed, the table goes on at its `inquiry`, too: a blind one with what it is `told`, and not
    without it; whoever calls has checked the proof of it. Raises Impossible for what cannot be so, and where a
    table that knows the characters is told that somebody has one who has not.
    """
    table = Table(state.copy(), chance)
    go_on(table, told)
    return table.events


def evolve(state: State, *events: Event) -> State:
    """The state after these events; `state` itself stays as it is. The same for a full state and for a view."""
    after = state.copy()
    for event in events:
        event.apply(after)
        after.tick += 1
    return after


def redact(event: Event, viewer: int | None) -> Event:
    """An event as `viewer` (a seat, None for a spectator) is told it."""
    return event.redact(viewer)
