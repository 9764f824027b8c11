"""HeadScope's own small model: a causal transformer built from its own `MultiHeadAttention`.

    x = token + position          every block: x += attention(norm(x)), then x += mlp(norm(x))

Read from top to bottom. Shape letters: B batch, T tokens, H heads, d d_head, D d_model,
V vocabulary.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from mha_core.attention import Attend, MultiHeadAttention
from mha_core.errors import ModelFailed, TextTooLong
from mha_core.stacks import Site
from mha_core.tap import Tap, fused_attention
from mha_core.transformer_config import FirstLayer, TransformerConfig


class Block(nn.Module):
    """One layer: attention, then an MLP, each adding to the residual stream what it computes."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.d_model)
        self.attention = MultiHeadAttention(config.d_model, config.n_heads)
        self.mlp_norm: nn.Module | None = None
        self.mlp: nn.Module | None = None
        if config.d_mlp:
            self.mlp_norm = nn.LayerNorm(config.d_model)
            up = nn.Linear(config.d_model, config.d_mlp)
            down = nn.Linear(config.d_mlp, config.d_model)
            self.mlp = nn.Sequential(up, nn.GELU(), down)

    def forward(self, x: Tensor, attend: Attend) -> Tensor:
        x = x + self.attention(self.attention_norm(x), attend=attend)
        if self.mlp is not None and self.mlp_norm is not None:
            x = x + self.mlp(self.mlp_norm(x))
        return x


class Transformer(nn.Module):
    """A decoder: token and position embeddings, causal blocks, a final norm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        positions = _sinusoids(config.max_tokens, config.d_model)  # [max_tokens, D]
        self.positions = nn.Parameter(positions)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.n_layers))
        self.final_norm = nn.LayerNorm(config.d_model)
        # Also the unembedding: small vectors make the first predictions nearly uniform.
        nn.init.normal_(self.tokens.weight, std=config.d_model**-0.5)
        # Large queries and keys give sharp attention from the start: heads that begin uniform stay
        # alike and do not specialise.
        with torch.no_grad():
            for name, weight in self.blocks.named_parameters():
                if name.endswith(("query.0.weight", "key.0.weight")):
                    weight.mul_(2)

    def forward(self, input_ids: Tensor, tap: Tap | None = None) -> Tensor:
        """The last hidden state, [B, T, D], of `input_ids` [B, T]; a tap captures every layer."""
        n_tokens, limit = input_ids.shape[1], self.config.max_tokens
        if n_tokens > limit:
            message = f"The text has {n_tokens} tokens; the model takes {limit}."
            raise TextTooLong(message, n_tokens=n_tokens, max_tokens=limit)
        x = self.tokens(input_ids) + self.positions[:n_tokens]  # [B, T, D]
        for layer, block in enumerate(self.blocks):
            attend = partial(tap.attend, Site(layer, "decoder")) if tap else fused_attention
            first_layer = self.config.first_layer if layer == 0 else "free"
            x = block(x, partial(_LAYER_KINDS[first_layer], partial(attend, causal=True)))
        return self.final_norm(x)  # type: ignore[no-any-return]

    def logits(self, hidden: Tensor) -> Tensor:
        """Next-token logits [B, T, V] from `hidden` [B, T, D]."""
        return hidden @ self.tokens.weight.T


def _attend_freely(
    attend: Attend, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float
) -> Tensor:
    return attend(q, k, v, mask, scale)


def _attend_shifted_keys(
    attend: Attend, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float
) -> Tensor:
    """Attention in which each key is that of the position before, [B, H, T, d]."""
    return attend(q, torch.cat([k[:, :, :1], k[:, :, :-1]], dim=2), v, mask, scale)


def _attend_previous_only(
    attend: Attend, q: Tensor, k: Tensor, v: Tensor, _: Tensor | None, scale: float
) -> Tensor:
    """Attention to the token before and nothing else; the first token sees itself."""
    before = torch.eye(q.shape[2], dtype=torch.bool, device=q.device).roll(-1, 1).tril()  # [T, T]
    before[0, 0] = True
    return attend(q, k, v, before, scale)


_LAYER_KINDS: dict[FirstLayer, Callable[..., Tensor]] = {
    "free": _attend_freely,
    "shifted_keys": _attend_shifted_keys,
    "previous_only": _attend_previous_only,
}


def _sinusoids(n_positions: int, d_model: int) -> Tensor:
    """Initial position embeddings: sines and cosines of falling frequency, [n_positions, D].

    One step back is the same rotation everywhere, so a previous-token head is learned only once.
    They start larger than the token embeddings, because neighbours must be found first.
    """
    frequencies = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10_000) / d_model))  # [D/2]
    angles = torch.arange(n_positions)[:, None] * frequencies  # [n_positions, D/2]
    sinusoids = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)  # [n_positions, D]
    return sinusoids * (4 / math.sqrt(d_model))


def save_transformer(model: Transformer, path: Path, notes: Mapping[str, str]) -> None:
    """Write weights, config and `notes` (how the model was trained) into one safetensors file."""
    weights = {name: w.detach().cpu().contiguous() for name, w in model.state_dict().items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(weights, path, metadata={**notes, "config": json.dumps(asdict(model.config))})


def load_transformer(path: Path) -> Transformer:
    """Load what `save_transformer` wrote, on the CPU and in eval mode."""
    try:
        with safe_open(path, framework="pt") as file:
            config = TransformerConfig(**json.loads(file.metadata()["config"]))
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no dict)
        with torch.device("meta"):  # skips random initialisation
            model = Transformer(config)
        model.load_state_dict(weights, assign=True)
    except (OSError, SafetensorError, TypeError, KeyError, ValueError, RuntimeError) as error:
        raise ModelFailed(f"{path.name} holds no HeadScope model: {error}") from error
    return model.eval()
