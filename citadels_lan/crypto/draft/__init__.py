"""The sealed draft: a character is known to its owner alone until it is called (docs/protocol.md, section 17).

plan        what a draft is made of: characters, steps; how they lie by a seed
secrets     what a seat hides follows from a link of its second chain
boxes       characters that one seat tells another
messages    what seats say and sign
parts       packets, steps, holdings, calls
record      a draft as everybody has it, and who is to say what
drafting    one seat's side: what its client says
judging     who has lied

    table = DraftTable(game, Round(…), attempt, plan, anchors, boxes)   # once *beacons* is there
    record = DraftRecord(table)                       # host, clients and verification alike
    hand = DraftHand(record, secret_of(table, seat, key), own_box(key, game))        # a client
    message = hand.due()                              # deal, again, hand, key, a complaint: at once, unasked
    message = hand.pick(character, aside)             # from plan.names(hand.offered()), when (`pick`, seat) is due
    record.take(seat, message)                        # Unacceptable; everybody, in the order of the log
    record.leave_out(seat)                            # the table goes on without it
    message = hand.give(seat, character)              # an exchange
    reply = hand.reply(place)                         # to a call; record.call(place, {seat: reply})
    judge(record, {seat: hand.secret.link}, hand.contents())   # what one seat can tell now
    judge(record, links, {})                          # once all links are there
"""
