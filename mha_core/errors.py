"""Every error HeadScope raises on purpose, each with a stable code and words that say what to do.

    HeadScopeError
    ├── InputError          what was asked cannot be done as asked
    │   ├── EmptyText
    │   ├── TextTooLong
    │   ├── PairNotSupported
    │   ├── NoSuchHead
    │   ├── NoSuchStack
    │   ├── NoSuchPosition
    │   ├── NotVisible
    │   ├── NoValueWeights
    │   ├── NoContinuation
    │   ├── NoSuchToken
    │   ├── NothingAligned
    │   └── BadDimensions   (also a ValueError)
    ├── ModelError          the model is the trouble
    │   ├── UnknownModel
    │   ├── ModelUnavailable
    │   ├── ModelFailed
    │   ├── WeightsMismatch
    │   └── UnreadableAtlas
    └── RunError            the run is the trouble
        ├── Cancelled
        ├── SlowReader
        └── OutOfMemory

This file must not know HTTP: the backend maps codes to statuses.
"""

from typing import Any, ClassVar


class HeadScopeError(Exception):
    """Base of all errors; `message` is for a person, `code` and `details` for a program."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, **details: Any) -> None:  # noqa: ANN401 (any JSON value)
        super().__init__(message)
        self.message = message
        self.details = details


class InputError(HeadScopeError):
    """What was asked cannot be done as asked."""

    code = "bad_input"


class EmptyText(InputError):
    """There is no text to look at."""

    code = "empty_text"


class TextTooLong(InputError):
    """The text has more tokens than the model or the settings allow; details hold both counts."""

    code = "text_too_long"

    @classmethod
    def of(cls, n_tokens: int, max_tokens: int, what: str = "The text") -> "TextTooLong":
        """With both counts and the way out."""
        return cls(
            f"{what} has {n_tokens} tokens and the limit is {max_tokens}: "
            f"shorten it by {n_tokens - max_tokens}.",
            n_tokens=n_tokens,
            max_tokens=max_tokens,
        )


class PairNotSupported(InputError):
    """A second sentence was given to a model that takes one."""

    code = "pair_not_supported"


class NoSuchHead(InputError):
    """A layer or head outside the model."""

    code = "no_such_head"


class NoSuchStack(InputError):
    """An attention the model does not have, or none named of several; details list the names."""

    code = "no_such_stack"


class NoSuchPosition(InputError):
    """A position outside the text; details hold how many there are."""

    code = "no_such_position"


class NotVisible(InputError):
    """None of the chosen queries may look at any of the chosen keys."""

    code = "not_visible"


class NoContinuation(InputError):
    """A model that does not tell what comes next: it looks both ways, or lacks its last layer."""

    code = "no_continuation"


class NoSuchToken(InputError):
    """A token id that is not in the model's vocabulary."""

    code = "no_such_token"


class NoValueWeights(InputError):
    """Value-weighted maps of a family whose output projections are not known."""

    code = "no_value_weights"


class NothingAligned(InputError):
    """Two texts of which no token stands opposite another, so that no map can be compared."""

    code = "nothing_aligned"


class BadDimensions(InputError, ValueError):
    """Sizes of an attention module that do not fit together."""

    code = "bad_dimensions"


class ModelError(HeadScopeError):
    """The model is the trouble."""

    code = "model_error"


class UnknownModel(ModelError):
    """No model of that name; details list those there are."""

    code = "unknown_model"


class ModelUnavailable(ModelError):
    """The model is known, its weights are not here and cannot be fetched; the message says why."""

    code = "model_unavailable"


class ModelFailed(ModelError):
    """The weights are here but could not be turned into a running model."""

    code = "model_failed"


class WeightsMismatch(ModelError):
    """A downloaded file is not the one whose SHA-256 is pinned."""

    code = "weights_mismatch"


class UnreadableAtlas(ModelError):
    """A file that should hold the roles of a model's heads and does not."""

    code = "unreadable_atlas"


class RunError(HeadScopeError):
    """The run is the trouble."""

    code = "run_error"


class Cancelled(RunError):
    """The caller no longer wants the answer."""

    code = "cancelled"


class SlowReader(RunError):
    """Whoever asked for a stream does not read it."""

    code = "slow_reader"


class OutOfMemory(RunError):
    """The device has not enough memory for this run, even after freeing what could be freed."""

    code = "out_of_memory"
