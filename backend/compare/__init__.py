"""Two texts or two models side by side: `/compare`."""
