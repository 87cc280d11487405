"""TLS 1.3 with a certificate that is made for one table and proves nothing but that it is the same table."""

import asyncio
import contextlib
import hashlib
import socket
import ssl
import tempfile
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from citadels_lan.crypto.packing import Malformed
from citadels_lan.systems.files import open_private

_HANDSHAKE = b"\x16"
"""The first byte of every TLS connection: a record with a handshake."""
# asyncio keeps a buffer of 256 KiB for each connection over TLS, and reads as much at once: for hundreds of them,
# and for floods, that is most of a host's memory. The attribute is its own switch for that.
SSLProtocol.max_size = 32_768


class Certificate(Struct, frozen=True):
    """A table's certificate (DER) and its private key (PEM, unencrypted; it never leaves the host)."""

    der: bytes
    key: bytes

    def __repr__(self) -> str:
        return f"Certificate({self.fp.hex()[:16]})"

    @property
    def fp(self) -> bytes:
        """The fingerprint: SHA-256 of the DER form, 32 bytes."""
        return hashlib.sha256(self.der).digest()

    @property
    def usable(self) -> bool:
        """Whether this is a certificate and the key to it."""
        try:
            host_context(self)
        except (ssl.SSLError, ValueError):
            return False
        return True


def make_certificate() -> Certificate:
    """A new self-signed certificate (P-256), made when a table is opened."""
    # Much to load, and no guest needs it.
    import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "citadels-lan")])
    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + 3650 * day)
        .sign(key, hashes.SHA256())
    )
    return Certificate(
        certificate.public_bytes(serialization.Encoding.DER),
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )


def host_context(certificate: Certificate) -> ssl.SSLContext:
    """What the table's server speaks."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    # The ssl module reads keys from files only; the folder is ours alone and gone at once.
    with tempfile.TemporaryDirectory(prefix="citadels-lan-") as folder:
        path = Path(folder) / "table.pem"
        with open_private(path, "xb") as file:
            file.write(certificate.key + ssl.DER_cert_to_PEM_cert(certificate.der).encode())
        context.load_cert_chain(path)
    return context


def client_context() -> ssl.SSLContext:
    """What a client speaks. Any certificate will do: the handshake binds its fingerprint to the host's key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def begins_tls(sock: socket.socket) -> bool:
    """Whether the first byte of a connection is there. It is left to be read. Raises Malformed where it does not
    begin TLS, OSError."""
    try:
        if sock.recv(1, socket.MSG_PEEK) != _HANDSHAKE:
            raise Malformed("not TLS")
    except BlockingIOError:
        return False
    return True


def on_readable(
    sock: socket.socket, heard: Callable[[], object], tasks: asyncio.TaskGroup
) -> Callable[[], object]:
    """Call `heard` whenever there is something to read, until what is returned is called."""
    loop, number = asyncio.get_running_loop(), sock.fileno()  # given a socket, asyncio describes it each time
    try:
        loop.add_reader(number, heard)
    except NotImplementedError:  # Windows
        return tasks.create_task(_await_byte(sock, heard)).cancel
    return partial(loop.remove_reader, number)


async def _await_byte(sock: socket.socket, heard: Callable[[], object]) -> None:
    """A read of no bytes ends with the first that comes, or with the connection."""
    with contextlib.suppress(OSError):
        await asyncio.get_running_loop().sock_recv_into(sock, bytearray())
    heard()
