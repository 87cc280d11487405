"""The time of an answer does not show whether a marker counts, measured over sockets (`tools.answering`)."""

from pathlib import Path

import pytest

from tools.answering import ALPHA, HELD, SECRETS, told_apart


@pytest.mark.slow
@pytest.mark.parametrize("verb", list(SECRETS))
@pytest.mark.long
async def test_times_of_500_answers_do_not_differ(tmp_path: Path, verb: str) -> None:
    p_values = await told_apart(tmp_path, verb, 500, HELD)
    assert min(p_values[-1]) >= ALPHA, p_values


@pytest.mark.slow
async def test_times_without_a_delay_differ(tmp_path: Path) -> None:
    p_values = await told_apart(tmp_path, "confiscate", 60, 0.0, runs=1)
    assert max(p_values[0]) < ALPHA, p_values
