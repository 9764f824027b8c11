"""Charts of heads and of maps: `/figures`."""
