"""Next tokens and generation: `/next`, `/generate`."""
