"""What bots that think ahead can teach: a hint for one's own move, why one move is better than another, and what a
game's moves have cost."""
