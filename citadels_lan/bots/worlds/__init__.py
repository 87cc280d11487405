"""What a seat remembers of what it was told (`memory`), and full states that its view allows (`sampling`)."""
