"""Training small models from scratch."""
