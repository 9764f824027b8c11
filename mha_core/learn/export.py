"""Writes a trained own model as a GPT-2 of transformers, as `save_pretrained` would.

The own model is a GPT-2 with other names: pre-norm blocks, learned positions, one matrix for words
in and out. A block without a feed-forward part gets one of width 1 that adds nothing.
"""

from pathlib import Path

import torch
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

from mha_core.attention import MultiHeadAttention
from mha_core.errors import NotExportable
from mha_core.transformer import Block, Transformer


def export_gpt2(
    model: Transformer, tokenizer: PreTrainedTokenizerFast, directory: Path
) -> GPT2LMHeadModel:
    """Write config, weights and tokenizer; raises NotExportable for what GPT-2 cannot do."""
    gpt2 = build_gpt2(model)
    directory.mkdir(parents=True, exist_ok=True)
    gpt2.save_pretrained(directory)
    tokenizer.save_pretrained(directory)
    return gpt2


@torch.no_grad()
def build_gpt2(model: Transformer) -> GPT2LMHeadModel:
    """The same function as a model of transformers."""
    config = model.config
    if config.first_layer != "free":
        raise NotExportable(
            f"Layer 0 of this model works as {config.first_layer!r}, which no layer of a GPT-2 "
            f"does: export a model whose first layer is free."
        )
    gpt2 = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=config.vocab_size,
            n_positions=config.max_tokens,
            n_embd=config.d_model,
            n_layer=config.n_layers,
            n_head=config.n_heads,
            n_inner=config.d_mlp or 1,
            activation_function="gelu",
            layer_norm_epsilon=model.final_norm.eps,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=0,
            eos_token_id=0,
        )
    )
    state: dict[str, Tensor] = {
        "transformer.wte.weight": model.tokens.weight,
        "transformer.wpe.weight": model.positions,
        "transformer.ln_f.weight": model.final_norm.weight,
        "transformer.ln_f.bias": model.final_norm.bias,
        "lm_head.weight": model.tokens.weight,
    }
    for layer, block in enumerate(model.blocks):
        assert isinstance(block, Block)  # noqa: S101 (for the type checker)
        named = _block_state(block, config.d_model)
        state |= {f"transformer.h.{layer}.{name}": value for name, value in named.items()}
    gpt2.load_state_dict(state)
    gpt2.eval()
    return gpt2


def _block_state(block: Block, d_model: int) -> dict[str, Tensor]:
    """The weights of one block; GPT-2 keeps matrices as [in, out], the own model as [out, in]."""
    state = {
        "ln_1.weight": block.attention_norm.weight,
        "ln_1.bias": block.attention_norm.bias,
        **_attention_state(block.attention),
    }
    if block.mlp is None or block.mlp_norm is None:
        return state | {
            "ln_2.weight": torch.ones(d_model),
            "ln_2.bias": torch.zeros(d_model),
            "mlp.c_fc.weight": torch.zeros(d_model, 1),
            "mlp.c_fc.bias": torch.zeros(1),
            "mlp.c_proj.weight": torch.zeros(1, d_model),
            "mlp.c_proj.bias": torch.zeros(d_model),
        }
    up, _, down = block.mlp.children()
    return state | {
        "ln_2.weight": block.mlp_norm.get_parameter("weight"),
        "ln_2.bias": block.mlp_norm.get_parameter("bias"),
        "mlp.c_fc.weight": up.get_parameter("weight").T,
        "mlp.c_fc.bias": up.get_parameter("bias"),
        "mlp.c_proj.weight": down.get_parameter("weight").T,
        "mlp.c_proj.bias": down.get_parameter("bias"),
    }


def _attention_state(attention: MultiHeadAttention) -> dict[str, Tensor]:
    """Q, K and V side by side in one matrix, as GPT-2 has them."""
    parts = [attention.get_submodule(f"{name}.0") for name in ("query", "key", "value")]
    assert attention.output_bias is not None  # noqa: S101 (the own model has biases)
    return {
        "attn.c_attn.weight": torch.cat([part.get_parameter("weight") for part in parts]).T,
        "attn.c_attn.bias": torch.cat([part.get_parameter("bias") for part in parts]),
        "attn.c_proj.weight": attention.get_submodule("output.0").get_parameter("weight").T,
        "attn.c_proj.bias": attention.output_bias,
    }
