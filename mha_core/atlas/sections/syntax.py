"""The section on a treebank: relations, behaviours, the rarest word."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.behaviours import find_behaviours
from mha_core.atlas.claims import Outcome
from mha_core.atlas.evidence import AtlasRole, Behaviour, NullResult
from mha_core.atlas.examples import ExampleSearch
from mha_core.atlas.measure import Place
from mha_core.atlas.null_texts import exchange_trees, shuffle_words
from mha_core.atlas.nulls import describe_null
from mha_core.atlas.rarity import find_rarest
from mha_core.atlas.record import AtlasCheck, AtlasExample, Findings
from mha_core.atlas.relation_words import ALL
from mha_core.atlas.sections.run import SectionRun, Subject
from mha_core.atlas.sources import SectionData
from mha_core.atlas.syntax import Syntax, answer
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_choices import WordChoices, WordSplit, choose_by_heads
from mha_core.atlas.word_maps import Pooling, WordText
from mha_core.atlas.word_rules import Choices, choose_words
from mha_core.models.loading import LoadedModel

EXCHANGES = 20
"""How often trees are exchanged between sentences."""
CHECKED = 100
"""Sentences at the start of the test split that are counted apart, so that anybody can check."""
SEARCHED = 300
"""Sentences at the start of the test split that examples are taken from."""


def find_syntax(run: SectionRun) -> Findings:
    """Roles that heads win from simple rules on a treebank; nulls that could have won them too."""
    splits = _prepare(run, run.material.dev, run.material.test)
    treebank = _read(run.trained, splits)
    behaviours, followed = treebank.behaviours
    roles = treebank.roles(followed)
    rarest = treebank.rarest
    source = run.material.treebank_source
    return Findings(
        data=SectionData(treebank=source),
        measures={
            "rare_word": rarest.measure(
                "Rarest word",
                "Share of sentences whose most attended word is the rarest one.",
                "share of sentences",
            ).record()
        },
        roles=roles,
        not_above=[*treebank.syntax.not_above(), *rarest.not_above()],
        relations=[*treebank.syntax.relations(), *([rarest.row()] if rarest.is_asked else [])],
        behaviours=behaviours,
        nulls=_find_nulls(run, treebank, splits),
        examples=_find_examples(run, roles),
        examples_source=f"Examples: {source.source}, test split." if source else None,
        check=check_slice(run.model, run.material.test),
    )


@dataclass(frozen=True, eq=False)
class _Treebank:
    """What heads and rules choose on both splits, and what follows from it."""

    dev: WordSplit
    test: WordSplit
    run: SectionRun

    @cached_property
    def syntax(self) -> Syntax:
        return self.with_trees((), ())

    def with_trees(self, *trees: Sequence[Sentence | None]) -> Syntax:
        """The syntax by the sentences' own trees, or by others, of dev and of test."""
        dev, test = (
            Arcs.of(split.texts, causal=self.run.causal, trees=others)
            for split, others in zip((self.dev, self.test), trees, strict=True)
        )
        return Syntax(self.dev, self.test, (dev, test), self.run.n_heads)

    @cached_property
    def rarest(self) -> Outcome:
        run, frequencies = self.run, self.run.material.frequencies
        return find_rarest(self.dev, self.test, frequencies, run.n_heads, causal=run.causal)

    @cached_property
    def behaviours(self) -> tuple[list[Behaviour], dict[int, int]]:
        return find_behaviours(self.dev, self.test, self.run.n_heads)

    def roles(self, followed: Mapping[int, int] | None = None) -> list[AtlasRole]:
        rare = self.rarest.role()
        return [*self.syntax.roles(followed), *([rare] if rare else [])]


@dataclass(frozen=True, eq=False)
class _Split:
    """The texts of a split in batches, and what rules choose in them: the same for every model."""

    batches: list[list[WordText]]
    rules: Choices

    def read(self, subject: Subject, name: str) -> WordSplit:
        """Let a model choose words."""
        choices = subject.count(name, WordChoices, self.batches, choose_by_heads)
        return WordSplit.of([text for batch in self.batches for text in batch], choices, self.rules)


_Splits = tuple[_Split, _Split]


def _prepare(run: SectionRun, *splits: Sequence[WordText]) -> _Splits:
    run.progress(f"{run.section}: rules", 0, 0)
    batched = [list(batch_by_length(texts)) for texts in splits]
    dev, test = (
        _Split(batches, choose_words([it for batch in batches for it in batch], causal=run.causal))
        for batches in batched
    )
    return dev, test


def _read(subject: Subject, splits: _Splits, words: str = "") -> _Treebank:
    dev, test = splits
    return _Treebank(
        dev.read(subject, f"dev{words}"), test.read(subject, f"test{words}"), subject.run
    )


def _find_nulls(run: SectionRun, treebank: _Treebank, splits: _Splits) -> list[NullResult]:
    found = [
        describe_null(null.id, null.what, [_read(null, splits).roles()])
        for null in run.null_models()
    ]
    draws = np.random.default_rng(run.seed)
    exchanged = []
    for at in range(EXCHANGES):
        run.progress(f"{run.section}: exchanging trees", at, EXCHANGES)
        trees = [exchange_trees(split.texts, draws) for split in (treebank.dev, treebank.test)]
        exchanged.append(treebank.with_trees(*trees).roles())
    what = "The model's maps against the trees of other sentences of equal length."
    found.append(describe_null("other trees", what, exchanged))
    shuffled = (shuffle_words(it, run.model, draws) for it in (run.material.dev, run.material.test))
    roles = _read(run.trained, _prepare(run, *shuffled), ", shuffled words").syntax.roles()
    what = (
        "The model on sentences with their words in random order, rules fitted anew. What the "
        "words alone tell (numbers, parts of names) is still there: such roles are not false."
    )
    found.append(describe_null("shuffled words", what, [roles], counts_as_false=False))
    return found


def check_slice(model: LoadedModel, test: Sequence[WordText]) -> AtlasCheck:
    """What every head finds of all heads of dependents in the first sentences of the test split."""
    hits = np.zeros(model.architecture.n_layers * model.architecture.n_heads, np.int64)
    n = 0
    causal = model.architecture.kind == "decoder"
    checked = test[:CHECKED]
    for batch in batch_by_length(checked):
        choices = choose_by_heads(model, batch)
        split = WordSplit.of(batch, choices, choose_words(batch, causal=causal))
        arcs = Arcs.of(batch, causal=causal)
        answers = answer(split, arcs, arcs.direction == 0)
        hits += answers.heads.sum(0)
        n += len(answers)
    return AtlasCheck(sentences=len(checked), relation=f"{ALL}:dependent", n=n, hits=hits.tolist())


def _find_examples(run: SectionRun, roles: Sequence[AtlasRole]) -> dict[str, list[AtlasExample]]:
    """The strongest links of every head, by "layer.head": of its relations where it has any."""
    run.progress(f"{run.section}: examples", 0, 0)
    held: dict[Place, list[str]] = defaultdict(list)
    for role in roles:
        if role.group == "syntax":
            for head in role.heads:
                held[head.layer, head.head].append(role.id)
    search = ExampleSearch(held)
    for batch in batch_by_length(run.material.test[:SEARCHED]):
        arcs = Arcs.of(batch, causal=run.causal)
        on_layer = partial(search.search_words, batch=batch, arcs=arcs)
        run_batch(run.model, batch, on_layer, Pooling.of(batch, run.model.device))
    return search.by_head(run.model.architecture)
