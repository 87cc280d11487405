"""The network: finding a table, joining it, serving it, and playing at it (docs/protocol.md is the contract).

The protocol is sans-I/O (bytes in, bytes and events out), the shells around it are thin. From the ground up:

    wire/        frames, every message as a typed Struct, one connection, reasons for rejections
    join/        hello, code, proof: both sides, without a socket
    discovery/   announcing a table by mDNS, browsing for tables
    client/      a viewer's side of a table; `Session`, which screens, plain lines and bots use
    host/        the table and its game, who is connected, the file it survives in; `open_table`
"""
