"""What a map of attention does not show, and who showed that: to be read beside every map.

This file must not know where the words are shown.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Caveat:
    """One reason for care, and its source."""

    text: str
    source: str


CAVEATS = (
    Caveat(
        text="Where a head looks is not what it does: two heads that look at the same token can "
        "push the prediction in opposite directions.",
        source="Wang and others 2023, Interpretability in the Wild: a Circuit for Indirect Object "
        "Identification in GPT-2 small",
    ),
    Caveat(
        text="A large weight on a token whose vector is small carries little; hence the "
        "value-weighted twin of every metric.",
        source="Kobayashi and others 2020, Attention is Not Only a Weight",
    ),
    Caveat(
        text="Attention weights need not explain a prediction: quite different weights can give "
        "the same one. How far that goes is disputed.",
        source="Jain and Wallace 2019, Attention is not Explanation; Wiegreffe and Pinter 2019, "
        "Attention is not not Explanation",
    ),
    Caveat(
        text="A head that rests on [SEP] or on the first token is often idle: it had nothing to "
        "do here.",
        source="Clark and others 2019, What Does BERT Look At?",
    ),
    Caveat(
        text="In later layers a position no longer holds its own token alone, but a mixture of "
        "what earlier layers moved there.",
        source="Abnar and Zuidema 2020, Quantifying Attention Flow in Transformers",
    ),
    Caveat(
        text="Many heads can be removed without loss, and later heads make up for missing ones: "
        "that a head does something does not make it needed.",
        source="Michel and others 2019, Are Sixteen Heads Really Better than One?; McGrath and "
        "others 2023, The Hydra Effect",
    ),
)
