"""A whole evening of four people on separate machines, and what each of them sees when something fails. The
machines are network namespaces, and the programs are real processes in terminals."""

import re
import signal
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from .cli.program import run_process
from .lan import Lan, missing
from .processes import until
from .ptys import PtyProgram

CODE = ("album", "agenda", "acacia")
ASKED = ("YOUR TURN", "YOUR MOVE", "CHOOSE IN SECRET")
LOST = ("GAME CLOSED", "NOT CONNECTED")
MACHINES = {"Marco": 0, "Anna": 1, "Bea": 2, "Carla": 3, "Late": 4}


class Evening:
    """The programs of the four people, by their names. Marco is the first host, Anna the second."""

    def __init__(self, home: Path, lan: Lan, stack: ExitStack) -> None:
        self.people: dict[str, PtyProgram] = {}
        self._home, self._lan, self._stack = home, lan, stack

    def start(self, name: str, *arguments: str) -> PtyProgram:
        before = self._lan.on(MACHINES[name])
        program = PtyProgram(self._home / name, *arguments, size=(120, 40), before=before)
        return self._stack.enter_context(program)

    def others(self, name: str) -> list[PtyProgram]:
        return [person for other, person in self.people.items() if other != name]

    def play(self, enough: Callable[[], bool], people: Sequence[PtyProgram] = ()) -> None:
        """For each person whose turn it is, press Enter, until the condition `enough` holds. The condition
        must hold for half a second, because a screen that is being drawn lacks some words for a moment."""
        held = 0

        def steady() -> bool:
            nonlocal held
            held = held + 1 if enough() else 0
            return held == 10

        def turn() -> None:
            for person in people or self.people.values():
                if person.has(*ASKED):
                    person.type("\r")

        until(steady, turn)

    def join(self) -> None:
        """A late guest types wrong codes: the guest sees a countdown, and the host is notified. Then all
        guests join. When the table is full, the program says so before it asks another person for the
        code."""
        marco = self.start("Marco", "host", "--name=Marco", "--players=4", "--edition=classic", "--code", *CODE)
        marco.see("Waiting for 3 more players.")
        late = self.start("Late", "join", "--name=Late", "--plain")
        for count in range(4):
            until(lambda count=count: late.written.count("The join code") > count)  # type: ignore[misc]
            late.type("acacia acacia acacia\r")
        late.see("You can try again in")
        marco.see(f"3 wrong codes from {self._lan.address(MACHINES['Late'])}.")
        late.send(signal.SIGKILL)
        late.wait()
        bea, carla = (self.start(name, "join", f"--name={name}", "--code", *CODE) for name in ("Bea", "Carla"))
        anna = self.start("Anna", "join", "--name=Anna")
        anna.see("The join code")
        anna.type(" ".join(CODE), "\r")
        marco.see("Not ready yet: ")
        late = self.start("Late", "join", "--name=Late")
        late.see("is full")
        assert "The join code" not in late.written
        assert late.wait() == 2
        self.people = {"Marco": marco, "Anna": anna, "Bea": bea, "Carla": carla}

    def begin(self, host: str) -> None:
        """The host starts the game when all guests are ready."""
        self.people[host].see("All players are ready")
        self.people[host].type("s")
        self.play(lambda: self.people["Bea"].has("Round 1"))

    def sleep(self, name: str) -> None:
        """The laptop of `name` sleeps and wakes up. Meanwhile the others see that its player is away;
        afterwards they continue."""
        awake, sleeper = self.others(name), self.people[name]
        sleeper.send(signal.SIGSTOP)
        self._lan.switch(MACHINES[name], on=False)
        self.play(lambda: all(other.has(f"({name})") for other in awake), awake)
        self._lan.switch(MACHINES[name], on=True)
        sleeper.send(signal.SIGCONT)
        self.play(lambda: not any(other.has(f"({name})") for other in awake))

    def hand_over(self, old: str, new: str) -> None:
        """The host hands the game over. Soon all players see that all others are connected."""
        self.people[old].type("O")
        (letter,) = re.findall(rf"{new} +([A-C])", self.people[old].see("Cancel"))
        self.people[old].type(letter)
        self.people[new].see(f"{old} handed the game to you")
        away = [f"({name})" for name in self.people]
        self.play(lambda: not any(person.has(*LOST, *away) for person in self.people.values()))

    def quit_and_resume(self, host: str) -> None:
        """The host quits the program. The other players see that, and they continue when the host resumes the
        game."""
        self.people[host].type("Q")
        self.people[host].see("Leave the game?")
        self.people[host].type("q")
        for other in self.others(host):
            other.see("GAME CLOSED")
            other.see(f"{host} closed the game.")
        self._resume(host)

    def kill_and_resume(self, host: str) -> None:
        """The host's program is killed. The host starts it again and resumes the game."""
        self.people[host].send(signal.SIGKILL)
        for other in self.others(host):
            other.see("NOT CONNECTED")
        self.people[host].wait()
        self.people[host] = self.start(host)
        self._resume(host)

    def _resume(self, host: str) -> None:
        self.people[host].see("Continue your game")
        self.people[host].type("C")
        self.play(lambda: not any(person.has(*LOST) for person in self.people.values()))

    def end_and_rematch(self, host: str) -> None:
        """The game ends and is verified on each machine. Players who want a rematch declare themselves ready."""
        self.play(lambda: all(person.has("Game verified") for person in self.people.values()))
        self.people[host].type("R")
        self.people[host].see("S Start")
        for other in self.others(host):
            other.type("R")
        self.begin(host)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(900)
def test_evening_of_four_people_survives_all_failures(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    with Lan(len(MACHINES)) as lan, ExitStack() as stack:
        evening = Evening(tmp_path, lan, stack)
        evening.join()
        for guest in evening.others("Marco"):
            guest.see("R Ready")
            guest.type("r")
        evening.begin("Marco")
        evening.sleep("Carla")
        evening.hand_over("Marco", "Anna")
        evening.quit_and_resume("Anna")
        evening.kill_and_resume("Anna")
        evening.end_and_rematch("Anna")
    first = [
        min((tmp_path / name).rglob("*.ctr"), key=lambda path: path.stat().st_mtime) for name in evening.people
    ]
    done = run_process(tmp_path, "verify", *map(str, first))
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("Last hash") == 1
