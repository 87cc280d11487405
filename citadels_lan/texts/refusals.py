"""Sentences for codes: why the engine rejects a move, and what network, verifier and command line report."""

from collections.abc import Mapping
from typing import Final

from citadels_lan.texts import cards
from citadels_lan.texts.choices import VERBS, verb
from citadels_lan.texts.language import Texts
from citadels_lan.texts.marks import Message, msg, msgs

REFUSALS: Final[Mapping[str, Message]] = {
    **cards.REFUSALS,
    # Whose move, and when
    "not_your_turn": msg("It is not your move now."),
    "game_over": msg("The game is over."),
    "answer_first": msg("First you must {verb}."),
    "no_such_ability": msg("You have nothing now that lets you {verb}."),
    "used_already": msg("In this turn you can {verb} only once."),
    "only_gathering": msg("Now you may only gather."),
    "gather_first": msg("First gather: gold or cards."),
    "gathered_already": msg("You have already gathered in this turn."),
    "deck_empty": msg("The deck is empty: there are no cards to draw."),
    "only_ending": msg("After this ability you can only end the turn."),
    # The draft
    "not_in_packet": msg("{character} is not among the characters you may choose from."),
    "lay_one_aside": msg("Also say which character you lay aside: one of the others."),
    "lay_none_aside": msg("No character is laid aside at this point."),
    # Cards
    "not_in_hand": msg("You do not have that card in hand: {card}."),
    "not_drawn": msg("That card is not among those you drew: {card}."),
    "keep_how_many": msgs("You may keep one card.", "You may keep one card, or {count}."),
    # Building
    "may_not_build": msg("With this character you cannot build."),
    "in_city_already": msg("It already stands in your city: {card}."),
    "stands_elsewhere": msg("It already stands before another player: {card}."),
    "limit_reached": msgs(
        "You have built this turn's district.", "You have built all {count} districts of this turn."
    ),
    "gold_short": msgs("{count} gold short.", "{count} gold short."),
    "overpaid": msg("That is more than it costs: {cost}."),
    "one_way_of_paying": msg("Pay in one way: destroying a district does not combine with gold or cards."),
    "own_district_only": msg("Choose a district of your own."),
    # Hands
    "hand_empty": msg("That player has no cards in hand."),
    # Seats, characters and cities
    "no_such_seat": msg("Choose another player at this table."),
    "no_such_district": msg("There is no such district there: {card}."),
    "not_in_cast": msg("{character} is not a character of this game."),
    "not_yourself": msg("Choose a character other than your own."),
    "rank_one_safe": msg("Rank 1 cannot be chosen."),
    "city_complete": msg("That city is complete and out of reach."),
    "called_already": msg("{character} has been called already."),
    "protected": msg("Rank 8 cannot use its ability on that player's districts now."),
    "untouchable": msg("Rank 8 can never touch this district: {card}."),
    # Auctions
    "unsold_already": msg("Nobody wanted it in this turn: {card}."),
    "nobody_can_bid": msg("No other player has so much gold: {gold}."),
    "bid_more": msg("Bid at least {least}."),
    # Markers and the Theater
    "markers_needed": msgs("Choose {count} character.", "Choose {count} different characters."),
    "star_one": msg("Mark one of the characters you name with a star: the one that counts."),
    "opening_needed": msg("What you sealed can only be shown together with its opening."),
    "nothing_sealed": msg("There is nothing sealed that this move could open."),
    # Income, extras and the crown
    "no_income": msg("No district of yours pays income to this character."),
    "no_split": msg("This income cannot be split: say `income` alone."),
    "no_such_bonus": msg("This character has no such extra."),
    "crown_yourself": msg("This character takes the crown and cannot give it away."),
    "crowned_already": msg("You already have the crown."),
    "crown_not_by_witch": msg("The crown goes to the bewitched player, not to the Witch."),
    # Typed moves
    "line_too_short": msg("Something is missing at the end of the move."),
    "line_too_long": msg("The move is complete before this word: {word}."),
    "unknown_verb": msg("No move begins with this word: {word}."),
    "unknown_word": msg("This word does not belong here: {word}."),
    "no_district": msg("There is no district of this name: {word}."),
    "no_character": msg("There is no character of this name: {word}."),
    "no_seat": msg("This is no player's letter: {word}."),
    "said_twice": msg("This is said twice: {word}."),
    "marks_unclear": msg("Exactly one of the characters has a star: {word}."),
    # Setting up a table
    "how_many_players": msg("This edition is for {least} to {most} players, not {players}."),
    "nothing_to_swap": msg("Without a character there is nothing to swap."),
    "no_draft": msg("This edition has no draft that could be sealed."),
    "unknown_edition": msg("This version does not know the edition {edition}."),
    "unknown_option": msg("This edition has no option {option}."),
    "unknown_value": msg("The option {option} cannot be {value}."),
    "options_in_order": msg("The options are said in another way than this version says them."),
    "unknown_character": msg("There is no such character: {character}."),
    "too_few_players_for": msg("{character} needs at least {least} players, not {players}."),
    "unknown_scenario": msg("There is no such scenario: {scenario}."),
    "one_character_per_rank": msg("A cast has exactly one character of each rank, from 1 to 8 or from 1 to 9."),
    "no_rank_nine": msg("With 2 players no rank 9 is used."),
    "rank_nine_needed": msgs(
        "With {count} player a character of rank 9 is needed.",
        "With {count} players a character of rank 9 is needed.",
    ),
    "unknown_unique": msg("There is no such unique district: {card}."),
    "uniques_needed": msgs(
        "Choose {count} unique district.",
        "Choose {count} different unique districts.",
    ),
    "unique_twice": msg("A unique district is named twice."),
    "cast_is_fixed": msg("In this edition the characters are always the same."),
    "districts_are_fixed": msg("In this edition the districts are always the same."),
    "no_uniques": msg("Choose at least one unique district."),
}

UNKNOWN: Final = msg("This is not possible, for a reason that this version does not know: {code}.")
NAMELESS: Final = msg("This is not possible, for a reason that this version does not know.")
UNSHOWABLE: Final = msg("There is something in it that cannot be seen: type it anew.")
COUNTED: Final = ("missing", "limit", "count", "players")
"""Details that a plural goes by, the first one that is there."""


class Details(dict[str, object]):
    """Details by name, `?` for one that is not there: they may come from another program."""

    def __missing__(self, name: str) -> str:
        return "?"


def refusal(texts: Texts, code: str, details: Mapping[str, object]) -> str:
    """The sentence for a refusal: `code` and `details` of the engine's IllegalMove, Unplayable or BadNotation.

    Keys of cards, characters and verbs in the details become names; a word that somebody typed stays as it is.
    A code that only another version knows is named as such. What is made of signs that no screen shows would leave
    a gap, so the sentence is another one.
    """
    if not str(details.get("word", "")).isprintable():
        return texts.say(UNSHOWABLE)
    if code not in REFUSALS and not (code and code.isprintable()):
        return texts.say(NAMELESS)
    values = Details((name, _named(texts, name, value)) for name, value in details.items())
    counts = [details[name] for name in COUNTED if name in details]
    if counts:
        values["count"] = counts[0]
    values["code"] = code
    return texts.fill(REFUSALS.get(code, UNKNOWN), values)


def _named(texts: Texts, name: str, value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        if name == "card":
            return texts.district(value)
        if name == "character":
            return texts.character(value)
    except KeyError:
        return value
    return verb(texts, value) if name == "verb" and value in VERBS else value


MESSAGES: dict[str, Message] = {}
"""English texts by code."""
UNKNOWN_CODE = msg("The other side says something that this version does not know: {code}")


def register(table: Mapping[str, Message]) -> None:
    """Add texts. ValueError for a code that already says something else."""
    for code, text in table.items():
        if MESSAGES.get(code, text) != text:
            raise ValueError(f"{code} has a text already")
    MESSAGES.update(table)


def message(texts: Texts, code: str, params: Mapping[str, object] | None = None) -> str:
    """The text of a registered code, or of a refusal of the engine. Other codes, say of a newer program, are named
    as such; a missing parameter shows as `?`. A plural goes by the parameter `count`."""
    if code not in MESSAGES and code in REFUSALS:
        return refusal(texts, code, params or {})
    return texts.fill(MESSAGES.get(code, UNKNOWN_CODE), Details(params or {}, code=code))
