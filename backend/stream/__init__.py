"""All maps of a text while the model runs: `WS /stream`."""
