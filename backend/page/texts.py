"""The page's texts: examples, filters, what attention does not show.

A new example needs no change in JavaScript.
"""

from backend.page.schemas import CorpusExample, Example, LimitOfAttention, SegmentFilter

EXAMPLES = [
    Example(
        title="Pronoun",
        text="The animal didn't cross the street because it was too tired.",
        hint="Which heads link “it” to “animal”?",
        against="The animal didn't cross the street because it was too wide.",
    ),
    Example(
        title="Agreement",
        text="The keys to the old wooden cabinet are on the table.",
        hint="Does “are” attend to “keys”, past “cabinet”?",
        against="The keys to the old wooden cabinets are on the table.",
    ),
    Example(
        title="Repetition",
        text="The cat sat on the mat and the dog sat on the rug. The cat sat on the mat",
        hint="Which heads attend from the last “mat” back to the first “mat”?",
        against="The cat sat on the mat and the dog sat on the rug. The dog sat on the mat",
    ),
    Example(
        title="Continuation",
        text="The capital of France is",
        hint="Which token comes next, and which heads attend from “is” to “France”?",
        model="smollm2",
        tab="generate",
    ),
    Example(
        title="Sentence pair",
        text="The cat sat on the mat.",
        text_pair="A kitten was resting on a rug.",
        hint="Which heads link “kitten” to “cat”, across the two sentences?",
    ),
]

CORPUS_EXAMPLE = CorpusExample(
    texts=[
        "The animal didn't cross the street because it was too tired.",
        "The animal slept all day because it was old.",
        "People fed the animal when it came to the door.",
        "The animal ran into the forest, and it was never seen again.",
        "When the animal heard the car, it hid under the porch.",
        "The farmer sold the animal because it ate too much.",
        "An animal that is hungry will eat whatever it finds.",
        "Nobody knew where the animal went after it left the barn.",
    ],
    from_word="it",
    to_word="animal",
)

FILTERS = [
    SegmentFilter(id="all", label="All", query_segment=None, key_segment=None),
    SegmentFilter(id="aa", label="A → A", query_segment=0, key_segment=0),
    SegmentFilter(id="ab", label="A → B", query_segment=0, key_segment=1),
    SegmentFilter(id="ba", label="B → A", query_segment=1, key_segment=0),
    SegmentFilter(id="bb", label="B → B", query_segment=1, key_segment=1),
]
"""Which links of a sentence pair to show."""

LIMITS_OF_ATTENTION = [
    LimitOfAttention(
        text="Where a head attends is not what it does: two heads that attend to one token can "
        "push the prediction in opposite directions.",
        source="Wang and others 2023, Interpretability in the Wild: a Circuit for Indirect Object "
        "Identification in GPT-2 small",
    ),
    LimitOfAttention(
        text="A large weight on a token whose value vector is short passes on little: compare the "
        "value-weighted map with the raw one.",
        source="Kobayashi and others 2020, Attention is Not Only a Weight",
    ),
    LimitOfAttention(
        text="Attention weights need not explain a prediction: very different weights can give the "
        "same one. How far this holds is disputed.",
        source="Jain and Wallace 2019, Attention is not Explanation; Wiegreffe and Pinter 2019, "
        "Attention is not not Explanation",
    ),
    LimitOfAttention(
        text="A head that attends to [SEP] or to the first token is often idle: it has nothing to "
        "do on this text.",
        source="Clark and others 2019, What Does BERT Look At?",
    ),
    LimitOfAttention(
        text="In later layers a position no longer represents its own token alone, but a mixture "
        "of what earlier layers moved there.",
        source="Abnar and Zuidema 2020, Quantifying Attention Flow in Transformers",
    ),
    LimitOfAttention(
        text="Many heads can be removed without loss, and later heads compensate for missing ones: "
        "a head that does something is not always needed.",
        source="Michel and others 2019, Are Sixteen Heads Really Better than One?; McGrath and "
        "others 2023, The Hydra Effect",
    ),
]
"""What an attention map does not show, with sources."""
