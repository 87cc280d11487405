"""What the quieter screens show: pure functions from a small scene to a drawing."""
