"""How friends join a table that this program hosts."""

from citadels_lan.front.invitation import NOWHERE, OPEN, Invitation, invitation_lines
from citadels_lan.net.join.door import Door
from citadels_lan.texts import load

EN = load("en")


def test_new_code_is_in_the_command_and_the_link_at_once() -> None:
    door = Door.of("zebra opera radio")
    invitation = Invitation(("192.168.1.7:47110",), door, lambda: door.link("192.168.1.7", 47110))
    before = invitation.ways()
    assert before == [
        "citadels-lan join 192.168.1.7:47110 --code zebra opera radio",
        f"citadels://192.168.1.7:47110/#{door.token}",
    ]
    door.renew()
    assert [f"--code {door.code}" in invitation.ways()[0], door.token in invitation.ways()[1]] == [True, True]
    assert set(before).isdisjoint(invitation.ways())


def test_open_table_without_a_network_has_no_way_in() -> None:
    invitation = Invitation((), Door())
    assert (invitation.ways(), invitation.qr()) == ([], ())
    assert list(invitation_lines(EN, invitation)) == [EN.say(OPEN), EN.say(NOWHERE)]
