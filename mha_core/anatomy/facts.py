"""What formulas depend on: where the norms are, which biases there are, how positions come in."""

from dataclasses import dataclass

from mha_core.anatomy.forward import ForwardPass


@dataclass(frozen=True)
class Facts:
    """One layer of a model; by default that of the textbook: GPT-2's."""

    layer: int = 1
    norm_first: bool = True  # norms before attention and MLP, else after them
    centred: bool = True  # LayerNorm, else RMSNorm
    beta: bool = True  # norms add one
    embedding_norm: bool = False
    positions: bool = True  # are added to the tokens
    segments: bool = False
    rotary: bool = False  # positions rotate queries and keys
    shifted_keys: bool = False
    biases: frozenset[str] = frozenset(
        {"q", "k", "v", "q_fused", "k_fused", "v_fused", "o", "up", "down"}
    )
    activation: str = "GELU"
    mlp: bool = True
    gated: bool = False
    final_norm: bool = True

    @classmethod
    def of(cls, run: ForwardPass) -> "Facts":
        computation, block = run.computation, run.steps.block
        weights, mlp, how = block.attention, block.mlp, run.how[run.layer]
        linears = {"q": weights.query, "k": weights.key, "v": weights.value, "o": weights.output}
        linears |= {f"{name}_fused": linears[name] for name in "qkv"}
        if computation.unembedding is not None:
            linears["u"] = computation.unembedding
        if mlp is not None:
            linears |= {"up": mlp.up, "down": mlp.down}
            linears |= {} if mlp.gate is None else {"gate": mlp.gate}
        return cls(
            layer=run.layer,
            norm_first=block.norm_first,
            centred=block.first_norm.centred,
            beta=block.first_norm.beta is not None,
            embedding_norm=computation.embedding_norm is not None,
            positions=computation.positions is not None,
            segments=computation.segments is not None,
            rotary=computation.rotary is not None,
            shifted_keys=how.key_sources is not None,
            biases=frozenset(name for name, it in linears.items() if it.bias is not None),
            activation="" if mlp is None else mlp.activation_name,
            mlp=mlp is not None,
            gated=mlp is not None and mlp.gate is not None,
            final_norm=computation.final_norm is not None,
        )

    @property
    def query(self) -> str:
        """The matrix whose rows are the queries of the scores."""
        return "q_rotated" if self.rotary else "q"

    @property
    def key(self) -> str:
        """The matrix whose rows are the keys of the scores."""
        return "k_rotated" if self.rotary else "k_shifted" if self.shifted_keys else "k"

    @property
    def mlp_residual(self) -> str:
        """The matrix that the MLP's output is added to."""
        return "residual" if self.norm_first else "mlp_input"
