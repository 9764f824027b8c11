"""The job behind `/corpus`: every metric averaged over texts, and heads ranked by a link."""

from collections.abc import Sequence
from functools import partial

from backend.corpus.describe import describe_link, describe_metrics, describe_skipped
from backend.corpus.schemas import CorpusLinkRequest, CorpusRequest, CorpusResponse
from backend.engine.memory import report_out_of_memory
from backend.engine.session import Session
from backend.engine.stopwatch import Stopwatch
from backend.settings import Settings
from mha_core.atlas.batches import batch_by_length
from mha_core.corpus.count import TOKENS_IN_BATCH, CorpusTally, count_batch
from mha_core.corpus.links import LinkWords
from mha_core.corpus.texts import LinkAsked, read_corpus
from mha_core.errors import CorpusTooLarge, TextTooLong
from mha_core.progress import Progress, silent
from mha_core.runs.analysis import RunInfo
from mha_core.stacks import stack_sizes


def measure_corpus(
    session: Session, request: CorpusRequest, report: Progress = silent
) -> CorpusResponse:
    """Holds a slot for one batch at a time, so that other requests are answered in between."""
    _check_size(request.texts, session.settings)
    stopwatch, weighted = Stopwatch(), request.values == "weighted"
    with stopwatch.lap("load"):
        model = session.models.get(request.model, report, session.check)
    if weighted:
        model.known_grams()  # refused before the run where they are not known
    with stopwatch.lap("tokenize"):
        limit = session.token_limit(model)
        link = _link_asked(request.link)
        corpus = read_corpus(model, request.texts, link, max_tokens=limit, check=session.check)
    tally = CorpusTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    n_done = 0
    for batch in batch_by_length(corpus.texts, TOKENS_IN_BATCH):
        report("Measuring texts", n_done, len(corpus.texts))
        info = RunInfo.of(model, batch[0].tokenized)
        with session.slot(stopwatch), stopwatch.lap("forward"), report_out_of_memory(info):
            count = partial(count_batch, model, batch, weighted=weighted, check=session.check)
            tally += session.retry(count)
        n_done += len(batch)
    report("Measuring texts", n_done, n_done)
    return CorpusResponse(
        model=info.model_id,
        revision=info.revision,
        device=info.device,
        dtype=info.dtype,
        stack=next(iter(stack_sizes(model.architecture))),
        values=request.values,
        given=len(request.texts),
        texts=n_done,
        n_tokens=sum(len(text.tokenized.tokens) for text in corpus.texts),
        skipped=describe_skipped(corpus.skipped),
        metrics=describe_metrics(tally.metrics),
        link=None if link is None else describe_link(tally.link, corpus.without_link),
        timing=stopwatch.timing(),
    )


def _link_asked(link: CorpusLinkRequest | None) -> LinkAsked:
    if link is None or link.from_word is None or link.to_word is None:
        return None if link is None else "marked"
    return LinkWords(link.from_word, link.to_word)


def _check_size(texts: Sequence[str], settings: Settings) -> None:
    """Raise for more texts or characters than the settings allow, before anything is loaded."""
    n_characters = sum(map(len, texts))
    for what, count, limit in (
        ("texts", len(texts), settings.max_texts),
        ("characters", n_characters, settings.max_corpus_characters),
    ):
        if count > limit:
            raise CorpusTooLarge(
                f"The corpus has {count:,} {what} and the limit is {limit:,}: send less at a time, "
                f"or use the command `headscope corpus`, which has no such limit.",
                **{f"n_{what}": count, f"max_{what}": limit},
            )
    for line, text in enumerate(texts, 1):
        if len(text) > settings.max_characters:
            raise TextTooLong(
                f"Line {line} has {len(text):,} characters and the limit is "
                f"{settings.max_characters:,}: shorten it.",
                line=line,
                n_characters=len(text),
                max_characters=settings.max_characters,
            )
