"""Section 17 of docs/protocol.md: who agrees on another host, the host's secret in shares, what lies in escrow."""

from typing import Any

from check_bytes import Bad, digest, need, sound, u8, u16, u64, valid
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

PRIME, STEP = 2**256 + 297, 128


def trustees(header: list[Any]) -> list[int]:
    """The seats with a share: people, but not the one who answers for the host."""
    own = header[10][0] if header[10] else b""
    guests = header[12] if len(header) > 12 else []
    people = [seat for seat, (_, key, bot, _) in enumerate(header[11]) if not bot and key != own]
    return [seat for seat in people if seat not in guests]


def proposed(game: bytes, n: int, before: bytes, new: list[Any]) -> tuple[bytes, ...]:
    """What seats sign of a new host that begins with entry `n`."""
    seat, host, fp, _ = new
    return game, u64(n - 1), before, u8(seat), host, fp


def agreed(header: list[Any], migrate: int, n: int, before: bytes, new: list[Any]) -> bool:
    """Whether enough seats have signed that."""
    seats, able, fields = [seat for seat, _ in new[3]], trustees(header), proposed(header[0], n, before, new)
    right = seats == sorted({*seats}) and new[0] in seats and {*seats} <= {*able} and sound(new[1])
    signed = right and all(
        valid(header[11][seat][1], signature, "new-host", *fields) for seat, signature in new[3]
    )
    return signed and len(seats) >= max(migrate, len(able) // 2 + 1)


def exchanged(secret: bytes, other: bytes) -> bytes:
    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(other))
    except ValueError:
        raise Bad("a key of a share that keeps nothing secret") from None


def shared(header: list[Any], migrate: int, secret: bytes, boxes: list[bytes]) -> list[Any]:
    """The entry with the shares, as the host's secret has it."""
    game, key = header[0], digest("share-key", header[0], secret)
    own = X25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
    numbers = [secret, *(digest("share-coefficient", game, secret, u8(power)) for power in range(1, migrate))]
    commits, shares = [], []
    for seat in trustees(header):
        value = sum(int.from_bytes(number) * (seat + 1) ** power for power, number in enumerate(numbers)) % PRIME
        share = value.to_bytes(33)
        sealing = digest("box", exchanged(key, boxes[seat]), own, boxes[seat], game, u8(seat))
        commits.append(digest("share", game, u8(seat), share))
        shares.append(ChaCha20Poly1305(sealing).encrypt(bytes(12), share, None))
    return [own, commits, shares]


def long_enough(escrow: bytes, commitments: int) -> bool:
    """Whether an escrow is as long as one of a move with so many commitments may be."""
    rest = len(escrow) - 80 - 32 * commitments
    return rest == 0 if not commitments else rest >= STEP * commitments and rest % (STEP * commitments) == 0


def escrow(game: bytes, secret: bytes, n: int, before: bytes, signature: bytes, openings: list[Any]) -> bytes:
    """What a move keeps for another host."""
    told = signature
    for *_, line, nonce in openings:
        raw = line.encode()
        widest = max(18 * len(raw.split(b" ")), len(raw))
        told += nonce + raw.ljust(-(-widest // STEP) * STEP, b"\0")
    return ChaCha20Poly1305(digest("escrow", game, secret, u64(n), before)).encrypt(bytes(12), told, None)


def opened(header: list[Any], migrate: int, secret: bytes, boxes: list[bytes], given: list[Any]) -> None:
    """Whether another host would have found what it needs. `given` are the entry with the shares, and the moves:
    n, hash[n-1], escrow, signature, openings."""
    shares, *moves = given
    need(shared(header, migrate, secret, boxes) == shares, "other shares than those of the host's secret")
    for n, before, kept, signature, openings in moves:
        right = escrow(header[0], secret, n, before, signature, openings)
        need(kept == right, f"what entry {n} keeps for another host")


def stood(game: bytes, secret: bytes, n: int, seat: int, key: bytes, openings: list[Any]) -> None:
    """Whether another host would have had what the stand-in of entry `n` needs."""
    own, nonces = (digest(f"stand-in-{tag}", game, secret, u64(n), u8(seat)) for tag in ("key", "nonces"))
    public = Ed25519PrivateKey.from_private_bytes(own).public_key().public_bytes_raw()
    need(key == public, f"a stand-in in entry {n} that another host could not go on with")
    for round_, _, slot, kind, _, nonce in openings:
        right = digest("nonce", nonces, game, kind, u16(round_), u8(seat), u8(slot))
        need(nonce == right, f"a nonce of the stand-in of entry {n} that another host could not know")
