"""What heads do with one text, in numbers."""
