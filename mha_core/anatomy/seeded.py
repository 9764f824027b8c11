"""Tensors and modules drawn by a generator: the same ones whatever else runs in the process."""

import torch
from torch import Generator, Tensor

from mha_core.attention import MultiHeadAttention


def draw(generator: Generator, *shape: int) -> Tensor:
    """Independent normal numbers of mean 0 and variance 1."""
    # Loading a model changes torch's default dtype for a while, in all threads: never rely on it.
    return torch.randn(*shape, generator=generator, dtype=torch.float32)


def draw_attention(
    generator: Generator, d_model: int, n_heads: int, *, fused: bool = True
) -> MultiHeadAttention:
    """Attention with random weights and biases that keep the size of what passes through."""
    with torch.device("meta"):  # skips torch's own initialisation, which all threads share
        module = MultiHeadAttention(d_model, n_heads, fused=fused)
    module = module.float().to_empty(device="cpu").requires_grad_(False)
    for parameter in module.parameters():
        parameter.copy_(draw(generator, *parameter.shape) * d_model**-0.5)
    return module
