"""The program computes the test vectors of docs/protocol.md. `tests.extras.vectors` computes them from its
text."""

from collections.abc import Callable
from typing import Any, Final

from citadels_lan.crypto import commitments, log, seed, signatures
from citadels_lan.crypto.client_log import view_fields
from citadels_lan.crypto.codec import frame, u8, u16
from citadels_lan.crypto.draft import secrets
from citadels_lan.crypto.identity import Identity
from citadels_lan.crypto.log import move_said
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.crypto.signatures import Absence, agree_fields, sign_back, sign_line, substitute_key
from citadels_lan.crypto.transcript import footer_fields
from citadels_lan.crypto.words import key_words
from citadels_lan.net.join.handshake import binding
from tests.effort import one_case
from tests.extras.outsider import GAME
from tests.extras.vectors import BOX, A, B, box_info, vectors

KEY: Final = Identity(A)
RULES: Final[Any] = B
TABLE: Final = secrets.DraftTable(GAME, 3, secrets.DraftPlan(("assassin", "thief", "magician", "king"), ()), ())
SECRET: Final = secrets.DraftSecret(TABLE, 2, A)
PACKET: Final = secrets.Fixed("packet", 1, 2, B)


def moved(what: str | bytes) -> bytes:
    return KEY.sign(*move_said(GAME, 7, B, 2, what))


def finished() -> bytes:
    end = log.Chain(GAME, RULES, A)
    end.n, end.head = 7, B
    return KEY.sign("transcript", *footer_fields(GAME, end, A))


CARDS: Final = ["tavern", "manor", "tavern"]
PROGRAM: Final[dict[str, Callable[[], Any]]] = {
    "frame-commit": lambda: frame("commit", GAME, "pick", u16(3), u8(2), u8(0), "pick king", A),
    "H-commit": lambda: commitments.committed(GAME, commitments.Opening(3, 2, 0, "pick", "pick king", A)),
    "H-nonce": lambda: commitments.nonce(A, GAME, B, "pick", 0),
    "H-bot": lambda: substitute_key(A, 2),
    "H-genesis": lambda: log.genesis(GAME, RULES, A),
    "H-priv": lambda: log.leaf_hash(GAME, 7, 2, A, b"hand"),
    "H-entry": lambda: log.entry_hash(B, 7, b"public", b"leaves"),
    "H-salt": lambda: log.salt(A, 7, 2),
    "H-seed-host": lambda: seed.host_commitment(GAME, A),
    "H-part": lambda: seed.part_commitment(B, 2, A),
    "H-seed": lambda: seed.joint_seed(B, A, (A, B)),
    "H-word": lambda: signatures.word_commitment(GAME, 7, 2, A),
    "four-words": lambda: "-".join(signatures.check_words(GAME, 7, B, (A, B))),
    "six-words": lambda: "-".join(key_words(A)),
    "H-pake": lambda: binding(A, GAME, b"hello", b"table"),
    "H-link": lambda: secrets.later_link(GAME, 2, A, 1),
    "anchor": lambda: secrets.later_link(GAME, 2, A, 256),
    "H-box-key": lambda: SECRET.box,
    "H-draft-nonce": lambda: SECRET.nonce(PACKET),
    "H-cards": lambda: TABLE.commitment(PACKET, 10, A),
    "sign-entry": lambda: log.sign_entry(KEY, GAME, 7, B),
    "sign-host-key": lambda: signatures.endorse(KEY, GAME, A, B).signature,
    "sign-seat": lambda: signatures.claim(KEY, GAME, A, B, "Anna", 2),
    "sign-agree": lambda: KEY.sign("agree", *agree_fields(B, 2, A, ())),
    "sign-move": lambda: moved("end"),
    "sign-hidden": lambda: moved(A),
    "sign-signed": lambda: signatures.cosign(KEY, GAME, 7, B, 2, A, protest=True).signature,
    "sign-back": lambda: sign_back(KEY, GAME, Absence(7, 2), B).sig,
    "sign-transcript": finished,
    "sign-snapshot": lambda: KEY.sign("snapshot", *view_fields(GAME, 7, B, 2, b"")[:-1], A),
    "sign-say": lambda: sign_line(KEY, GAME, A, 7, "hello"),
    "shuffle-chars/3/table/0": lambda: "-".join(map(str, SeededChance(A).shuffle("chars/3/table/0", range(9)))),
    "shuffle-kept/3/2/0": lambda: "-".join(SeededChance(A).shuffle("kept/3/2/0", CARDS)),
}
"""How the program computes each test vector, by the name of the vector."""


@one_case("name", PROGRAM)
def test_program_computes_every_protocol_vector(name: str) -> None:
    (value,) = {value for call, value in vectors() if call.partition("(")[0] == name}
    made = PROGRAM[name]()
    assert value.startswith(made if isinstance(made, str) else made.hex())


def test_program_decrypts_the_encrypted_packet_of_the_vectors() -> None:
    assert secrets.decrypt(B, box_info(), bytes.fromhex(BOX)) == (10, A)
