"""The characters with which a ruling is played, and the check that all cards that it names exist."""

from collections.abc import Iterable, Iterator

from citadels_lan.engine import EDITIONS, Action, BadNotation, Edition, Unplayable, edition_named, parse
from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.actions import Marks as MarksAction
from citadels_lan.engine.actions import Pick, Theater
from citadels_lan.engine.config import Options

from .schema import SEATS, Given, Marks, Ruling, SeatName, SeatThen, Then

RANK_NINE = "artist"
PURPLES = "purples"
"""The name under `options` of a ruling that lists the unique districts in play."""


class Unsound(Exception):
    """A ruling that is contradictory or incomplete. The message says why."""


def the_cast(ruling: Ruling, edition: Edition) -> tuple[str, ...]:
    """Return one character per rank: the cast that the ruling gives, otherwise that of the first game, with
    the characters that the ruling names in their ranks."""
    given = ruling.given
    rank = edition.ranks
    if not edition.casting.chooses_cast:
        if given.cast is not None:
            raise Unsound("the cast of this edition is always the same")
        return edition.scenarios["first_game"].cast
    if given.cast is not None:
        return _ordered(given.cast, edition)
    chosen: dict[int, str] = {}
    for weight, names in enumerate(_named(ruling, edition)):
        for name in names:
            there = chosen.setdefault(rank[_character(name, edition)], name)
            if weight == 0 and there != name:
                raise Unsound(f"{there} and {name} are both held, but share a rank")
    for name in edition.scenarios["first_game"].cast:
        chosen.setdefault(rank[name], name)
    if given.players in edition.casting.ninth_needed:
        chosen.setdefault(9, RANK_NINE)
    return tuple(chosen[rank] for rank in sorted(chosen))


def _ordered(names: Iterable[str], edition: Edition) -> tuple[str, ...]:
    cast = tuple(sorted((_character(name, edition) for name in names), key=edition.ranks.__getitem__))
    if [edition.ranks[name] for name in cast] not in ([*range(1, 9)], [*range(1, 10)]):
        raise Unsound("the cast needs one character of each rank from 1 to 8 or 9")
    return cast


def _character(name: str, edition: Edition) -> str:
    if name not in edition.characters:
        raise Unsound(f"{name!r} is no character")
    return name


def _named(ruling: Ruling, edition: Edition) -> Iterator[list[str]]:
    """Yield groups of characters that the ruling names, the most important group first. A move may name a
    character of another edition, which the rules then reject."""
    given, then = ruling.given, ruling.then
    yield [name for held in given.characters.values() for name in ([held] if isinstance(held, str) else held)]
    yield [*marked(given.marks), *(["tax_collector"] if given.marks.taxes else [])]
    yield list(given.shuffle)
    moves = [said for line in ruling.when for said in line.moves()]
    yield [name for seat, move in moves for name in _in_move(seat, move) if name in edition.characters]
    for lines in (then.legal, then.illegal):
        moves = [(seat, move) for seat, several in lines.items() for move in several]
        yield [name for seat, move in moves for name in _in_move(seat, move) if name in edition.characters]


def marked(marks: Marks) -> list[str]:
    """Return the characters that have a marker."""
    names = (
        marks.killed, marks.robbed, marks.bewitched, marks.warrants.signed, *marks.warrants.plain,
        marks.threats.flower, marks.threats.plain,
    )  # fmt: skip
    return [name for name in names if name is not None]


def read_move(seat: SeatName, move: str) -> Action:
    """Return the action of a line. Raises Unsound if it is not in the notation."""
    try:
        return parse(move, SEATS.index(seat))
    except BadNotation as error:
        raise Unsound(f"{move!r} is no move of the notation ({error})") from error


def _in_move(seat: SeatName, move: str) -> list[str]:
    action = read_move(seat, move)
    if isinstance(action, OfCharacter):
        return [action.character]
    if isinstance(action, MarksAction):
        return list(action.characters)
    if isinstance(action, Pick):
        return [name for name in (action.character, action.discarding) if name is not None]
    if isinstance(action, Theater):
        return [action.giving] if action.giving is not None else []
    return []


def the_edition(given: Given) -> Edition:
    """Return the edition of a ruling. Raises Unsound if the edition does not exist, or does not have these
    options or this number of players."""
    key = str(given.edition)  # 2016 without quotes is a number in YAML
    try:
        edition = edition_named(key, options_of(given))
    except Unplayable as reason:
        raise Unsound(f"there is no such edition: {reason}") from reason
    if given.players not in edition.players:
        raise Unsound(f"this edition is for {min(edition.players)} to {max(edition.players)} players")
    return edition


def options_of(given: Given) -> Options:
    """Return the options of a ruling in the form of a table's configuration: without those that have their
    default, and without the list of purple districts."""
    known = EDITIONS[str(given.edition)].options if str(given.edition) in EDITIONS else {}
    default: dict[str, object] = {name: next(iter(values)) for name, values in known.items()}
    default[PURPLES] = given.options.get(PURPLES)
    return tuple(sorted((k, v) for k, v in given.options.items() if k not in default or v != default[k]))


def districts_of(given: Given, edition: Edition) -> tuple[str, ...]:
    """Return the unique districts of a ruling's table: the purple ones that it lists (R456), otherwise all."""
    named = given.options.get(PURPLES)
    if named is None:
        return edition.scenarios["first_game"].districts
    if edition.casting.chosen is not None or not edition.casting.chooses_cast:
        raise Unsound("the purple districts of this edition are no option")
    for key in named:
        if key not in edition.uniques:
            raise Unsound(f"{key!r} is no purple district")
    return tuple(key for key in edition.uniques if key in named)


def check_cards(ruling: Ruling, edition: Edition) -> None:
    """Raise Unsound if the ruling names a district that does not exist."""
    given, then = ruling.given, ruling.then
    for told in then.told.values():
        for name in told:
            if name not in edition.districts and name.removesuffix("*") not in edition.characters:
                raise Unsound(f"{name!r} is no card that anybody could be told")
    names = [*given.deck, *given.discard, *_expected_cards(then)]
    for name in SEATS:
        if (seat := given.seat(name)) is not None:
            names += seat.hand
            names += _in_city(seat.city)
    for card in names:
        if card not in edition.districts:
            raise Unsound(f"{card!r} is no district")


def _in_city(city: Iterable[object]) -> Iterator[str]:
    for entry in city:
        if isinstance(entry, dict):
            for name, on in entry.items():
                yield name
                if on.cards != "hidden":
                    yield from (card for card in on.cards if card != "hidden")
        else:
            yield str(entry)


def _expected_cards(then: Then) -> Iterator[str]:
    for place in (then.deck_top, then.deck_bottom, then.discard):
        if isinstance(place, str):
            yield place
        elif isinstance(place, list):
            yield from place
    seats = [then.seat(name) for name in SEATS]
    seats += [seat for sight in then.sees.values() for seat in sight.values()]
    for seat in seats:
        if seat is not None:
            yield from _of_seat(seat)


def _of_seat(seat: SeatThen) -> Iterator[str]:
    if isinstance(seat.hand, list):
        yield from (card for card in seat.hand if card != "hidden")
    if isinstance(seat.city, list):
        yield from _in_city(seat.city)
