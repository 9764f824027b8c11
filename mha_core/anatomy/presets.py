"""The sizes of attention in known models, with their sources."""

from dataclasses import dataclass
from pathlib import Path

from mha_core.models.architecture import Architecture
from mha_core.models.catalogue import CATALOGUE, CatalogueEntry, find
from mha_core.models.sources import availability

BIAS = {"bert": True, "gpt2": True, "llama": False, "headscope": True}
"""Family -> whether W_Q, W_K, W_V and W_O have biases: no configuration says so for all of them."""


@dataclass(frozen=True)
class Preset:
    """The sizes of one model; `max_tokens` is None where the publication names no limit."""

    id: str
    name: str
    d_model: int
    n_heads: int
    n_kv_heads: int
    n_layers: int
    max_tokens: int | None
    bias: bool
    source: str
    note: str = ""
    model: str | None = None  # its id in the catalogue, if HeadScope can run it


def _published(model_id: str, name: str, source: str, note: str = "") -> Preset:
    """A model of the catalogue, whose sizes are there."""
    entry = find(model_id)
    assert entry.architecture is not None, model_id  # noqa: S101 (for the type checker)
    return _preset(entry, entry.architecture, name, source, note)


def _preset(
    entry: CatalogueEntry, sizes: Architecture, name: str, source: str, note: str = ""
) -> Preset:
    return Preset(
        id=entry.id,
        name=name,
        d_model=sizes.d_model,
        n_heads=sizes.n_heads,
        n_kv_heads=sizes.n_kv_heads,
        n_layers=sizes.n_layers,
        max_tokens=sizes.max_tokens,
        bias=BIAS[sizes.family],
        source=source,
        note=note,
        model=entry.id,
    )


_LLAMA_2 = "Touvron and others, Llama 2: Open Foundation and Fine-Tuned Chat Models, 2023"
_OF_WEIGHTS = "Width, layers and query heads are those of the published weights."

PRESETS: tuple[Preset, ...] = (
    Preset(
        "transformer", "The original transformer", 512, 8, 8, 6, None, bias=False,
        source="Vaswani and others, Attention Is All You Need, 2017",
        note="The 6 layers are those of the encoder. The decoder has 6 more, each with attention "
        "to its own tokens and attention to the encoder's.",
    ),
    _published(
        "bert-base-uncased", "BERT base",
        "Devlin and others, BERT: Pre-training of Deep Bidirectional Transformers for Language "
        "Understanding, 2018",
    ),
    _published(
        "gpt2", "GPT-2",
        "Radford and others, Language Models are Unsupervised Multitask Learners, 2019",
        "The paper names no number of heads: it is that of the published weights.",
    ),
    Preset(
        "gpt-3", "GPT-3", 12_288, 96, 96, 96, 2048, bias=True,
        source="Brown and others, Language Models are Few-Shot Learners, 2020",
        note="The biases are those of GPT-2, whose architecture it has. Every other layer attends "
        "only to some of the tokens, so that it needs less than is counted for the maps.",
    ),
    Preset(
        "llama-2-7b", "Llama 2 7B", 4096, 32, 32, 32, 4096, bias=False,
        source=_LLAMA_2, note=_OF_WEIGHTS,
    ),
    Preset(
        "llama-2-70b", "Llama 2 70B", 8192, 64, 8, 80, 4096, bias=False,
        source=_LLAMA_2, note=_OF_WEIGHTS,
    ),
    Preset(
        "llama-3.1-405b", "Llama 3.1 405B", 16_384, 128, 8, 126, 131_072, bias=False,
        source="Grattafiori and others, The Llama 3 Herd of Models, 2024",
    ),
)  # fmt: skip
"""Published models, in the order of their publication."""


def shipped_presets(models_dir: Path) -> tuple[Preset, ...]:
    """The models that come with HeadScope, with the sizes of their own files."""
    presets = []
    for entry in CATALOGUE:
        if entry.checkpoint is None and entry.package is None:
            continue
        sizes = availability(entry, models_dir=models_dir, hub=False).architecture
        if sizes is not None and sizes.family in BIAS:
            published = f"The configuration of {entry.hub_id} on the Hugging Face hub"
            source = published if entry.hub_id else "The header of its file of weights"
            presets.append(_preset(entry, sizes, entry.name, source))
    return tuple(presets)


def usual_widths() -> tuple[int, int]:
    """The smallest and the largest d_head of the published models."""
    widths = [preset.d_model // preset.n_heads for preset in PRESETS]
    return min(widths), max(widths)
