"""Joining, both sides, without a socket.

    client                    host
    Hello          ->
                   <-  TableHello, HostProof
    Share          ->                           these four where the table asks for its code,
                   <-  HostShare                or the client was given one
    Confirm        ->
                   <-  Confirm
    Join           ->
                   <-  Welcome, or Bye with the reason

The proofs are signatures over the certificate's fingerprint, the game and both hellos as they were received. So
no attacker in between can pass them on over another connection, or talk both sides down to an older version.
The code goes through a PAKE, SPAKE2 bound to the same bytes (`KeyExchange`; docs/protocol.md, section 14). Its
slow steps run in threads, and each answer leaves a fixed time after it was asked for, so that the time of the
arithmetic, which depends on the code, cannot be measured.
"""

import asyncio
import hashlib
import hmac
import math
import re
import secrets
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

from msgspec import Struct

from citadels_lan import PROGRAM
from citadels_lan.crypto.codec import Malformed, digest, frame, u64, unpad
from citadels_lan.crypto.identity import BadKey, Identity, check_public_key, verify
from citadels_lan.crypto.log import SeatKind
from citadels_lan.crypto.signatures import Hosts, Passed
from citadels_lan.engine.rules_digests import RULES
from citadels_lan.net.join.join_code import CodeAttempt, JoinCode, Secret
from citadels_lan.net.wire import messages
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.link import Link, connect
from citadels_lan.net.wire.messages import MAGIC, VERSIONS, Frame, Message, decode, encode

SHARE: Final = 33
"""Length of a share of the PAKE in bytes: one for the side, and a point of 32."""
Side: TypeAlias = Literal["joining", "host"]


def binding(fp: bytes, game: bytes, hello: bytes, table: bytes) -> bytes:
    """Return a digest of what both sides must agree on: the certificate (`fp`), the game, and the two hello
    messages (`hello` of the client, `table` of the host), which contain both keys."""
    return digest("pake", fp, game, hello, table)


def identities(bound: bytes) -> tuple[bytes, bytes]:
    """Return the names of both sides in the key exchange, that of the joining side first."""
    return frame("pake-joining", bound), frame("pake-host", bound)


def confirmation(side: str, key: bytes, bound: bytes, joining: bytes, host: bytes) -> bytes:
    """Return the 32 bytes by which `side` ("joining" or "host") proves that it has computed `key`. `joining`
    and `host` are the shares of both sides."""
    return hmac.digest(key, frame(f"confirm-{side}", bound, joining, host), hashlib.sha256)


class KeyExchange:
    """One side of the PAKE (SPAKE2) that proves the code. The host must not send its confirmation before
    `fits` was True, because a client could test guesses with it."""

    def __init__(self, side: Side, password: bytes, bound: bytes) -> None:
        self._side: Side = side
        self._password = password
        self._bound = bound
        self._spake: Any = None
        self._share = self._other = self._key = b""

    def share(self) -> bytes:
        """Return the share that this side sends. Slow."""
        from spake2 import SPAKE2_A, SPAKE2_B

        kind = SPAKE2_A if self._side == "joining" else SPAKE2_B
        self._spake = kind(self._password, *identities(self._bound), params=_parameters())
        self._share = self._spake.start()
        return self._share

    def finish(self, other: bytes) -> bytes:
        """Compute the key from the share of the other side. Return this side's confirmation. Slow. Raises
        Malformed."""
        from spake2 import SPAKEError
        from spake2.ed25519_basic import NotOnCurve

        check_share(b"B" if self._side == "joining" else b"A", other)
        try:
            self._key = self._spake.finish(other)
        except (SPAKEError, NotOnCurve, ValueError, TypeError, AssertionError):
            # A point outside the group, or this side's share returned. All that the library rejects is the
            # same error here.
            raise Malformed("not a share") from None
        self._other = other
        return self.confirmation()

    def confirmation(self, side: Side | None = None) -> bytes:
        """Return the confirmation of `side`; None: of this side."""
        shares = (self._share, self._other) if self._side == "joining" else (self._other, self._share)
        return confirmation(side or self._side, self._key, self._bound, *shares)

    def fits(self, mac: bytes) -> bool:
        """Return whether `mac` is the right confirmation of the other side: it knows the same password and
        has seen the same handshake."""
        other: Side = "host" if self._side == "joining" else "joining"
        return bool(self._key) and hmac.compare_digest(mac, self.confirmation(other))


@cache
def _parameters() -> Any:
    """Return the parameters of the library for SPAKE2, with two points that cache their multiples."""
    from spake2.ed25519_basic import Element
    from spake2.parameters.ed25519 import ParamsEd25519
    from spake2.params import _Params

    class KeptPoint(Element):  # type: ignore[misc]  # the library has no types
        """A point of the curve that caches its last multiples."""

        @lru_cache(4)  # noqa: B019 -- there are two such points, as long as the program
        def scalarmult(self, factor: int) -> Any:
            return super().scalarmult(factor)

        __hash__ = object.__hash__

    parameters = _Params(ParamsEd25519.group)
    # The library would compute these multiples again for each exchange.
    parameters.M, parameters.N = KeptPoint(parameters.M.XYTZ), KeptPoint(parameters.N.XYTZ)
    return parameters


def check_share(side: bytes, share: bytes) -> None:
    """Check that a share is of this `side`, and contains a point in its only valid form that is not of small
    order. Raises Malformed."""
    if len(share) != SHARE or share[:1] != side:
        raise Malformed("not a share of the other side")
    try:
        check_public_key(share[1:])
    except BadKey:
        raise Malformed("not a share") from None


NONCE: Final = 32
ANSWER_TIME: Final = 0.05
"""Seconds between receiving a share and sending the answer. The computation itself takes 2 to 5
milliseconds."""
TURN: Final = 0.03
"""Seconds of a host's time for each attempt with a code. Most of them are a pause, so that many guesses do
not slow down the game."""


def rules_of_all(digests: Mapping[str, bytes]) -> bytes:
    """Return one digest of the rules of all editions. It covers all, because the host can change the edition
    after clients have joined."""
    return digest("rules", *(field for pair in sorted(digests.items()) for field in pair))


class Versions(Struct, frozen=True):
    """The statement of a program about itself: its name and version, the digest of its rules, and the lowest
    and highest version of the protocol that it can use."""

    program: str = PROGRAM
    rules: bytes = rules_of_all(RULES)
    lowest: int = VERSIONS[0]
    highest: int = VERSIONS[1]

    def __str__(self) -> str:
        return f"{self.program} (protocol {self.highest}, rules {self.rules.hex()[:8]})"

    @property
    def fields(self) -> tuple[int, int, bytes, str]:
        """The fields that describe the program in both hello messages."""
        return self.lowest, self.highest, self.rules, self.program


class Applicant(Struct, frozen=True):
    """A client that has proved its key. `n` and `head` are the last entry of its transcript of this game and
    the hash; `said` is the host's signature of that hash, or None without entries."""

    key: bytes
    name: str
    role: messages.Role
    kind: SeatKind
    n: int
    head: bytes
    said: bytes | None = None


class Profile(Struct, frozen=True):
    """The statement of a client about itself: the player's name, whether it is a player or a spectator, and
    the kind of player."""

    name: str
    role: messages.Role = "player"
    kind: SeatKind = SeatKind.PLAYER


class Guard(Struct, frozen=True):
    """The data with which a host checks a connection: the table's join code, the address of the connection,
    and a function `known` that says whether a key belongs to the table and so needs no code. `check_room`
    raises Refusal if there is no free seat, before the client is asked for the code."""

    join_code: JoinCode
    address: str
    known: Callable[[bytes], bool]
    check_room: Callable[[messages.Role], None] = lambda _: None

    def asks(self, key: bytes) -> bool:
        """Return whether the client with this key has to prove that it knows the code."""
        return not self.join_code.open and not self.known(key)


Past: TypeAlias = tuple[tuple[bytes, bytes] | None, tuple[Passed, ...]]
"""The proof of a host that has taken its game over: key and fingerprint of the first host, and all handovers
up to this host. (None, ()) for the first host."""


class HostHandshake:
    """The host's side of the handshake on one connection. `receive` raises Refusal or Malformed if the client
    may not join.

    When a share was received, `work` computes the answer. It is slow, so call it in a thread; it raises
    Malformed. Call `leave` at the end in any case."""

    def __init__(
        self, identity: Identity, game: bytes, fp: bytes, versions: Versions, guard: Guard, past: Past = (None, ())
    ) -> None:
        """`past` proves the handovers to this host; it is empty for the host with which the game began."""
        self._identity = identity
        self._game = game
        self._fp = fp
        self._versions = versions
        self._guard = guard
        self._past = past
        self._hello: messages.Hello | None = None
        self._binding: tuple[bytes, ...] = ()
        self._attempt: CodeAttempt | None = None
        self._pake: KeyExchange | None = None
        self._proved = False
        self.work: Callable[[], bytes] | None = None

    def receive(self, frame: Frame, now: float = 0.0) -> tuple[bytes, Applicant | None]:
        """Process a frame. Return the bytes to send, and the client if it has just proved its key (otherwise
        None)."""
        self.work = None
        if self._hello is None:
            return self._greet(frame), None
        if self._pake is not None and not self._proved:
            return self._judge(frame, self._pake, now), None
        # After the code only `join` may come, so a second share is no second guess.
        kinds = (messages.Join,) if self._proved else (messages.Join, messages.CodeShare)
        message = decode(frame, {kind.type: kind for kind in kinds})
        if isinstance(message, messages.CodeShare):
            self._take_share(message, now)
            return b"", None
        assert isinstance(message, messages.Join)
        return b"", self._admit(self._hello, message)

    def leave(self, now: float) -> None:
        """End the handshake, whether it has succeeded or not. An unfinished attempt with the code counts."""
        if self._attempt is not None:
            self._guard.join_code.end(self._attempt, now)

    def _greet(self, frame: Frame) -> bytes:
        check_versions(frame, messages.Hello.type, self._versions)
        hello = expect(frame, messages.Hello)
        try:
            check_public_key(hello.key)
        except BadKey:
            raise Refusal("bad_key") from None
        # A player of the table needs neither a free seat nor the code.
        if self._guard.asks(hello.key):
            self._guard.check_room(hello.role)
        table = (secrets.token_bytes(NONCE), self._game, self._identity.public, self._guard.asks(hello.key))
        answer = encode(messages.TableHello(MAGIC, *self._versions.fields, (), *table))
        self._hello = hello
        # The hellos are bound as they were received, so no field of them can be changed on the way.
        self._binding = (self._fp, self._game, frame.body, answer[5:])
        proof = self._identity.sign("host", *self._binding)
        return answer + encode(messages.HostProof(proof, *self._past))

    def _take_share(self, message: messages.CodeShare, now: float) -> None:
        # A share that cannot be right costs no arithmetic and no try.
        check_share(b"A", message.share)
        self._attempt = self._guard.join_code.begin(self._guard.address, message.kind, now)
        pake = self._pake = KeyExchange("host", self._attempt.password, binding(*self._binding))

        def answer() -> bytes:
            share = pake.share()
            pake.finish(message.share)
            return encode(messages.HostShare(share))

        self.work = answer

    def _judge(self, frame: Frame, pake: KeyExchange, now: float) -> bytes:
        assert self._attempt is not None
        confirm = expect(frame, messages.Confirm)
        self._guard.join_code.check(self._attempt, lambda: pake.fits(confirm.mac), now)
        self._proved = True
        return encode(messages.Confirm(pake.confirmation()))

    def _admit(self, hello: messages.Hello, join: messages.Join) -> Applicant:
        if not verify(hello.key, join.signature, "join", *self._binding, u64(join.n), join.head):
            raise Refusal("bad_signature")
        # Asked once more: the key may have lost its seat since the table said that it needs no code, and the code
        # may be another one since it was proved.
        if self._guard.asks(hello.key) and not (self._proved and self._guard.join_code.holds(self._attempt)):
            raise Refusal("wrong_code" if self._proved else "code_needed")
        how_far = (join.n, join.head, join.said)
        return Applicant(hello.key, hello.name, hello.role, hello.kind, *how_far)


class Challenge(Struct, frozen=True):
    """The host has proved its key. The client must now prove the code if `asks` is True, and then call `join`
    with the last entry of its log. `hosts` are all hosts that the game has had; the last one is this host."""

    game: bytes
    hosts: Hosts
    asks: bool = False


class ClientHandshake:
    """The client's side of the handshake on one connection. Send `hello`, and pass each frame to `receive`.
    After a Challenge send the result of `join`, and pass on frames until `receive` returns Welcome."""

    def __init__(self, identity: Identity, profile: Profile, fp: bytes, versions: Versions) -> None:
        """`fp` is the SHA-256 of the certificate of the connection."""
        self._identity = identity
        self._fp = fp
        self._versions = versions
        self._table: messages.TableHello | None = None
        self._proved = False
        self._binding: tuple[bytes, ...] = ()
        nonce, who = secrets.token_bytes(NONCE), (profile.role, profile.name, identity.public, profile.kind)
        self.hello = encode(messages.Hello(MAGIC, *versions.fields, (), nonce, *who))

    def receive(self, frame: Frame) -> Challenge | messages.Welcome | None:
        """Process a frame. Return the Challenge or the Welcome that it results in, or None. Raises Malformed;
        Refusal if the host or this client rejects the other side."""
        check_bye(frame)
        if self._table is None:
            check_versions(frame, messages.TableHello.type, self._versions)
            self._table = expect(frame, messages.TableHello)
            self._binding = (self._fp, self._table.game, self.hello[5:], frame.body)
            return None
        if not self._proved:
            return self._take_proof(frame, self._table)
        return expect(frame, messages.Welcome)

    def prove(self, secret: Secret) -> KeyExchange:
        """Return the key exchange with which both sides prove that they know `secret`."""
        return KeyExchange("joining", secret.password, binding(*self._binding))

    def join(self, n: int, head: bytes, said: bytes | None = None) -> bytes:
        """Return the frame that proves the client's key. `n` and `head` are the last entry of its transcript
        and the hash, and `said` is the host's signature of that; without entries: 0, zeros and None."""
        return encode(messages.Join(self._identity.sign("join", *self._binding, u64(n), head), n, head, said))

    def _take_proof(self, frame: Frame, table: messages.TableHello) -> Challenge:
        proof = expect(frame, messages.HostProof)
        if not verify(table.key, proof.signature, "host", *self._binding):
            raise Refusal("bad_signature")
        self._proved = True
        hosts = Hosts(table.game, *(proof.first or (table.key, self._fp)))
        hosts.follow(proof.passed)
        # The proof must lead to the host at the other end of this very connection.
        if (hosts.now.key, hosts.now.fp) != (table.key, self._fp):
            raise Refusal("bad_signature")
        return Challenge(table.game, hosts, table.code)


Answer = TypeVar("Answer", bound=Message)


def expect(frame: Frame, kind: type[Answer]) -> Answer:
    """Decode the message in a frame. Raises Malformed if it is not of this kind."""
    message = decode(frame, {kind.type: kind})
    assert isinstance(message, kind)  # nothing else is known
    return message


def check_bye(frame: Frame) -> None:
    """If a frame is a goodbye, raise the Refusal with its reason. Otherwise do nothing."""
    if frame.type == messages.Bye.type:
        bye = expect(frame, messages.Bye)
        raise Refusal(bye.code, **bye.details)


def check_versions(frame: Frame, kind: int, own: Versions) -> None:
    """Raise Refusal `other_version`, which names both programs, if the sender of a hello message has no
    common version of the protocol with this program, or other rules.

    It reads only the fields that are equal in all versions, so that each version of the program gets an
    answer."""
    if frame.type != kind:
        raise Malformed("not a hello")
    fields = unpad(frame.body)
    if not isinstance(fields, list) or len(fields) < 5 or fields[0] != MAGIC:
        raise Malformed("not a hello")
    _, lowest, highest, rules, program, *_ = fields
    # `bool` is a subclass of `int`, and True must not pass as a version.
    if type(lowest) is not int or type(highest) is not int or not 0 <= lowest <= highest <= 65535:
        raise Malformed("not a hello")
    # Programs with other rules would disagree about legal moves.
    if lowest <= own.highest and own.lowest <= highest and rules == own.rules:
        return
    # The name is shown to a person, so it may contain only printable ASCII.
    named = isinstance(program, str) and re.fullmatch(r"[ -~]{1,64}", program)
    other = Versions(
        program if named else "citadels-lan", rules if isinstance(rules, bytes) else b"", lowest, highest
    )
    joining, host = (other, own) if kind == messages.Hello.type else (own, other)
    raise Refusal("other_version", joining=str(joining), host=str(host))


# The code over a connection


class Turns:
    """Lets one side compute only one proof of the code at a time, and return each at a fixed time, because
    the time of the computation depends on the code."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()

    async def answer(self, work: Callable[[], bytes]) -> bytes:
        """Run `work` in a thread when its turn comes. Return its result `ANSWER_TIME` seconds after the turn
        began. The next turn begins after `TURN` seconds, or after a multiple of them if the work takes
        longer. Raises what `work` raises."""
        loop = asyncio.get_running_loop()
        await self._free.acquire()
        begin = loop.time()
        try:
            return await asyncio.to_thread(work)
        finally:
            turns = math.ceil((loop.time() - begin) / TURN)
            # Whole multiples of TURN: the pause does not show how long the arithmetic took.
            loop.call_at(begin + max(turns, 1) * TURN, self._free.release)
            await asyncio.sleep(begin + ANSWER_TIME - loop.time())


async def give_code(link: Link, handshake: ClientHandshake, secret: Secret | None) -> None:
    """Prove to the host that this client knows the code, and check that the host does, too. Raises Refusal:
    the host's reason; `code_needed` if `secret` is None; `bad_signature` if the host does not know the code.
    Raises Malformed, OSError."""
    if secret is None:
        raise Refusal("code_needed")
    pake, turns = handshake.prove(secret), Turns()
    link.send(encode(messages.CodeShare(secret.kind, await turns.answer(pake.share))))
    answer = await _answer(link, messages.HostShare)
    link.send(encode(messages.Confirm(await turns.answer(partial(pake.finish, answer.share)))))
    if not pake.fits((await _answer(link, messages.Confirm)).mac):
        raise Refusal("bad_signature")


async def has_code(host: str, port: int, secret: Secret, patience: float) -> bool:
    """Return whether the table at an address asks for a code and accepts this one. A wrong code counts at the
    table as a wrong attempt."""
    try:
        link = await connect(host, port, patience)
    except Refusal:
        return False
    try:
        async with asyncio.timeout(patience):
            handshake = ClientHandshake(Identity.create(), Profile("player", "spectator"), link.fp, Versions())
            link.send(handshake.hello)
            while (frame := await link.frame()) is not None:
                if isinstance(challenge := handshake.receive(frame), Challenge):
                    if challenge.asks:
                        await give_code(link, handshake, secret)
                    # An open table accepts everyone, which says nothing about the code.
                    return challenge.asks
    except (Refusal, Malformed, OSError, TimeoutError):
        pass
    finally:
        link.abort("left")
    return False


async def _answer(link: Link, kind: type[Answer]) -> Answer:
    frame = await link.frame()
    if frame is None:
        raise Refusal("lost")
    check_bye(frame)
    return expect(frame, kind)
