"""Tests of transcripts and of their verification."""
