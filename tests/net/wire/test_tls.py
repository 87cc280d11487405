"""Certificates of tables."""

from citadels_lan.net.wire.tls import Certificate, make_certificate


def test_certificate_is_usable_with_its_own_key_alone() -> None:
    own, other = make_certificate(), make_certificate()
    assert own.usable
    assert not Certificate(own.der, other.key).usable
    assert not Certificate(own.der, b"no key").usable
    assert not Certificate(b"no certificate", own.key).usable
