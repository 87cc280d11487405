"""What verification says of a transcript, as a page."""

from pathlib import Path

from rich.text import Text

from citadels_lan.texts import Texts, msg
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import paragraphs


def proof_page(texts: Texts, look: Look, path: Path) -> Text:
    """The report in full. Takes a moment: call it where nothing waits."""
    from citadels_lan.crypto.report.report_text import text
    from citadels_lan.crypto.report.verify import verify

    return paragraphs(look, texts.say(msg("What the proof says")), [text(verify([path]), texts.say)])
