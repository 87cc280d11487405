"""Chat: each line is numbered and signed by who says it, so that nobody else can put it into a mouth, the host
included. It may still keep a line back."""

from citadels_lan.crypto.frames import Field, u64
from citadels_lan.crypto.identity import Identity, verify


def sign_line(identity: Identity, game: bytes, fp: bytes, number: int, text: str) -> bytes:
    """The signature of a line of chat, for the table with this game and certificate. Numbers of a key rise."""
    return identity.sign("say", *_line_fields(game, fp, number, text))


def line_signed(key: bytes, signature: bytes, game: bytes, fp: bytes, number: int, text: str) -> bool:
    """Whether `key` has said this line."""
    return verify(key, signature, "say", *_line_fields(game, fp, number, text))


def _line_fields(game: bytes, fp: bytes, number: int, text: str) -> tuple[Field, ...]:
    return game, fp, u64(number), text
