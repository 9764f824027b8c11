"""Models: the catalogue, where weights come from, loading, device, facts of each family."""
