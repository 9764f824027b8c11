"""The description of every metric, as the server, the page's menus and the README show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from mha_core.metrics.label_rule import Called, Cases

SHAPES = ("vertical", "diagonal", "both", "block", "heterogeneous")  # values of `shape`
SHAPE_LIFT = 0.2  # how far above uniform attention a stripe or diagonal must be
BLOCK = 0.3  # the value of `segment` above which a map is a block


@dataclass(frozen=True)
class Metric:
    """`range` ends in None where only the length of the text is a limit."""

    name: str
    label: str
    meaning: str
    formula: str
    called: Called | None = None
    unit: str = "share"
    range: tuple[float, float | None] = (0.0, 1.0)
    kind: Literal["number", "class"] = "number"


_ORDINARY = "rows i that are no special token"
_AFTER_WORD = "rows i >= 2, neither i nor i-1 a special token,"  # i-1 is not the first token
_BEFORE_WORD = "rows i, neither i nor i+1 a special token,"
_EARLIER = "earlier positions j < i; special tokens never count"


def _hits(near: str, label: str, key: str, event: str, rows: str, cases: Cases = "rows") -> Metric:
    """The strict variant of a metric of one neighbour: how often that gets the most attention."""
    strict = Called(f"{label} (strict)", 0.9, lift=0.3, or_equal=True, cases=cases, replaces=near)
    return Metric(
        f"{near}_hits",
        f"Top choice: {label}",
        f"How often {event} the most attention of all.",
        f"share of {rows} whose largest A[i, j] is at j = {key}; a tie counts as its share",
        strict,
    )


_ALL = (
    Metric(
        "previous",
        "Previous token",
        "How much attention goes to the token just before.",
        f"mean over {_AFTER_WORD} of A[i, i-1]",
        Called("previous token", 0.5, lift=0.3),
    ),
    Metric(
        "next",
        "Next token",
        "How much attention goes to the token just after.",
        f"mean over {_BEFORE_WORD} of A[i, i+1]; undefined where no later token is seen",
        Called("next token", 0.5, lift=0.3, cases="rows ahead"),
    ),
    Metric(
        "self",
        "Itself",
        "How much attention a token keeps on itself.",
        f"mean over {_ORDINARY} of A[i, i]",
        Called("itself", 0.5, lift=0.3),
    ),
    _hits("previous", "previous token", "i-1", "the token just before gets", _AFTER_WORD),
    _hits("next", "next token", "i+1", "the token just after gets", _BEFORE_WORD, "rows ahead"),
    _hits("self", "itself", "i", "a token gives itself", _ORDINARY),
    Metric(
        "first",
        "First token",
        "How much attention goes to the very first token, where idle heads put it.",
        "mean over rows i >= 1 of A[i, 0]",
        Called("sink", 0.3, lift=0.2, or_equal=True),
    ),
    Metric(
        "special",
        "Special tokens",
        "How much attention goes to special tokens such as [CLS] and [SEP].",
        "mean over rows i of the sum of A[i, j] over special tokens j",
        # The rows of [CLS] and [SEP] count too: three words make five rows.
        Called("special tokens", 0.6, lift=0.2, least_n=5, cases="rows of a kind"),
    ),
    Metric(
        "separator",
        "Separators",
        "How much attention goes to special tokens other than the first token.",
        "mean over rows i of the sum of A[i, j] over special tokens j >= 1",
    ),
    Metric(
        "punctuation",
        "Punctuation",
        "How much attention goes to commas, full stops and other marks.",
        "mean over rows i of the sum of A[i, j] over punctuation tokens j",
        Called("punctuation", 0.6, lift=0.2, cases="rows of a kind"),
    ),
    Metric(
        "entropy",
        "Entropy",
        "How widely attention is spread: 0 is one token, 1 is evenly over all that are visible.",
        "mean over rows i of -sum over j of A[i, j] ln A[i, j], divided by ln(visible keys)",
        Called("broad", 0.78),  # no lift: no head is broader than uniform attention
    ),
    Metric(
        "entropy_without_sink",
        "Entropy without the sink",
        "How widely the rest of attention is spread once special and first tokens are left out.",
        "entropy after dropping special tokens and position 0 as keys and rows, rows scaled to 1",
    ),
    Metric(
        "confidence",
        "Confidence",
        "How much attention the most attended token gets on average, special tokens left out.",
        f"mean over {_ORDINARY} of the largest A[i, j] over keys j that are no special token",
    ),
    Metric(
        "distance",
        "Distance",
        "How far away, in tokens, the attended tokens are on average.",
        "sum over i, j of A[i, j] |i - j|, divided by the sum of A[i, j]",
        unit="tokens",
        range=(0.0, None),
    ),
    Metric(
        "locality",
        "Locality",
        "How much attention stays within two tokens of the token that attends.",
        "mean over rows i of the sum of A[i, j] over |i - j| <= 2",
    ),
    Metric(
        "duplicate",
        "Duplicate token",
        "How much attention goes back to earlier occurrences of the same token.",
        f"mean over rows i that have one of the sum of A[i, j] over equal tokens at {_EARLIER}",
        Called("duplicate token", lift=0.3, cases="matches"),
    ),
    Metric(
        "induction",
        "Induction",
        "How much attention goes to what followed earlier occurrences of the same token.",
        "mean over rows i that have one of the sum of A[i, j] over successors of equal tokens at "
        + _EARLIER,
        Called("induction", lift=0.3, cases="matches"),
    ),
    Metric(
        "current_word",
        "Current word",
        "How much attention later pieces of a word give to its earlier pieces.",
        "mean over rows i that have one of the sum of A[i, j] over pieces j < i of the same word",
        Called("current word", 0.5, lift=0.3, cases="matches"),
    ),
    Metric(
        "segment",
        "Own sentence",
        "How much more attention stays in the same sentence of a pair than if it were uniform.",
        "mean over rows i that see both sentences of the sum of A[i, j] over the own one, minus "
        "the same for uniform attention; special tokens never count",
        Called("own sentence", BLOCK, cases="matches"),
        range=(-1.0, 1.0),
    ),
    Metric(
        "similarity",
        "Similarity",
        "Whether words with similar input embeddings get more attention.",
        "Spearman rank correlation of A[i, j] with cosine(e_i, e_j) over visible pairs of content "
        "tokens that are not the same token; at least 3 pairs, and of very many up to 4,096, "
        "evenly spaced",
        unit="rank correlation",
        range=(-1.0, 1.0),
    ),
    Metric(
        "shape",
        "Shape",
        "What the map looks like: vertical stripes, a diagonal, both, blocks, or none of these.",
        f"by rule, after the classes Kovaleva and others drew by eye: diagonal when the share with "
        f"|i - j| <= 1 is more than {SHAPE_LIFT:g} above uniform attention's; vertical when the "
        f"share of the two heaviest columns outside that band is; both when both are; else block "
        f"when segment > {BLOCK:g}; else heterogeneous",
        unit="class",
        range=(0.0, float(len(SHAPES) - 1)),
        kind="class",
    ),
)

# In the order in which they are shown.
METRICS: Mapping[str, Metric] = MappingProxyType({metric.name: metric for metric in _ALL})
