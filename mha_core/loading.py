"""From a catalogue entry to a model that runs: weights, tokenizer, device and number format.

This file must not know HTTP, caches of models or threads: whoever calls `load` keeps the result.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer, PreTrainedTokenizerFast

from mha_core.adapters import output_projection
from mha_core.byte_tokenizer import byte_tokenizer
from mha_core.catalogue import CatalogueEntry
from mha_core.device import resolve_device, resolve_dtype
from mha_core.errors import HeadScopeError, ModelFailed, OutOfMemory
from mha_core.progress import Progress, silent
from mha_core.quiet import quiet
from mha_core.shape import ModelShape, own_shape, shape_of
from mha_core.sources import Availability, Source, SourceKind, availability, obtain
from mha_core.tap import NAME, LayerCapture, Site, Tap, attention_sites, register
from mha_core.tokens import TokenizedText, tokenize
from mha_core.transformer import load_transformer
from mha_core.value_weights import output_grams

__all__ = ["Availability", "LoadedModel", "Progress", "availability", "load"]

_ONE_AT_A_TIME = threading.Lock()
"""Held while transformers builds a model: it changes defaults of the whole process meanwhile."""


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model ready to run, with all that names what it computes. Any thread may use it."""

    entry: CatalogueEntry
    shape: ModelShape
    revision: str
    source: SourceKind
    tokenizer: PreTrainedTokenizerFast = field(repr=False)
    network: nn.Module = field(repr=False)
    device: torch.device
    dtype: torch.dtype
    sites: Mapping[nn.Module, Site] = field(repr=False)

    @cached_property
    def grams(self) -> tuple[Tensor | None, ...]:
        """Of each layer, what tells how long the vectors are that its heads write, [H, d, d].

        None for families whose output projection is not known; computed once, at the first use.
        """
        projections = (
            output_projection(self.network, self.shape.family, layer)
            for layer in range(self.shape.n_layers)
        )
        with torch.inference_mode():
            return tuple(
                w if w is None else output_grams(w, self.shape.n_heads) for w in projections
            )

    def forward(self, tokenized: TokenizedText, tap: Tap | None = None) -> Tensor:
        """The last hidden state, [1, T, D], of one text; a tap sees each layer on the way."""
        return self.forward_all([tokenized], tap)

    def forward_all(self, texts: Sequence[TokenizedText], tap: Tap | None = None) -> Tensor:
        """The last hidden states, [B, T, D], of texts of one length: nothing is padded.

        Of an encoder-decoder the encoder alone runs: one text has one grid of maps, and a decoder
        would need a second text to look from.
        """
        inputs = {
            name: torch.tensor([text.inputs[name] for text in texts], device=self.device)  # [B, T]
            for name in texts[0].inputs
        }
        # The sites belong to the model, so a caller need not know them.
        tap = None if tap is None else replace(tap, sites=self.sites)
        with torch.inference_mode():
            output = self.network(**inputs, tap=tap)
        hidden = output if isinstance(output, Tensor) else output.last_hidden_state
        assert isinstance(hidden, Tensor)  # noqa: S101 (for the type checker)
        return hidden


def load(
    entry: CatalogueEntry,
    *,
    models_dir: Path,
    device: str = "auto",
    dtype: str = "float32",
    hub: bool = True,
    progress: Progress | None = None,
) -> LoadedModel:
    """The entry's model on a device, its weights fetched first where they are not here yet."""
    tell = progress or silent
    chosen_device, chosen_dtype = resolve_device(device), resolve_dtype(dtype)
    source = obtain(entry, models_dir, allow_hub=hub, progress=tell)
    message = f"Loading {entry.name}"
    tell(message, 0, 2)
    read = _read_own if source.kind == "built-in" else _read_directory
    try:
        with _ONE_AT_A_TIME:
            parts = read(source.path, chosen_dtype)
        tell(message, 1, 2)
        parts.network.to(chosen_device, chosen_dtype).eval().requires_grad_(False)
        model = LoadedModel(
            entry=entry,
            shape=parts.shape,
            revision=source.revision,
            source=source.kind,
            tokenizer=parts.tokenizer,
            network=parts.network,
            device=chosen_device,
            dtype=chosen_dtype,
            sites=attention_sites(parts.network),
        )
        model = replace(model, shape=_shape_seen(model))
    except HeadScopeError:
        raise
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise OutOfMemory(
            f"There is not enough memory on {chosen_device} for {entry.name}."
        ) from error
    except Exception as error:  # files can be broken in any way there is
        raise ModelFailed(
            f"{entry.name} could not be loaded from {source.path}: {error} "
            f"{_advice(source, entry)}",
            path=str(source.path),
        ) from error
    tell(message, 2, 2)
    return model


@dataclass(frozen=True)
class _Parts:
    """What is read from disk, before it is put on a device."""

    network: nn.Module
    tokenizer: PreTrainedTokenizerFast
    shape: ModelShape


def _read_own(checkpoint: Path, _: torch.dtype) -> _Parts:
    network = load_transformer(checkpoint)
    return _Parts(network, byte_tokenizer(network.config.max_tokens), own_shape(network.config))


def _read_directory(directory: Path, dtype: torch.dtype) -> _Parts:
    quiet()
    register()
    tokenizer = AutoTokenizer.from_pretrained(
        directory, local_files_only=True, trust_remote_code=False
    )
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise ModelFailed(
            f"{directory} has a tokenizer without offsets ({type(tokenizer).__name__}): HeadScope "
            f"needs a tokenizer.json beside the model."
        )
    network, report = AutoModel.from_pretrained(
        directory,
        dtype=dtype,
        attn_implementation=NAME,
        use_safetensors=True,
        local_files_only=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    # A pooler sits on top of the last layer, where no head looks; many files lack one.
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key)
    if missing:
        raise ModelFailed(
            f"{directory} lacks {len(missing)} weights of its model, {missing[0]} among them: "
            f"the files are not whole, or belong to another architecture."
        )
    shape = shape_of(network.config)
    network.config.use_cache = False  # one pass over one text reuses no keys
    return _Parts(
        network.get_encoder() if shape.kind == "encoder-decoder" else network, tokenizer, shape
    )


def _shape_seen(model: LoadedModel) -> ModelShape:
    """The shape with the heads the layers really have, seen in a short run.

    The run is also the proof that every layer passes through the tap: an architecture that does
    its attention elsewhere, or shares one layer's module between all, is refused here.
    """
    seen: dict[int, LayerCapture] = {}

    def watch(capture: LayerCapture, pattern: Tensor) -> None:  # noqa: ARG001 (a Watcher)
        seen[capture.site.layer] = capture

    # A real text: its first use also settles the tokenizer, before threads come to share it.
    model.forward(tokenize(model.tokenizer, "a b"), Tap(watch))
    if sorted(seen) != list(range(model.shape.n_layers)):
        raise ModelFailed(
            f"HeadScope can see {len(seen)} of the {model.shape.n_layers} layers of "
            f"{model.entry.name}: the architecture {model.shape.family!r} is not supported."
        )
    q, k = seen[0].q, seen[0].k
    return replace(model.shape, n_heads=q.shape[1], n_kv_heads=k.shape[1], d_head=q.shape[3])


def _advice(source: Source, entry: CatalogueEntry) -> str:
    if source.kind in ("package", "cache", "hub"):
        return f"Delete that directory and fetch it again: headscope models get {entry.id}"
    return "Save the model there again with save_pretrained()."
