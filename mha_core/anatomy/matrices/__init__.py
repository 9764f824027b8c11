"""Every matrix that can be shown: its values, and what each of its numbers is made of."""
