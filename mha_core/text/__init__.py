"""Text as tokenizers cut it, and two texts aligned."""
