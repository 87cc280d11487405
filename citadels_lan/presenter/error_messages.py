"""Sentences about errors: why a request was rejected, why the connection was lost, and the alarm about a host
that breaks the protocol."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.engine import BadNotation, IllegalMove
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.texts import Texts
from citadels_lan.texts.refusals import message
from citadels_lan.texts.tables import sentences

from .text_width import clean

REFUSED = (Refusal, IllegalMove, BadNotation)
"""The exceptions that mean that a request or a move was rejected."""


def why(texts: Texts, reason: Refusal | IllegalMove | BadNotation) -> str:
    """Return the sentence for an exception of `REFUSED`."""
    return because(texts, reason.code, reason.details)


CLOSING: Final = "closing"
"""The disconnection code of a table that its host closes."""


def parted(texts: Texts, code: str, details: Mapping[str, str | int]) -> str:
    """Return a sentence about why the connection of a player who had joined was lost."""
    if code in ("wrong_code", "code_needed"):  # Only a player without a seat is asked for the code again.
        return texts.say("The host returned with a new code. Leave, and join again with it.")
    return because(texts, code, details)


def closed(
    texts: Texts, details: Mapping[str, str | int], names: Sequence[str], *, begun: bool, leave: str
) -> Sequence[str]:
    """Return sentences in several lengths, the longest first: the host has closed the table, what happens to
    the game, and how to leave (`leave`). `details` may contain the seat of the host. `begun`: the game had
    started."""
    seat, unnamed = details.get("seat"), because(texts, CLOSING, {})
    valid = isinstance(seat, int) and 0 <= seat < len(names)  # A dishonest host may send any value.
    named = texts.say("{name} closed the game.", name=names[int(seat or 0)]) if valid else unnamed
    long = short = texts.say("It had not started.")
    if begun:
        long = texts.say("It is saved. When the host resumes it, you continue here.")
        short = texts.say("It is saved and can be resumed.")
    return [f"{named} {long} {leave}", f"{named} {short} {leave}", f"{unnamed} {short} {leave}"]


def because(texts: Texts, code: str, details: Mapping[str, str | int]) -> str:
    """Return the sentence for an error code of the engine or the network."""
    if code == "not_agreed":
        # The host sends a code for the difference, which another version may not know.
        otherwise = sentences(__package__, "error_messages.toml")["otherwise"]
        details = {**details, "what": texts.say(otherwise.get(str(details.get("what")), otherwise["players"]))}
    return message(texts, code, details)


GRAVE: Final = ("entry", "two_histories", "fork")
"""The disconnection codes that prove that the host has broken the protocol."""


@dataclass(frozen=True)
class Violation:
    """A violation of the protocol by the host: its code, its details, and the transcript that proves it."""

    code: str
    details: Mapping[str, str | int] = field(default_factory=dict)
    transcript: Path | None = None


Part: TypeAlias = tuple[str, str]
"""A paragraph of the alarm: its kind (`sentence` for the main sentence, `heading`, `text`, or `copy` for
something to copy), and its text."""


def alarm_parts(texts: Texts, found: Violation) -> Iterator[Part]:
    """Yield the paragraphs of the alarm, the most important first."""
    say, tables = texts.say, sentences(__package__, "error_messages.toml")
    what, to_do = tables["violation"].get(found.code), tables["to_do"]
    details = {key: clean(str(found.details.get(key, "?")), 40) for key in ("n", "theirs", "ours")}
    yield ("sentence", because(texts, found.code, found.details) if what is None else say(what))
    if found.code == "two_histories":
        yield ("heading", say("What the host signed"))
        ours = say("in your transcript: entry {n}, hash {head}", n=details["n"], head=details["ours"])
        yield ("text", ours)
        yield ("text", say("elsewhere: entry {n}, hash {head}", n=details["n"], head=details["theirs"]))
        yield ("text", say("One game cannot have two hashes, and only the host can sign them."))
    elif found.code == "entry":
        yield ("heading", say("The problem"))
        reason = clean(str(found.details.get("reason", "?")), 60)
        yield ("text", say("entry {n}: {reason}", n=details["n"], reason=reason))
    if (path := found.transcript) is not None:
        yield ("heading", say("Your transcript"))
        yield ("copy", str(path))
        yield ("text", say("Anyone can check it, without you or the host:"))
        yield ("copy", f'citadels-lan verify "{path}"' if " " in str(path) else f"citadels-lan verify {path}")
    yield ("heading", say("What to do"))
    yield ("text", say(to_do.get(found.code, to_do["entry"])))


def alarm_lines(texts: Texts, found: Violation) -> Iterator[str]:
    """Yield the alarm as lines of text, for line mode."""
    for kind, text in alarm_parts(texts, found):
        alarm = texts.say("ALARM: {why}", why=text) if kind == "sentence" else text
        yield f"-- {text}" if kind == "heading" else alarm
