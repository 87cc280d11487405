"""The sealed draft: a character is known to its owner alone until it is called (docs/protocol.md).

plan        what a draft is made of: characters, steps; the layout of a seed
secrets     what a seat hides follows from a link of its second chain
boxes       encryption of characters that one seat tells another
messages    what seats say
record      a draft as everyone sees it, and the messages that are due
knowledge   what secrets open, and who has lied
drafting    one seat's side: what its client says
opened      events and views with the characters that are known
playing     what the engine plays of a message

    record = DraftRecord(DraftTable(game, round, plan, anchors))    # host, clients and verification alike
    hand = DraftHand(record, DraftSecret(table, seat, y), x)        # a client
    message = hand.due(head)                 # begin, deal, back, hand, a complaint: at once, without a choice
    message = hand.pick(character, aside, head)
    record.take(n, head, seat, message)      # Unacceptable; in the order of the log
    record.call(n, place, {seat: hand.reply(place)})
    judge(record, {seat: DraftSecret(table, seat, y)})              # once the links are there
"""
