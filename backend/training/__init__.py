"""Training small models: tasks, runs, their events, and heads at every step."""
