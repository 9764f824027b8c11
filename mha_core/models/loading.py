"""From a catalogue entry to a model that runs: weights, tokenizer, device and number format."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import torch
from torch import Tensor, nn

from mha_core.errors import (
    HeadScopeError,
    ModelFailed,
    NoChatTemplate,
    NoValueWeights,
    OutOfMemory,
    PairNotSupported,
)
from mha_core.models.architecture import Architecture
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.checksums import check_files
from mha_core.models.device import check_bfloat16, resolve_device, resolve_dtype
from mha_core.models.family import output_projection
from mha_core.models.reading import ModelParts, read_directory, read_own
from mha_core.models.sources import Availability, SourceKind, availability, obtain
from mha_core.progress import Progress, silent
from mha_core.runs.value_weights import output_grams
from mha_core.stacks import DECODER_INPUT, Site, stack_sizes
from mha_core.tap import LayerCapture, Tap, attention_sites
from mha_core.text.encoder_decoder import tokenize_two
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText
from mha_core.text.word_tokenizer import check_words, known_words

__all__ = ["Availability", "LoadedModel", "Progress", "availability", "load"]


@dataclass(frozen=True, eq=False, kw_only=True)
class LoadedModel(ModelParts):
    """A model ready to run, with what identifies its results. Threads may share it."""

    entry: CatalogueEntry
    revision: str
    source: SourceKind
    device: torch.device
    dtype: torch.dtype
    sites: Mapping[nn.Module, Site] = field(repr=False)
    # [H] at a site: factors of its queries; a model as published has none
    query_scales: Mapping[Site, Tensor] = field(default_factory=dict, repr=False)

    @cached_property
    def grams(self) -> Mapping[Site, Tensor]:
        """Gram matrices of W_O at each site, [H, d, d]: they give the norms of what heads write.

        Empty for families whose output projections are not known; computed at the first use.
        """
        family, found = self.architecture.family, dict[Site, Tensor]()
        with torch.inference_mode():
            for stack, (n_layers, n_heads) in stack_sizes(self.architecture).items():
                for site in (Site(layer, stack) for layer in range(n_layers)):
                    projection = output_projection(self.network, family, site)
                    if projection is not None:
                        found[site] = output_grams(projection, n_heads)
        return found

    def tokenize(
        self,
        text: str,
        text_pair: str | None = None,
        continuation: Sequence[int] = (),
        max_tokens: int | None = None,
        *,
        chat: bool = False,
    ) -> TokenizedText:
        """The tokens of a text as this model reads them; an encoder-decoder reads two texts.

        With `chat` the text is a message of a user, wrapped by the model's chat template.
        """
        if chat:
            self._check_chat(text_pair)
        check_words(self.tokenizer, text)
        if self.start_id is None:
            return tokenize(self.tokenizer, text, text_pair, continuation, max_tokens, chat=chat)
        return tokenize_two(self.tokenizer, text, text_pair, self.start_id, max_tokens)

    @property
    def has_chat_template(self) -> bool:
        """Whether a text can be wrapped as a message of a user."""
        return self.start_id is None and bool(self.tokenizer.chat_template)

    def forward(self, tokenized: TokenizedText, tap: Tap | None = None) -> Tensor:
        """The last hidden state, [1, T, D], of one text; a tap sees each layer on the way."""
        return self.forward_all([tokenized], tap)

    def forward_all(self, texts: Sequence[TokenizedText], tap: Tap | None = None) -> Tensor:
        """The last hidden states, [B, T, D], of texts of one length: nothing is padded.

        Of an encoder-decoder they are the decoder's, or, for texts without anything for the decoder
        to read, the encoder's, which then runs alone.
        """
        inputs = {
            name: torch.tensor([text.inputs[name] for text in texts], device=self.device)  # [B, T]
            for name in texts[0].inputs
        }
        network = self.network
        if self.architecture.kind == "encoder-decoder" and DECODER_INPUT not in inputs:
            network = network.get_encoder()  # type: ignore[operator]
        # Sites and scales belong to the model, so a caller need not know them.
        if tap is not None or self.query_scales:
            tap = replace(tap or Tap(), sites=self.sites, query_scales=self.query_scales)
        with torch.inference_mode():
            output = network(**inputs, tap=tap)
        hidden = output if isinstance(output, Tensor) else output.last_hidden_state
        assert isinstance(hidden, Tensor)  # noqa: S101 (for the type checker)
        return hidden

    def unembed(self, hidden: Tensor) -> Tensor | None:
        """Logits of the next token [..., V] from last hidden states [..., D].

        None for a model that predicts none, and where its files hold no output layer.
        """
        if self.output_layer is None:
            return None
        with torch.inference_mode():
            return self.output_layer(hidden)

    @property
    def has_value_weights(self) -> bool:
        """Whether the output projections are known, without computing anything from them."""
        site = Site(0, next(iter(stack_sizes(self.architecture))))
        return output_projection(self.network, self.architecture.family, site) is not None

    def known_grams(self) -> Mapping[Site, Tensor]:
        """The grams, or an error that says why nothing can be weighted by value."""
        if not self.has_value_weights:
            raise NoValueWeights(
                f"Value-weighting is not known for {self.entry.name}: HeadScope does not know "
                f"where the layers of the family {self.architecture.family!r} keep their output "
                f"projection. Ask for raw values.",
                family=self.architecture.family,
            )
        return self.grams

    def _check_chat(self, text_pair: str | None) -> None:
        if not self.has_chat_template:
            raise NoChatTemplate(
                f"{self.entry.name} has no chat template: leave out `chat`, or choose a model that "
                f"was trained to follow instructions, such as smollm2.",
                model=self.entry.id,
            )
        if text_pair is not None:
            raise PairNotSupported(
                "A chat message is one text: leave out `text_pair` or `chat`.", model=self.entry.id
            )


def load(
    entry: CatalogueEntry,
    *,
    models_dir: Path,
    device: str = "auto",
    dtype: str = "float32",
    hub: bool = True,
    progress: Progress = silent,
    make_room: Callable[[], None] = lambda: None,
) -> LoadedModel:
    """The entry's model on a device, its weights fetched first where they are not here yet.

    `make_room` is called when only the weights are left to read: a model that cannot be loaded
    should evict no other.
    """
    chosen_device, chosen_dtype = resolve_device(device), resolve_dtype(dtype)
    check_bfloat16(chosen_device, chosen_dtype)
    source = obtain(entry, models_dir, allow_hub=hub, progress=progress)
    message = f"Loading {entry.name}"
    progress(message, 0, 2)
    try:
        if source.kind == "built-in":
            make_room()
            parts = read_own(source.path)
        else:
            check_files(source.path, entry)
            parts = read_directory(source.path, chosen_dtype, make_room)
        progress(message, 1, 2)
        for part in (parts.network, parts.output_layer):
            if isinstance(part, nn.Module):
                part.to(chosen_device, chosen_dtype).eval().requires_grad_(False)
        model = LoadedModel(
            **vars(parts),
            entry=entry,
            revision=source.revision,
            source=source.kind,
            device=chosen_device,
            dtype=chosen_dtype,
            sites=attention_sites(parts.network),
        )
        model = replace(model, architecture=_observed_architecture(model))
    except HeadScopeError:
        raise
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise OutOfMemory(
            f"There is not enough memory on {chosen_device} for {entry.name}."
        ) from error
    except Exception as error:  # files can be broken in any way there is
        advice = "Save the model there again with save_pretrained()."
        if source.kind in ("package", "cache", "hub"):
            advice = f"Delete that directory and fetch it again: headscope models get {entry.id}"
        raise ModelFailed(
            f"{entry.name} could not be loaded from {source.path}: {error} {advice}",
            path=str(source.path),
        ) from error
    progress(message, 2, 2)
    return model


def _observed_architecture(model: LoadedModel) -> Architecture:
    """The architecture with the heads the layers really have, observed in a short run.

    The run also proves that the numbers are finite and that every layer passes through the tap: an
    architecture that computes attention elsewhere, or shares one module between all layers, is
    refused here.
    """
    captures: list[LayerCapture] = []
    # A real text: the tokenizer changes at its first use, before threads share it.
    text = " ".join(known_words(model.tokenizer)[:2]) or "a b"
    hidden = model.forward(model.tokenize(text), Tap(lambda capture, _: captures.append(capture)))
    seen = {capture.site: capture for capture in captures}
    if not torch.isfinite(hidden).all():
        raise ModelFailed(
            f"{model.entry.name} computes numbers that are not finite: its weights are damaged, or "
            f"too large for {str(model.dtype).removeprefix('torch.')}."
        )
    several = len(stack_sizes(model.architecture)) > 1
    for stack, (n_layers, _) in stack_sizes(model.architecture).items():
        which = f"{stack} " if several else ""
        layers = sorted(site.layer for site in seen if site.stack == stack or not several)
        if layers != list(range(n_layers)):
            raise ModelFailed(
                f"HeadScope can see {len(layers)} of the {n_layers} {which}layers of "
                f"{model.entry.name}: the architecture {model.architecture.family!r} is not "
                f"supported."
            )
    first = next(iter(seen.values()))
    decoder = seen.get(Site(0, "decoder")) if several else None
    return replace(
        model.architecture,
        n_heads=first.q.shape[1],
        n_kv_heads=first.k.shape[1],
        d_head=first.q.shape[3],
        decoder_heads=0 if decoder is None else decoder.q.shape[1],
    )
