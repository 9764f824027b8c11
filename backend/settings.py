"""Every setting, declared once for the environment, the command line and the README.

A field named `max_tokens` is `HEADSCOPE_MAX_TOKENS` in the environment and `--max-tokens` on the
command line.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from mha_core.models.models_dir import default_models_dir, default_runs_dir


def _split(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


CommaSeparated = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="HEADSCOPE_", frozen=True, extra="forbid")

    host: str = Field("127.0.0.1", description="Address to listen on; loopback keeps it private.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    open: bool = Field(True, description="Open a browser on the page, if there is one.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="How much the server tells on the terminal."
    )
    allowed_hosts: CommaSeparated = Field(
        (), description="Further host names the server answers to, comma-separated."
    )
    allowed_origins: CommaSeparated = Field(
        (), description="Further origins whose pages may call the API, comma-separated."
    )
    default_model: str = Field("minilm", description="Model the page starts with.")
    models_dir: Path = Field(
        default_factory=default_models_dir, description="Where weights are kept."
    )
    runs_dir: Path = Field(
        default_factory=default_runs_dir, description="Where models that are trained here are kept."
    )
    fetch: CommaSeparated = Field(
        ("minilm", "smollm2"),
        description="Models whose weights are fetched before the server starts, comma-separated.",
    )
    extra_models: CommaSeparated = Field(
        (), description="Further models: hub ids or local directories, comma-separated."
    )
    any_model: bool = Field(False, description="Let requests name any model of the hub.")
    hub: bool = Field(True, description="Get weights from the Hugging Face hub when not here.")
    treebank: Path | None = Field(
        None,
        description="Directory of a treebank, for the roles that an atlas finds in grammar.",
    )
    gap: Path | None = Field(
        None, description="A .tsv file of the GAP corpus, for the roles of pronouns."
    )
    device: str = Field(
        "auto", description="`auto` (cuda, else cpu), `cpu`, `cuda`, `cuda:1`, or `mps`."
    )
    dtype: Literal["float32", "float16", "bfloat16"] = Field(
        "float32", description="Precision the models run in."
    )
    max_tokens: int = Field(1024, ge=1, description="Longest text, in tokens, special ones too.")
    max_characters: int = Field(
        100_000, ge=1, description="Longest text, in characters, that is tokenized at all."
    )
    max_texts: int = Field(1000, ge=1, description="Most texts of one corpus.")
    max_corpus_characters: int = Field(
        200_000, ge=1, description="Most characters of one corpus, all texts together."
    )
    max_json_cells: int = Field(
        2_000_000, ge=1, description="Most attention weights in one JSON answer."
    )
    max_array_cells: int = Field(
        100_000_000, ge=1, description="Most attention weights in one answer of arrays."
    )
    workers: int = Field(2, ge=1, description="Runs that may be under way at once.")
    cache_mb: int = Field(512, ge=0, description="Memory for kept analyses, in megabytes.")
    max_models: int = Field(3, ge=1, description="Models kept in memory at once.")

    @property
    def max_request_bytes(self) -> int:
        """Bytes of a request with the longest text or corpus, every character escaped as JSON."""
        n_characters = max(self.max_characters, self.max_corpus_characters)
        return 12 * n_characters + 4 * self.max_texts + 10_000
