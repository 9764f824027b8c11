"""Makes invisible characters visible: marks for white space, hex for parts of characters."""

import re
import unicodedata

STRAY = re.compile("[\udc80-\udcff]+")
"""Bytes that are not a whole character, as Python's `surrogateescape` decodes them."""

_MARKS = {
    " ": "␣",
    "\n": "↵",
    "\t": "⇥",
    "\r": "⟨CR⟩",
    "\xa0": "⟨NBSP⟩",
    "\xad": "⟨SHY⟩",
    "\u200b": "⟨ZWSP⟩",
    "\u200c": "⟨ZWNJ⟩",
    "\u200d": "⟨ZWJ⟩",
    "\u200e": "⟨LRM⟩",
    "\u200f": "⟨RLM⟩",
    "\ufeff": "⟨BOM⟩",
}
_INVISIBLE = re.compile(  # letters, marks and unassigned code points that browsers do not draw
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)


def make_visible(text: str) -> str:
    """Replace invisible characters by marks; more than four of one mark become mark and count."""
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    shown, after_visible = "", False
    for run in re.finditer(r"(.)\1*", text, re.DOTALL):
        char, count = run[1], len(run[0])
        before, after = text[max(0, run.start() - 1) : run.start()], text[run.end() : run.end() + 1]
        mark = _mark(char)
        if mark and not (count == 1 and _affects_neighbours(before, char, after)):
            shown += mark * count if count <= 4 else f"{mark}\u00d7{count}"
            after_visible = False
            continue
        # A combining mark without a base letter would combine with whatever is drawn before it.
        alone = not after_visible and unicodedata.category(char)[0] == "M"
        shown += f"◌{run[0]}" if alone else run[0]
        after_visible = True
    return STRAY.sub(_hex, shown)


def _hex(stray: re.Match[str]) -> str:
    return f"⟨{stray[0].encode(errors='surrogateescape').hex(' ').upper()}⟩"


def _mark(char: str) -> str | None:
    if char in _MARKS:
        return _MARKS[char]
    category = unicodedata.category(char)
    invisible = category in {"Cc", "Cf", "Zs", "Zl", "Zp"} or _INVISIBLE.match(char)
    return f"⟨U+{ord(char):04X}⟩" if invisible else None


def _affects_neighbours(before: str, char: str, after: str) -> bool:
    """Whether an invisible character shows in its neighbours: space, joiner, emoji style."""
    if not before or before.isspace():
        return False
    if char == " ":
        return bool(after) and not after.isspace()
    if char in "\u200c\u200d":
        return _joins(before) and _joins(after)
    return "\ufe00" <= char <= "\ufe0f" and (_joins(before) or after == "\u20e3")


def _joins(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char)[0] in "LMS"
