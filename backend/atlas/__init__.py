"""What a corpus showed of a model's heads: `/models/{id}/atlas`."""
