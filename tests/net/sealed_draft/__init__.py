"""Sealed drafts at whole tables: clients, host, journal and sockets."""
