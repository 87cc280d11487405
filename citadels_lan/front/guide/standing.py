"""How far this player is, and whoever is ahead."""

from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.common_city import standing, wanted
from citadels_lan.front.shown.points import open_points
from citadels_lan.texts import Texts, msg

from .glance import Glance


def far(texts: Texts, glance: Glance) -> str:
    """A sentence on how far this player is, and whoever is ahead; nothing before the first card is dealt."""
    view, seat, points = glance.view, glance.seat, open_points(glance.view)
    if view.phase == "setup" or not points:
        return ""
    others = [other for other in range(len(view.players)) if other != seat]
    best = max(others, key=lambda other: points[other])
    known = {"name": glance.names[best], "theirs": points[best]}
    if glance.common:
        known |= {"built": standing(view), "goal": wanted(view)}
        if seat is None:
            return texts.say(msg("City: {built} of {goal}. Points: {name} {theirs}."), **known)
        said = msg("City: {built} of {goal}. Points: you {points}, {name} {theirs}.")
        return texts.say(said, points=points[seat], **known)
    known |= {"goal": goal(view) or 0, "other": size(view, best)}
    if seat is None:
        return texts.say(msg("Districts: {name} {other} of {goal}. Points: {theirs}."), **known)
    said = msg("Districts: you {built} of {goal}, {name} {other}. Points: you {points}, {name} {theirs}.")
    return texts.say(said, built=size(view, seat), points=points[seat], **known)
