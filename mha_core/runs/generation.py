"""A text that goes on: what a causal model expects next, and what its heads look at meanwhile.

Transformers' cache keeps the keys and values of the tokens already read, so each further token
costs a run of one token; HeadScope's own model has no cache and reads the short text again. This
file must not know HTTP or threads: a caller runs one step at a time and may do so in turns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedModel, PreTrainedTokenizerFast

from mha_core.errors import NoContinuation, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.stacks import Site
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import drop_end_token
from mha_core.text.tokens import TokenizedText


@dataclass(frozen=True, eq=False)
class Guess:
    """What a model expects after the last position of a text, and where its heads look there."""

    logits: Tensor  # [V] float64 in host memory; minus infinity for ids that are no token
    rows: Tensor  # [L, H, K] float32 in host memory: the attention of the last position

    @cached_property
    def probabilities(self) -> Tensor:
        """The model's own, [V] float64: they sum to one."""
        return self.logits.softmax(-1)

    def top(self, n: int) -> list[tuple[int, float]]:
        """The n most probable ids and their probabilities, falling."""
        best = self.probabilities.topk(min(n, len(self.logits)))
        return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))

    @property
    def entropy(self) -> float:
        """Uncertainty in nats, 0 to log V."""
        return float(torch.special.entr(self.probabilities).sum())


@dataclass(frozen=True)
class Sampling:
    """How to choose among what a model expects."""

    temperature: float = 0.0  # 0: the most probable
    top_k: int | None = None  # draw from so many most probable ones; None: from all
    seed: int = 0

    def choose(self, guess: Guess, index: int) -> int:
        """The id of the token at `index`: the same for the same seed, guess and index.

        Chance depends on seed and place alone, so a text generated in parts is the text
        generated at once.
        """
        if self.temperature == 0:
            return int(guess.logits.argmax())
        ranked = torch.sort(guess.logits, descending=True, stable=True)
        logits = ranked.values[: self.top_k]
        reached = ((logits - logits[0]) / self.temperature).exp().cumsum(-1)  # unnormalised
        drawn = np.random.default_rng((self.seed, index)).random() * float(reached[-1])
        return int(ranked.indices[torch.searchsorted(reached, drawn)])


def check_causal(model: LoadedModel, *, or_else: str = "") -> None:
    """Refuse a model that does not read from left to right, one token after the other."""
    if model.architecture.kind != "decoder":
        raise NoContinuation(
            f"{model.entry.name} does not predict the next token: choose a causal model, such as "
            f"smollm2{or_else}.",
            model=model.entry.id,
        )


def check_continuation(model: LoadedModel, continuation: Sequence[int], max_tokens: int) -> None:
    """Refuse a continuation for a model without any, and one that alone is over the limit."""
    check_causal(model, or_else=", or leave out `continuation`")
    if len(continuation) >= max_tokens:
        raise TextTooLong(
            f"The continuation has {len(continuation)} tokens and the whole text may have "
            f"{max_tokens}: leave out the last ones.",
            n_tokens=len(continuation),
            max_tokens=max_tokens,
        )


class Generation:
    """A text and the model that continues it, step by step: `guess`, then `take` a token."""

    def __init__(self, model: LoadedModel, tokenized: TokenizedText) -> None:
        check_causal(model)
        if model.output_layer is None:
            raise NoContinuation(
                f"The files of {model.entry.name} hold no output layer that HeadScope can use, so "
                f"it cannot tell which token comes next: save the whole model, as "
                f"`AutoModelForCausalLM` does.",
                model=model.entry.id,
            )
        self._model = model
        self._tokenized = drop_end_token(tokenized)
        # Not made from the configuration: that would drop the keys outside a sliding window.
        self._cache = DynamicCache() if isinstance(model.network, PreTrainedModel) else None
        self._ends = _end_ids(model)
        self._no_tokens: list[int] | None = None
        self._guess: Guess | None = None

    @property
    def tokenized(self) -> TokenizedText:
        """The text so far."""
        return self._tokenized

    @property
    def n_tokens(self) -> int:
        """How long the text is; the next token stands at this index."""
        return len(self._tokenized.tokens)

    @property
    def ended(self) -> bool:
        """Whether the last token is one that ends a text."""
        continuation = self._tokenized.continuation
        return bool(continuation) and continuation[-1] in self._ends

    def guess(self, check: Callable[[], None] = lambda: None) -> Guess:
        """What follows the text so far; `check` is called at each layer of the run it takes.

        Where that raises, the run is left half done: this generation can be used no more.
        """
        if self._guess is None:
            self._guess = self._read_on(check)
        return self._guess

    def take(self, id: int) -> None:
        """Go on with this token."""
        continuation = (*self._tokenized.continuation, id)
        self._tokenized = self._model.tokenize(self._tokenized.text, continuation=continuation)
        self._guess = None

    def _read_on(self, check: Callable[[], None]) -> Guess:
        """Run the model over what it has not read yet, watching the last token."""
        rows: dict[int, Tensor] = {}

        def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
            check()
            rows[capture.site.layer] = pattern[0, :, -1].clone()  # [H, K]

        def unseen(_: Site, z: Tensor) -> Tensor:
            check()
            return z

        ids = self._tokenized.inputs["input_ids"]
        with torch.inference_mode():
            n_read = 0
            if self._cache is not None:
                n_read = self._cache.get_seq_length()
                # What has gone before needs no maps: the fused kernel reads it.
                if n_read < len(ids) - 1:
                    self._run(ids[n_read:-1], Tap(edit=unseen))
                    n_read = len(ids) - 1
            hidden = self._run(ids[n_read:], Tap(on_pattern))[:, -1:]  # [1, 1, D]
            logits = self._model.unembed(hidden)  # [1, 1, V]
            assert logits is not None  # noqa: S101 (there is an output layer)
            stacked = torch.stack([rows[layer] for layer in sorted(rows)])  # [L, H, K]
            return Guess(self._of_tokens(logits[0, -1]), stacked.float().cpu())

    def _run(self, ids: Sequence[int], tap: Tap) -> Tensor:
        """The last hidden state, [1, T, D], of the next tokens."""
        inputs = torch.tensor([ids], device=self._model.device)  # [1, T]
        tap = replace(tap, sites=self._model.sites)
        if self._cache is None:
            hidden = self._model.network(inputs, tap=tap)
        else:
            output = self._model.network(
                inputs, past_key_values=self._cache, use_cache=True, tap=tap
            )
            hidden = output.last_hidden_state
        assert isinstance(hidden, Tensor)  # noqa: S101 (for the type checker)
        return hidden

    def _of_tokens(self, logits: Tensor) -> Tensor:
        """Logits [V] without the rows that only fill the matrix up and stand for no token."""
        if self._no_tokens is None:
            self._no_tokens = _no_tokens(self._model.tokenizer, len(logits))
        logits = logits.double().cpu()
        logits[self._no_tokens] = -torch.inf
        return logits


def _end_ids(model: LoadedModel) -> frozenset[int]:
    """Ids after which a text is over, as the tokenizer and the configuration name them."""
    configured = getattr(getattr(model.network, "config", None), "eos_token_id", None)
    several = configured if isinstance(configured, list) else [configured]
    return frozenset({model.tokenizer.eos_token_id, *several} - {None})


def _no_tokens(tokenizer: PreTrainedTokenizerFast, n_logits: int) -> list[int]:
    backend = tokenizer.backend_tokenizer
    if backend.get_vocab_size() == n_logits:
        return []
    return [id for id in range(n_logits) if backend.id_to_token(id) is None]
