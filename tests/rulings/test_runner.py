"""The runner of rulings fails when it should: a wrong, contradictory or unreadable ruling never passes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from citadels_lan.engine import HIDDEN, Action, Chance, Event, State, refusal
from citadels_lan.engine.events import CardsGained, Spied
from citadels_lan.engine.rules import IllegalMove
from tests.effort import one_case
from tests.facts import E2016

from . import play
from .__main__ import main
from .files import load
from .runner import Result, run

WARLORD = {"turn": "a", "characters": {"a": "warlord", "b": "king"}}
COMUNE: dict[str, Any] = {"edition": "citta_comune"}


def ruling(**parts: Any) -> dict[str, Any]:
    return {"id": "sample", "given": WARLORD, **parts}


def result(folder: Path, *rulings: Any) -> Result:
    """Write these rulings into a file, run it, and return the result of the last one."""
    file = folder / "sample.yaml"
    file.write_text(yaml.safe_dump(list(rulings)), encoding="utf-8")
    return run(load([str(file)])[-1])


def failure(folder: Path, *rulings: Any) -> str:
    found = result(folder, *rulings)
    assert found.outcome == "FAILED"
    return found.why


def test_correct_ruling_passes(tmp_path: Path) -> None:
    sound = ruling(when=[{"a": "gather gold"}], then={"a": {"gold": 2}, "asked": {"a": ["end"]}})
    assert result(tmp_path, sound).outcome == "ok"


@one_case(
    "unknown",
    [
        ruling(note="no such key"),
        ruling(given={**WARLORD, "weather": "fine"}),
        ruling(given={**WARLORD, "a": {"gold": 1, "silver": 1}}),
        ruling(given={**WARLORD, "marks": {"blessed": "king"}}),
        ruling(given={**WARLORD, "marks": {"warrants": {"stamped": "king"}}}),
        ruling(given={**WARLORD, "j": {"gold": 1}}),
        ruling(when=[{"a": "gather gold", "because": "why not"}]),
        ruling(then={"weather": "fine"}),
        ruling(then={"a": {"silver": 1}}),
        ruling(then={"sees": {"a": {"b": {"silver": 1}}}}),
        ruling(then={"told": {"j": []}}),
    ],
)
def test_ruling_with_an_unknown_key_fails(tmp_path: Path, unknown: dict[str, Any]) -> None:
    assert failure(tmp_path, unknown)


@one_case(
    "wrong",
    [
        {"a": {"gold": 3}}, {"a": {"hand": ["market"]}}, {"a": {"hand_size": 1}}, {"a": {"city": []}},
        {"a": {"city": [{"market": {"beautified": True}}]}}, {"a": {"score": 3}}, {"a": {"completed": True}},
        {"a": {"character": "king"}}, {"b": {"characters": ["king", "thief"]}}, {"crown": "b"}, {"turn": "b"},
        {"asked": {"a": ["gather"]}}, {"asked": {"a": ["end"], "b": ["end"]}}, {"legal": {"a": ["gather gold"]}},
        {"illegal": {"a": ["end"]}}, {"deck_top": "tavern"}, {"deck_bottom": "castle"}, {"deck_size": 3},
        {"taxes": 1}, {"face_up": ["king"]}, {"offered": {"a": ["king"]}}, {"over": True}, {"winner": "a"},
        {"revealed": ["a", "b"]}, {"sees": {"b": {"a": {"hand_size": 1}}}},
        {"sees": {"b": {"c": {"hand": ["castle"]}}}}, {"sees": {"b": {"b": {"character": "hidden"}}}},
        {"sees": {"c": {"c": {"hand": "hidden"}}}}, {"marks": {"killed": "king"}},
        {"marks": {"threats": ["king"]}}, {"told": {"a": ["castle"]}}, {"told": {"b": ["parks"]}},
        {"told": {"e": []}},
    ],
)  # fmt: skip
def test_ruling_with_a_wrong_expectation_fails(tmp_path: Path, wrong: dict[str, Any]) -> None:
    given = {
        **WARLORD,
        "characters": {"a": "bishop", "b": "warlord"},
        "a": {"city": ["market"]},
        "c": {"hand": ["castle"]},
        "deck": ["castle", "tavern"],
        "deck_size": 2,
    }
    sound = ruling(given=given, when=[{"a": "gather gold"}])
    assert result(tmp_path, sound).outcome == "ok"
    assert failure(tmp_path, {**sound, "then": wrong})


@one_case("when", [[{"a": "gather silver"}], [{"a": "build chapel", "refused": True}], [{"a": ""}]])
def test_ruling_with_an_invalid_move_line_fails(tmp_path: Path, when: list[dict[str, Any]]) -> None:
    assert "notation" in failure(tmp_path, ruling(when=when))


def test_rejected_move_fails_if_it_should_be_accepted(tmp_path: Path) -> None:
    assert "refused" in failure(tmp_path, ruling(when=[{"a": "end"}]))


def test_accepted_move_fails_if_it_should_be_rejected(tmp_path: Path) -> None:
    assert "accepted" in failure(tmp_path, ruling(when=[{"a": "gather gold", "refused": True}]))


def test_rejection_that_changes_the_table_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(state: State, seat: int, action: Action, chance: Chance, unsealed: str | None) -> list[Event]:
        state.players[seat].gold += 1
        raise IllegalMove("careless")

    monkeypatch.setattr(play, "decide", careless)
    assert "changed the table" in failure(tmp_path, ruling(when=[{"a": "end", "refused": True}]))


def test_ruling_fails_if_a_legal_move_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shy(state: State) -> dict[int, Sequence[Action]]:
        return {0: ()}

    monkeypatch.setattr(play, "decisions", shy)
    assert "disagrees" in failure(tmp_path, ruling(when=[{"a": "gather gold"}]))


def test_ruling_fails_if_a_view_disagrees_with_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(state: State, seat: int, action: Action) -> IllegalMove | None:
        return None if HIDDEN in state.players[1].hand else refusal(state, seat, action)

    monkeypatch.setattr(play, "refusal", blind)
    given = {**WARLORD, "b": {"hand": ["castle"]}}
    assert "view" in failure(tmp_path, ruling(given=given, when=[{"a": "end", "refused": True}]))


def everything(event: Event, viewer: int | None) -> Event:
    return event


def test_ruling_fails_if_an_event_reveals_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spied = {
        "given": {"turn": "a", "characters": {"a": "spy"}, "b": {"hand": ["castle"]}},
        "when": [{"a": "spy b noble"}],
    }
    assert result(tmp_path, ruling(**spied)).outcome == "ok"
    monkeypatch.setattr(Spied, "redact", everything)
    assert "is told" in failure(tmp_path, ruling(**spied))


def test_ruling_fails_if_an_event_corrupts_a_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(gained: CardsGained, state: State) -> None:
        state.deck = state.deck[: -len(gained.cards)]
        state.players[gained.seat].hand.extend(gained.cards if state.whole else ())

    given = {"turn": "a", "characters": {"a": "architect"}}
    monkeypatch.setattr(CardsGained, "apply", forgetful)
    assert "another table" in failure(tmp_path, ruling(given=given, when=[{"a": "bonus cards"}]))


def test_ruling_that_fails_at_a_sealed_table_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unbroken(rule: object, table: object, seat: int, action: Action, character: str) -> None:
        raise IllegalMove("nothing_sealed")

    given = {
        "turn": "b",
        "characters": {"a": "magistrate", "b": "king"},
        "marks": {"warrants": {"signed": "king", "plain": ["bishop", "thief"]}},
        "b": {"hand": ["tavern"]},
    }
    when = [{"b": "gather gold"}, {"b": "build tavern"}, {"a": "confiscate yes"}]
    assert result(tmp_path, ruling(given=given, when=when, then={"a": {"city": ["tavern"]}})).outcome == "ok"
    monkeypatch.setattr(type(next(iter(E2016.answers["confiscate"].values()))), "unseal", unbroken)
    assert "at a sealed table" in failure(tmp_path, ruling(given=given, when=when))


@one_case(
    "given",
    [
        {},
        {"characters": {"a": "king"}, "turn": "a", "call": 4},
        {"characters": {"a": "king"}, "turn": "b"},
        {"characters": {"a": "king"}, "turn": "a", "marks": {"killed": "king"}},
        {"characters": {"a": "king", "b": "emperor"}, "turn": "a"},
        {"characters": {"a": "king", "b": "king"}, "turn": "a"},
        {"characters": {"a": ["king", "thief"]}, "turn": {"a": "king"}},
        {"characters": {"a": "jester"}, "turn": "a"},
        {"characters": {"e": "king"}, "turn": "e"},
        {**WARLORD, "e": {"gold": 1}},
        {**WARLORD, "players": 9},
        {**WARLORD, "edition": "1999"},
        {**WARLORD, "cast": ["warlord", "king"]},
        {
            "characters": dict(zip("abcd", ("warlord", "king", "bishop", "architect"), strict=True)),
            "turn": "a",
            "marks": {"robbed": "warlord"},
        },
        {**WARLORD, "a": {"hand": ["chapel"]}},
        {**WARLORD, "a": {"gold": -1}},
        {**WARLORD, "a": {"city": [{"market": {"cards": ["tavern"]}}]}},
        {"draft": True, "shuffle": ["king", "king"]},
        {"score": True, "a": {"completed_first": True}, "b": {"completed_first": True}},
        {"score": True, "a": {"city": ["manor", "castle", "palace", "temple", "tavern", "prison", "keep"]}},
        {**WARLORD, "flip": "b"},
        {"flip": "a"},
        {**WARLORD, "called": ["king"]},
        {**COMUNE, "turn": "a", "characters": {"a": ["king", "bishop"]}},
        {**COMUNE, "turn": "a", "characters": {"a": "king"}, "called": ["king"]},
        {**COMUNE, "turn": "a", "characters": {"a": "king"}, "marks": {"killed": "king"}},
        {**COMUNE, "turn": "a", "characters": {"a": "king"}, "marks": {"taxes": 1}},
        {**COMUNE, "turn": "a", "characters": {"a": "king"}, "a": {"completed": True}},
        {**COMUNE, "flip": "e"},
        {**COMUNE, "flip": "a", "called": ["king"], "shuffle": ["king"]},
        {**COMUNE, "flip": "a", "cast": ["king"]},
        {**COMUNE, "call": 4},
    ],
)
def test_ruling_with_an_impossible_table_fails(tmp_path: Path, given: dict[str, Any]) -> None:
    assert failure(tmp_path, ruling(given=given))


def test_ruling_with_impossible_scripted_chance_fails(tmp_path: Path) -> None:
    given = {
        "turn": "a",
        "characters": {"a": "emperor", "b": "thief"},
        "b": {"hand": ["castle", "tavern"]},
        "chance": ["market"],
    }
    why = failure(tmp_path, ruling(given=given, when=[{"a": "gather gold"}, {"a": "crown b taking card"}]))
    assert "chance" in why


def test_move_line_with_several_or_no_seats_fails(tmp_path: Path) -> None:
    assert failure(tmp_path, ruling(when=[{"a": "gather gold", "b": "gather gold"}]))
    assert failure(tmp_path, ruling(when=[{"refused": True}]))


def test_repeated_ruling_id_fails(tmp_path: Path) -> None:
    assert "already" in failure(tmp_path, ruling(), ruling())


@one_case("text", ["- id: [", "id: sample", "- {id: sample, id: sample}", "- {[a]: b}", "just text", "\x00"])
def test_file_that_is_not_a_list_of_rulings_fails(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text, encoding="utf-8")
    assert [run(case).outcome for case in load([str(file)])] == ["FAILED"]


def test_rulings_command_prints_and_counts_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rulings = [ruling(id="good", when=[{"a": "gather gold"}]), ruling(id="bad", then={"a": {"gold": 1}})]
    file = tmp_path / "some.yaml"
    file.write_text(yaml.safe_dump(rulings), encoding="utf-8")
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok good",
        "FAILED bad: a.gold is 0, not 1",
        "1 passed, 1 failed",
    ]
