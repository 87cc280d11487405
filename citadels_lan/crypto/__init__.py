"""Proofs: a table is honest although no one trusts its host (docs/protocol.md is the contract).

Bytes, keys, hashes and files; nothing of sockets and screens. The modules, from the ground up:

    codec         frame, digest (H), u8 … u64; pack, unpack, pad, unpad, typed: MessagePack under limits; Malformed
    identity      Identity.load_or_create(path), .public, .sign(tag, …); verify(public, signature, tag, …)
    commitments   Opening, commitment, manner(line), conceal, seal, recover: hidden and sealed moves
    seed          host_commitment, part_commitment, joint_seed; SeededChance(seed)
    words         spoken(bytes), heard(text), key_words: what people read aloud
    log           the entries, Header; Chain, entry_hash, sign_entry, sign_move; Delta; Gap, Unsaid, Mismatch
    signatures    claim, endorse, Absences, cosign, check_words, Hosts: what players sign apart from moves
    draft         the sealed draft: the messages of seats, and who has lied
    auditor       PHASES: which entry may come when; Auditor: checks the entries in order; Concealed: sealed moves
    client_log    ClientLog: a viewer's side; SignedView: a snapshot; Owner: what only a seat's own client can do
    host_log      HostLog, CoSigning, ReadMove: the host's side; Written: its journal
    transcript    Writer, resume, read, hear: `.ctr` files
    replay        plays a log again with the engine, once its secrets are public
    bookkeeping   Bookkeeping(header, seat): gold, cards, cities, turns and scores, from public events
    report.verify verify(paths) -> Report with .code, .games, .files, .findings
    report.facts         facts(game, say): each fact of a game once (say: texts.say, or English)
    report.report_text   lines(report, say): the facts as text
    report.report_text   figures(report, say): the facts as JSON (docs/report.md)

The host, as the server uses it:

    host_log = HostLog(header, secret, host)        # header.hostcommit = host_commitment(game_id, secret)
    host_log.write(Open(header))                      # gives a Written: store pack(it), then send
    host_log.check_commit(seat, Agreement(…), others) # Unacceptable; when all seats have sent theirs:
    host_log.write(Commits([agreement…]))
    host_log.check_part(seat, r)                      # Unacceptable; when all seats have sent theirs:
    host_log.give_parts([r…])                         # stored with the first deal; published in Close
    chance = SeededChance(host_log.seed())            # the Chance of the whole game
    host_log.happen(TableMove([]), advance(state, chance))   # the deal, and each beginning of a round
    move = host_log.check_move(seat, n, what, signature, openings)     # Unacceptable(code)
    events = decide(state, seat, move.action, chance, move.unsealed)   # IllegalMove
    host_log.move(move, events)
    host_log.away(seat)                               # while its player is away, a bot may play a seat:
    host_log.write(SeatChange(seat, BOT, level, b""))
    move = host_log.substitute_move(seat, line)       # then `decide` and `move` as above
    host_log.check_back(seat, signature), .write(SeatChange(seat, BACK, "", signature))   # back; Unacceptable
    host_log.check_said(n, SaidItem(seat, message, sig))               # a sealed draft; Unacceptable
    events = drafted(state, chance, items)            # draft.knowledge; all items of the entry
    host_log.happen(Said(items, []), events)
    if host_log.audit.expects(CoSigned): ...          # after each round, and after the game:
    host_log.check_cosigning(seat, n, CoSigning(signed, openings))     # Unacceptable
    host_log.cosign({seat: cosigning})                # of those who have signed
    host_log.check_word(seat, n, word), host_log.words({seat: word})   # of all who have signed, or none
    if host_log.audit.may_close: host_log.close()       # several entries
    host_log.check_end(seat, n, Ending(…)), host_log.end({seat: ending})   # or the players end it without a result
    host_log.body(n, viewer)                          # the padded body of entry n; None for spectators
    host_log.heads[n], host_log.knows(n, head)      # whether a client's history is the same so far
    host_log = HostLog.restore(secret, host, records)   # after a crash, and the state with it:
    for played in replay.play(host_log.header, host_log.entries(), host_log.line, chance): ...

A viewer:

    head = FileHead(game_id, rules, fp, hostkey, seat, own_key)
    client_log = ClientLog(head)
    writer = Writer.create(path, head)                # or Writer.resume(path, client_log.receive)
    admitted = client_log.admit(body)                 # Gap: ask from .expected on; Unsaid: host did not sign it
    writer.append(body)                               # before it is judged, so that the file keeps a signed lie
    step = client_log.judge(admitted)                 # Mismatch: the host cheats; receive(body) does both
    step.entry, step.events                         # evolve(view, event) for each event
    owner = Owner(key, game_id, seat)
    what, openings = owner.prepare(client_log.audit, client_log.chain.head, line)   # hidden, sealed or open
    signature = sign_move(identity, game_id, client_log.chain, seat, what)       # for the next entry
    cosign(identity, game_id, n, head, seat, word_commitment(game_id, n, seat, word), protest=False)
    hand = owner.hand(client_log.audit, round)        # in a sealed draft: hand.due(…), hand.pick(…), hand.reply(…)
    view = with_picks(view, seat, own_picks(hand))    # draft.knowledge: the view with the seat's own characters
    events = KnownEvents(known).own(events, seat)     # and the events; `known` gives hand.known of a round
    owner.opened_at_the_end(client_log.audit)         # own openings, and the secret of its last draft
    writer.append_alarm(Alarmed(n, code))           # why the viewer leaves
    writer.append_own([opening…])                   # own openings that the log lacks, when `Close` was taken
    writer.finish(identity, client_log.chain)
"""
