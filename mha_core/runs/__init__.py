"""One text run through one model, and everything derived from that run."""
