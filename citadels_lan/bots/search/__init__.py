"""Players that think ahead: worlds that fit what they know, played on by players of thumb, and judged at the end
of the round."""
