"""Signatures of players, apart from moves (docs/protocol.md, sections 3, 4, 9 and 10), and the hosts that sign a
log.

Before the first round each key signs its name, and the key of the host's player endorses the host's key, which
is made for one table. Each seat agrees to the header and commits to its part of the seed.

An absent player must not stop the game. After the entry *away* the host may let a bot play the seat (*bot*),
visible to all, until *back*, which the seat's key signs. A substitute bot has no key: the host is responsible for
its moves.

After each round every connected player co-signs the whole history, and four check words follow. Each signature
commits to a random word of 16 bytes. The seats give the words only after all commitments are in the log, and the
log takes either all words or none. So no one can choose the four check words: two different histories have the
same words with a probability of 1 in 2^32.

The first host is the one in the header. After each *handover* the host is the player who took over.
"""

from collections.abc import Collection, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import Field, Malformed, digest, u8, u64
from citadels_lan.crypto.commitments import Hash
from citadels_lan.crypto.identity import BadKey, Identity, check_public_key, verify
from citadels_lan.crypto.words import spoken

HANDOVERS: Final = 12
"""Most handovers of one game: the proofs of all of them must fit into one frame of the handshake."""


class Host(Struct, frozen=True):
    """A host of a game. `key` signs the entries from entry `first` on. `fp` is the fingerprint of the host's
    certificate. `seat` is that of the player who took the game over; None for the first host."""

    key: bytes
    fp: bytes
    first: int = 1
    seat: int | None = None


class Passed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A *handover* entry as proof for a client that has not seen it: entry `n`, with hash[n-1] in `before`,
    its `public` bytes, and the `signature` of the old host."""

    n: Annotated[int, Meta(ge=1, le=2**32)]
    before: Hash
    public: Annotated[bytes, Meta(max_length=256)]
    signature: log.Signature


class Hosts:
    """The hosts of one game: the first one, then one for each handover."""

    def __init__(self, game: bytes, key: bytes, fp: bytes) -> None:
        self._game = game
        self.all: list[Host] = [Host(key, fp)]

    @property
    def now(self) -> Host:
        """The host after the last known handover."""
        return self.all[-1]

    def at(self, n: int) -> Host:
        """The host that signs entry `n`."""
        return next(host for host in reversed(self.all) if host.first <= max(n, 1))

    def by_key(self, key: bytes) -> Host | None:
        """The host with this key; None if there is none."""
        return next((host for host in self.all if host.key == key), None)

    def place(self, key: bytes) -> int:
        """Return how many handovers came before the host with this key; 0 if there is no such host."""
        return next((at for at, host in enumerate(self.all) if host.key == key), 0)

    def add(self, n: int, entry: log.Handover) -> None:
        """Record the *handover* in entry `n`: its new host signs from the next entry on."""
        # A client may learn of a handover twice: from a proof, and from the log.
        if n + 1 > self.now.first:
            self.all.append(Host(entry.key, entry.fp, n + 1, entry.seat))

    def follow(self, proofs: Sequence[Passed]) -> None:
        """Add the handovers in `proofs` that are not known yet. Raises Malformed unless the host before each
        handover has signed it."""
        for proof in proofs:
            entry = log.decode_entry(proof.public)
            head = log.entry_hash(proof.before, proof.n, proof.public, b"")
            signed = log.entry_signed(self.at(proof.n).key, proof.signature, self._game, proof.n, head)
            if not isinstance(entry, log.Handover) or not signed:
                raise Malformed("no handover that the host before has signed")
            self.add(proof.n, entry)


def sign_accept(identity: Identity, game: bytes, n: int, head: bytes, key: bytes, fp: bytes) -> bytes:
    """Return the player's signature that this program takes the game over in entry `n`, whose previous hash
    is `head`. `key` and `fp` are the key and the certificate's fingerprint of the new host."""
    return identity.sign("accept", game, u64(n), head, key, fp)


def accepted(player: bytes, entry: log.Handover, game: bytes, n: int, head: bytes) -> bool:
    """Return whether the key `player` has signed that it takes the game over with `entry`, as entry `n` after
    the hash `head`."""
    return verify(player, entry.accept, "accept", game, u64(n), head, entry.key, entry.fp)


def claim(identity: Identity, game: bytes, fp: bytes, host: bytes, name: str, kind: int) -> bytes:
    """Return a player's signature of its name and kind, for the table with this game, certificate (`fp`) and
    host key."""
    return identity.sign("seat", game, fp, host, name, u8(kind))


def claim_holds(key: bytes, signature: bytes, game: bytes, fp: bytes, host: bytes, name: str, kind: int) -> bool:
    """Return whether `signature` is such a claim, signed by `key`."""
    return verify(key, signature, "seat", game, fp, host, name, u8(kind))


def claimed(header: log.Header, seat: int) -> bool:
    """Return whether the player at a seat has signed the name and kind that the header gives for it."""
    player = header.players[seat]
    table = (header.game_id, header.fp, header.hostkey)
    return claim_holds(player.key, player.claim, *table, player.name, player.kind)


def endorse(identity: Identity, game: bytes, fp: bytes, host: bytes) -> log.Endorsement:
    """Return the endorsement of the host's key `host` by the person who runs the host, whose own key is
    `identity`."""
    return log.Endorsement(identity.public, identity.sign("host-key", game, fp, host))


def endorsed(header: log.Header) -> bool:
    """Whether the endorsement in a header is valid; True if there is none."""
    given = header.endorsement
    fields = (header.game_id, header.fp, header.hostkey)
    return given is None or verify(given.key, given.signature, "host-key", *fields)


def check_table(n: int, header: log.Header, identity: tuple[bytes, bytes, bytes], host: bytes) -> int:
    """Check a header against the `identity` of the game (id, rules digest, fingerprint) and the key `host`;
    then check its keys and claims. Return how many signatures the header has. Raises Mismatch."""
    if header.hostkey != host:
        raise log.Mismatch("host", n)
    if (header.game_id, header.rules, header.fp) != identity:
        raise log.Mismatch("header", n)
    heads = {one.head for one in header.called_off}
    sorted_ = all(list(one.missing) == sorted(set(one.missing)) for one in header.called_off)
    if len(heads) != len(header.called_off) or not sorted_:
        raise log.Mismatch("header", n)
    keys = {player.key for player in header.players}
    try:
        for key in keys:
            check_public_key(key)
    except BadKey:
        raise log.Mismatch("key", n) from None
    # With one key at two seats, a signature of one seat would count for the other.
    if len(keys | {header.hostkey}) != len(header.players) + 1:
        raise log.Mismatch("key", n)
    for seat in range(len(header.players)):
        if not claimed(header, seat):
            raise log.Mismatch("claim", n, seat=seat)
    if not endorsed(header):
        raise log.Mismatch("endorsement", n)
    return len(header.players) + (header.endorsement is not None)


def agree_fields(header: bytes, seat: int, commit: bytes, anchors: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the fields that a seat signs, under the tag `agree`, when it agrees to a header. `header` is
    hash[1]."""
    return header, u8(seat), commit, *anchors


def check_agreements(n: int, before: bytes, header: log.Header, entry: log.Commits) -> None:
    """Check the agreement of each seat; `before` is hash[1]. Raises Mismatch."""
    if len(entry.seats) != len(header.players):
        raise log.Mismatch("seats", n)
    given: set[bytes] = set()
    for seat, one in enumerate(entry.seats):
        try:
            check_agreement(header, before, seat, one, given)
        except log.Unacceptable as reason:
            codes = {"part": "anchors", "value_used": "value_again", "signature": "agreement"}
            raise log.Mismatch(codes[reason.code], n, seat=seat) from None
        given |= {one.commit, *one.anchors}


def check_agreement(
    header: log.Header, head: bytes, seat: int, one: log.Agreement, others: Collection[bytes] = ()
) -> None:
    """Check the agreement `one` of a seat. `head` is hash[1]. No commitment or anchor may occur twice in a
    game: `others` are those of the other seats. Raises Unacceptable."""
    if len(one.anchors) != (2 if header.draft else 0):  # A sealed draft needs the ends of two chains.
        raise log.Unacceptable("part")
    # A seat that copies the commitment of another one could cancel its part of the seed.
    given = (one.commit, *one.anchors)
    if len(set(given) - set(others)) != len(given):
        raise log.Unacceptable("value_used")
    fields = agree_fields(head, seat, one.commit, one.anchors)
    if not verify(header.players[seat].key, one.signature, "agree", *fields):
        raise log.Unacceptable("signature")


class Absence(Struct):
    """An absence of the player of `seat`, from the *away* entry `n` on. `head` is the hash of that entry; it
    is empty until the next entry comes. `bot` is the entry in which a substitute bot of this `level` began,
    or None. `moves` are the entries with the bot's moves. `until` is the *back* entry; None while the player
    is away."""

    n: int
    seat: int
    head: bytes = b""
    bot: int | None = None
    level: str = ""
    moves: list[int] = []
    until: int | None = None


class Absences:
    """The absences of a game; `all` has them in order."""

    def __init__(self, game: bytes, keys: Sequence[bytes]) -> None:
        """`keys` are the public keys of the players, by seat."""
        self._game = game
        self._keys = tuple(keys)
        self.all: list[Absence] = []
        self._now: dict[int, Absence] = {}

    def now(self, seat: int) -> Absence | None:
        """Return the present absence of a seat's player; None if the player is not away."""
        return self._now.get(seat)

    def substitute(self, seat: int) -> Absence | None:
        """Return the present absence of a seat for which a substitute bot plays; None if no bot plays."""
        absence = self._now.get(seat)
        return absence if absence is not None and absence.bot is not None else None

    @property
    def substituted(self) -> tuple[int, ...]:
        """The seats that substitute bots play now."""
        return tuple(seat for seat in sorted(self._now) if self.substitute(seat) is not None)

    def reached(self, n: int, head: bytes) -> None:
        """Record the hash `head` of entry `n`. It matters only if `n` is an *away* entry, which the player
        signs when returning."""
        if self.all and self.all[-1].n == n:
            self.all[-1].head = head

    def moved(self, seat: int, n: int) -> None:
        """Record the move of a seat in entry `n`, if a substitute bot plays the seat."""
        if (absence := self.substitute(seat)) is not None:
            absence.moves.append(n)

    def change(self, n: int, entry: log.SeatChange) -> None:
        """Record an *away*, *bot* or *back* in entry `n`. Raises Mismatch."""
        if entry.seat >= len(self._keys):
            raise log.Mismatch("seats", n)
        absence = self._now.get(entry.seat)
        if entry.what == log.AWAY and absence is None:
            self._now[entry.seat] = Absence(n, entry.seat)
            self.all.append(self._now[entry.seat])
        elif entry.what == log.BOT and absence is not None and absence.bot is None:
            absence.bot, absence.level = n, entry.level
        elif entry.what == log.BACK and self.returns(entry.seat, entry.sig):
            self._now.pop(entry.seat).until = n
        else:
            raise log.Mismatch(("away", "substitute", "back")[entry.what], n, seat=entry.seat)

    def returns(self, seat: int, signature: bytes) -> bool:
        """Return whether the seat's key has signed the return from its present absence."""
        absence = self._now.get(seat)
        if absence is None:
            return False
        return verify(self._keys[seat], signature, "back", *_back_fields(self._game, absence, absence.head))


def sign_back(owner: Identity, game: bytes, absence: Absence, head: bytes) -> log.SeatChange:
    """Return the signed *back* entry that ends `absence`; `head` is the hash of its *away* entry."""
    return log.SeatChange(absence.seat, log.BACK, "", owner.sign("back", *_back_fields(game, absence, head)))


def _back_fields(game: bytes, absence: Absence, head: bytes) -> tuple[Field, ...]:
    return game, u64(absence.n), head, u8(absence.seat)


def substitute_key(secret: bytes, seat: int) -> bytes:
    """Return the 32-byte secret, derived from the host's `secret`, for the nonces of a seat's substitute
    bot."""
    return digest("bot", secret, u8(seat))


CHECK_WORDS: Final = 4
"""The number of check words that players read aloud. Each stands for 8 bits."""


class CoSignedRound(Struct, frozen=True):
    """The co-signatures in entry `n`, after `round`, or after the game (`over`). `head` is the hash that the
    `seats` have signed. The players of the seats in `protests` state that a bot moved for them while they
    were connected. `words` are the four check words; () if a seat did not give its random word."""

    n: int
    round: int
    over: bool
    head: bytes
    seats: tuple[int, ...]
    protests: tuple[int, ...]
    words: tuple[str, ...] = ()


def word_commitment(game: bytes, n: int, seat: int, word: bytes) -> bytes:
    """Return a seat's commitment to its random word, for the history that ends with entry `n`."""
    return digest("word", game, u64(n), u8(seat), word)


def cosign(
    identity: Identity, game: bytes, n: int, head: bytes, seat: int, commit: bytes, *, protest: bool
) -> log.CoSignature:
    """Return the seat's co-signature of the history that ends with entry `n`, whose hash is `head`. `commit`
    is the commitment to the seat's random word."""
    unsigned = log.CoSignature(seat, commit, int(protest), bytes(64))
    return replace(unsigned, signature=identity.sign("signed", *cosigned_fields(game, n, head, unsigned)))


def cosigned(key: bytes, game: bytes, n: int, head: bytes, one: log.CoSignature) -> bool:
    """Return whether `one` is a valid co-signature, by `key`, of the history that ends with entry `n`, whose
    hash is `head`."""
    return verify(key, one.signature, "signed", *cosigned_fields(game, n, head, one))


def cosigned_fields(game: bytes, n: int, head: bytes, one: log.CoSignature) -> tuple[Field, ...]:
    """Return the fields that a seat signs, under the tag `signed`, for a co-signature."""
    return game, u64(n), head, u8(one.seat), one.commit, u8(one.protest)


def check_words(game: bytes, n: int, head: bytes, words: Sequence[bytes]) -> tuple[str, ...]:
    """Return the four check words. Entry `n` has the co-signatures, `head` is its hash, and `words` are the
    random words of its seats in order."""
    return spoken(digest("words", game, u64(n), head, *words)[:CHECK_WORDS])


def check_signed(n: int, before: bytes, header: log.Header, entry: log.CoSigned) -> None:
    """Check the co-signatures in `entry`, which is entry `n`; `before` is hash[n-1]. Raises Mismatch."""
    seats = [one.seat for one in entry.seats]
    if seats != sorted(set(seats)) or (seats and seats[-1] >= len(header.players)):
        raise log.Mismatch("seats", n)
    for one in entry.seats:
        if not cosigned(header.players[one.seat].key, header.game_id, n - 1, before, one):
            raise log.Mismatch("cosignature", n, seat=one.seat)


def words_of(n: int, head: bytes, game: bytes, signed: log.CoSigned, entry: log.CheckWords) -> tuple[str, ...]:
    """Return the four check words that follow from `entry`, which is entry `n`, directly after `signed`.
    `head` is hash[n-1]. Raises Mismatch unless each random word opens its commitment."""
    if [one.seat for one in entry.words] != [one.seat for one in signed.seats]:
        raise log.Mismatch("words", n)
    for given, one in zip(entry.words, signed.seats, strict=True):
        if word_commitment(game, n - 2, one.seat, given.word) != one.commit:
            raise log.Mismatch("word", n, seat=one.seat)
    return check_words(game, n - 1, head, [one.word for one in entry.words])


def sign_line(identity: Identity, game: bytes, fp: bytes, number: int, text: str) -> bytes:
    """Sign a line of chat for the table with this game and certificate (`fp`). Each line of one key needs a
    higher `number` than the line before."""
    return identity.sign("say", game, fp, u64(number), text)


def line_signed(key: bytes, signature: bytes, game: bytes, fp: bytes, number: int, text: str) -> bool:
    """Whether `key` has signed this line of chat."""
    return verify(key, signature, "say", game, fp, u64(number), text)
