"""The sizes of HeadScope's own small model, free of torch."""

from dataclasses import dataclass
from typing import Literal

FirstLayer = Literal["free", "shifted_keys", "previous_only"]
"""What the heads of layer 0 can do, for experiments on how heads learn to work together.

free: as usual. shifted_keys: the key of a position is made of the token before it. previous_only: a
mask leaves only the token before.
"""


@dataclass(frozen=True)
class TransformerConfig:
    vocab_size: int
    max_tokens: int = 256
    n_layers: int = 2
    n_heads: int = 8
    d_model: int = 128
    d_mlp: int = 256  # 0: attention only
    first_layer: FirstLayer = "free"
