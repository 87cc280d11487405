"""The sealed draft: a character is known to its owner alone until it is called (docs/protocol.md).

secrets     the plan of a draft, commitments and encrypted payloads, and what follows from a seat's secret
drafts      messages, one draft as everyone sees it, and all drafts of a game
knowledge   what secrets open, who has lied, what one seat's client says, the engine's action for a message, and
            events with the characters that are known

    record = DraftRecord(DraftTable(game, round, plan, anchors))    # host, clients and verification alike
    hand = DraftHand(record, DraftSecret(table, seat, y), x)        # a client
    message = hand.due(head)                 # begin, deal, back, hand, a complaint: at once, without a choice
    message = hand.pick(character, aside, head)
    record.take(n, head, seat, message)      # Unacceptable; in the order of the log
    record.call(n, place, {seat: hand.reply(place)})
    judge(record, {seat: DraftSecret(table, seat, y)})              # once the links are there
"""
