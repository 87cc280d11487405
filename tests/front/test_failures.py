"""Sentences for reasons that come from a host: none of them can break the screen."""

import pytest

from citadels_lan.front.failures import because, parted
from citadels_lan.texts import load
from citadels_lan.texts.connection_reasons import REASONS
from tests.effort import one_case, quick


@one_case("code", [*REASONS, "no_such_code"])
@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_a_reason_without_its_details_is_still_a_sentence(code: str, language: str) -> None:
    assert because(load(language), code, {})


def test_a_new_code_of_a_host_that_came_back_is_told_to_who_has_no_seat() -> None:
    assert "new code" in parted(load("en"), "wrong_code", {})
    assert parted(load("en"), "closing", {}) == because(load("en"), "closing", {})
