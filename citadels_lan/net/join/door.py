"""The door of a table: its code, its link, and how often a client may be wrong. No sockets, no clock.

    door = Door.of("")                  # three words, made here; Door.of("some three words") has those
    knock = door.knock(address, "code", now)      # Refusal: `too_many_tries`, `too_many_guesses`, `code_unasked`
    door.judge(knock, fits, now)        # whether its confirmation fits; Refusal unless it does and still may
    door.leave(knock, now)              # always, at the end: a knock without a confirmation counts too

An address that has not been wrong is never refused, so no one can lock out a friend who types the right code.
Only addresses count: a key is free, and not proven before the code is. After a wrong code an address shares a
rate with the others that were wrong (GUESSES). After the third one it waits, longer each time. Tokens have no
rate: no one can guess 128 bits.

So N addresses have N + 10 + 0.05 t guesses in t seconds. Three words are one of 2 ** 24 = 16 777 216 codes. In an
evening of four hours the 253 other addresses of a home network (IPv4) have 983 guesses, a chance of 1 in 17 067.
With unlimited addresses (IPv6) the host still begins only 20 handshakes a second, with one guess each: 288 064
guesses, 1 in 58. The host is warned after the tenth wrong code, and a new code makes all guesses worthless.

Times `now` are monotonic seconds. See docs/protocol.md, section 14.
"""

import base64
import math
import re
import secrets
import shlex
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from citadels_lan.crypto.words import heard, spoken
from citadels_lan.net.limits import ROUNDING, Bucket, Delays, Slots
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Kind

LEAST: Final = 3
"""Words of a code at least."""
MOST: Final = 100
"""Characters of a code at most."""
STRONG: Final = 24
"""Bits that a code made here has."""
TRIES: Final = 3
"""Wrong codes from one address after which it has to wait."""
WAIT: Final = 60.0
"""Seconds that it waits then; with each wrong code after that twice as long."""
LONGEST: Final = 3600.0
"""Seconds that it waits at most."""
MEMORY: Final = 86_400.0
"""Seconds after its last wrong code that an address is forgotten."""
ADDRESSES: Final = 4096
"""So many are remembered at most, the last ones."""
GUESSES: Final = (10, 0.05)
"""Further codes of all addresses that were wrong and never right: so many at once, then so many a second."""
ALARMING: Final = 10
"""Wrong codes after which the host is told that somebody is guessing."""
AT_ONCE: Final = 8
"""Knocks of one address at the same time: as many as a table has seats."""
SCHEME: Final = "citadels"

_TOKEN: Final = re.compile(r"[a-z2-7]{26}")
BETWEEN: Final = re.compile(r"[\s\-‐-―_.,;:·/+\"'`“”„‘’«»]+")
"""What may separate the words of a code."""
PASTED: Final = 1000
"""Characters of an invitation at most."""
VALUED: Final = ("--name", "--lang", "--out", "--bot")
"""Options of `join` that have a value, besides --code."""

_LINK: Final = re.compile(r"(\w+)://([^\s#\"'`”’»<>]+)(?:#(\w*))?", re.IGNORECASE)
_QUOTES: Final = re.compile(r"[`“”„‘’«»]")
_DASHES: Final = re.compile(r"(?<!\S)[–—](?=[a-z])")
"""A dash that a chat or mail program has put in the place of two hyphens."""
_ADDRESS: Final = re.compile(r".*[\d:\[].*|.*\.local\.?")
"""Matches an argument that cannot be a word of a code."""


class Secret(Struct, frozen=True):
    """The secret that a client gives: `text` is a code or a token, by `kind`."""

    kind: Kind
    text: str

    def __repr__(self) -> str:
        return f"Secret({self.kind})"

    @property
    def password(self) -> bytes:
        """The bytes that the PAKE runs with."""
        return f"{self.kind}:{self.text}".encode()


def read_words(text: str) -> tuple[str, ...]:
    """Return the words of a code as a player types it: in any case, with or without accents, with spaces,
    hyphens or points between; of a word of the list the first four letters are enough. Raises Refusal:
    `bad_code`."""
    if len(text) <= 2 * MOST:
        plain = unicodedata.normalize("NFKD", text).casefold()
        letters = "".join(char for char in plain if not unicodedata.combining(char))
        words = tuple(_in_full(word) for word in BETWEEN.split(unicodedata.normalize("NFC", letters)) if word)
        if len(words) >= LEAST and len(" ".join(words)) <= MOST and all(word.isalpha() for word in words):
            return words
    raise Refusal("bad_code", least=LEAST, most=MOST)


def _in_full(word: str) -> str:
    full = heard(word)
    return full if isinstance(full, str) and full else word


class PastedInvitation(Struct, frozen=True):
    """The address of a table, and its code or token, as a pasted text contains them. A missing part is empty."""

    address: str = ""
    code: str = ""


def read_invitation(text: str) -> PastedInvitation:
    """Read the words of a code, a token, a link, or a whole command of `join`.

    A command may have its options in any order, a shell's prompt before it, and line breaks and quotes anywhere.
    The address and the code are not checked. A text of more than PASTED characters is taken as a (wrong) code.
    """
    if len(text) > PASTED:
        return PastedInvitation(code=text)
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    if (found := _LINK.search(visible)) is not None:
        address = found[2].rstrip("/.,;:)") if found[1].lower() == SCHEME else ""  # else a browser's link
        return PastedInvitation(address, found[3] or "")
    words = _split(_DASHES.sub("--", _QUOTES.sub('"', visible)).replace("\\\n", " "))
    joins = [at for at, word in enumerate(words[1:], 1) if word == "join" and "citadels" in words[at - 1]]
    if joins or any(word.partition("=")[0] == "--code" for word in words):
        return _read_command(words[joins[0] + 1 if joins else 0 :])
    return PastedInvitation(code=visible.lstrip("$>% ").strip())


def _split(command: str) -> list[str]:
    """The words of a command as a shell splits them; if a quote is missing, split at spaces."""
    try:
        return shlex.split(command)
    except ValueError:
        return command.replace('"', " ").replace("'", " ").split()


def _read_command(words: Sequence[str]) -> PastedInvitation:
    """The arguments of `join`."""
    address, code = "", list[str]()
    taking = skipping = False
    for word in words:
        option, _, value = word.partition("=")
        if skipping:
            skipping = False
        elif option == "--code":
            taking = True
            code.extend(filter(None, [value]))
        elif word.startswith("--"):
            taking, skipping = False, word in VALUED
        elif taking and (_TOKEN.fullmatch(word) or not _ADDRESS.fullmatch(word)):
            code.append(word)
        else:
            address = address or word
    return PastedInvitation(address, " ".join(code))


def read_secret(text: str) -> Secret | None:
    """The code or the token of an invitation (`read_invitation`). None where there is nothing, or a link without a
    token. Raises Refusal: `wrong_code` for what no table has."""
    given = read_invitation(text).code
    if not given:
        return None
    if _TOKEN.fullmatch(given.lower()):
        return Secret("token", given.lower())
    try:
        return Secret("code", " ".join(read_words(given)))
    except Refusal:
        raise Refusal("wrong_code") from None


def bits(words: Sequence[str]) -> int:
    """About how hard words are to guess, in bits: eight for a word, two for each of its letters where it has few
    of them; a word counts once. This is an estimate: no one knows how the words were chosen."""
    return sum(min(8, 2 * len(set(word))) for word in set(words))


def link(host: str, port: int, token: str) -> str:
    """Return the link that a friend's program or phone opens; IPv6 in brackets. Without a token it has only the
    address."""
    where = f"[{host}]" if ":" in host else host
    return f"{SCHEME}://{where}:{port}/" + (f"#{token}" if token else "")


class Knock(Struct, eq=False):
    """A client at the door, which has named a kind of secret. It has to know the `password`."""

    address: str
    kind: Kind
    password: bytes
    age: int
    judged: bool = False

    def __repr__(self) -> str:
        return f"Knock({self.address})"


class Door:
    """A table's door. `words` and `token` let in; both are empty at an open one. `changed` is called when a client
    begins to guess the code (`guessed`), and when the door is renewed."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        """With these words for a code; without any it is open."""
        self.words = tuple(words)
        self.token = _new_token() if words else ""
        self.changed: Callable[[], None] = lambda: None
        self._age = 0
        self._known: set[str] = set()
        self._inside = Slots[Knock](math.inf, AT_ONCE)
        self._forget()

    def _forget(self) -> None:
        """No address has been wrong yet."""
        self._wrong = 0
        self._tries = Delays(TRIES, WAIT, LONGEST, MEMORY, ADDRESSES)
        self._again = Bucket(*GUESSES)

    @classmethod
    def of(cls, code: str | None) -> "Door":
        """Return a door for an option: None is an open one, "" one with a new code, else these are the words.
        Raises Refusal: `bad_code`."""
        if code is None:
            return cls()
        return cls(read_words(code) if code else new_words())

    @classmethod
    def again(cls, words: Sequence[str], token: str) -> "Door":
        """The door of a table that has come back, with the code and the token of before."""
        door = cls(words)
        door.token = token
        return door

    def __repr__(self) -> str:
        return f"Door({'open' if self.open else 'closed'})"

    @property
    def guessed(self) -> bool:
        """Whether a client is guessing the code."""
        return self._wrong >= ALARMING

    @property
    def open(self) -> bool:
        """Whether no code is asked."""
        return not self.words

    @property
    def code(self) -> str:
        """The words for friends, in one line; empty at an open door."""
        return " ".join(self.words)

    def link(self, host: str, port: int) -> str:
        """The link that lets in, for a table at this address."""
        return link(host, port, self.token)

    def renew(self) -> None:
        """Make a new code and a new token, and forget wrong codes. The old ones let no client in any more, not
        even one that is at the door already. An open door stays as it is."""
        if self.open:
            return
        self.words, self.token = new_words(), _new_token()
        self._age += 1
        self._forget()
        self.changed()

    def knock(self, address: str, kind: Kind, now: float) -> Knock:
        """A client wants to prove that it has the code or the token. That costs the host some work, so it is
        rejected if it cannot succeed. Raises Refusal."""
        if self.open:
            raise Refusal("code_unasked")
        self._check(address, kind, now)
        if self._inside.rivals(address):
            raise Refusal("crowded")
        password = Secret(kind, self.code if kind == "code" else self.token).password
        knock = Knock(address, kind, password, self._age)
        self._inside.enter(address, knock)
        return knock

    def judge(self, knock: Knock, fits: Callable[[], bool], now: float) -> None:
        """Returns where the confirmation of a knock fits. It is not even looked at where that must not count any
        more: the limits hold for knocks at the same time, too. Raises Refusal."""
        knock.judged = True
        if not self.holds(knock):
            raise Refusal("wrong_code")
        self._check(knock.address, knock.kind, now)
        if fits():
            self._known.add(knock.address)
            return
        self._count(knock, now)
        raise Refusal("wrong_code")

    def _count(self, knock: Knock, now: float) -> None:
        """A wrong confirmation."""
        if knock.kind == "code" and self._shares(knock.address):
            self._again.take(now)
        self._tries.note(knock.address, now)
        self._wrong += 1
        if self._wrong == ALARMING:
            self.changed()

    def holds(self, knock: Knock | None) -> bool:
        """Whether what a knock has proved still counts: the code is the one of then."""
        return knock is not None and knock.age == self._age

    def leave(self, knock: Knock, now: float) -> None:
        """The try has ended. One without a confirmation has cost work and counts for its address, but not against
        the door: it has tested nothing."""
        self._inside.leave(knock.address, knock)
        if not knock.judged and self.holds(knock):
            self._tries.note(knock.address, now)
        knock.judged = True

    def _check(self, address: str, kind: Kind, now: float) -> None:
        """Raises Refusal if an address has to wait, because of its wrong codes or of those of others."""
        if (seconds := self._tries.left(address, now)) > 0:
            raise Refusal("too_many_tries", seconds=math.ceil(seconds))
        if kind == "code" and self._shares(address) and (seconds := self._again.wait(now)) > ROUNDING:
            raise Refusal("too_many_guesses", seconds=math.ceil(seconds))

    def _shares(self, address: str) -> bool:
        """Whether an address shares the rate of those that were wrong. One that was right does not."""
        return address in self._tries and address not in self._known


def new_words() -> tuple[str, ...]:
    """Three words of the list."""
    return spoken(secrets.token_bytes(LEAST))


def _new_token() -> str:
    """128 random bits, 26 characters."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
