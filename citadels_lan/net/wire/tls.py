"""TLS 1.3, with a certificate that is made for one table. It proves only that a connection leads to the same
table."""

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

from citadels_lan.crypto.codec import Malformed
from citadels_lan.platform.files import open_private

_HANDSHAKE = b"\x16"
"""The first byte of every TLS connection: a record with a handshake."""
# asyncio keeps a buffer of 256 KiB for each TLS connection, and reads as much at once. For hundreds
# of connections that is most of a host's memory. The attribute sets the size of the buffer.
SSLProtocol.max_size = 32_768


class Certificate(Struct, frozen=True):
    """A table's certificate (DER) and its private key (PEM, unencrypted). The host never sends the key."""

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
        """Whether this is a certificate with its key."""
        try:
            host_context(self)
        except (ssl.SSLError, ValueError):
            return False
        return True


def make_certificate() -> Certificate:
    """Return a new self-signed certificate (P-256) for a table."""
    # These modules are large, and a client does not need them.
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
    """Return the TLS settings of the host."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0
    # The ssl module reads keys only from files. Only this user can read the folder, and it is deleted at once.
    with tempfile.TemporaryDirectory(prefix="citadels-lan-") as folder:
        path = Path(folder) / "table.pem"
        with open_private(path, "xb") as file:
            file.write(certificate.key + ssl.DER_cert_to_PEM_cert(certificate.der).encode())
        context.load_cert_chain(path)
    return context


def client_context() -> ssl.SSLContext:
    """Return the TLS settings of a client. It accepts any certificate: the handshake of the game binds the
    fingerprint to the host's key."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def begins_tls(sock: socket.socket) -> bool:
    """Whether the first byte of a connection has come. The byte stays unread. Raises Malformed if it does not
    begin TLS, OSError."""
    try:
        if sock.recv(1, socket.MSG_PEEK) != _HANDSHAKE:
            raise Malformed("not TLS")
    except BlockingIOError:
        return False
    return True


def on_readable(
    sock: socket.socket, ready: Callable[[], object], tasks: asyncio.TaskGroup
) -> Callable[[], object]:
    """Call `ready` whenever the socket has data to read. Return a function that ends this."""
    # With a socket instead of its number, asyncio would format a description of it at each call.
    loop, number = asyncio.get_running_loop(), sock.fileno()
    try:
        loop.add_reader(number, ready)
    except NotImplementedError:  # Windows
        return tasks.create_task(_await_byte(sock, ready)).cancel
    return partial(loop.remove_reader, number)


async def _await_byte(sock: socket.socket, ready: Callable[[], object]) -> None:
    """Wait for data: a read of no bytes ends with the first byte, or with the connection."""
    with contextlib.suppress(OSError):
        await asyncio.get_running_loop().sock_recv_into(sock, bytearray())
    ready()
