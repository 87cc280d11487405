"""Section 17 of docs/protocol.md: who agrees on another host, the host's secret in shares, what lies in escrow."""

from typing import Any

from check_bytes import Bad, digest, need, sound, u8, u16, u64, valid
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

PRIME, STEP, WORD, ONCE = 2**256 + 297, 128, 18, bytes(12)


def trustees(header: Any) -> list[int]:
    """The seats with a share: people, but not the one who answers for the host, nor its guests."""
    own = header.endorsement[0] if header.endorsement else b""
    people = [seat for seat, (_, key, bot, _) in enumerate(header.players) if not bot and key != own]
    return [seat for seat in people if seat not in header.guests]


def proposed(header: Any, n: int, before: bytes, new: list[Any]) -> tuple[bytes, ...]:
    """What seats sign of a new host that begins with entry `n`."""
    seat, host, fp, _ = new
    return header.game, u64(n - 1), before, u8(seat), host, fp


def agreed(header: Any, n: int, before: bytes, new: list[Any]) -> bool:
    """Whether enough seats have signed that."""
    seats, able, fields = [seat for seat, _ in new[3]], trustees(header), proposed(header, n, before, new)
    right = seats == sorted({*seats}) and new[0] in seats and {*seats} <= {*able} and sound(new[1])
    enough = header.migrate > 0 and len(seats) >= max(header.migrate, len(able) // 2 + 1)
    return right and enough and all(valid(header.players[at][1], by, "new-host", *fields) for at, by in new[3])


def exchanged(secret: bytes, other: bytes) -> bytes:
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        raise Bad("a key of a share that keeps nothing secret") from None


def shared(header: Any, secret: bytes, boxes: list[bytes]) -> list[Any]:
    """The entry with the shares, as the host's secret has it."""
    game, key, commits, shares = header.game, digest("share-key", header.game, secret), [], []
    own = X25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
    numbers = [secret, *(digest("share-coefficient", game, secret, u8(i)) for i in range(1, header.migrate))]
    for seat in trustees(header):
        value = sum(int.from_bytes(number) * (seat + 1) ** i for i, number in enumerate(numbers)) % PRIME
        share, about = value.to_bytes(33), (game, u8(seat))
        sealing = digest("box", exchanged(key, boxes[seat]), own, boxes[seat], *about)
        commits.append(digest("share", *about, share))
        shares.append(ChaCha20Poly1305(sealing).encrypt(ONCE, share, None))
    return [own, commits, shares]


def long_enough(escrow: bytes, commitments: int) -> bool:
    """Whether an escrow is as long as one of a move with so many commitments may be."""
    rest = len(escrow) - 80 - 32 * commitments
    return rest == 0 if not commitments else rest >= STEP * commitments and rest % (STEP * commitments) == 0


def escrow(game: bytes, secret: bytes, n: int, before: bytes, told: bytes, openings: list[Any]) -> bytes:
    """What the move in entry `n` keeps for another host: the mover's signature `told`, and what is hidden."""
    for opening in openings:
        raw = opening.line.encode()
        width = max(WORD * len(raw.split(b" ")), len(raw))
        told += opening.nonce + raw.ljust(-(-width // STEP) * STEP, b"\0")
    return ChaCha20Poly1305(digest("escrow", game, secret, u64(n), before)).encrypt(ONCE, told, None)


def settle(log: Any) -> None:
    """Whether another host would have found what it needs: the shares, each move, the keys of stand-ins, and the
    nonces of what these have hidden."""
    game, secret = log.game, log.secret
    need(shared(log.header, secret, log.boxes) == log.shared, "other shares than those of the host's secret")
    for move, signature in log.moves:
        openings = [log.opened[value][1] for value in move.hidden]
        right = escrow(game, secret, move.n, move.before, signature, openings)
        need(move.escrow == right, f"what entry {move.n} keeps for another host")
    for n, (seat, key) in log.stood.items():
        derived = Ed25519PrivateKey.from_private_bytes(digest("stand-in-key", game, secret, u64(n), u8(seat)))
        right = derived.public_key().public_bytes_raw()
        need(key == right, f"a stand-in in entry {n} that another host could not go on with")
    for place, opening in log.opened.values():
        round_, seat, slot, kind, _, nonce = opening
        nonces = digest("stand-in-nonces", game, secret, u64(place.stand_in), u8(seat))
        right = digest("nonce", nonces, game, kind, u16(round_), u8(seat), u8(slot))
        need(not place.stand_in or nonce == right, "a nonce of a stand-in that another host could not know")
