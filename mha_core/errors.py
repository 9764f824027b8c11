"""Every error HeadScope raises on purpose, each with a stable code and a message with a remedy.

HeadScopeError
├── InputError    the request is wrong
│       EmptyText, TextTooLong, PairNotSupported, NoSuchHead, NoSuchStack, NoSuchPosition,
│       NoAnatomy, NoSuchMatrix, NoSuchCell, BadEdit,
│       NotVisible, NoValueWeights, NoContinuation, NoChatTemplate, NoSuchToken, NothingAligned,
│       BadDimensions, BadMarks, NoLink, CorpusTooLarge, NoSuchExercise, UnreadableAnswer,
│       ComparisonTooLarge, UnknownWord, NotExportable
├── ModelError    the model cannot be used
│       UnknownModel, ModelUnavailable, ModelFailed, WeightsMismatch, UnreadableAtlas
├── TrainingError  a training run cannot be used
│       UnknownRun, UnreadableRun, RunBusy
└── RunError      the run did not finish
        Cancelled, SlowReader, OutOfMemory
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class HeadScopeError(Exception):
    """Base of all errors; `message` is for a person, `code` and `details` for a program."""

    code: ClassVar[str] = "error"

    def __init_subclass__(cls, *, code: str | None = None) -> None:
        cls.code = code or cls.code

    def __init__(self, message: str, **details: Any) -> None:  # noqa: ANN401 (any JSON value)
        super().__init__(message)
        self.message = message
        self.details = details


class InputError(HeadScopeError, code="bad_input"):
    """The request cannot be answered as it is."""


class EmptyText(InputError, code="empty_text"):
    """The text is empty, or the tokenizer drops all of it."""


class TextTooLong(InputError, code="text_too_long"):
    """The text has more tokens than the model or the settings allow.

    Details hold both counts and, where cutting one text is enough, how much of it fits.
    """

    @classmethod
    def of(
        cls,
        n_tokens: int,
        max_tokens: int,
        what: str = "The text has",
        cut: Mapping[str, object] | None = None,
    ) -> "TextTooLong":
        counts = f"{n_tokens:,} tokens and the limit is {max_tokens:,}"
        message = f"{what} {counts}: remove at least {n_tokens - max_tokens:,}."
        where = {} if cut is None else {"cut": cut}
        return cls(message, n_tokens=n_tokens, max_tokens=max_tokens, **where)


class PairNotSupported(InputError, code="pair_not_supported"):
    """A second sentence was given to a model that takes one."""


class NoSuchHead(InputError, code="no_such_head"):
    """The model has no such layer or head."""


class NoSuchStack(InputError, code="no_such_stack"):
    """A stack the model does not have, or none named of several; details list the names."""


class NoSuchPosition(InputError, code="no_such_position"):
    """A position outside the text; details hold the number of tokens."""


class NoAnatomy(InputError, code="no_anatomy"):
    """The computation of this model is not known step by step; details list the families."""


class NoSuchMatrix(InputError, code="no_such_matrix"):
    """No matrix has that name, or this model has none; details list the names, or say why."""


class NoSuchCell(InputError, code="no_such_cell"):
    """A row or column outside a matrix; details hold its shape."""


class BadEdit(InputError, code="bad_edit"):
    """An edit of a head, token or weight that is not there; details say which and how many are."""


class NotVisible(InputError, code="not_visible"):
    """None of the chosen queries may attend to any of the chosen keys."""


class NoContinuation(InputError, code="no_continuation"):
    """The model cannot predict a next token: it is no decoder, or lacks its output layer."""


class NoChatTemplate(InputError, code="no_chat_template"):
    """The model has no chat template, or one that cannot wrap a single message."""


class NoSuchToken(InputError, code="no_such_token"):
    """The id is not in the model's vocabulary."""


class NoValueWeights(InputError, code="no_value_weights"):
    """The output projections of this model family are unknown, so nothing can be value-weighted."""


class NothingAligned(InputError, code="nothing_aligned"):
    """No token of one text aligns with any of the other, so no map can be compared."""


class BadDimensions(InputError, ValueError, code="bad_dimensions"):
    """Sizes of an attention module that do not fit together; also a ValueError."""


class BadMarks(InputError, code="bad_marks"):
    """The marks of a line of a corpus cannot be read; details hold line and column, from 1."""

    @classmethod
    def of(cls, line: int, column: int, problem: str) -> "BadMarks":
        return cls(
            f"Line {line}, column {column}: {problem}. For braces of the text write \\{{ and \\}}; "
            f"a marked line looks like `The {{to:animal}} slept because {{from:it}} was tired.`",
            line=line,
            column=column,
        )


class NoLink(InputError, code="no_link"):
    """No text of a corpus has the link; details count the texts by reason."""


class CorpusTooLarge(InputError, code="corpus_too_large"):
    """More texts or characters than one request may have; details hold both counts."""


class NoSuchExercise(InputError, code="no_such_exercise"):
    """No exercise has that id; details list the ids."""


class UnreadableAnswer(InputError, code="unreadable_answer"):
    """The answer to an exercise is no number, or none of its choices, which are in the details."""


class ComparisonTooLarge(InputError, code="comparison_too_large"):
    """Sizes of attention that take too much memory or time to compute in three ways."""


class UnknownWord(InputError, code="unknown_word"):
    """A model trained on words does not know one; details list those it knows."""


class NotExportable(InputError, code="not_exportable"):
    """The model does what no model of transformers does, so it cannot be written as one."""


class ModelError(HeadScopeError, code="model_error"):
    """The model cannot be used."""


class UnknownModel(ModelError, code="unknown_model"):
    """No model has that name; details list the names."""


class ModelUnavailable(ModelError, code="model_unavailable"):
    """The model's weights are not here and cannot be downloaded; the message says why."""


class ModelFailed(ModelError, code="model_failed"):
    """The weights are here but could not be loaded."""


class WeightsMismatch(ModelError, code="weights_mismatch"):
    """The SHA-256 of a downloaded file is not the pinned one."""


class UnreadableAtlas(ModelError, code="unreadable_atlas"):
    """An atlas file is broken."""


class TrainingError(HeadScopeError, code="training_error"):
    """The training run cannot be used."""


class UnknownRun(TrainingError, code="unknown_run"):
    """No training run has that name; details list the names."""


class UnreadableRun(TrainingError, code="unreadable_run"):
    """The files of a training run are broken."""


class RunBusy(TrainingError, code="run_busy"):
    """The run is being trained, or cannot be trained on; the message says what to do."""


class RunError(HeadScopeError, code="run_error"):
    """The run did not finish."""


class Cancelled(RunError, code="cancelled"):
    """The caller cancelled the request."""


class SlowReader(RunError, code="slow_reader"):
    """Whoever asked for a stream does not read it."""


class OutOfMemory(RunError, code="out_of_memory"):
    """The device has too little memory for this run, even after freeing caches."""
