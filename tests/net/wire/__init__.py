"""Tests of messages, connections and clean text."""
