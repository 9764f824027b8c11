"""Small models that learn while one watches: training from scratch."""
