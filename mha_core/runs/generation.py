"""Generation with a causal model: the next token's probabilities and the attention of each head.

Transformers' cache keeps the keys and values of earlier tokens, so each step runs one token;
HeadScope's own model has no cache and runs its short text again.
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
    """The prediction after the last position of a text, and the attention from that position."""

    logits: Tensor  # [V] float64 in host memory; minus infinity for ids without a token
    rows: Tensor  # [L, H, K] float32 in host memory: the attention of the last position

    @cached_property
    def probabilities(self) -> Tensor:
        """Softmax of the logits, [V] float64."""
        return self.logits.softmax(-1)

    def top(self, n: int) -> list[tuple[int, float]]:
        """The n most probable ids and their probabilities, in descending order."""
        best = self.probabilities.topk(min(n, len(self.logits)))
        return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))

    @property
    def entropy(self) -> float:
        """Entropy in nats, 0 to log V."""
        return float(torch.special.entr(self.probabilities).sum())


@dataclass(frozen=True)
class Sampling:
    """How to choose the next token."""

    temperature: float = 0.0  # 0: the most probable token
    top_k: int | None = None  # sample from the k most probable tokens; None: from all
    seed: int = 0

    def choose(self, guess: Guess, index: int) -> int:
        """The id of the token at `index`: the same for the same seed, guess and index.

        The random number depends on seed and index alone, so a text generated in parts equals the
        text generated at once.
        """
        if self.temperature == 0:
            return int(guess.logits.argmax())
        ranked = torch.sort(guess.logits, descending=True, stable=True)
        logits = ranked.values[: self.top_k]
        reached = ((logits - logits[0]) / self.temperature).exp().cumsum(-1)  # unnormalised
        drawn = np.random.default_rng((self.seed, index)).random() * float(reached[-1])
        return int(ranked.indices[torch.searchsorted(reached, drawn)])


def check_causal(model: LoadedModel, *, or_else: str = "") -> None:
    """Raise NoContinuation for a model that is not causal."""
    if model.architecture.kind != "decoder":
        raise NoContinuation(
            f"{model.entry.name} does not predict the next token: choose a causal model, such as "
            f"smollm2{or_else}.",
            model=model.entry.id,
        )


def check_continuation(model: LoadedModel, continuation: Sequence[int], max_tokens: int) -> None:
    """Raise if the model is not causal, or if the continuation alone is over the limit."""
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
        # Without the configuration, which would drop the keys outside a sliding window.
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
        """Number of tokens so far; the next token has this index."""
        return len(self._tokenized.tokens)

    @property
    def ended(self) -> bool:
        """Whether the last token is an end token."""
        continuation = self._tokenized.continuation
        return bool(continuation) and continuation[-1] in self._ends

    def guess(self, check: Callable[[], None] = lambda: None) -> Guess:
        """The prediction after the text so far; `check` is called at each layer of the run.

        If `check` raises, the cache is incomplete and this object can no longer be used.
        """
        if self._guess is None:
            self._guess = self._read_on(check)
        return self._guess

    def take(self, id: int) -> None:
        """Append this token to the text."""
        continuation = (*self._tokenized.continuation, id)
        before = self._tokenized
        self._tokenized = self._model.tokenize(
            before.text, continuation=continuation, chat=before.prompt is not None
        )
        self._guess = None

    def _read_on(self, check: Callable[[], None]) -> Guess:
        """Run the model on the tokens it has not read yet, and capture the last one."""
        rows: dict[int, Tensor] = {}

        def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
            check()
            rows[capture.site.layer] = pattern[0, :, -1].clone()  # [H, K]

        def pass_through(_: Site, z: Tensor) -> Tensor:
            check()
            return z

        ids = self._tokenized.inputs["input_ids"]
        with torch.inference_mode():
            n_read = 0
            if self._cache is not None:
                n_read = self._cache.get_seq_length()
                # Earlier tokens need no maps: the fused kernel runs them.
                if n_read < len(ids) - 1:
                    self._run(ids[n_read:-1], Tap(edit=pass_through))
                    n_read = len(ids) - 1
            hidden = self._run(ids[n_read:], Tap(on_pattern))[:, -1:]  # [1, 1, D]
            logits = self._model.unembed(hidden)  # [1, 1, V]
            assert logits is not None  # noqa: S101 (there is an output layer)
            stacked = torch.stack([rows[layer] for layer in sorted(rows)])  # [L, H, K]
            return Guess(self._of_tokens(logits[0, -1]), stacked.float().cpu())

    def _run(self, ids: Sequence[int], tap: Tap) -> Tensor:
        """The last hidden state of the next tokens, [1, T, D]."""
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
        """Logits [V], minus infinity for padding rows of the output matrix."""
        if self._no_tokens is None:
            self._no_tokens = find_no_tokens(self._model.tokenizer, len(logits))
        logits = logits.double().cpu()
        logits[self._no_tokens] = -torch.inf
        return logits


def _end_ids(model: LoadedModel) -> frozenset[int]:
    """Ids of end tokens, from the tokenizer and the configuration."""
    configured = getattr(getattr(model.network, "config", None), "eos_token_id", None)
    several = configured if isinstance(configured, list) else [configured]
    return frozenset({model.tokenizer.eos_token_id, *several} - {None})


def find_no_tokens(tokenizer: PreTrainedTokenizerFast, n_logits: int) -> list[int]:
    """The ids below `n_logits` that stand for no token: padding rows of an output matrix."""
    backend = tokenizer.backend_tokenizer
    if backend.get_vocab_size() == n_logits:
        return []
    return [id for id in range(n_logits) if backend.id_to_token(id) is None]
