"""Something that must not be: what was found, what proves it, where that lies, and what to do now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from citadels_lan.texts import Texts, msg

from .cells import clean
from .refused import because

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


def parts(texts: Texts, found: Violation) -> Iterator[Part]:
    """The whole page, from the most to the least important."""
    say = texts.say
    yield Part("sentence", _what(texts, found))
    if found.code == "two_histories":
        yield Part("heading", say(msg("What the host has signed")))
        signed = dict.fromkeys(("n", "theirs", "ours"), "?") | {
            key: clean(str(value), 40) for key, value in found.details.items()
        }
        yield Part(
            "text", say(msg("in your transcript: entry {n}, head {head}"), n=signed["n"], head=signed["ours"])
        )
        yield Part("text", say(msg("elsewhere: entry {n}, head {head}"), n=signed["n"], head=signed["theirs"]))
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
    yield Part("text", say(DO.get(found.code, DO["entry"])))


def _what(texts: Texts, found: Violation) -> str:
    if found.code == "two_histories":
        return texts.say(msg("The host has shown two different histories of this game and signed both."))
    if found.code == "fork":
        return texts.say(msg("The host's log is not the one you have seen: entries are missing or others."))
    return because(texts, found.code, found.details)


DO: Final = {
    "two_histories": msg(
        "The game has ended for you. Keep the file and ask the others for theirs. Checked together, the files"
        " prove which key has signed both histories. Two programs that continue one game from copies of its"
        " journal can also cause this."
    ),
    "entry": msg(
        "The game has ended for you, and nothing you did is lost. Keep the file and tell the others at the table;"
        " compare your four words with theirs. It may be a faulty program: all should have the same version."
    ),
    "fork": msg(
        "Ask whoever hosts before you play on. The table may have gone on from an old copy of its"
        " journal: then it should go on from the newest one, and you can join again."
    ),
}
"""By what was found."""


def in_lines(texts: Texts, found: Violation) -> Iterator[str]:
    """The same as lines."""
    for part in parts(texts, found):
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
