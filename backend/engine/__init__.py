"""Where work runs: the engine, its session, the model cache and the analysis cache."""
