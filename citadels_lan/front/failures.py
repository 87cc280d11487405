"""Why a request fails, why the host cannot be reached, and the alarm about a host that breaks the rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from citadels_lan.engine import BadNotation, IllegalMove
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.texts import Texts, msg
from citadels_lan.texts.connection_reasons import REASONS
from citadels_lan.texts.refusals import MESSAGES, REFUSALS, Details, message, refusal
from citadels_lan.texts.tables import sentences

from .cells import clean

REFUSED = (Refusal, IllegalMove, BadNotation)
"""What asking for something raises."""


def why(texts: Texts, reason: Refusal | IllegalMove | BadNotation) -> str:
    """The sentence for an exception of `REFUSED`."""
    return because(texts, reason.code, reason.details)


CLOSING: Final = "closing"
"""The reason with which a host closes its table."""


def parted(texts: Texts, code: str, details: Mapping[str, str | int]) -> str:
    """Why the connection of a player who had already joined is lost."""
    if code in ("wrong_code", "code_needed"):  # only who has no seat is asked again
        return texts.say(msg("The host has come back with a new code: leave, and join again with it."))
    return because(texts, code, details)


def closed(
    texts: Texts, details: Mapping[str, str | int], names: Sequence[str], *, begun: bool, leave: str
) -> Sequence[str]:
    """That the host has closed the table, what happens to the game, and the key or the word that leaves, in more
    and in fewer words. `details` may have the seat of the host's player; `begun`: the game had started."""
    seat, unnamed = details.get("seat"), because(texts, CLOSING, {})
    valid = isinstance(seat, int) and 0 <= seat < len(names)  # the host may send anything
    named = texts.say(msg("{name} closed the game."), name=names[int(seat or 0)]) if valid else unnamed
    long = short = texts.say(msg("It had not started."))
    if begun:
        long = texts.say(msg("It is saved. When the host resumes it, you continue here."))
        short = texts.say(msg("It is saved and can be resumed."))
    return [f"{named} {long} {leave}", f"{named} {short} {leave}", f"{unnamed} {short} {leave}"]


def because(texts: Texts, code: str, details: Mapping[str, str | int]) -> str:
    """The sentence for a code, of the engine or of the network."""
    if code in REFUSALS:
        return refusal(texts, code, details)
    if code == "not_agreed":
        otherwise = sentences(__package__, "failures.toml")["otherwise"]
        details = {**details, "what": texts.say(otherwise.get(str(details.get("what")), otherwise["players"]))}
    if code in REASONS and code not in MESSAGES:
        return texts.fill(REASONS[code], Details(details))  # a host may leave details out
    return message(texts, code, details)


GRAVE: Final = ("entry", "two_histories", "fork")
"""Reasons for an end that are more than a lost connection."""


@dataclass(frozen=True)
class Violation:
    """What is wrong, by code and details, and the transcript that is left."""

    code: str
    details: Mapping[str, str | int] = field(default_factory=dict)
    transcript: Path | None = None


@dataclass(frozen=True)
class Part:
    """A paragraph. `kind`: the sentence that says it all, a heading, something to read or something to copy."""

    kind: str
    text: str


def alarm_parts(texts: Texts, found: Violation) -> Iterator[Part]:
    """The whole page, from the most to the least important."""
    say = texts.say
    tables = sentences(__package__, "failures.toml")
    what, to_do = tables["violation"].get(found.code), tables["to_do"]
    yield Part("sentence", because(texts, found.code, found.details) if what is None else say(what))
    if found.code == "two_histories":
        yield Part("heading", say(msg("What the host has signed")))
        n, theirs, ours = (clean(str(found.details.get(key, "?")), 40) for key in ("n", "theirs", "ours"))
        yield Part("text", say(msg("in your transcript: entry {n}, head {head}"), n=n, head=ours))
        yield Part("text", say(msg("elsewhere: entry {n}, head {head}"), n=n, head=theirs))
        yield Part("text", say(msg("One history has one head. Nobody but the host can make its signature.")))
    elif found.code == "entry":
        yield Part("heading", say(msg("What was found")))
        n, reason = (clean(str(found.details.get(key, "?")), 60) for key in ("n", "reason"))
        yield Part("text", say(msg("entry {n}: {reason}"), n=n, reason=reason))
    if found.transcript is not None:
        yield Part("heading", say(msg("Your transcript")))
        yield Part("copy", str(found.transcript))
        yield Part("text", say(msg("Anyone can check it, without you and without the host:")))
        yield Part("copy", f"citadels-lan verify {_quoted(found.transcript)}")
    yield Part("heading", say(msg("What to do now")))
    yield Part("text", say(to_do.get(found.code, to_do["entry"])))


def alarm_lines(texts: Texts, found: Violation) -> Iterator[str]:
    """The same as lines."""
    for part in alarm_parts(texts, found):
        if part.kind == "sentence":
            yield texts.say(msg("ALARM: {why}"), why=part.text)
        elif part.kind == "heading":
            yield f"-- {part.text}"
        else:
            yield part.text


def _quoted(path: Path) -> str:
    """A path as a shell reads it."""
    text = str(path)
    return f'"{text}"' if " " in text else text
