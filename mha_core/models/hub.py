"""The Hugging Face hub and its cache on this machine: safetensors, vocabularies, configurations.

The user's own settings of the hub hold (HF_ENDPOINT, HF_HUB_OFFLINE, HF_HUB_CACHE, HF_TOKEN).
"""

import time
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Any

from cachetools.func import ttl_cache
from huggingface_hub import constants

from mha_core.errors import HeadScopeError, ModelUnavailable
from mha_core.models.directory import MODEL_FILES, find_problem
from mha_core.progress import Progress, silent

# Weights split into several files are called model-00001-of-00003.safetensors and so on. The
# names are given in full so that copies in other formats in the same repository stay there.
_PATTERNS = [*MODEL_FILES, "model-*.safetensors", "model.safetensors.index.json"]

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

    total = done = 0

    class ReportingBar(tqdm):
        """A progress bar as the hub's library wants one: draws nothing, reports what arrives."""

        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **{**options, "disable": True})  # type: ignore[no-untyped-call]

        def update(self, n: float | None = 1) -> None:
            nonlocal done
            done += int(n or 0)
            progress(message, min(done, total), total)

    message = f"Fetching {name} from {constants.ENDPOINT}"
    options: dict[str, Any] = {"cache_dir": constants.HF_HUB_CACHE, "tqdm_class": ReportingBar}
    progress(message, 0, 0)
    try:
        files = snapshot_download(hub_id, dry_run=True, allow_patterns=_PATTERNS, **options)
        total = sum(file.file_size for file in files)
        done = sum(file.file_size for file in files if not file.will_download)
        for file in files:
            if file.will_download:
                hf_hub_download(hub_id, file.filename, revision=file.commit_hash, **options)
        folder = Path(snapshot_download(hub_id, allow_patterns=_PATTERNS, **options))
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


def hub_problem(seconds: float | None = None) -> str | None:
    """Why the hub cannot be used, known `seconds` after it was asked; remembered for a minute."""
    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set, so the hub is not asked."
    seconds = _TIMEOUT_SECONDS if seconds is None else seconds
    sent, answer = _send_probe(constants.ENDPOINT)
    try:
        return answer.result(max(0.0, sent + seconds - time.monotonic()))
    except TimeoutError:
        return f"The hub ({constants.ENDPOINT}) did not answer within {seconds:g} seconds."


def start_probe() -> None:
    """Send the request whose answer `hub_problem` gives, without waiting for it."""
    hub_problem(0)


@ttl_cache(maxsize=1, ttl=_REMEMBERED_SECONDS)
def _send_probe(endpoint: str) -> tuple[float, Future[str | None]]:
    """One request, in a thread because a name lookup cannot be given a time limit."""
    sent, answer = time.monotonic(), Future[str | None]()
    Thread(target=lambda: answer.set_result(_probe(endpoint)), daemon=True).start()
    return sent, answer


def _probe(endpoint: str) -> str | None:
    import http.client
    import urllib.error
    import urllib.request

    try:
        request = urllib.request.Request(endpoint, method="HEAD")  # noqa: S310 (the user's own)
        urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS).close()  # noqa: S310
    except urllib.error.HTTPError as answer:  # any answer at all will do
        answer.close()
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = _first_line(getattr(error, "reason", error))
        return f"The hub ({endpoint}) cannot be reached: {reason}"
    return None


def _first_line(error: object) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0]
