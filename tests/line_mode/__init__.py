"""Line mode: the game in lines, and in messages for a page."""
