"""What the characters do, told afresh."""

from collections.abc import Mapping
from typing import Final

from .marks import msg

CHARACTERS: Final[Mapping[str, tuple[str, str]]] = {
    "assassin": (
        msg("Names a character: whoever holds it loses the whole turn."),
        msg(
            "Pick the victim by name, not by player: any other character of the game will do, even "
            "one that turns out to be in nobody's hands. Its holder stays silent when the rank comes "
            "up and plays nothing of that turn. With two or three players only that one character is "
            "lost; the other plays as usual. A killed Thief robs nobody and a killed Bishop protects "
            "nothing, but tax is due even when the Tax Collector is dead. A killed rank 4 shows "
            "itself when the round ends and still moves the crown."
        ),
    ),
    "witch": (
        msg("Gathers, names a character, and later plays on in its place."),
        msg(
            "The Witch gathers, names her victim and stops there: so far no building, and of her "
            "districts only Gold Mine, Library and Observatory help. When the victim's rank comes "
            "up, its player shows the card and may only gather. Then the Witch plays on with all the "
            "powers and limits of that character, but with her own hand, gold and city. A bewitched "
            "King or Patrician still takes the crown for himself; with the Emperor it is the Witch "
            "who hands it out. If nobody holds the victim, her turn ends where it stopped, without "
            "Park or Poor House."
        ),
    ),
    "magistrate": (
        msg("Three sealed warrants: the signed one confiscates a district just paid for."),
        msg(
            "Everybody sees which three characters carry a warrant, only the Magistrate knows which "
            "one is signed. The first time that player pays for a district in that turn, the "
            "Magistrate may show it: the district rises in his city for free, the builder has the "
            "gold back but has used up the build. A district raised with the Framework, or a "
            "Necropolis by sacrifice, is not paid for: the warrant waits for the next one. A "
            "district the Magistrate already has is safe, Quarry or not; so is the Monument if he "
            "has five. Cards paid for the Thieves' Den do not come back, and the tax falls on the "
            "Magistrate."
        ),
    ),
    "thief": (
        msg("Names a character and takes all its player's gold at the reveal."),
        msg(
            "The theft strikes the moment the named character is shown, before its player can do "
            "anything; gold that comes in later in that turn is safe. Rank 1 cannot be robbed, nor "
            "can a killed or bewitched character. If nobody holds the named one, nothing happens. "
            "With two or three players the common stash is emptied, whichever character filled it. "
            "Gold on beautified districts and tax waiting to be collected are not in the stash, so "
            "the Thief never sees them."
        ),
    ),
    "spy": (
        msg("Looks for one type in a hand: a gold and a card for each one found."),
        msg(
            "Player and type are named before looking; then the Spy, and nobody else, sees the whole "
            "hand. Each card of that type brings one gold from that player and one card from the "
            "deck. When the player's gold runs out, the cards still come. In a hand the School of "
            "Magic and the Haunted Quarter are plain unique cards, and the Secret Vault is unique "
            "too."
        ),
    ),
    "blackmailer": (
        msg("Threatens two characters: half their gold, or the risk of losing it all."),
        msg(
            "Two characters get a face-down threat: one hides the flower, the other is a bluff, and "
            "only she knows which. A threatened player gathers and then answers before anything "
            "else: hand over half the gold, rounded down, and the threat leaves unseen, or refuse. "
            "After a refusal she may turn it over, and the flower takes all that player's gold. With "
            "one gold or none half is nothing, and that counts as paying. Rank 1, killed and "
            "bewitched characters are off limits; those with a warrant are not. Once the flower is "
            "out, the other threat is harmless."
        ),
    ),
    "magician": (
        msg("Swaps her whole hand with another one, or changes any of her cards."),
        msg(
            "One of the two, once per turn. The swap takes hands whole, whatever their size: with no "
            "cards she just gets the other hand and leaves nothing behind. Changing cards, she first "
            "puts as many as she likes under the deck and then gains as many from the top. Only the "
            "two players concerned know what has moved."
        ),
    ),
    "wizard": (
        msg("Takes a card from another hand, to keep or to build at once."),
        msg(
            "He looks through another player's hand and must take one card. He may keep it, or pay "
            "and build it on the spot without using the building limit; that needs the gathering "
            "first, taking does not. During this turn he may build districts that his city already "
            "has. An empty hand cannot be chosen. The Secret Vault can only be kept, and so can the "
            "Monument with five districts standing. A district built this way is taxed, and a signed "
            "warrant reaches it."
        ),
    ),
    "seer": (
        msg("A random card from every other hand, one back to each; builds up to two."),
        msg(
            "Every other hand that has cards gives one, drawn at random. Each of those players then "
            "gets one card back, whichever the Seer likes from the hand so enlarged: the very same, "
            "somebody else's, or one held from the start. Players without cards give nothing and "
            "receive nothing. Two districts may be built in this turn."
        ),
    ),
    "king": (
        msg("Noble districts pay one gold each; takes the crown."),
        msg(
            "The crown comes to him at a moment of his choice, at the latest when his turn ends. "
            "Whoever has it calls the rest of the round and chooses first in the next draft. A "
            "killed King loses his turn, but shows himself when the round is over and his player "
            "gets the crown, in time for the next draft or for the final score. Bewitched, he still "
            "takes it, while the Witch collects for her own noble districts. When nobody has rank 4, "
            "the crown does not move."
        ),
    ),
    "emperor": (
        msg("Noble districts pay one gold each; crowns someone else, for gold or a card."),
        msg(
            "In his turn the crown must leave whoever has it and go to a different player, never to "
            "himself. From the one he crowns he takes a gold or a random card, as he likes and as "
            "there is; from somebody with neither, nothing. Killed, he still moves the crown when "
            "the round ends, but takes nothing for it. Bewitched, it is the Witch who chooses and "
            "collects. He is not for two players."
        ),
    ),
    "patrician": (
        msg("Noble districts pay one card each; takes the crown."),
        msg(
            "A King who is paid in cards. He takes the crown when he likes, at the latest when his "
            "turn ends. Killed, he shows himself at the end of the round and takes it then. "
            "Bewitched, he takes it all the same, and the Witch draws cards for her own noble "
            "districts."
        ),
    ),
    "bishop": (
        msg("Religious districts pay one gold each; rank 8 cannot touch his city."),
        msg(
            "From the moment he is revealed, rank 8 can do nothing to his city for the rest of the "
            "round: not destroy, not exchange, not seize, not even when with two or three players "
            "both characters are in one hand. It is only against rank 8: an Armory strikes there as "
            "anywhere. Killed, he protects nothing. Bewitched, it is the Witch's city that is safe, "
            "and his is not."
        ),
    ),
    "abbot": (
        msg("Gold or cards for religious districts; one gold from the richest player."),
        msg(
            "Each religious district gives him a gold or a card, in any mix, which he states before "
            "taking it. A School of Magic adds one more of either. Once in his turn, when he likes, "
            "the richest player owes him one gold; where several are equally rich he picks which. As "
            "long as nobody has more than he has, there is nothing to ask for."
        ),
    ),
    "cardinal": (
        msg("Religious districts pay one card each; gets missing gold for his cards."),
        msg(
            "When he is short of gold for a district he may take exactly the missing part from one "
            "player, who cannot refuse and gets one card of his hand for each gold. The district "
            "must then be built, and it cannot be among the cards he gives. A single player must "
            "have all that is missing, and it works once per turn. A Factory lowers the price first. "
            "It is for the price alone: gold for the tax cannot be had this way."
        ),
    ),
    "merchant": (
        msg("Trade districts pay one gold each, and there is one gold extra."),
        msg(
            "The extra gold comes at any moment, whether he gathers gold or cards. Income is "
            "collected once and counts the districts that stand at that moment: build a trade "
            "district first to be paid for it too, or collect first when the gold is needed to "
            "build. Threatened, he splits his gold before the extra arrives; bewitched, he leaves "
            "both to the Witch."
        ),
    ),
    "alchemist": (
        msg("When his turn ends he gets back the gold he paid to build."),
        msg(
            "The gold has to be there when he pays; it returns when the turn ends. Only the price of "
            "districts comes back: not that of the Smithy, not tax, not cards put down for the "
            "Thieves' Den. What the Magistrate confiscated was repaid on the spot and is not repaid "
            "twice. With an empty stash, the Poor House gives its gold before the refund arrives."
        ),
    ),
    "trader": (
        msg("Trade districts pay one gold each, and building them uses no limit."),
        msg(
            "He builds as many trade districts as he can pay for, and one other besides. The School "
            "of Magic counts for his income, but building it uses the limit like any other unique "
            "district. A trade district that is confiscated costs him no build."
        ),
    ),
    "architect": (
        msg("Two cards extra; builds up to three districts."),
        msg(
            "The two cards come whatever he gathered, and both stay in his hand. Three districts fit "
            "into his turn, and the Stables besides. One that is confiscated counts among the three. "
            "With two or three players his cards may wait for the turn of the other character, but "
            "the larger limit does not carry over."
        ),
    ),
    "navigator": (
        msg("Four gold or four cards extra; cannot build at all."),
        msg(
            "Besides gathering she takes four gold or four cards, never a mix. In return nothing "
            "rises in her turn: no Stables, nothing by way of Framework or Necropolis. A warrant on "
            "her is wasted. A Witch who takes her place inherits the gift and the ban."
        ),
    ),
    "scholar": (
        msg("Draws seven cards and keeps one; builds up to two districts."),
        msg(
            "She looks at the seven top cards and keeps one; the rest is shuffled into the deck "
            "rather than put under it. It comes besides her gathering and is not gathering, so "
            "Library and Observatory change nothing. With fewer cards left she looks at those. Two "
            "districts may be built in this turn."
        ),
    ),
    "warlord": (
        msg("Military districts pay one gold each; destroys at cost minus one gold."),
        msg(
            "Once in his turn, at any moment, he pays one gold less than a district costs and it "
            "goes under the deck; cost one is free. The Great Wall makes every other district of its "
            "city one gold dearer, and beautified districts cost one more. Out of reach are complete "
            "cities, the Keep, and the city of a Bishop who has been revealed. His own districts are "
            "fair game while his city is not complete."
        ),
    ),
    "diplomat": (
        msg("Military districts pay one gold each; swaps a district with another city."),
        msg(
            "She gives one district and gets one of another city. If the one she gets costs more, "
            "she pays its owner the difference; if it costs less, nobody pays. A Great Wall over "
            "there adds a gold, her own does not. The other city may be neither complete nor a "
            "revealed Bishop's; hers may be complete. No city may end up with two of a name, Quarry "
            "or not, and the Keep neither comes nor goes. What lies on or under a district moves "
            "with it. It is not a build: no limit, no tax."
        ),
    ),
    "marshal": (
        msg("Military districts pay one gold each; seizes a district of cost up to three."),
        msg(
            "He pays the owner what the district costs and moves it to his city; that is not a "
            "build, so it uses no limit and is not taxed. From cost four on he cannot, and a three "
            "that was beautified is a four. The Great Wall adds a gold to the payment but puts "
            "nothing out of reach. Complete cities, a revealed Bishop's city, the Keep and districts "
            "he already has are excluded, Quarry or not. His city can be completed this way."
        ),
    ),
    "queen": (
        msg("Three gold if she sits next to the player who revealed rank 4."),
        msg(
            "It goes by the seat of whoever showed the King, the Emperor or the Patrician in this "
            "round: not by where the crown has gone, and not by a Witch who plays in their place. If "
            "that character was killed and its player sits beside her, the gold comes when it is "
            "shown at the end of the round; in the last round, before scoring. With rank 4 in "
            "nobody's hands she gets nothing. She needs five players or more."
        ),
    ),
    "artist": (
        msg("Puts one gold on up to two own districts: each costs one more for good."),
        msg(
            "The gold stays on the district and raises its cost for good: one point more at the end, "
            "one gold more for the Warlord, out of the Marshal's reach from four on, and odd turned "
            "even, or the reverse, for the Basilica. One or two districts, chosen together, and none "
            "twice. Those coins have left the stash: the Thief cannot take them and the Imperial "
            "Treasury does not count them."
        ),
    ),
    "tax_collector": (
        msg("Every build pays one gold of tax; in his turn he takes it all."),
        msg(
            "While he is among the characters of the game, whoever builds puts one gold on his card "
            "right after, if any is left, and also when the build was free. It makes no difference "
            "whether anybody plays him in this round: what is not collected waits. In his own turn "
            "he builds untaxed, but with three players the other character of his player pays. For a "
            "confiscated district the Magistrate pays. Seizing and exchanging are not building. What "
            "is left when the game ends is nobody's."
        ),
    ),
}
"""A line, and the whole story with the questions players ask, by key."""
