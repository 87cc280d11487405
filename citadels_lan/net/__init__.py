"""The network: finding a table, joining it, serving it, and playing at it (docs/protocol.md is the contract).

From the ground up; the protocol is sans-I/O (bytes in, bytes and events out), the shells are thin:

    reasons, reporting      why somebody is turned away, as code and English sentence; mistakes of this program
    wire, messages, names   frames; every message as a typed Struct; text that may be shown
    handshake               hello, proof, join: both sides, without a socket
    tls, link               the table's certificate; one connection that reads and writes frames
    interfaces, discovery   announcing a table by mDNS, browsing for tables
    lobby, game, journal    who sits where; the game at its host; the file it survives in
    viewers, table          who is connected; one table with all its viewers, without a socket
    server, hosting         the sockets around a table; `open_table`
    records, client         a viewer's files; a viewer's side of a table, without a socket
    updates, knowledge      what a session tells; what it knows
    session                 `Session`, which screens, plain lines and bots use
"""
