"""Who comes to a table, with all that has to be there before a host is looked for."""

from pathlib import Path

from msgspec import Struct

from citadels_lan.crypto.identity import BadKey, Identity
from citadels_lan.crypto.log import SeatKind
from citadels_lan.net.join.door import Secret, read_secret
from citadels_lan.net.join.handshake import Profile
from citadels_lan.net.wire.clean import clean_name
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Role


class Newcomer(Struct, frozen=True):
    """Who comes to a table: profile and key, the folders of transcripts and of the keys of games, and the code if
    there is one."""

    profile: Profile
    identity: Identity
    transcripts: Path
    keys: Path
    secret: Secret | None = None

    def __repr__(self) -> str:
        return f"Newcomer({self.profile.name})"


def newcomer(name: str, role: Role, kind: SeatKind, code: str, data_dir: Path, out_dir: Path | None) -> Newcomer:
    """A player or spectator with this name; `code` as a person types it. The identity is
    `data_dir/identity.key`, made when there is none. Raises Refusal: `no_name`, `bad_key`, `storage`, and those
    of the code."""
    secret = read_secret(code)
    shown = clean_name(name)
    if not shown:
        raise Refusal("no_name")
    try:
        identity = Identity.load_or_create(data_dir / "identity.key")
    except BadKey:
        raise Refusal("bad_key") from None
    except OSError:
        raise Refusal("storage", path=str(data_dir)) from None
    transcripts = out_dir or data_dir / "transcripts"
    return Newcomer(Profile(shown, role, kind), identity, transcripts, data_dir / "games", secret)
