"""What was asked of the host is answered: by the log, by its word, or by the end."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from citadels_lan.engine import acting
from citadels_lan.engine.setup import new_table
from citadels_lan.net.client.client import Client
from citadels_lan.net.client.session import Session
from citadels_lan.net.client.session_loop import Requests
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Granted, Ready, Refused, Start
from tests.facts import first_game


def sent(refusal: Rejected | None = None) -> Any:
    """A move that the host has taken, or refused."""
    return SimpleNamespace(settled=True, refusal=refusal)


async def test_what_is_granted_is_the_request_of_that_kind_and_no_move() -> None:
    requests = Requests()
    ready, start = requests.ask(Ready(True)), requests.ask(Start())
    move = requests.move(sent())
    requests.answer(Granted(Ready.type))
    assert ready.result() is None
    assert not start.done()
    assert not move.done()
    requests.settle()
    assert move.result() is None


async def test_each_of_several_requests_has_its_own_answer() -> None:
    requests = Requests()
    first, second = requests.ask(Ready(True)), requests.ask(Ready(False))
    requests.answer(Refused(Ready.type, 0, "too_fast", {}))
    assert isinstance(first.exception(), Rejected)
    assert not second.done()
    requests.answer(Granted(Ready.type))
    assert second.result() is None


async def test_a_refusal_answers_what_it_is_about() -> None:
    requests = Requests()
    ready, start = requests.ask(Ready(True)), requests.ask(Start())
    for _ in range(2):
        requests.answer(Refused(Start.type, 0, "not_ready", {}))
    with pytest.raises(Rejected) as told:
        start.result()
    assert told.value.code == "not_ready"
    assert not ready.done()


async def test_without_a_connection_a_request_is_lost_and_a_move_waits() -> None:
    requests = Requests()
    ready, move = requests.ask(Ready(True)), requests.move(sent(Rejected("stale")))
    requests.lose(Rejected("lost"))
    with pytest.raises(Rejected) as told:
        ready.result()
    assert told.value.code == "lost"
    assert not move.done()
    requests.settle()
    with pytest.raises(Rejected) as told:
        move.result()
    assert told.value.code == "stale"


async def test_an_action_that_is_held_back_is_given_in_its_time_and_not_asked_for_anew() -> None:
    """What a seat is asked of a sealed marker is answered when everybody's time has come (`answers`)."""
    chosen: list[object] = []
    given = asyncio.get_running_loop().create_future()
    given.set_result(None)

    def choose(action: object) -> object:
        chosen.append(action)
        return given

    life = SimpleNamespace(answers=SimpleNamespace(held=object()), choose=choose, requests=None)
    session: Any = SimpleNamespace(_connected=lambda: None, _loop=life)
    await Session.act(session, "reveal yes")  # type: ignore[arg-type]
    assert chosen == ["reveal yes"]


async def test_at_the_end_nothing_waits_any_more() -> None:
    requests = Requests()
    ready, move = requests.ask(Ready(True)), requests.move(sent())
    over = Rejected("over")
    requests.fail(over)
    assert ready.exception() is move.exception() is over


def test_before_there_is_a_table_nobody_is_waited_for_but_by_the_host() -> None:
    """Who acts is seen in the state; the host alone says who is waited for where there is none."""
    roster = SimpleNamespace(awaited=())
    client: Any = SimpleNamespace(closed=False, roster=roster, state=None)
    waiting: Any = Client.waiting
    assert waiting.fget(client) == ()
    roster.awaited = (2,)
    assert waiting.fget(client) == (2,)
    roster.awaited, client.state = (), new_table(first_game(2), sealed=True)
    assert waiting.fget(client) == tuple(acting(client.state))
    roster.awaited = (1,)
    assert waiting.fget(client) == (1,)
