"""Do causal heads make the tokens they attend to less likely? Measured on real sentences.

suppression = -copying: 1 for a head that always lowers the logit of the token it attends to, -1 for
one that always raises it. A row counts if its favourite is an earlier token, neither the first,
where idle heads rest, nor a special one: looking at itself is no copying of an earlier token.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.attribution import Copying, TokenDirections, measure_writing
from mha_core.atlas.batches import PlainText, batch_by_length
from mha_core.atlas.means import Interval
from mha_core.atlas.sample import sample
from mha_core.atlas.tally import ArrayResult, Numbers
from mha_core.atlas.template import Template
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokens import TokenizedText

MIN_TOKENS = 8


@dataclass(frozen=True, eq=False)
class CopySuppression(ArrayResult):
    """What every head wrote on each of N texts."""

    written: Numbers  # [N, L, H]: sum of what favourites add to their own logits
    written_abs: Numbers  # [N, L, H]: sum of its absolute values
    written_rows: Numbers  # [L, H]: over all texts

    @property
    def interval(self) -> Interval:
        """Suppression and the ends of its interval, [L, H] each; NaN where too few rows count."""
        copying = Copying.of(self.written, self.written_abs, self.written_rows)
        return -copying.value, -copying.high, -copying.low


def measure_copy_suppression(
    model: LoadedModel, texts: Sequence[TokenizedText], *, size: int = 200, seed: int = 0
) -> CopySuppression:
    """Run a causal model over up to `size` of the texts that are long enough.

    Without texts, of which no row counts, where the unembedding is not known.
    """
    directions = TokenDirections.of(model, Template.of(model.tokenizer).ordinary)
    long = [text for text in texts if directions and len(text.tokens) >= MIN_TOKENS]
    chosen = sample(long, size, seed)
    heads = (model.architecture.n_layers, model.architecture.n_heads)
    written, written_rows = np.zeros((2, len(chosen), *heads)), np.zeros(heads)
    done = 0
    for batch in batch_by_length(map(PlainText, chosen)):
        tokenized = [text.tokenized for text in batch]
        ids = torch.tensor([text.inputs["input_ids"] for text in tokenized], device=model.device)
        assert directions is not None  # noqa: S101 (without them no text is chosen)
        towards, allowed = directions(ids), allowed_favourites(tokenized).to(model.device)
        rows = slice(done, done + len(batch))

        def on_pattern(
            capture: LayerCapture,
            pattern: Tensor,
            rows: slice = rows,
            towards: Tensor = towards,
            allowed: Tensor = allowed,
        ) -> None:
            layer = capture.site.layer
            found = measure_writing(model, towards, capture, pattern, allowed)
            written[:, rows, layer] = found.total, found.total_abs
            written_rows[layer] += found.rows

        model.forward_all(tokenized, Tap(on_pattern))
        done += len(batch)
    return CopySuppression(written[0], written[1], written_rows)


def allowed_favourites(texts: Sequence[TokenizedText]) -> Tensor:
    """Which favourites make a row count, [B, T, T], in texts of one length."""
    special = torch.tensor([[token.kind == "special" for token in it.tokens] for it in texts])
    earlier = torch.ones(special.shape[1], special.shape[1], dtype=torch.bool).tril(-1)
    earlier[:, 0] = False
    return earlier & ~special[:, None, :]
