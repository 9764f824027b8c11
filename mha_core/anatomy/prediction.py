"""What the last block predicts at a token, where the model predicts anything."""

from dataclasses import dataclass

import torch

from mha_core.anatomy.forward import ForwardPass
from mha_core.models.loading import LoadedModel
from mha_core.text.vocabulary import Vocabulary

N_CANDIDATES = 10


@dataclass(frozen=True)
class Candidate:
    """A token that may come next."""

    id: int
    text: str  # as it is shown
    piece: str  # the vocabulary's own string
    logit: float
    probability: float


@dataclass(frozen=True)
class Prediction:
    """The most probable tokens after a token of the text; none, with the reason."""

    candidates: tuple[Candidate, ...]
    why_none: str | None = None


def predict(model: LoadedModel, run: ForwardPass, token: int) -> Prediction:
    """The ten most probable tokens to follow a token of the text."""
    logits = model.unembed(run.hidden[token].to(model.dtype))  # [V]
    if logits is None:
        return Prediction((), _why_none(model))
    logits = logits.cpu().double()
    logits[list(run.computation.no_tokens)] = -torch.inf
    best = logits.topk(min(N_CANDIDATES, len(logits)))
    probabilities = logits.softmax(-1)[best.indices]
    vocabulary = Vocabulary(model.tokenizer)
    found = zip(best.indices.tolist(), best.values.tolist(), probabilities.tolist(), strict=True)
    return Prediction(
        tuple(
            Candidate(id, vocabulary.display(id), vocabulary.pieces([id])[0], logit, probability)
            for id, logit, probability in found
        )
    )


def _why_none(model: LoadedModel) -> str:
    if model.architecture.kind == "encoder":
        return (
            f"{model.entry.name} reads in both directions and predicts no next token: the last "
            f"hidden state is what it gives."
        )
    return f"The files of {model.entry.name} hold no output layer that HeadScope can use."
