"""A full state that a view allows, and in which what was told of an entry can come about.

The view's secrets stay unknown (`?`) as long as the engine does not ask for them. What it asks for is taken from
the told events: who reveals a character has held it, a hand in which three cards match has three such cards.
"""

from collections.abc import Iterator, Mapping, Sequence

from citadels_lan.engine import HIDDEN, TYPES, Action, Event, State, edition_of
from citadels_lan.engine.actions import Build, Take
from citadels_lan.engine.edition_actions import Offer, Sell
from citadels_lan.engine.events import (
    AllStand,
    Asked,
    Built,
    CharactersSwapped,
    GameEnded,
    Revealed,
    RoundEnded,
    Slid,
    Spied,
)
from citadels_lan.engine.state import EVERYTHING, SECRET_MARKS, District, Player

TELLING = (Revealed, RoundEnded, GameEnded)
"""Events after which it is known who has held a character."""
Shown = Mapping[tuple[str, int], str]
"""The characters whose sealed markers count, as far as openings have shown them, by kind and seat."""


def completed(seen: State, told: Sequence[Event], shown: Shown) -> State:
    """The full state before an entry of which these events were told."""
    state = seen.copy()
    state.viewer = EVERYTHING
    if state.draft == "open":
        _hold_revealed(state, told)
    if state.marks:
        state.marks = [
            mark.but(character=shown.get((mark.kind, mark.by), HIDDEN)) if mark.kind in SECRET_MARKS else mark
            for mark in state.marks
        ]
    if state.steps and state.steps[-1].verb == "pick" and state.draft == "open":
        _number_packet(state)
    for event in told:
        match event:
            case Spied():
                _fill_spied(state, event)
            case Asked(verb="tribute"):
                _differ(_player(state, event.seat))
            case GameEnded():
                _hold_points(state, event)
            case AllStand():
                _bury(state, told)
    return state


def put_named(state: State, seat: int, action: Action) -> None:
    """Let the seat have the card that its move names."""
    match action:
        case Build() | Sell() | Offer():
            _put(state.players[seat].hand, action.card)
        case Take() if state.steps:
            step = state.steps[-1]
            cards = list(step.cards)
            _put(cards, action.card)
            state.steps[-1] = step.but(cards=tuple(cards))


def _put(cards: list[str], card: str) -> bool:
    """Let one of the unknown cards be this one, unless it lies there."""
    if card in cards or HIDDEN not in cards:
        return False
    cards[cards.index(HIDDEN)] = card
    return True


def _player(state: State, seat: int) -> Player | None:
    return state.players[seat] if 0 <= seat < len(state.players) else None


def _hold_revealed(state: State, told: Sequence[Event]) -> None:
    """Who reveals a character holds it, unless it lies or lay elsewhere, or has it from somebody by an exchange,
    or picks it now; what nobody has revealed by the end of the round is the killed one."""
    if not any(isinstance(event, TELLING) for event in told):
        return
    away = {*state.faceup, *(card for player in state.players for card in (*player.revealed, *player.laid))}
    held = {card for player in state.players for card in player.concealed}
    before: dict[int, int] = {}
    over = False
    for event in told:
        match event:
            case CharactersSwapped():
                if _one_each(state, event):
                    before |= {event.seat: event.other, event.other: event.seat}
            case Revealed() if event.character not in away | held:
                player = _player(state, before.get(event.seat, event.seat))
                if player is not None and not _put(player.concealed, event.character):
                    _offer(state, event)
            case RoundEnded() | GameEnded():
                over = True
    killed = state.mark("killed") if over else None
    if killed is not None and killed.character not in away:
        for player in state.players:
            if HIDDEN in player.concealed and not any(killed.character in one.concealed for one in state.players):
                _put(player.concealed, killed.character)


def _one_each(state: State, swapped: CharactersSwapped) -> bool:
    """Whether both have one character alone, so that it is known which are exchanged."""
    return all(
        (player := _player(state, seat)) is not None and len(player.concealed) == 1
        for seat in (swapped.seat, swapped.other)
    )


def _offer(state: State, revealed: Revealed) -> None:
    """Let a character be the first of the packet of which it is picked."""
    step = state.steps[-1] if state.steps else None
    if step is not None and (step.verb, step.seat) == ("pick", revealed.seat) and HIDDEN in step.cards:
        state.steps[-1] = step.but(cards=(revealed.character, *step.cards[1:]))


def _number_packet(state: State) -> None:
    """Tell the characters of a packet apart."""
    step = state.steps[-1]
    if HIDDEN in step.cards:
        cards = tuple(f"{HIDDEN}{at}" if card == HIDDEN else card for at, card in enumerate(step.cards))
        state.steps[-1] = step.but(cards=cards)


def _fill_spied(state: State, spied: Spied) -> None:
    """Let a hand have as many cards of a type as the Spy found in it."""
    player, played = _player(state, spied.other), edition_of(state)
    if player is None or HIDDEN not in player.hand or spied.type not in TYPES:
        return
    if len(spied.hand) == len(player.hand) and all(card in played.types for card in spied.hand):
        player.hand = list(spied.hand)
        return
    count, found = len(player.hand), max(0, min(spied.matches, len(player.hand)))
    matching = next(card for card, kind in played.types.items() if kind == spied.type)
    other = next(card for card, kind in played.types.items() if kind != spied.type)
    player.hand = [matching] * found + [other] * (count - found)


def _differ(player: Player | None) -> None:
    """Let a hand have two kinds of cards, as far as it is unknown: somebody is asked which."""
    if player is not None and player.hand[:2] == [HIDDEN, HIDDEN]:
        player.hand[:2] = [f"{HIDDEN}0", f"{HIDDEN}1"]


def _hold_points(state: State, ended: GameEnded) -> None:
    """Let a seat have in hand what it got points for in hand, as far as there are such cards."""
    played = edition_of(state)
    for key, effect in played.effects.items():
        if not effect.points_in_hand or key not in state.districts:
            continue
        left = played.districts[key].count - sum(player.hand.count(key) for player in state.players)
        for player, score in zip(state.players, ended.scores, strict=False):
            counted = dict(score.parts).get(key, 0) // effect.points_in_hand
            for _ in range(min(left, counted - player.hand.count(key))):
                if HIDDEN in player.hand:
                    player.hand[player.hand.index(HIDDEN)] = key
                    left -= 1


def _bury(state: State, told: Sequence[Event]) -> None:
    """Let as many names as possible lie under the Museum with all their copies: they cannot stand any more.
    Whoever slides a card there now may have the last one of them in hand."""
    played = edition_of(state)
    slid = next((event for event in told if isinstance(event, Slid)), None)
    names = {district.key for player in state.players for district in player.city}
    names |= {event.card for event in told if isinstance(event, Built)}
    under = [card for player in state.players for one in player.city for _, card in one.under]
    places = under.count(HIDDEN) + (slid is not None and slid.card == HIDDEN)
    if slid is not None:
        under.append(slid.card)
    left = {key: card.count - under.count(key) for key, card in played.districts.items() if key not in names}
    lost = [key for key in sorted(left, key=left.__getitem__) for _ in range(left[key])][:places]
    if slid is not None and slid.card == HIDDEN and lost:
        _put(state.players[slid.seat].hand, lost.pop())
    lying = iter(lost)
    for player in state.players:
        player.city = [_filled(district, lying) for district in player.city]


def _filled(district: District, lying: Iterator[str]) -> District:
    return district.but(
        under=tuple((by, next(lying, HIDDEN) if card == HIDDEN else card) for by, card in district.under),
    )
