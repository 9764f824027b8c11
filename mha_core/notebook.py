"""The page in a notebook: what every head of a transformers model in memory does with a text.

    from mha_core.notebook import show
    show(model, tokenizer, "The animal didn't cross the street because it was too tired.")

It needs no server, no internet and no copy of the model: the model's attention function is replaced
for one run and then restored.
"""

import html
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerFast

from mha_core.errors import ModelFailed, PairNotSupported
from mha_core.models.architecture import architecture_of
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.loading import LoadedModel
from mha_core.models.reading import start_id
from mha_core.runs.analysis import Analysis, RunInfo, check_length
from mha_core.tap import NAME, LayerCapture, Tap, attention_sites, register
from mha_core.text.tokens import TokenizedText

HEIGHT = 800
"""CSS pixels of the frame in the notebook."""


@dataclass(frozen=True)
class Shown:
    """A page: the last line of a notebook cell displays it; `save` writes it to a file."""

    html: str = field(repr=False)
    height: int = HEIGHT

    def _repr_html_(self) -> str:
        # Sandboxed: its scripts run in an origin of their own, without access to the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
            f'title="HeadScope" width="100%" height="{self.height}" frameborder="0"></iframe>'
        )

    def save(self, path: str | Path) -> None:
        """Write the page to a file that any browser opens."""
        Path(path).write_text(self.html, encoding="utf-8")


def show(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    text: str,
    text_pair: str | None = None,
    *,
    view: str = "",
    notes: Mapping[str, str] | None = None,
    height: int = HEIGHT,
) -> Shown:
    """A page that shows what every head of a model does with a text.

    `view` is the initial view, as in a link to the page ("v=2&pins=3.1h,5.0l"); `notes` are notes
    on heads, by "layer.head".
    """
    loaded = _in_memory(model, tokenizer)
    if text_pair is not None and not loaded.architecture.takes_pairs:
        raise PairNotSupported(f"{loaded.entry.name} takes one text: leave out `text_pair`.")
    limit = loaded.architecture.max_tokens
    tokenized = loaded.tokenize(text, text_pair, max_tokens=limit)
    check_length(tokenized, limit)
    with switch_to_tap(model):
        loaded, analysis = _run_model(loaded, tokenized)
    # The only import of the server in the core, and only when `show` is called.
    from backend.snapshot.recording import Remarks, record, write_snapshot

    remarks = Remarks(view=view, notes=notes or {})
    return Shown(write_snapshot(record(loaded, analysis, None, remarks)), height)


_FOR_A_RUN = {
    "_attn_implementation_internal": NAME,
    "_output_attentions": False,  # otherwise transformers uses its own attention function
    "use_cache": False,
}
"""The configuration of a model during the run."""


@contextmanager
def switch_to_tap(model: PreTrainedModel) -> Iterator[None]:
    """Set a model to tapped attention and eval mode, and restore both afterwards."""
    register()
    modules = list(model.modules())
    training = [module.training for module in modules]
    configs = [vars(config) for config in _configs(model)]
    kept = [{name: config[name] for name in _FOR_A_RUN if name in config} for config in configs]
    try:
        model.eval()
        for config, own in zip(configs, kept, strict=True):
            config.update({name: _FOR_A_RUN[name] for name in own})
        yield
    finally:
        for config, own in zip(configs, kept, strict=True):
            config.update(own)
        for module, was_training in zip(modules, training, strict=True):
            module.training = was_training


def _configs(model: PreTrainedModel) -> list[PretrainedConfig]:
    """Every configuration in a model, each once: submodules may have their own or share one."""
    found = [getattr(module, "config", None) for module in model.modules()]
    return list({id(it): it for it in found if isinstance(it, PretrainedConfig)}.values())


def _in_memory(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> LoadedModel:
    """A LoadedModel from a model and tokenizer that the caller loaded."""
    if not isinstance(model, PreTrainedModel):
        raise ModelFailed(
            f"show() takes a model of transformers, such as AutoModel.from_pretrained() gives; "
            f"this is a {type(model).__name__}."
        )
    if not isinstance(tokenizer, PreTrainedTokenizerFast):
        raise ModelFailed(
            f"show() takes a fast tokenizer, such as AutoTokenizer.from_pretrained() gives: a "
            f"{type(tokenizer).__name__} does not tell which characters a token stands for."
        )
    try:
        architecture = architecture_of(model.config)
    except AttributeError as error:
        raise _unsupported(model) from error
    name = _name(model)
    network = model.base_model
    starts_with = None
    if architecture.kind == "encoder-decoder":
        generation = model.generation_config
        starts_with = start_id(model.config, generation.to_dict() if generation else {}, name)
    return LoadedModel(
        entry=CatalogueEntry(id=name, name=name, licence="not stated", about=type(model).__name__),
        architecture=architecture,
        revision="in memory",
        source="none",
        tokenizer=tokenizer,
        network=network,
        device=model.device,
        dtype=model.dtype,
        sites=attention_sites(network),
        start_id=starts_with,
    )


def _run_model(loaded: LoadedModel, tokenized: TokenizedText) -> tuple[LoadedModel, Analysis]:
    """Run the model; returns it with its real head counts. Raises if the tap missed a layer."""
    layers: list[LayerCapture] = []
    tap = Tap(on_layer=layers.append, sites=loaded.sites)
    inputs = {
        name: torch.tensor([values], device=loaded.device)  # [1, T]
        for name, values in tokenized.inputs.items()
    }
    try:
        with torch.inference_mode():
            loaded.network(**inputs, tap=tap)
    except TypeError as error:  # a forward() without extra keyword arguments
        raise _unsupported(loaded.network) from error
    analysis = Analysis(**vars(RunInfo.of(loaded, tokenized)), layers=tuple(layers))
    if any(len(analysis.captures(it.name)) != it.n_layers for it in analysis.stacks):
        raise _unsupported(loaded.network)
    first = analysis.layers[0]
    architecture = replace(
        loaded.architecture,
        n_heads=first.q.shape[1],
        n_kv_heads=first.k.shape[1],
        d_head=first.q.shape[3],
    )
    return replace(loaded, architecture=architecture), replace(analysis, architecture=architecture)


def _name(model: PreTrainedModel) -> str:
    """The model's name; for a directory the last part of its path, because pages are shared."""
    path = str(model.config.name_or_path or type(model).__name__)
    return Path(path).name if Path(path).is_dir() else path


def _unsupported(model: object) -> ModelFailed:
    return ModelFailed(
        f"HeadScope cannot see the attention of a {type(model).__name__}: this architecture does "
        f"it elsewhere than where transformers lets it be observed."
    )
