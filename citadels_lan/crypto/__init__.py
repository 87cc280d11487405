"""Proofs: what makes a table honest although nobody trusts its host (docs/protocol.md is the contract).

Bytes, keys, hashes and files; nothing of sockets and screens. The modules, from the ground up:

    frames        frame, digest (H), u8 … u64
    packing       pack, unpack, pad, unpad, typed: MessagePack under limits; Malformed
    identity      Identity.load_or_create(path), .public, .sign(tag, …); verify(public, signature, tag, …)
    commitments   Opening, commitment, nonce, hidden(line), conceal(key, game, round, seat, slot, line)
    seed, drbg    host_commitment, part_commitment, joint_seed; SeededChance(seed)
    log, chain    the entries and their codecs; Header, Seated; Chain, entry_hash, sign_entry, leaf_hash, salt
    claims        claim, claimed, endorse, endorsed: who is who, and who answers for the host
    chat          sign_line, line_signed: lines of chat
    beacons       anchor, link_of, sign_here, here_signed, next_seed: between rounds; Round, Between
    sealed_moves  manner(line), seal, SealedMove, read_sealed, recover, fits: what not even the host may read
    faults        Gap, Unsaid, Mismatch, Unacceptable
    draft         the sealed draft: what seats say of it, and who has lied
    audit         Auditor: what must hold from entry to entry; Concealed: slots, commitments, seals
    delta         Delta, encode_delta, decode_delta: what one viewer gets of an entry
    client_log    ClientLog: a viewer's side
    owner         Owner: what only a seat's own client can do: conceal, seal, open, give its link
    received_moves  ReadMove, read_move: a move as it comes to the host, checked and parsed; HostDrafts, ReadDraft
    host_entries  Written, encode_record, decode_record, Bodies: entries in the journal, and as they are sent
    host_log      HostLog, Participant, Share: the host's side
    signed_head   Heard, SignedHead: what clients tell each other of the heads that the host has signed
    words         spoken(bytes), heard(text), head_words: what people read aloud
    transcript    Writer, resume, read: `.ctr` files
    replay        the engine over a log whose secrets are open
    bookkeeping   Bookkeeping(header, seat): gold, cards, cities, turns and scores, from public events
    report.counts what was found sound, counted by who did it
    report.verify verify(paths) -> Report with .code, .games, .files, .findings
    report.report_text   lines(report, say): a report for people (say: texts.say, or English)
    report.report_json   figures(report, say): a report for programs (docs/verify.md)
    report.show   lines(read(path), say, narrator): a transcript as text; the narrator tells what happened

The host, as the server uses it:

    host_log = HostLog(header, secret, host)        # header.hostcommit = host_commitment(game_id, secret)
    host_log.open()                                   # gives a Written: keep encode_record(it), then tell
    host_log.check_commit(seat, c, anchor, signature) # Unacceptable; when all are there:
    host_log.commit([c…], [anchor…], [signature…])
    host_log.check_part(seat, r, signature)           # Unacceptable; when all are there:
    host_log.reveal([r…], [signature…])
    host_log.check_here(seat, n, Participant(signature, disputes))     # between rounds; Unacceptable
    host_log.present({seat: participant})             # who takes part in the round to come
    host_log.check_share(seat, n, Share(link, openings))               # Unacceptable
    host_log.restart([seat…])                         # whose links did not come: who takes part is found out anew
    host_log.beacons({seat: share})                   # of all seats that take part
    chance = SeededChance(host_log.seed())            # the Chance of this round
    host_log.table(advance(state, chance))            # the deal, and each beginning of a round
    move = host_log.check_move(seat, n, what, signature, openings)     # Unacceptable(code)
    events = decide(state, seat, move.action, chance, move.unsealed)   # IllegalMove
    host_log.move(move, events)
    said = host_log.drafts.check_said(seat, n, message, signature)     # a sealed draft; Unacceptable
    events = drafted(state, chance, seat, said.plays(state))           # draft.playing
    host_log.drafts.say(said, events)                 # as with `check_reply`, `plays_call`, `call`, and `without`
    if host_log.must_seal: host_log.seal()
    if host_log.audit.expects(Present): ...           # the next round, or once more after the last
    if host_log.may_close: host_log.close()             # several entries
    host_log.body(n, viewer)                          # the padded body of entry n; None for spectators
    host_log.head_at(n), host_log.knows(n, head)      # whether somebody's history is the same so far
    host_log = HostLog.restore(secret, host, records)   # after a crash, and the state with it:
    for played in replay.play(host_log.header, host_log.entries(), host_log.line, host_log.chances()): ...

A viewer:

    client_log = ClientLog(game_id, rules, fp, hostkey, seat, key=own, part=r, anchor=x256)
    writer = Writer.create(path, FileHead(…))         # or Writer.resume(path, client_log)
    admitted = client_log.admit(body)                 # Gap: ask again from .expected; Unsaid: not the host's word
    writer.append(body)                               # before it is judged: a lie of the host stays, signed by it
    step = client_log.judge(admitted)                 # Mismatch: the host cheats; receive(body) does both
    step.entry, step.events                         # evolve(view, event) for each event
    owner = Owner(key, game_id, seat)
    what, openings = owner.prepare(client_log.audit, line)           # hidden, sealed or open; what breaks a seal
    signature = sign_move(identity, game_id, client_log.chain, seat, what)       # for the next entry
    sign_here(identity, game_id, n, head, round + 1, disputes)       # where Present is expected
    owner.link(client_log.audit.between.attempt)      # where Beacons is expected, if the seat is there
    hand = owner.hand(client_log.audit)               # in a sealed draft: hand.due(), hand.pick(…), hand.reply(…)
    view, events = own_view(view, hand), own.own(events, hand)      # draft.own_picks: with the own characters, of
                                                                    # which `own`, an OwnEvents, counts the steps
    writer.append_boxes(hand.contents())              # at the end, beside `append_own`
    writer.append_heard(datagram)                   # another head that the host has signed
    writer.append_alarm(Alarmed(n, code))           # why the viewer leaves
    writer.append_own([opening…])                   # own seals that the log has not opened, when `Close` was taken
    writer.finish(identity, client_log.chain)
"""
