"""The tasks that small models are trained on: sequences whose structure is known exactly."""
