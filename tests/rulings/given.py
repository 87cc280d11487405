"""Setting up the table that a ruling describes under `given`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from citadels_lan.engine import Edition, Event, State, edition_of
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.engine.state import District, Mark, Player, Turn
from citadels_lan.engine.table import Table
from citadels_lan.engine.turn.cities import complete

from . import cycles
from .cast import Unsound, districts_of, options_of
from .chance import Scripted
from .schema import SEATS, Entry, Given, SeatGiven
from .sealing import Owners

WITCH = "witch"
SOMEBODY = -1
"""Stands for the unknown seat that completed a city first, if the ruling only names seats that completed
theirs later."""
PLACED_BY = {"robbed": "thief", "bewitched": WITCH, "warrant": "magistrate", "threat": "blackmailer"}
"""The character that places each kind of marker. For the other kinds it does not matter who placed them."""


class Start(Struct, frozen=True):
    """Where a ruling begins: the state before anything happens, and the events from there to the first
    decision of the ruling."""

    state: State
    owners: Owners
    events: tuple[Event, ...] = ()


def table_of(given: Given, edition: Edition, cast: tuple[str, ...], chance: Scripted, *, sealed: bool) -> Start:
    """Return the table with which a ruling begins. If the ruling only scores a table, the events are those of
    the end of the game."""
    ways = (given.turn is not None, given.call is not None, given.draft, given.score, given.flip is not None)
    if sum(ways) != 1:
        raise Unsound("exactly one of turn, call, draft, flip and score says how play starts")
    cyclic = isinstance(edition.flow, Cycles)
    if cyclic:
        cycles.check_given(given)
    elif given.flip is not None or given.called or given.discard:
        raise Unsound("only where characters are called off a deck there is flip, called or discard")
    held = _held(given, cast, most=len(cast) if cyclic else holds(given))
    state = State(
        edition=edition.key,
        options=options_of(given),
        cast=cast,
        districts=districts_of(given, edition),
        players=_players(given, held, edition),
        deck=[],
        crown=_seat(given, given.crown),
        round=1,
        taxes=given.marks.taxes,
    )
    state.deck = _deck(given, state, chance)
    _completions(given, state)
    if given.draft:
        state.phase = "between"
    elif given.score:
        state.discards = list(given.discard)
        _score(state)
    elif cyclic:
        return _cycle(given, state, chance, sealed=sealed)
    else:
        return _called(given, state, chance, sealed=sealed)
    return Start(state, Owners(state, sealed=sealed))


def _cycle(given: Given, state: State, chance: Scripted, *, sealed: bool) -> Start:
    """Set up a table of Città Comune in the middle of a turn, or before the call that the ruling names."""
    cycles.set_up(given, state)
    owners = Owners(state, sealed=sealed)
    events = () if given.flip is None else tuple(cycles.call(given, state, chance).events)
    return Start(state, owners, events)


def _seat(given: Given, name: str) -> int:
    seat = SEATS.index(name)
    if seat >= given.players:
        raise Unsound(f"there is no seat {name} with {given.players} players")
    return seat


def holds(given: Given) -> int:
    """Return how many characters each seat has in a round: two with two or three players, otherwise one."""
    return 2 if given.players < 4 else 1


def _held(given: Given, cast: Sequence[str], most: int) -> dict[int, list[str]]:
    """Return the characters that the ruling gives to each seat, at most `most`. Raises Unsound if they are
    too many, given twice, or not in the cast."""
    held: dict[int, list[str]] = {}
    for name, said in given.characters.items():
        characters = [said] if isinstance(said, str) else said
        if len(characters) > most:
            raise Unsound(f"{name} holds too many characters")
        held[_seat(given, name)] = list(characters)
    everyone = [character for characters in held.values() for character in characters]
    for character in everyone:
        if character not in cast:
            raise Unsound(f"{character} is not in the cast")
        if everyone.count(character) > 1:
            raise Unsound(f"{character} is held twice")
    return held


def _players(given: Given, held: Mapping[int, list[str]], edition: Edition) -> list[Player]:
    players: list[Player] = []
    for name in SEATS:
        said = given.seat(name)
        if said is not None:
            _seat(given, name)
        if len(players) < given.players:
            said = said or SeatGiven()
            seat = len(players)
            players.append(
                Player(
                    gold=said.gold,
                    hand=list(said.hand),
                    city=[district(entry, seat, edition) for entry in said.city],
                    concealed=held.get(seat, []),
                    completed=said.completed or said.completed_first,
                    points=said.points,
                )
            )
    return players


def district(entry: Entry, seat: int, edition: Edition) -> District:
    """Return the district that `entry` of a ruling describes. `seat` is the one that put the cards under the
    Museum."""
    if isinstance(entry, str):
        return District(entry, edition.costs[entry])
    ((key, on),) = entry.items()
    if on.cards == "hidden":
        raise Unsound("a city that is given hides nothing")
    if on.cards and key != "museum":
        raise Unsound(f"no cards lie under {key}")
    if on.turned and key != "bell_tower":
        raise Unsound(f"{key} cannot be turned")
    under = tuple((seat, card) for card in on.cards)
    return District(key, edition.costs[key], on.beautified, under, turned=on.turned)


def _deck(given: Given, state: State, chance: Scripted) -> list[str]:
    """Return the deck, its top at the end: the cards that the ruling gives are on top, the other cards of the
    game below."""
    rest = Counter(edition_of(state).deck(state.districts))
    rest.subtract((*given.deck, *given.discard))
    for player in state.players:
        rest.subtract(player.hand)
        for standing in player.city:
            rest.subtract((standing.key, *(card for _, card in standing.under)))
    top_first = [*given.deck, *chance.shuffle("deck", sorted((+rest).elements()))]
    return top_first[: given.deck_size][::-1]


def _completions(given: Given, state: State) -> None:
    firsts = [seat for seat, name in enumerate(SEATS) if (said := given.seat(name)) and said.completed_first]
    if len(firsts) > 1:
        raise Unsound("two cities were completed first")
    for seat, player in enumerate(state.players):
        if complete(state, seat) and not player.completed:
            raise Unsound(f"the city of {SEATS[seat]} is complete: say completed or completed_first")
    completed = any(player.completed for player in state.players)
    state.first = firsts[0] if firsts else SOMEBODY if completed else None
    state.last_round = given.last_round or completed


def _score(state: State) -> None:
    """End the game with the state as it is, after revealing all held characters."""
    for player in state.players:
        player.concealed, player.revealed = [], player.concealed
    edition = edition_of(state)
    state.phase = "over"
    state.scores = edition.scores(state)
    state.winners = edition.winners(state, state.scores)


def _called(given: Given, state: State, chance: Scripted, *, sealed: bool) -> Start:
    """Call the rank with which the ruling begins. The calls of lower ranks have had no effect."""
    ranks = edition_of(state).ranks
    on_turn = _on_turn(given, state)
    rank = given.call if on_turn is None else ranks[on_turn[1]]
    assert rank is not None
    state.phase = "turns"
    state.rank = rank - 1
    state.marks = _marks(given, state)
    if on_turn is not None:
        state.marks = _settled(state.marks, on_turn[1])
    for player in state.players:
        player.revealed = [c for c in player.concealed if ranks[c] < rank and c != given.marks.killed]
        player.concealed = [c for c in player.concealed if c not in player.revealed]
    bewitched = given.marks.bewitched
    for seat, player in enumerate(state.players):
        if WITCH in player.revealed and (bewitched is None or ranks[bewitched] >= rank):
            state.paused = Turn(seat, WITCH, gathered=True, used=["bewitch"])
    owners = Owners(state, sealed=sealed)
    table = Table(state.copy(), chance)
    edition_of(state).flow.proceed(table)
    turn = table.state.turn
    if on_turn is not None and (turn is None or turn.seat != on_turn[0]):
        raise Unsound(f"{on_turn[1]} cannot be on turn")
    return Start(state, owners, tuple(table.events))


def _on_turn(given: Given, state: State) -> tuple[int, str] | None:
    """Return the seat on turn and its character. None if the ruling begins with a call."""
    if given.turn is None:
        return None
    if isinstance(given.turn, dict):
        ((name, character),) = given.turn.items()
        seat = _seat(given, name)
    else:
        seat = _seat(given, given.turn)
        held = state.players[seat].concealed
        if len(held) != 1:
            raise Unsound(f"which character of {given.turn} is on turn?")
        character = held[0]
    if character not in state.players[seat].concealed:
        raise Unsound(f"{SEATS[seat]} does not hold {character}")
    return seat, character


def _marks(given: Given, state: State) -> list[Mark]:
    said = given.marks
    placed = [("killed", said.killed), ("robbed", said.robbed), ("bewitched", said.bewitched)]
    for kind, chosen_kind, chosen, plain in (
        ("warrant", "signed", said.warrants.signed, said.warrants.plain),
        ("threat", "flower", said.threats.flower, [said.threats.plain] if said.threats.plain else []),
    ):
        everyone = sorted({*plain, *([chosen] if chosen else [])}, key=edition_of(state).ranks.__getitem__)
        placed += [(kind, character) for character in everyone]
        placed.append((chosen_kind, chosen))
    return [
        Mark(kind, _placer(given, state, kind), character) for kind, character in placed if character is not None
    ]


def _placer(given: Given, state: State, kind: str) -> int:
    """Return the seat that placed the marker `kind`: the holder of the character that places it, or the
    Witch's if this character is bewitched. If the ruling does not say who holds it, return the seat for which
    it gives the fewest characters."""
    kind = {"signed": "warrant", "flower": "threat"}.get(kind, kind)
    character = PLACED_BY.get(kind)
    if character is not None and character == given.marks.bewitched:
        character = WITCH
    for seat, player in enumerate(state.players):
        if character is not None and character in player.concealed:
            return seat
    if character is None:
        first = edition_of(state).of_rank[1]
        return next((s for s, p in enumerate(state.players) if any(c in first for c in p.concealed)), 0)
    numbers = [len(player.concealed) for player in state.players]
    if min(numbers) == holds(given):
        raise Unsound(f"nobody holds the {character} that placed the marker")
    return numbers.index(min(numbers))


def _settled(marks: Iterable[Mark], character: str) -> list[Mark]:
    """Return the markers that remain after a robbery of `character` and a threat on it have had their effect."""
    over = ("robbed", "threat")
    return [mark for mark in marks if mark.kind not in over or mark.character != character]
