"""The join code of a table, its link, and how often a client may try it. No sockets, no clock.

    code = JoinCode.of("")              # three words, made here; JoinCode.of("some three words") has those
    attempt = code.begin(address, "code", now)    # Refusal: `too_many_tries`, `too_many_guesses`, `code_unasked`
    code.check(attempt, fits, now)      # Refusal unless the confirmation fits and still counts
    code.end(attempt, now)              # always, at the end: an attempt without a confirmation counts, too

An address that has been wrong less than three times is never rejected, so no one can lock out a friend who types
the right code. Only addresses count: a key costs nothing, and is not proven before the code is. After the third
wrong code an address waits, longer each time, and then shares a rate with the others that had to wait (GUESSES).
Tokens have no rate: no one can guess 128 bits.

So N addresses have 3 N + 10 + 0.05 t guesses in t seconds. Three words are one of 2 ** 24 = 16 777 216 codes. In
an evening of four hours the 253 other addresses of a home network (IPv4) have 1 489 guesses, a chance of 1 in
11 267. With unlimited addresses (IPv6) the host still begins only 20 handshakes a second, with one guess each:
288 064 guesses, 1 in 58. The host is told when an address has to wait, and is warned after the tenth wrong code. A
new code makes all guesses worthless.

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
"""Fewest words of a join code."""
MOST: Final = 100
"""Longest join code, in characters."""
STRONG: Final = 24
"""Bits of entropy in a join code that the program makes."""
TRIES: Final = 3
"""Number of wrong codes from one address after which the address has to wait."""
WAIT: Final = 60.0
"""Seconds that an address has to wait after TRIES wrong codes. Each further wrong code doubles them."""
LONGEST: Final = 3600.0
"""Longest time that an address has to wait, in seconds."""
MEMORY: Final = 86_400.0
"""Seconds after which the wrong codes of an address are forgotten."""
ADDRESSES: Final = 4096
"""Most addresses with wrong codes that are remembered; older ones are dropped."""
GUESSES: Final = (10, 0.05)
"""A limit for all addresses together that had to wait and have never given the right code: so many further
codes in one burst, then so many in a second."""
ALARMING: Final = 10
"""Number of wrong codes after which the host is warned that a client is guessing."""
AT_ONCE: Final = 8
"""Most attempts of one address at the same time: as many as a table has seats."""
SCHEME: Final = "citadels"

_TOKEN: Final = re.compile(r"[a-z2-7]{26}")
BETWEEN: Final = re.compile(r"[\s\-‐-―_.,;:·/+\"'`“”„‘’«»]+")
"""Matches what may separate the words of a code."""
PASTED: Final = 1000
"""Longest pasted invitation, in characters."""
VALUED: Final = ("--name", "--lang", "--out", "--bot")
"""Options of the command `join`, besides --code, that are followed by a value."""

_LINK: Final = re.compile(r"(\w+)://([^\s#\"'`”’»<>]+)(?:#(\w*))?", re.IGNORECASE)
_QUOTES: Final = re.compile(r"[`“”„‘’«»]")
_DASHES: Final = re.compile(r"(?<!\S)[–—](?=[a-z])")
"""Matches a dash that chat and mail programs have put in the place of the two hyphens of an option."""
_ADDRESS: Final = re.compile(r".*[\d:\[].*|.*\.local\.?")
"""Matches an argument that is an address and cannot be a word of a code."""


class Secret(Struct, frozen=True):
    """The secret that a client knows: the join code or the token of a table. `kind` says which of them `text`
    is."""

    kind: Kind
    text: str

    def __repr__(self) -> str:
        return f"Secret({self.kind})"

    @property
    def password(self) -> bytes:
        """The bytes that are the password in the PAKE."""
        return f"{self.kind}:{self.text}".encode()


def read_words(text: str) -> tuple[str, ...]:
    """Return the words of a typed code. Capitals, accents and separators (spaces, hyphens, points) do not
    matter. For words in the list the first four letters are enough. Raises Refusal: `bad_code`."""
    if len(text) <= 2 * MOST:
        # Decomposed letters lose their accents, so a keyboard without them works.
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
    """The content of a pasted text: the address of a table, and its code or token. A part that is missing is
    ""."""

    address: str = ""
    code: str = ""


def read_invitation(text: str) -> PastedInvitation:
    """Read an invitation: the words of a code, a token, a link, or a whole `join` command.

    A command may have its options in any order, a shell's prompt before it, and line breaks and quotes
    anywhere. Address and code are not checked. A text of more than PASTED characters is returned as a (wrong)
    code."""
    if len(text) > PASTED:
        return PastedInvitation(code=text)
    # Invisible characters come with text pasted from chat programs.
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    if (pasted := _LINK.search(visible)) is not None:
        address = pasted[2].rstrip("/.,;:)") if pasted[1].lower() == SCHEME else ""  # else a browser's link
        return PastedInvitation(address, pasted[3] or "")
    words = _split(_DASHES.sub("--", _QUOTES.sub('"', visible)).replace("\\\n", " "))
    # The word `join` alone could be a word of a code.
    joins = [at for at, word in enumerate(words[1:], 1) if word == "join" and "citadels" in words[at - 1]]
    if joins or any(word.partition("=")[0] == "--code" for word in words):
        return _read_command(words[joins[0] + 1 if joins else 0 :])
    return PastedInvitation(code=visible.lstrip("$>% ").strip())


def _split(command: str) -> list[str]:
    """Split a command into words as a shell does. If a quote is missing, split it at spaces."""
    try:
        return shlex.split(command)
    except ValueError:
        return command.replace('"', " ").replace("'", " ").split()


def _read_command(words: Sequence[str]) -> PastedInvitation:
    """Read the address and the code from the arguments of `join`."""
    address, code = "", list[str]()
    taking = skipping = False
    for word in words:
        option, _, value = word.partition("=")
        # This word is the value of the option before it.
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
    """Return the code or the token in an invitation (see `read_invitation`). None if the text is empty or a
    link without a token. Raises Refusal: `cut_link` for a link whose token is not complete, `wrong_code` if
    no table can have this code."""
    invitation = read_invitation(text)
    given = invitation.code
    if not given:
        return None
    if _TOKEN.fullmatch(given.lower()):
        return Secret("token", given.lower())
    try:
        return Secret("code", " ".join(read_words(given)))
    except Refusal:
        # A link without its whole token was probably cut when it was copied.
        link = invitation.address and _LINK.search(text) is not None
        raise Refusal("cut_link" if link else "wrong_code") from None


def bits(words: Sequence[str]) -> int:
    """Estimate how hard a code is to guess, in bits: two bits for each different letter of a word, at most
    eight for a word. A repeated word counts once."""
    # A rough estimate: a host's own words may be in no list.
    return sum(min(8, 2 * len(set(word))) for word in set(words))


def link(host: str, port: int, token: str) -> str:
    """Return the link with which a friend's program or phone joins. IPv6 addresses get brackets. Without a
    token, the link contains only the address."""
    where = f"[{host}]" if ":" in host else host
    return f"{SCHEME}://{where}:{port}/" + (f"#{token}" if token else "")


class CodeAttempt(Struct, eq=False):
    """A client's attempt to prove that it knows the `password`, which is a code or a token (`kind`). `age` is
    how many new codes had been made when it began. `judged`: it has been counted."""

    address: str
    kind: Kind
    password: bytes
    age: int
    judged: bool = False

    def __repr__(self) -> str:
        return f"CodeAttempt({self.address})"


FLOODING: Final = (1, 5.0, 600.0, 3600.0, 256)
"""Parameters of the ban for flooding: after 1 offence, 5 seconds, and twice as long after each further one,
at most 600. An offence is forgotten after 3600 seconds. The last 256 offenders are kept, because an attacker
can make keys at no cost."""


class Bans:
    """Keys and sources that may not join. `removed` are the keys that the owner has removed; a new code ends
    that. `flooding` are keys, and sources of connections without a seat, that were banned for flooding. A
    rematch keeps the bans."""

    def __init__(self) -> None:
        self.removed: set[bytes] = set()
        self.flooding = Delays(*FLOODING)


class JoinCode:
    """The join code of a table. `words` and `token` let a client in; without words the table is open.
    `changed` is called in three cases: a client begins to guess the code (`guessed`); an address has been
    wrong three times, or a multiple of that (`wrong`: the address and how often); there is a new code. `bans`
    are shared with the rematches of the table."""

    def __init__(self, words: Sequence[str] = (), token: str = "") -> None:
        """`words` are the words of the code; () makes an open table. `token` "" makes a new token."""
        self.words = tuple(words)
        self.token = token or (_new_token() if words else "")
        self.bans = Bans()
        self.changed: Callable[[], None] = lambda: None
        self._age = 0
        self._known: set[str] = set()
        self._inside = Slots[CodeAttempt](math.inf, AT_ONCE)
        self._forget()

    def _forget(self) -> None:
        """Forget all wrong codes of all addresses."""
        self.wrong = "", 0
        self._wrong = 0
        self._tries = Delays(TRIES, WAIT, LONGEST, MEMORY, ADDRESSES)
        self._again = Bucket(*GUESSES)

    @classmethod
    def of(cls, code: str | None) -> "JoinCode":
        """Return the join code that an option asks for. None: an open table. "": a new code. Otherwise: the
        typed words. Raises Refusal: `bad_code`."""
        if code is None:
            return cls()
        return cls(read_words(code) if code else new_words())

    def __repr__(self) -> str:
        return f"JoinCode({'open' if self.open else 'closed'})"

    @property
    def guessed(self) -> bool:
        """Whether a client is guessing the code."""
        return self._wrong >= ALARMING

    @property
    def open(self) -> bool:
        """Whether the table is open: it asks for no code."""
        return not self.words

    @property
    def code(self) -> str:
        """The words of the code in one line, to give to friends; "" for an open table."""
        return " ".join(self.words)

    def renew(self) -> None:
        """Make a new code and a new token, and forget wrong codes. The old ones are invalid from now on, also
        in attempts that have begun. An open table stays open."""
        if self.open:
            return
        self.words, self.token = new_words(), _new_token()
        # Only a new code lets removed players in again: the owner may give it to them.
        self.bans.removed.clear()
        self._age += 1
        self._forget()
        self.changed()

    def begin(self, address: str, kind: Kind, now: float) -> CodeAttempt:
        """Begin an attempt of the client at `address`. It costs the host work, so an attempt that cannot
        succeed is rejected: raises Refusal."""
        if self.open:
            raise Refusal("code_unasked")
        self._check(address, kind, now)
        # Parallel attempts would otherwise get more guesses than the delay allows.
        if self._inside.rivals(address):
            raise Refusal("crowded")
        password = Secret(kind, self.code if kind == "code" else self.token).password
        attempt = CodeAttempt(address, kind, password, self._age)
        self._inside.enter(address, attempt)
        return attempt

    def check(self, attempt: CodeAttempt, fits: Callable[[], bool], now: float) -> None:
        """Check an attempt: call `fits`, which says whether its confirmation is right, and count the attempt
        if it is not. Raises Refusal if it is wrong. Also raises Refusal, without calling `fits`, if the code
        has changed since or the address has to wait."""
        # The attempt is decided here, so `end` must not count it again.
        attempt.judged = True
        if not self.holds(attempt):
            raise Refusal("wrong_code")
        self._check(attempt.address, attempt.kind, now)
        if fits():
            self._known.add(attempt.address)
            return
        # The first wrong codes of an address cost nothing, so a friend who mistypes delays no one.
        if attempt.kind == "code" and self._shares(attempt.address):
            self._again.take(now)
        self._tries.note(attempt.address, now)
        self._wrong += 1
        times = self._tries.times(attempt.address)
        if times % TRIES == 0:
            self.wrong = attempt.address, times
        # Someone who guesses from many addresses fills no log.
        if self._wrong == ALARMING or (times % TRIES == 0 and not self.guessed):
            self.changed()
        raise Refusal("wrong_code")

    def note_wrong(self, address: str, times: int, *, guessed: bool) -> None:
        """Count wrong codes that the web server has received from `address`: it has sent `times` by now.
        `guessed`: the web server warns that a client guesses codes."""
        self._wrong = max(self._wrong + TRIES, ALARMING if guessed else 0)
        self.wrong = address, times
        self.changed()

    def holds(self, attempt: CodeAttempt | None) -> bool:
        """Return whether no new code was made since the attempt began; False for None."""
        return attempt is not None and attempt.age == self._age

    def end(self, attempt: CodeAttempt, now: float) -> None:
        """End an attempt. If it was never checked, it counts for its address, because it has cost work, but
        not as a guess of the code."""
        self._inside.leave(attempt.address, attempt)
        # An attempt that was checked has been counted already.
        if not attempt.judged and self.holds(attempt):
            self._tries.note(attempt.address, now)
        attempt.judged = True

    def _check(self, address: str, kind: Kind, now: float) -> None:
        """Check that `address` does not have to wait, because of its own wrong codes or because of the common
        limit GUESSES. Raises Refusal."""
        if (seconds := self._tries.left(address, now)) > 0:
            raise Refusal("too_many_tries", seconds=math.ceil(seconds))
        # A token cannot be guessed, so it needs no shared rate.
        if kind == "code" and self._shares(address) and (seconds := self._again.wait(now)) > ROUNDING:
            raise Refusal("too_many_guesses", seconds=math.ceil(seconds))

    def _shares(self, address: str) -> bool:
        """Return whether the common limit GUESSES applies to `address`: it had to wait, and has never given
        the right code."""
        return address in self._tries and address not in self._known


def new_words() -> tuple[str, ...]:
    """Return three random words of the word list."""
    return spoken(secrets.token_bytes(LEAST))


def _new_token() -> str:
    """Return a random token: 128 bits in 26 characters."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
