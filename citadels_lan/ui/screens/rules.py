"""The rules and every card of an edition, to read at leisure."""

from collections.abc import Sequence

from textual import on

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.texts import editions, msg
from citadels_lan.texts.topics import Topic, page, title, topics_of
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.page import PageScreen, paragraphs

from .list_screen import ListScreen

KINDS = {"rule": msg("The rules"), "character": msg("The characters"), "district": msg("The districts")}


class RulesScreen(ListScreen):
    """A list of everything that can be explained in one edition, and a row to read another one."""

    def __init__(self) -> None:
        super().__init__()
        self.edition: Edition = EDITIONS[DEFAULT]

    @property
    def topics(self) -> Sequence[Topic]:
        return topics_of(self.edition)

    def title_text(self) -> str:
        return self.texts.say(msg("Rules and cards"))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("Enter", say(msg("read"))), ("←→", say(msg("another edition"))), ("Esc", say(msg("back")))]

    def rows(self) -> list[Row]:
        name = editions.name(self.texts, self.edition.key)
        rows = [Row("edition", self.texts.say(msg("Edition")), value=name)]
        kind = ""
        for number, topic in enumerate(self.topics):
            if topic.kind != kind:
                kind = topic.kind
                rows += [Row("", ""), Row("", self.texts.say(KINDS[kind]))]
            rows.append(Row(str(number), title(self.texts, topic)))
        return rows

    @on(ChoiceList.Changed)
    def _changed(self, message: ChoiceList.Changed) -> None:
        known = list(EDITIONS.values())
        self.edition = known[(known.index(self.edition) + message.step) % len(known)]
        self.retell()

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        topic = self.topics[int(message.key)]
        text = paragraphs(self.look, title(self.texts, topic), page(self.texts, topic, self.edition))
        self.app.push_screen(PageScreen(text))
