"""The advice: complete, in both languages, and the same as the page in docs/."""

import re
from pathlib import Path

from citadels_lan.doctor.advice import ADVICE
from citadels_lan.doctor.network import PORTS
from citadels_lan.doctor.troubleshooting import page
from citadels_lan.systems.system import NAMES
from citadels_lan.texts import LANGUAGES, load
from tests.effort import one_case

PAGE = Path(__file__).parents[2] / "docs" / "troubleshooting.md"


def test_the_page_is_made_of_the_advice() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make it anew: see its module"


@one_case("key", ADVICE)
def test_every_system_has_a_remedy_in_every_language(key: str) -> None:
    for language in LANGUAGES:
        for kind in NAMES:
            said = load(language).say(ADVICE[key].remedy(kind), **PORTS)
            assert said.endswith((".", "`."))
            assert not re.search(r"[{}]", said.replace("`[wsl2]`", ""))
