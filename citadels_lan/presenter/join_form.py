"""Checks a join code or an invitation while the player types it."""

from dataclasses import dataclass
from typing import Final

from citadels_lan.crypto.words import BEGINNING, WORDS, NoWord, heard
from citadels_lan.net.join.join_code import BETWEEN, LEAST, PASTED, Secret, read_invitation, read_secret
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import PORT
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Texts, msg

from .symbols import Glyphs

ASKED: Final = msg("The join code (ask the host):")
AGAIN: Final = msg("Correct the word, or enter the same code again to try it.")
UNFINISHED: Final = msg("A code has at least {least} words. Words missing: {count}.")
NO_CODE: Final = msg("Invalid code. Type its words, or paste the link or the host's join command.")
ELSEWHERE: Final = msg("The invitation is for {address}. Connecting…")
COMPLETIONS: Final = 5
"""How many possible completions of an unfinished word are shown at most."""
MOST: Final = 6
"""How many typed words are checked at most; a code has three."""


@dataclass(frozen=True)
class Typed:
    """A typed word. `word` is the word of the word list that it means, "" if there is none. `nearest` are
    similar words of the list. `unfinished`: the player is still typing the word."""

    typed: str
    word: str = ""
    nearest: tuple[str, ...] = ()
    unfinished: bool = False


def secret_of(text: str) -> Secret | None:
    """Return the typed code or token; None if nothing was typed, or the text can be neither."""
    try:
        return read_secret(text)
    except Refusal:
        return None


def code_of(text: str) -> str:
    """Return the code contained in a typed or pasted text. In a command, these are the words after --code."""
    invitation = read_invitation(text)
    return f"{invitation.code} " if invitation.address else text


def typed_words(text: str) -> list[Typed]:
    """Return each typed word of a code, with the word of the list that it means."""
    parts = [part for part in BETWEEN.split(text) if part][:MOST]
    # The last word may still be unfinished unless a separator follows it.
    ends = not text or BETWEEN.fullmatch(text[-1]) is not None
    return [_judge(part, not ends and number == len(parts) - 1) for number, part in enumerate(parts)]


def _judge(part: str, last: bool) -> Typed:
    found = heard(part)
    if isinstance(found, str) and found and " " not in found:
        return Typed(part, found)
    if last and len(part) < BEGINNING:
        return Typed(part, unfinished=True)
    return Typed(part, nearest=found.nearest if isinstance(found, NoWord) else ())


def misspelt(text: str) -> list[Typed]:
    """Return the typed words that differ by one mistake from a word of the list. Such a word may still be
    right, because a host may choose other words."""
    if _is_token(text):
        return []
    words = typed_words(f"{code_of(text)} ")
    return [typed for typed in words if any(_slip(typed.typed.lower(), word) for word in typed.nearest)]


def _is_token(text: str) -> bool:
    return getattr(secret_of(text), "kind", "") == "token"


def _slip(typed: str, word: str) -> bool:
    """Return whether `typed` differs from `word` by one mistake: a wrong, missing or additional letter, or
    two swapped neighbouring letters."""
    pairs = zip(typed, word, strict=False)
    begin = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(typed), len(word)))
    ours, right = typed[begin:], word[begin:]
    return right[1:] in (ours, ours[1:]) or ours[1:] == right or ours == right[1::-1] + right[2:]


def word_lines(texts: Texts, glyphs: Glyphs, text: str) -> list[str]:
    """Return a line about each typed word that is not in the word list, and a line with possible completions
    of the last word."""
    if _is_token(text):
        return [f"{glyphs.matched} {texts.say('a link')}"]
    words = typed_words(code_of(text))
    lines = [
        f"{glyphs.gone} {_unknown(texts, typed)}" for typed in words if not typed.word and not typed.unfinished
    ]
    if words and words[-1].unfinished and (choices := completions(text)):
        more = [glyphs.cut] if len(choices) > COMPLETIONS else []
        lines.append(f"{glyphs.dot} {' '.join([*choices[:COMPLETIONS], *more])}")
    return lines


def _unknown(texts: Texts, typed: Typed) -> str:
    """Return a sentence that a word is not in the word list, with similar words of the list."""
    near = msg("{word}: not a code word. Did you mean {nearest}?")
    text = near if typed.nearest else msg("{word}: not a code word.")
    return texts.say(text, word=clean(typed.typed, 20), nearest=texts.alternatives(list(typed.nearest)))


def completions(text: str) -> list[str]:
    """Return the words of the list that begin like the last typed word, if that is unfinished; none for a
    link or a command."""
    part = BETWEEN.split(text)[-1].lower()
    return [word for word in WORDS if word.startswith(part)] if part and is_words(text) else []


def is_words(text: str) -> bool:
    """Return whether a text may be the words of a code. A link, a token or a command is not."""
    return not _is_token(text) and all(part.isalpha() for part in BETWEEN.split(text) if part)


def missing(text: str) -> int:
    """Return how many more words a code needs; 0 if it needs none, or if the text is not the beginning of a
    code."""
    code = code_of(text)
    if secret_of(text) is not None or (elsewhere(text, "") and not code.strip()):
        return 0
    words = [part for part in BETWEEN.split(code) if part]
    return max(LEAST - len(words), 0) if "".join(words).isprintable() and len(text) <= PASTED else 0


class TypedCode:
    """Decides whether a typed code is sent. A code with words that look misspelt is sent only if it is
    entered twice. `sentences` explain the result of the last entry."""

    def __init__(self, texts: Texts) -> None:
        self.sentences: list[str] = []
        self.unfinished = False
        """Whether the code was not sent only because some of its words are still missing."""
        self._texts = texts
        self._lines = ""
        self._warned = ""

    def enter(self, text: str) -> str:
        """Return the text if it may be sent. Otherwise return "", and `sentences` explain why."""
        say, self.sentences, self.unfinished = self._texts.say, [], False
        if count := missing(text):
            self.unfinished = True
            self.sentences = [say(UNFINISHED, least=LEAST, count=count)]
        elif secret_of(text) is None and not elsewhere(text, ""):
            self.sentences = [say(NO_CODE)]
        # The host may have chosen a code with unusual words, so the second attempt is sent.
        elif (doubtful := misspelt(text)) and text != self._warned:
            self._warned = text
            self.sentences = [*(_unknown(self._texts, typed) for typed in doubtful), say(AGAIN)]
        else:
            return text
        return ""

    def add(self, line: str) -> str:
        """Enter one line of a code that may be typed in several lines. Returns the same as `enter`."""
        self._lines = f"{self._lines} {line}".strip()
        text = self.enter(self._lines)
        if not self.unfinished:
            self._lines = ""
        return text


def read_place(text: str) -> tuple[str, str]:
    """Split an invitation that was typed in place of an address into address and code. A text without an
    address is returned unchanged, with an empty code. For a link, the code is the whole link, so that a link
    that was cut off is detected."""
    invitation = read_invitation(text)
    code = text if invitation.code and "://" in text else invitation.code
    return (invitation.address, code) if invitation.address else (text, "")


def elsewhere(text: str, address: str) -> str:
    """Return the address in the pasted invitation `text` if it is another one than `address` (an address or a
    `FoundTable.place`); otherwise ""."""
    address = address.partition("#")[0]
    named, usual = read_invitation(text).address, f":{PORT}"
    return "" if named.removesuffix(usual) == address.removesuffix(usual) else named
