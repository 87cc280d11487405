"""Comparing a table with the expectations of a ruling. Every function yields a text for each difference."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypeVar

from msgspec import UNSET

from citadels_lan.engine import HIDDEN, State, edition_of, view
from citadels_lan.engine.flow.cycles import Cycles

from .cast import Unsound, read_move
from .play import Play, verbs
from .schema import SEATS, Entry, Hidden, SeatThen, Then

H = TypeVar("H", bound=Hashable)
Standing = tuple[str, bool, bool, tuple[str, ...]]


def differences(play: Play, then: Then) -> Iterator[str]:
    """Yield every difference between the table and the expectations."""
    state = play.state
    for seat, name in enumerate(SEATS):
        expected = then.seat(name)
        if expected is not None:
            _in_play(state, seat)
            _nothing_hidden(expected)
            yield from (f"{name}.{text}" for text in _seat(play, state, seat, expected))
    yield from _table(play, then)
    yield from _decks(state, then)
    yield from _decisions(play, then)
    yield from _sights(play, then)
    yield from _told(play, then)


def _in_play(state: State, seat: int) -> None:
    if seat >= len(state.players):
        raise Unsound(f"there is no seat {SEATS[seat]}")


def _name(seat: int | None) -> str | None:
    return None if seat is None else SEATS[seat]


def _other(what: str, expected: object, found: object) -> Iterator[str]:
    """Yield a text if `found` is not the `expected` value. Nothing if the ruling has no expectation."""
    if expected is not UNSET and expected != found:
        yield f"{what} is {found}, not {expected}"


def _bag(what: str, expected: Iterable[H], found: Iterable[H]) -> Iterator[str]:
    """Yield a text if the two do not have the same items, with the same number of copies, in any order."""
    wanted, there = Counter(expected), Counter(found)
    if wanted != there:
        missing = ["no", *map(_text, (wanted - there).elements())]
        more = ["but", *map(_text, (there - wanted).elements())]
        yield f"{what}: " + "; ".join(" ".join(words) for words in (missing, more) if len(words) > 1)


def _text(item: object) -> str:
    if not isinstance(item, tuple):
        return str(item)
    key, beautified, turned, under = item
    said = (
        key,
        " beautified" if beautified else "",
        " turned" if turned else "",
        f" on {list(under)}" if under else "",
    )
    return "".join(said)


# Seats


def _seat(play: Play, state: State, seat: int, expected: SeatThen) -> Iterator[str]:
    """Yield the differences between the expectations for a seat and the seat in `state`, a full state or a
    view."""
    player = state.players[seat]
    yield from _other("gold", expected.gold, player.gold)
    yield from _other("hand_size", expected.hand_size, len(player.hand))
    if expected.hand is not UNSET:
        yield from _cards("hand", expected.hand, player.hand)
    if expected.city is not UNSET:
        yield from _city(expected.city, state, seat)
    if expected.score is not UNSET:
        results = state.scores if state.phase == "over" else edition_of(state).scores(state)
        yield from _other("score", expected.score, results[seat].total)
    yield from _other("points", expected.points, player.points)
    yield from _other("completed", expected.completed, player.completed or seat in play.stood_complete)
    held = [*player.revealed, *player.concealed]
    if expected.character is not UNSET:
        wanted = [] if expected.character is None else [expected.character]
        shown = _of_the_turn(state, seat) if isinstance(edition_of(state).flow, Cycles) else held
        yield from _cards("character", "hidden" if wanted == ["hidden"] else wanted, shown)
    if expected.characters is not UNSET:
        yield from _cards("characters", expected.characters, held)


def _of_the_turn(state: State, seat: int) -> list[str]:
    """Return the character of the present turn in a list, or an empty list if it is not the turn of `seat`."""
    return [state.turn.character] if state.turn is not None and state.turn.seat == seat else []


def _nothing_hidden(expected: SeatThen) -> None:
    if "hidden" in (expected.hand, expected.character, expected.characters):
        raise Unsound("'hidden' can be expected of what a seat sees only")


def _cards(what: str, expected: list[str] | Hidden, found: list[str]) -> Iterator[str]:
    if expected == "hidden":
        if not found or any(card != HIDDEN for card in found):
            yield f"{what} is not hidden: {found}"
    else:
        yield from _bag(what, expected, ["hidden" if card == HIDDEN else card for card in found])


def _city(expected: list[Entry], state: State, seat: int) -> Iterator[str]:
    found: list[Standing] = [
        (d.key, d.beautified, d.turned, _sorted("hidden" if card == HIDDEN else card for _, card in d.under))
        for d in state.players[seat].city
    ]
    yield from _bag("city", [_standing(entry, found) for entry in expected], found)


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards))


def _standing(entry: Entry, found: Iterable[Standing]) -> Standing:
    """Return the district `entry` of a ruling in a form that can be compared with `found`, those of the city.
    `cards: hidden` stands for any number of hidden cards."""
    if isinstance(entry, str):
        return entry, False, False, ()
    ((key, on),) = entry.items()
    if on.cards != "hidden":
        return key, on.beautified, on.turned, _sorted(on.cards)
    for there in found:
        if there[:3] == (key, on.beautified, on.turned) and there[3] and set(there[3]) == {"hidden"}:
            return there
    return key, on.beautified, on.turned, ("hidden",)


# The table


def _table(play: Play, then: Then) -> Iterator[str]:
    state = play.state
    yield from _other("crown", then.crown, _name(state.crown))
    yield from _other("turn", then.turn, _name(state.turn.seat if state.turn else None))
    yield from _other("taxes", then.taxes, state.taxes)
    yield from _other("over", then.over, state.phase == "over")
    if then.winner is not UNSET:
        wanted = [then.winner] if isinstance(then.winner, str) else sorted(then.winner)
        yield from _other("winner", wanted, [_name(seat) for seat in state.winners])
    if then.revealed is not UNSET:
        yield from _bag("revealed", then.revealed, [SEATS[seat] for seat in play.revealed()])
    if then.face_up is not UNSET:
        yield from _bag("face_up", then.face_up, state.faceup)
    for kind in ("killed", "robbed", "bewitched"):
        wanted, mark = getattr(then.marks, kind), state.mark(kind)
        yield from _other(kind, wanted, mark.character if mark else None)
    for kind, marked in (("warrant", then.marks.warrants), ("threat", then.marks.threats)):
        if marked is not UNSET:
            yield from _bag(f"{kind}s", marked, [one.character for one in state.marks if one.kind == kind])


def _decks(state: State, then: Then) -> Iterator[str]:
    yield from _other("deck_size", then.deck_size, len(state.deck))
    if then.discard is not UNSET:
        yield from _bag("discard", then.discard, state.discards)
    if then.deck_top is not UNSET:
        top = _several(then.deck_top)
        yield from _other("deck_top", top, state.deck[::-1][: len(top)])
    if then.deck_bottom is not UNSET:
        bottom = _several(then.deck_bottom)
        yield from _bag("deck_bottom", bottom, state.deck[: len(bottom)])


def _several(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


# Possible moves, and what viewers see


def _decisions(play: Play, then: Then) -> Iterator[str]:
    state = play.state
    if then.asked is not UNSET:
        wanted: dict[str, Any] = {name: sorted(set(said)) for name, said in then.asked.items()}
        yield from _other("asked", wanted, {name: sorted(said) for name, said in verbs(state).items()})
    for lines, should in ((then.legal, True), (then.illegal, False)):
        for name, moves in lines.items():
            for said in moves:
                reason = play.judged(SEATS.index(name), read_move(name, said))
                if (reason is None) != should:
                    yield f"{name}: {said} is " + (f"illegal: {reason}" if should else "legal")
    if then.offered is not UNSET:
        packets = {SEATS[step.seat]: step.cards for step in state.steps if step.verb == "pick"}
        for name, packet in then.offered.items():
            yield from _bag(f"offered to {name}", packet, packets.get(name, ()))


def _sights(play: Play, then: Then) -> Iterator[str]:
    for viewer, sights in then.sees.items():
        seer = SEATS.index(viewer)
        _in_play(play.state, seer)
        known = view(play.state, seer)
        for step in known.steps:
            if step.seat == seer and step.verb == "take" and step.other is not None:
                known.players[step.other].hand = list(step.cards)
        for look in play.looks:
            if look.seat == seer:
                known.players[look.other].hand = list(look.hand)
        for name, expected in sights.items():
            _in_play(known, SEATS.index(name))
            yield from (f"{viewer} sees {name}.{text}" for text in _seat(play, known, SEATS.index(name), expected))


def _told(play: Play, then: Then) -> Iterator[str]:
    """Yield the differences between the names that a viewer should have received in events (`told`) and those
    it did."""
    for name, expected in then.told.items():
        viewer = None if name == "spectator" else SEATS.index(name)
        if viewer is not None:
            _in_play(play.state, viewer)
        yield from _bag(f"told to {name}", expected, play.tales.names[viewer])
