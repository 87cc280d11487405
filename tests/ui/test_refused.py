"""Sentences for reasons that come from a host: none of them can break the screen."""

import pytest

from citadels_lan.net.reasons import REASONS
from citadels_lan.texts import load
from citadels_lan.ui.refused import because


@pytest.mark.parametrize("code", [*REASONS, "no_such_code"])
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_reason_without_its_details_is_still_a_sentence(code: str, language: str) -> None:
    assert because(load(language), code, {})
