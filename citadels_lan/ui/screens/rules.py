"""The rules and every card, to read at leisure."""

from textual import on

from citadels_lan.texts import msg
from citadels_lan.texts.topics import Topic, all_topics, page, title
from citadels_lan.ui.widgets.choice_list import ChoiceList, Row
from citadels_lan.ui.widgets.page import PageScreen, paragraphs

from .list_screen import ListScreen

KINDS = {"rule": msg("The rules"), "character": msg("The characters"), "district": msg("The districts")}


class RulesScreen(ListScreen):
    """A list of everything that can be explained."""

    def title_text(self) -> str:
        return self.texts.say(msg("Rules and cards"))

    def hints(self) -> list[tuple[str, str]]:
        say = self.texts.say
        return [("Enter", say(msg("read"))), ("Esc", say(msg("back")))]

    def rows(self) -> list[Row]:
        rows: list[Row] = []
        kind = ""
        for number, topic in enumerate(all_topics()):
            if topic.kind != kind:
                kind = topic.kind
                rows.extend([Row("", ""), Row("", self.texts.say(KINDS[kind]))][0 if rows else 1 :])
            rows.append(Row(str(number), title(self.texts, topic)))
        return rows

    @on(ChoiceList.Chosen)
    def _chosen(self, message: ChoiceList.Chosen) -> None:
        topic: Topic = all_topics()[int(message.key)]
        text = paragraphs(self.look, title(self.texts, topic), page(self.texts, topic))
        self.app.push_screen(PageScreen(text))
