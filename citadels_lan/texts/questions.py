"""The status line: who acts, what must be done, and what may be done. It never scrolls."""

from collections.abc import Callable, Sequence
from typing import Final

from citadels_lan.engine import HIDDEN, Choice, Deal, State, decisions, edition_of
from citadels_lan.engine.flow.draft import lays_aside
from citadels_lan.engine.state import Step, Turn
from citadels_lan.texts.language import Texts
from citadels_lan.texts.log import inquired
from citadels_lan.texts.marks import msg
from citadels_lan.texts.moves import VERBS, verb

DUE: Final = frozenset({"crown", "bewitch"})
"""The sentences about what must be done before a turn can end."""


def question(texts: Texts, view: State, seat: int | None, names: Sequence[str]) -> str:
    """Return the status line for `seat` (None for a spectator), from its view of the table.

    `names` are the players' names by seat. The result is plain text: show it without reading markup in it.
    """
    if view.inquiry is not None:
        return inquired(texts, view.inquiry, names, seat)
    if view.steps:
        return _pending(texts, view, view.steps[-1], seat, names)
    if view.turn is not None:
        return _turn(texts, view, view.turn, seat, names)
    if view.phase == "over" and view.winners:
        return _over(texts, view.winners, seat, names)
    if view.phase == "setup":
        return texts.say(msg("The cards are about to be dealt."))
    return texts.say(msg("The next round is about to begin."))


def _over(texts: Texts, winners: Sequence[int], seat: int | None, names: Sequence[str]) -> str:
    if len(winners) > 1:
        said = texts.listing([names[winner] for winner in winners])
        return texts.say(msg("The game is over: {names} share the victory."), names=said)
    if seat in winners:
        return texts.say(msg("The game is over: you have won."))
    return texts.say(msg("The game is over: {name} has won."), name=names[winners[0]])


def _pending(texts: Texts, view: State, step: Step, seat: int | None, names: Sequence[str]) -> str:
    verb = VERBS[step.verb]
    assert verb.question is not None
    values: dict[str, object] = {
        "name": names[step.seat],
        "other": "" if step.other is None else names[step.other],
        "card": "" if step.card is None else texts.district(step.card),
    }
    auction = view.auction
    if auction is not None:
        values |= {"floor": auction.floor, "bid": auction.bid}
        values["bidder"] = "" if auction.bidder is None else names[auction.bidder]
    if step.seat != seat:
        return texts.say(verb.question.others, **values)
    return texts.say(verb.questions.get(_special(view, step), verb.question.you), **values)


def _special(view: State, step: Step) -> str:
    """Return the key in `moves.toml` of a special question for this verb; "" if the usual one fits."""
    special: dict[str, Callable[[], str]] = {
        "pick": lambda: "laying" if lays_aside(view) else "",
        "take": lambda: "ungathered" if view.turn is not None and not view.turn.gathered else "",
        "confiscate": lambda: "" if _signed(view) else "blank",
        "tribute": lambda: "" if view.players[step.seat].gold else "poor",
        "bid": lambda: "first" if view.auction is None or view.auction.bidder is None else "higher",
    }
    return special[step.verb]() if step.verb in special else ""


def _signed(view: State) -> bool:
    """Return whether the warrant on the character on turn may be the signed one, as far as the view shows."""
    signed = view.mark("signed")
    return signed is not None and signed.character in (view.current_turn.character, HIDDEN)


def _turn(texts: Texts, view: State, turn: Turn, seat: int | None, names: Sequence[str]) -> str:
    character = texts.character(turn.character)
    if turn.seat == seat:
        return _own_turn(texts, view, turn, character)
    values = {"name": names[turn.seat], "character": character}
    if not turn.gathered:
        return texts.say(msg("{name}'s turn ({character}): gathering first."), **values)
    return texts.say(msg("{name}'s turn ({character})."), **values)


def _own_turn(texts: Texts, view: State, turn: Turn, character: str) -> str:
    choices = decisions(view).get(turn.seat, ())
    verbs = list(dict.fromkeys(_verb(choice) for choice in choices))
    due = (
        []
        if "end" in verbs or "gather" in verbs
        else [verb(texts, word, choices) for word in verbs if word in DUE]
    )
    apart = {"gather", "end", "build"} | (DUE if due else set())
    free = [verb(texts, word, choices) for word in verbs if word not in apart]
    if "build" in verbs:
        free.insert(0, _builds(texts, view, turn))
    may = texts.alternatives(free)
    if "gather" in verbs:
        if turn.bound and not free:
            return texts.say(msg("Your turn ({character}): now you may only gather."), character=character)
        if turn.bound:
            only = msg("Your turn ({character}): now you may only gather, and {may}.")
            return texts.say(only, character=character, may=may)
        if not free:
            return texts.say(msg("Your turn ({character}): gather gold or cards."), character=character)
        return texts.say(msg("Your turn ({character}): gather; you may also {may}."), character=character, may=may)
    if due:
        must = texts.alternatives(due)
        if not free:
            return texts.say(
                msg("Your turn ({character}): you must still {must}."), character=character, must=must
            )
        said = msg("Your turn ({character}): you must still {must}; you may also {may}.")
        return texts.say(said, character=character, must=must, may=may)
    if not free:
        return texts.say(msg("Your turn ({character}): you can only end the turn."), character=character)
    return texts.say(msg("Your turn ({character}): you may {may}, or end the turn."), character=character, may=may)


def _builds(texts: Texts, view: State, turn: Turn) -> str:
    left = edition_of(view).abilities[turn.character].limit - turn.builds
    if left < 2:
        return verb(texts, "build")
    return texts.plural("build {count} district", "build up to {count} districts", left)


def _verb(choice: Choice) -> str:
    return choice.verb if isinstance(choice, Deal) else type(choice).verb
