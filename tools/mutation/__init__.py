"""Mutation testing: put one small mistake at a time into the rules and the proofs, and see whether the tests
find it."""
