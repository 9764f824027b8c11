"""The Hugging Face hub and its cache on this machine: safetensors, vocabularies, configurations.

Everything of the user's own settings holds (HF_ENDPOINT, HF_HUB_OFFLINE, HF_HUB_CACHE, HF_TOKEN).
This file must not know the catalogue.
"""

import http.client
import threading
import time
import urllib.error
import urllib.request
from functools import lru_cache
from pathlib import Path
from typing import Any

from huggingface_hub import constants, hf_hub_download, snapshot_download, try_to_load_from_cache
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.utils.tqdm import tqdm

from mha_core.errors import HeadScopeError, ModelUnavailable
from mha_core.models.directory import trouble_in
from mha_core.progress import Progress, silent

# Weights split into several files are called model-00001-of-00003.safetensors and so on. The
# names are given in full so that copies in other formats below the same page stay there.
_PATTERNS = ["config.json", "generation_config.json", "model.safetensors", "model-*.safetensors"]
_PATTERNS += ["model.safetensors.index.json", "tokenizer.json", "tokenizer_config.json"]
_PATTERNS += ["special_tokens_map.json", "added_tokens.json", "vocab.txt", "vocab.json"]
_PATTERNS += ["merges.txt"]

_PATIENCE_SECONDS = 2.0
_REMEMBERED_SECONDS = 60.0


def cached(hub_id: str) -> Path | None:
    """The folder of a model that is whole in the cache; its name is the commit."""
    config = try_to_load_from_cache(hub_id, "config.json", cache_dir=constants.HF_HUB_CACHE)
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    return folder if trouble_in(folder) is None else None


class _Bar(tqdm):
    """A progress bar as the hub's library wants one, which draws nothing."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **{**options, "disable": True})  # type: ignore[no-untyped-call]


def download(hub_id: str, name: str, progress: Progress = silent) -> Path:
    """Fetch a model from the hub into the cache, and give its folder there."""
    message = f"Fetching {name} from {constants.ENDPOINT}"
    cache = constants.HF_HUB_CACHE
    chosen: dict[str, Any] = {"allow_patterns": _PATTERNS, "tqdm_class": _Bar, "cache_dir": cache}
    progress(message, 0, 0)
    try:
        files = snapshot_download(hub_id, dry_run=True, **chosen)
        total = sum(file.file_size for file in files)
        done = sum(file.file_size for file in files if not file.will_download)

        class Told(_Bar):
            """Passes on what arrives."""

            def update(self, n: float | None = 1) -> None:
                nonlocal done
                done += int(n or 0)
                progress(message, min(done, total), total)

        for file in files:
            if file.will_download:
                hf_hub_download(
                    hub_id,
                    file.filename,
                    revision=file.commit_hash,
                    cache_dir=cache,
                    tqdm_class=Told,
                )
        folder = Path(snapshot_download(hub_id, **chosen))
    except HeadScopeError:
        raise
    except Exception as error:  # networks fail in more ways than one can name
        cause = error.__cause__ or error  # the dry run wraps what happened
        if isinstance(cause, RepositoryNotFoundError):
            why = f"it has no model {hub_id!r} that you may see; check the name, or `hf auth login`"
        else:
            why = _first_line(cause)
        raise ModelUnavailable(
            f"{name} could not be fetched from {constants.ENDPOINT}: {why}."
        ) from error
    trouble = trouble_in(folder)
    if trouble is not None:
        raise ModelUnavailable(f"{name} was fetched from the hub, but {trouble}")
    return folder


def trouble_reaching() -> str | None:
    """Why the hub cannot be asked; None when it answers. Remembered for up to a minute."""
    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set, so the hub is not asked."
    return _trouble(constants.ENDPOINT, int(time.monotonic() / _REMEMBERED_SECONDS))


@lru_cache(maxsize=1)
def _trouble(endpoint: str, minute: int) -> str | None:  # noqa: ARG001 (the memory's key)
    answers: list[str | None] = []

    def ask() -> None:
        question = urllib.request.Request(endpoint, method="HEAD")  # noqa: S310 (the user's own)
        try:
            urllib.request.urlopen(question, timeout=_PATIENCE_SECONDS).close()  # noqa: S310
            answers.append(None)
        except urllib.error.HTTPError as answer:  # any answer at all will do
            answer.close()
            answers.append(None)
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            answers.append(f"The hub ({endpoint}) cannot be reached: {_first_line(reason)}")

    # In a thread of its own because looking up a name cannot be given a time limit.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_PATIENCE_SECONDS)
    if answers:
        return answers[0]
    return f"The hub ({endpoint}) did not answer within {_PATIENCE_SECONDS:.0f} seconds."


def _first_line(error: object) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0]
