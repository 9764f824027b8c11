"""Why lines of a corpus are left out: each reason in words, and the lines by reason."""

from typing import Literal

Reason = Literal["empty", "duplicate", "too_long", "no_from", "no_to", "unseen"]

REASONS: dict[Reason, str] = {
    "empty": "no text in the line",
    "duplicate": "the same text as an earlier line, so no case of its own",
    "too_long": "more tokens than the model or the server takes",
    "no_from": "the token that attends is not in the text",
    "no_to": "the token to attend to is not in the text",
    "unseen": "this model attends only to earlier tokens, and the token to attend to comes later",
}
"""The first three concern a whole text, the others only the link in it."""


class Skipped(dict[Reason, list[int]]):
    """The numbers of the lines that were left out, by reason."""

    def add(self, reason: Reason, line: int) -> None:
        self.setdefault(reason, []).append(line)

    def __str__(self) -> str:
        """As in "3: no text in the line; 1: …"."""
        return "; ".join(f"{len(lines)}: {REASONS[reason]}" for reason, lines in self.items())
