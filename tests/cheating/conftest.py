"""The games of tests/crypto; nobody changes them."""

from tests.crypto.conftest import duel, marked

__all__ = ["duel", "marked"]
