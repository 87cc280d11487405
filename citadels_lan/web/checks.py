"""Where a request comes from, and from which page. No sockets.

Any page that somebody visits may send requests to this machine, and a name may be made to lead here; but it cannot
say that it is our page, nor take an address for its name."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

LOCAL: Final = "localhost"


def is_own_host(host: str, reached: Sequence[object]) -> bool:
    """Whether the header Host names the address and the port that were reached (as `getsockname` has them)."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
        here = ip_address(str(reached[0]).partition("%")[0])
    except (ValueError, IndexError):
        return False
    here = getattr(here, "ipv4_mapped", None) or here
    if not name or (port or 80) != reached[1] or parts.netloc != host or "@" in host:
        return False
    if name == LOCAL:
        return here.is_loopback
    try:
        return ip_address(name.partition("%")[0]) == here
    except ValueError:
        return False


def is_own_origin(origin: str | None, host: str) -> bool:
    """Whether a request comes from the page that this server has given at that Host."""
    return origin == f"http://{host}"
