"""Small mistakes put into the rules and the proofs, one at a time, to see whether tests find them."""
