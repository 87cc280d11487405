"""What the page says, and in which language."""

from typing import Final

from citadels_lan.texts import LANGUAGES, Message, Texts, load, msg

from .limits import PASTE
from .page_messages import TOO_LONG

TEXTS: Final[dict[str, Message]] = {
    "call": msg("Your move"),
    "risk": msg(
        "You play through the host's computer. The host could see your hand and move for you, and others on this"
        " network could listen. To be sure, install citadels-lan."
    ),
    "name": msg("Your name"),
    "code": msg("The three words of the game. Ask the host for them."),
    "sit": msg("Sit down"),
    "again": msg("Sit down again"),
    "left": msg("You left the table. Your seat is kept while the game continues."),
    "crashed": msg("Your game stopped because of an error. Your seat is kept. Sit down again to continue."),
    "taken": msg("You opened your seat in another window. Continue there."),
    "here": msg("Continue here"),
    "lost": msg("The connection is lost. Reconnecting…"),
    "away": msg("The host closed the game. When the host resumes it, you continue here."),
    "closed": msg("The host does not answer. Ask the host, and load this page again."),
    "closed_table": msg("The table is closed."),
    "transcript": msg("Download the transcript"),
    "compare": msg("The game is over. Keep your transcript, and compare it with another player's."),
    "lines": msg("Show the game in lines"),
    "screens": msg("Show the table"),
    "type": msg("A choice, a move, or a question"),
    "send": msg("Send"),
    "choose": msg("Choose these"),
    "ready": msg("I am ready"),
    "table": msg("The table"),
    "hand": msg("My hand"),
    "who": msg("Who is who"),
    "log": msg("What has happened"),
    "help": msg("Help"),
    "language": msg("Language"),
    "back": msg("Back"),
    "chat": msg("Chat"),
    "changed": msg("The choices have just changed. Choose again."),
    "none": msg("Choose something first."),
    "leave": msg("Leave"),
    "stay": msg("Stay"),
    "sure": msg("Leave the table?"),
}  # fmt: skip
"""By the word that the page has for each."""


def language_of(accepted: str) -> str:
    """The first language of ours that a browser wants (Accept-Language, in order of its wish); English else."""
    wanted = sorted((_weighed(one) for one in accepted.split(",")[:20]), key=lambda one: -one[1])
    return next((code for code, weight in wanted if code in LANGUAGES and weight > 0), next(iter(LANGUAGES)))


def _weighed(one: str) -> tuple[str, float]:
    code, _, weight = one.partition(";q=")
    try:
        return code.strip().lower().split("-")[0], float(weight or 1)
    except ValueError:
        return "", 0.0


def texts_in(language: str) -> Texts:
    """The texts in a language; in English where there is no such one."""
    return load(language if language in LANGUAGES else next(iter(LANGUAGES)))


def page_texts(texts: Texts) -> dict[str, str]:
    """All that the page says."""
    return {word: texts.say(text) for word, text in TEXTS.items()} | {"long": texts.say(TOO_LONG, count=PASTE)}
