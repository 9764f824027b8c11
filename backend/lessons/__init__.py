"""What helps to learn attention: `/learn/calculator`, `/learn/exercises`, `/learn/loops`."""
