"""Proofs: what makes a table honest although nobody trusts its host (docs/protocol.md is the contract).

Bytes, keys, hashes and files; nothing of sockets and screens. The modules, from the ground up:

    frames        frame, digest (H), u8 … u64
    packing       pack, unpack, pad, unpad, typed: MessagePack under limits; Malformed
    identity      Identity.load_or_create(path), .public, .sign(tag, …); verify(public, signature, tag, …)
    commitments   Opening, commitment, nonce, hidden(line), conceal(key, game, round, seat, slot, line)
    seed, drbg    host_commitment, part_commitment, joint_seed; SeededChance(seed)
    log, chain    the entries and their codecs; Header, Seated; genesis, leaf_hash, entry_hash, salt, Chain
    beacons       anchor, link_of, cosign, next_seed: between rounds; Round
    seals         manner(line), seal, recover, fits: what not even the host may read
    faults        Gap, Mismatch, Refused
    audit         Auditor: what must hold from entry to entry; slots, commitments, seals
    delta         Delta, encode_delta, decode_delta: what one viewer gets of an entry
    follower      Follower: a viewer's side
    ledger        Ledger, Written, Said, Share, encode_record, decode_record: the host's side
    heard         Heard, Sealed: what clients tell each other of the heads that the host has signed
    words         spoken(bytes), heard(text), head_words: what people read aloud
    transcript    Writer, resume, read: `.ctr` files
    replay        the engine over a log whose secrets are open
    tally         what was found sound, counted by who did it
    verify        verify(paths) -> Report with .code, .games, .files, .findings
    prose         lines(report, say): a report for people (say: texts.say, or English); Report.text(say)
    figures       figures(report, say): a report for programs (docs/verify.md)
    show          lines(read(path), say, narrator): a transcript as text; the narrator tells what happened

The host, as the server uses it:

    ledger = Ledger(header, secret, host)           # header.hostcommit = host_commitment(game_id, secret)
    ledger.open(); ledger.commit([c…], [anchor…])   # each gives a Written: journal encode_record(it), then tell
    ledger.check_part(seat, r, signature)           # Refused; when all are there:
    ledger.reveal([r…], [signature…])
    ledger.check_share(seat, n, Share(signature, link, openings))    # between rounds; Refused
    ledger.beacons({seat: share})                   # of the seats that are present
    chance = SeededChance(ledger.seed())            # the Chance of this round
    ledger.table(advance(state, chance))            # the deal, and each beginning of a round
    said = ledger.check_move(seat, n, what, signature, openings)     # Refused(code)
    events = decide(state, seat, parse(said.line, seat), chance, said.unsealed)      # IllegalMove
    ledger.move(seat, what, signature, openings, events)
    if ledger.must_seal: ledger.seal()
    if ledger.audit.expects(Beacons): ...           # the next round, or once more after the last
    if ledger.may_close: ledger.close()             # several entries
    ledger.bodies(n)                                # {viewer: padded body of entry n}, None for spectators
    ledger = Ledger.restore(secret, host, records)  # after a crash, and the state with it:
    for played in replay.play(ledger.header, ledger.entries(), ledger.line, ledger.chances()): state = played.state

A viewer:

    follower = Follower(game_id, rules, fp, seat, key=identity.public, part=r, anchor=x256, host=hostkey)
    step = follower.receive(body)                   # Gap: ask again from .expected; Mismatch: the host cheats
    step.entry, step.events                         # evolve(view, event) for each event
    slot, round = follower.audit.slot(seat), follower.audit.round
    what, openings = conceal(key, game_id, round, seat, slot, line)  # where manner(line) is "hidden"
    what = seal(key, game_id, round, seat, slot, line)               # where it is "sealed"
    follower.audit.breaks(seat, line)               # the seal that an open line breaks: send recover(…) with it
    signature = sign_move(identity, game_id, follower.chain, seat, what)       # for entry follower.chain.n + 1
    cosign(identity, game_id, n, head), link_of(game_id, seat, x0, round + 1)  # where Beacons is expected
    writer = Writer.create(path, Head(…))           # or Writer.resume(path, follower)
    writer.append(body)                             # once taken; a refused seal or close too: it is the proof
    writer.append_heard(datagram)                   # another head that the host has signed
    writer.append_own([opening…])                   # own seals that the log has not opened, when `Close` was taken
    writer.finish(identity, follower.chain)
"""
