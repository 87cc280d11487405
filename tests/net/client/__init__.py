"""Tests of the client: its connection, session, records and alarms."""
