"""A code while a person types it: which of its words are known, and when it is complete."""

from dataclasses import dataclass
from typing import Final

from citadels_lan.crypto.words import BEGINNING, NoWord, heard
from citadels_lan.front.cells import clean
from citadels_lan.front.glyphs import Glyphs
from citadels_lan.net.host.listening import PORT
from citadels_lan.net.join.door import BETWEEN, LEAST, PASTED, Secret, read_invitation, read_secret
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.texts import Texts, msg

ASKED: Final = msg("The join code (ask the host):")
AGAIN: Final = msg("Correct the word, or enter the same code again to try it.")
UNFINISHED: Final = msg("A code has at least {least} words. More to type: {count}.")
NO_CODE: Final = msg("That is no code. Type its words, or paste the link or the host's join command.")
ELSEWHERE: Final = msg("The invitation names {address}: joining there.")
MOST: Final = 6
"""Words that are judged; a code has three."""


@dataclass(frozen=True)
class Typed:
    """A word as it was typed. `word` is the one of the list that it stands for, empty where it is none; `nearest`
    are those that it may have meant; `going_on`: it is still being typed."""

    typed: str
    word: str = ""
    nearest: tuple[str, ...] = ()
    going_on: bool = False


def secret_of(text: str) -> Secret | None:
    """The code or token that was typed, None where there is none or it cannot be one."""
    try:
        return read_secret(text)
    except Refusal:
        return None


def code_of(text: str) -> str:
    """The words of a code in what was typed or pasted; of a command, those behind --code."""
    try:
        invitation = read_invitation(text)
    except Refusal:
        return ""
    return f"{invitation.code} " if invitation.address else text


def judged(text: str) -> list[Typed]:
    """The words of a code so far."""
    parts = [part for part in BETWEEN.split(text) if part][:MOST]
    ends = not text or BETWEEN.fullmatch(text[-1]) is not None
    return [_judge(part, not ends and number == len(parts) - 1) for number, part in enumerate(parts)]


def _judge(part: str, last: bool) -> Typed:
    found = heard(part)
    if isinstance(found, str) and found and " " not in found:
        return Typed(part, found)
    if last and len(part) < BEGINNING:
        return Typed(part, going_on=True)
    return Typed(part, nearest=found.nearest if isinstance(found, NoWord) else ())


def wrong(text: str) -> list[Typed]:
    """The words that are one slip away from one of the list. Any others are words of the host's own choice."""
    if (secret := secret_of(text)) is not None and secret.kind == "token":
        return []
    words = judged(f"{code_of(text)} ")
    return [one for one in words if any(_slip(one.typed.lower(), word) for word in one.nearest)]


def _slip(typed: str, word: str) -> bool:
    """Whether a word was typed with a letter wrong, missing or too many, or with two neighbours swapped."""
    pairs = zip(typed, word, strict=False)
    begin = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(typed), len(word)))
    ours, right = typed[begin:], word[begin:]
    return right[1:] in (ours, ours[1:]) or ours[1:] == right or ours == right[1::-1] + right[2:]


def said(texts: Texts, glyphs: Glyphs, text: str) -> list[str]:
    """A line for each word typed: a sign, and in words what it means."""
    if (secret := secret_of(text)) is not None and secret.kind == "token":
        return [f"{glyphs.matched} {texts.say(msg('a link'))}"]
    return [_line(texts, glyphs, one) for one in judged(code_of(text))]


def _line(texts: Texts, glyphs: Glyphs, one: Typed) -> str:
    if one.going_on:
        return f"{glyphs.dot} {clean(one.typed, 20)}"
    if one.word:
        return f"{glyphs.matched} {one.word}"
    return f"{glyphs.gone} {unknown(texts, one)}"


def unknown(texts: Texts, one: Typed) -> str:
    """That a word is none, and what it may have meant."""
    typed = clean(one.typed, 20)
    if one.nearest:
        return texts.say(msg("{word}: not a code word. Did you mean {nearest}?"), word=typed,
                         nearest=texts.alternatives(list(one.nearest)))  # fmt: skip
    return texts.say(msg("{word}: not a code word."), word=typed)


def missing(text: str) -> int:
    """How many words have to be typed until there are enough for a code; 0 for what more words do not complete."""
    code = code_of(text)
    if secret_of(text) is not None or (elsewhere(text, "") and not code.strip()):
        return 0
    words = [part for part in BETWEEN.split(code) if part]
    return max(LEAST - len(words), 0) if "".join(words).isprintable() and len(text) <= PASTED else 0


class TypedCode:
    """Decides when a code that a person types may be sent. Words that are nearly in the list are sent only when
    they are entered twice. `said` are the sentences about what was entered last."""

    def __init__(self, texts: Texts) -> None:
        self.said: list[str] = []
        self.unfinished = False
        """Whether it is only too short yet."""
        self._texts = texts
        self._lines = ""
        self._warned = ""

    def enter(self, text: str) -> str:
        """Return all that was typed if it may be sent; otherwise "", and `said` tells why."""
        say, self.said, self.unfinished = self._texts.say, [], False
        if count := missing(text):
            self.unfinished = True
            self.said = [say(UNFINISHED, least=LEAST, count=count)]
        elif secret_of(text) is None and not elsewhere(text, ""):
            self.said = [say(NO_CODE)]
        elif (doubtful := wrong(text)) and text != self._warned:
            self._warned = text
            self.said = [*(unknown(self._texts, one) for one in doubtful), say(AGAIN)]
        else:
            return text
        return ""

    def add(self, line: str) -> str:
        """The same with one more line, where the words may stand on several."""
        self._lines = f"{self._lines} {line}".strip()
        text = self.enter(self._lines)
        if not self.unfinished:
            self._lines = ""
        return text


def read_place(text: str) -> tuple[str, str]:
    """The address and the code of an invitation that was typed where an address is wanted. A text that names no
    address stays as it is, without a code."""
    try:
        invitation = read_invitation(text)
    except Refusal:
        return text, ""
    return (invitation.address, invitation.code) if invitation.address else (text, "")


def elsewhere(text: str, address: str) -> str:
    """The address that a pasted invitation names, where it is another one than `address`; otherwise ""."""
    try:
        named = read_invitation(text).address
    except Refusal:
        return ""
    usual = f":{PORT}"
    return "" if named.removesuffix(usual) == address.removesuffix(usual) else named
