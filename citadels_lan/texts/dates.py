"""Days, as people write them."""

from datetime import date
from typing import Final

from .language import Texts
from .marks import msg

MONTHS: Final = (
    msg("Jan"), msg("Feb"), msg("Mar"), msg("Apr"), msg("May"), msg("Jun"),
    msg("Jul"), msg("Aug"), msg("Sep"), msg("Oct"), msg("Nov"), msg("Dec"),
)  # fmt: skip


def day_text(texts: Texts, day: date) -> str:
    """3 May 2026."""
    month = texts.say(MONTHS[day.month - 1])
    return texts.say(msg("{day} {month} {year}"), day=day.day, month=month, year=day.year)
