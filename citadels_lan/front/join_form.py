"""A join code or an invitation while the player types it."""

from dataclasses import dataclass
from typing import Final

from citadels_lan.crypto.words import BEGINNING, NoWord, heard
from citadels_lan.front.cells import clean
from citadels_lan.net.host.listening import PORT
from citadels_lan.net.join.door import BETWEEN, LEAST, PASTED, Secret, read_invitation, read_secret
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.texts import Texts, msg

from .glyphs import Glyphs

ASKED: Final = msg("The join code (ask the host):")
AGAIN: Final = msg("Correct the word, or enter the same code again to try it.")
UNFINISHED: Final = msg("A code has at least {least} words. More to type: {count}.")
NO_CODE: Final = msg("That is no code. Type its words, or paste the link or the host's join command.")
ELSEWHERE: Final = msg("The invitation names {address}: joining there.")
MOST: Final = 6
"""Words that are judged; a code has three."""


@dataclass(frozen=True)
class Typed:
    """A typed word. `word` is the word of the list that it means, empty if it is none; `nearest` are similar
    words; `unfinished`: the player is still typing it."""

    typed: str
    word: str = ""
    nearest: tuple[str, ...] = ()
    unfinished: bool = False


def secret_of(text: str) -> Secret | None:
    """The code or token that was typed; None if there is none, or the text cannot be one."""
    try:
        return read_secret(text)
    except Refusal:
        return None


def code_of(text: str) -> str:
    """The code in what was typed or pasted; of a command, the words after --code."""
    invitation = read_invitation(text)
    return f"{invitation.code} " if invitation.address else text


def typed_words(text: str) -> list[Typed]:
    """The words of a code so far."""
    parts = [part for part in BETWEEN.split(text) if part][:MOST]
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
    """The words with one mistake, compared with a word of the list. The host may have chosen any other words."""
    if _is_token(text):
        return []
    words = typed_words(f"{code_of(text)} ")
    return [typed for typed in words if any(_slip(typed.typed.lower(), word) for word in typed.nearest)]


def _is_token(text: str) -> bool:
    secret = secret_of(text)
    return secret is not None and secret.kind == "token"


def _slip(typed: str, word: str) -> bool:
    """Whether a word was typed with a letter wrong, missing or too many, or with two neighbours swapped."""
    pairs = zip(typed, word, strict=False)
    begin = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(typed), len(word)))
    ours, right = typed[begin:], word[begin:]
    return right[1:] in (ours, ours[1:]) or ours[1:] == right or ours == right[1::-1] + right[2:]


def word_lines(texts: Texts, glyphs: Glyphs, text: str) -> list[str]:
    """A line for each word typed: a sign, and what it means in words."""
    if _is_token(text):
        return [f"{glyphs.matched} {texts.say(msg('a link'))}"]
    return [_word_line(texts, glyphs, typed) for typed in typed_words(code_of(text))]


def _word_line(texts: Texts, glyphs: Glyphs, typed: Typed) -> str:
    if typed.unfinished:
        return f"{glyphs.dot} {clean(typed.typed, 20)}"
    if typed.word:
        return f"{glyphs.matched} {typed.word}"
    return f"{glyphs.gone} {_unknown(texts, typed)}"


def _unknown(texts: Texts, typed: Typed) -> str:
    """That a word is not in the list, and what it may have meant."""
    word = clean(typed.typed, 20)
    if typed.nearest:
        nearest = texts.alternatives(list(typed.nearest))
        return texts.say(msg("{word}: not a code word. Did you mean {nearest}?"), word=word, nearest=nearest)
    return texts.say(msg("{word}: not a code word."), word=word)


def missing(text: str) -> int:
    """How many words have to be typed until there are enough for a code; 0 for what more words do not complete."""
    code = code_of(text)
    if secret_of(text) is not None or (elsewhere(text, "") and not code.strip()):
        return 0
    words = [part for part in BETWEEN.split(code) if part]
    return max(LEAST - len(words), 0) if "".join(words).isprintable() and len(text) <= PASTED else 0


class TypedCode:
    """Decides when a code that a person types may be sent. Words that are nearly in the list are sent only when
    they are entered twice. `sentences` are about what was entered last."""

    def __init__(self, texts: Texts) -> None:
        self.sentences: list[str] = []
        self.unfinished = False
        """Whether it is only too short yet."""
        self._texts = texts
        self._lines = ""
        self._warned = ""

    def enter(self, text: str) -> str:
        """Return the whole text if it may be sent; otherwise "", and `sentences` give the reason."""
        say, self.sentences, self.unfinished = self._texts.say, [], False
        if count := missing(text):
            self.unfinished = True
            self.sentences = [say(UNFINISHED, least=LEAST, count=count)]
        elif secret_of(text) is None and not elsewhere(text, ""):
            self.sentences = [say(NO_CODE)]
        elif (doubtful := misspelt(text)) and text != self._warned:
            self._warned = text
            self.sentences = [*(_unknown(self._texts, typed) for typed in doubtful), say(AGAIN)]
        else:
            return text
        return ""

    def add(self, line: str) -> str:
        """`enter` for input by lines: a code may take several."""
        self._lines = f"{self._lines} {line}".strip()
        text = self.enter(self._lines)
        if not self.unfinished:
            self._lines = ""
        return text


def read_place(text: str) -> tuple[str, str]:
    """The address and the code of an invitation that was typed where an address is wanted. A text that names no
    address stays as it is, without a code."""
    invitation = read_invitation(text)
    return (invitation.address, invitation.code) if invitation.address else (text, "")


def elsewhere(text: str, address: str) -> str:
    """The address that a pasted invitation names, where it is another one than `address`; otherwise ""."""
    named, usual = read_invitation(text).address, f":{PORT}"
    return "" if named.removesuffix(usual) == address.removesuffix(usual) else named
