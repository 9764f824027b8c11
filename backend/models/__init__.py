"""Health and the list of models: `/health`, `/models`."""
