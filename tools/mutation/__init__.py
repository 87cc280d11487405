"""Mutation testing: make one small mistake at a time in the code of the rules or the proofs, and see whether
a test fails."""
