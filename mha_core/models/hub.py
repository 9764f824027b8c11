"""The Hugging Face hub and its cache on this machine: safetensors, vocabularies, configurations.

The user's own settings of the hub hold (HF_ENDPOINT, HF_HUB_OFFLINE, HF_HUB_CACHE, HF_TOKEN).
"""

import time
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import Any

from huggingface_hub import constants

from mha_core.errors import HeadScopeError, ModelUnavailable
from mha_core.models.directory import find_problem
from mha_core.progress import Progress, silent

# Weights split into several files are called model-00001-of-00003.safetensors and so on. The
# names are given in full so that copies in other formats in the same repository stay there.
_PATTERNS = ["config.json", "generation_config.json", "model.safetensors", "model-*.safetensors"]
_PATTERNS += ["model.safetensors.index.json", "tokenizer.json", "tokenizer_config.json"]
_PATTERNS += ["special_tokens_map.json", "added_tokens.json", "vocab.txt", "vocab.json"]
_PATTERNS += ["merges.txt"]

_TIMEOUT_SECONDS = 2.0
_REMEMBERED_SECONDS = 60.0


def find_cached(hub_id: str) -> Path | None:
    """The folder of a model that is complete in the cache; its name is the commit."""
    # Read here because the hub's own function for it takes long to import.
    repository = Path(constants.HF_HUB_CACHE) / f"models--{hub_id.replace('/', '--')}"
    try:
        commit = (repository / "refs" / "main").read_text().strip()
    except OSError:
        return None
    folder = repository / "snapshots" / commit
    return folder if find_problem(folder) is None else None


def download(hub_id: str, name: str, progress: Progress = silent) -> Path:
    """Fetch a model from the hub into the cache, and give its folder there."""
    from huggingface_hub import hf_hub_download, snapshot_download
    from huggingface_hub.errors import RepositoryNotFoundError
    from huggingface_hub.utils.tqdm import tqdm

    class SilentBar(tqdm):
        """A progress bar as the hub's library wants one, which draws nothing."""

        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **{**options, "disable": True})  # type: ignore[no-untyped-call]

    total = done = 0

    class ReportingBar(SilentBar):
        """Reports the bytes that arrive."""

        def update(self, n: float | None = 1) -> None:
            nonlocal done
            done += int(n or 0)
            progress(message, min(done, total), total)

    message = f"Fetching {name} from {constants.ENDPOINT}"
    chosen: dict[str, Any] = {"allow_patterns": _PATTERNS, "tqdm_class": SilentBar}
    chosen["cache_dir"] = constants.HF_HUB_CACHE
    progress(message, 0, 0)
    try:
        files = snapshot_download(hub_id, dry_run=True, **chosen)
        total = sum(file.file_size for file in files)
        done = sum(file.file_size for file in files if not file.will_download)
        for file in files:
            if file.will_download:
                hf_hub_download(
                    hub_id,
                    file.filename,
                    revision=file.commit_hash,
                    cache_dir=constants.HF_HUB_CACHE,
                    tqdm_class=ReportingBar,
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
    problem = find_problem(folder)
    if problem is not None:
        raise ModelUnavailable(f"{name} was fetched from the hub, but {problem}")
    return folder


class HubProbe:
    """One request to the hub, in a thread because a name lookup cannot be given a time limit."""

    def __init__(self, endpoint: str) -> None:
        self._endpoint, self._start = endpoint, time.monotonic()
        self._answers: list[str | None] = []
        self._thread = Thread(target=self._ask, daemon=True)
        self._thread.start()

    def problem(self, seconds: float) -> str | None:
        """Why the hub cannot be used, waiting until `seconds` after the request was sent."""
        self._thread.join(max(0.0, self._start + seconds - time.monotonic()))
        if self._answers:
            return self._answers[0]
        return f"The hub ({self._endpoint}) did not answer within {seconds:g} seconds."

    def _ask(self) -> None:
        import http.client
        import urllib.error
        import urllib.request

        try:
            request = urllib.request.Request(self._endpoint, method="HEAD")  # noqa: S310 (the user's own)
            urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS).close()  # noqa: S310
            self._answers.append(None)
        except urllib.error.HTTPError as answer:  # any answer at all will do
            answer.close()
            self._answers.append(None)
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = _first_line(getattr(error, "reason", error))
            self._answers.append(f"The hub ({self._endpoint}) cannot be reached: {reason}")


def hub_problem(seconds: float | None = None) -> str | None:
    """Why the hub cannot be used; None when it answers. Remembered for up to a minute."""
    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set, so the hub is not asked."
    probe = _probe(constants.ENDPOINT, int(time.monotonic() / _REMEMBERED_SECONDS))
    return probe.problem(_TIMEOUT_SECONDS if seconds is None else seconds)


def start_probe() -> None:
    """Send the request whose answer `hub_problem` gives, without waiting for it."""
    hub_problem(0)


@lru_cache(maxsize=1)
def _probe(endpoint: str, minute: int) -> HubProbe:  # noqa: ARG001 (part of the cache's key)
    return HubProbe(endpoint)


def _first_line(error: object) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0]
