"""One file a subject: each translates HTTP to an engine call and back, and does nothing else."""
