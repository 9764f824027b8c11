"""Building an atlas: a model and its control surveyed, roles drawn, all of it in one record.

This file must not know the command line or where atlases are kept.
"""

import importlib.metadata
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from torch import Tensor

from mha_core.atlas.control import random_init
from mha_core.atlas.coreference import GapText, Mentions
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.distances import head_distances, layout
from mha_core.atlas.examples import Claim, Example, ExampleSearch, HeadId
from mha_core.atlas.findings import Findings
from mha_core.atlas.ledger import Ledger
from mha_core.atlas.pronoun_examples import ROLE, PronounSearch
from mha_core.atlas.record import FORMAT, Atlas
from mha_core.atlas.roles import GROUPS
from mha_core.atlas.survey import COUNTING, TOKENS_IN_BATCH, Material, count_split, survey
from mha_core.atlas.syntax import Arcs
from mha_core.atlas.word_maps import Pooling, WordText, same_length_batches, word_map
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent
from mha_core.tap import LayerCapture, Tap

CHECKED = 100
"""Sentences at the start of the test split that are counted apart, so that anybody can check."""
SEARCHED = 300
"""Sentences at the start of the test split, and of GAP, that examples are taken from."""
SIMILAR = 5


def build(
    model: LoadedModel,
    corpora: Corpora,
    *,
    notes: Path,
    seed: int = 0,
    progress: Progress = silent,
) -> Atlas:
    """The atlas of a model; `notes` is where a stopped run leaves what it has counted."""
    progress("reading", 0, 0)
    prepared = corpora.prepare(model, seed)
    material = prepared.material
    run = {
        "counting": COUNTING,
        "revision": model.revision,
        "dtype": str(model.dtype),
        "data": prepared.versions,
        "seed": seed,
    }
    ledger = Ledger(notes, run)
    name = model.entry.id
    findings = Findings.of(survey(model, material, ledger, name, progress))
    untrained = random_init(model, seed)
    control = Findings.of(survey(untrained, material, ledger, f"{name} control", progress))
    tokenized = [text.tokenized for text in material.dev]
    distances = ledger.once(
        "distances",
        lambda: {"distances": head_distances(model, tokenized, seed=seed, progress=progress)},
    )["distances"].astype(np.float64)
    drawing = layout(distances)
    progress("examples", 0, 0)
    examples = _examples(model, material, findings)
    document = {
        "format": FORMAT,
        "model": _model(model),
        "made": {
            "date": datetime.now(UTC).date().isoformat(),
            "command": corpora.command(model.entry.id, seed),
            "seconds": round(ledger.seconds, 1),
            "seed": seed,
            "versions": {
                name: importlib.metadata.version(name)
                for name in ("headscope", "torch", "transformers")
            },
        },
        "data": prepared.record,
        "groups": [asdict(group) for group in GROUPS],
        "roles": [role.record() for role in findings.roles],
        "specialisations": findings.specialisations(),
        "relations": findings.relation_records(),
        "control": {
            "what": "the same model with random weights, as before its training",
            "seed": seed,
            "best_accuracy": control.best_accuracy,
            "roles": [role.record() for role in control.roles],
            "relations": control.relation_records(),
        },
        "best_accuracy": findings.best_accuracy,
        "measures": findings.measure_records(),
        "examples": examples,
        "examples_source": corpora.examples_source,
        "similar": _similar(distances, model.architecture.n_heads),
        "layout": np.round(drawing.points, 4).tolist(),
        "stress": round(drawing.stress, 4),
        "check": check(model, material),
        "distances": np.round(distances, 4).tolist(),
    }
    ledger.close()
    return Atlas(document)


def check(model: LoadedModel, material: Material) -> dict[str, Any]:
    """What every head finds of all heads of dependents in the first sentences of the test split."""
    hits = np.zeros(model.architecture.n_layers * model.architecture.n_heads, np.int64)
    n = 0
    for batch in same_length_batches(material.test[:CHECKED], TOKENS_IN_BATCH):
        tally = count_split(model, batch, material, surface=False).syntax
        hits += tally.hits[0, 0].ravel()
        n += int(tally.opportunities[0, 0])
    return {"sentences": CHECKED, "relation": "all:dependent", "n": n, "hits": hits.tolist()}


def _examples(
    model: LoadedModel, material: Material, findings: Findings
) -> dict[str, list[dict[str, Any]]]:
    """The strongest links of every head, by "layer.head": of its roles where it has any."""
    of_words = _word_examples(model, material, findings)
    of_pronouns = _pronoun_examples(model, material, findings)
    return {
        f"{layer}.{head}": [
            asdict(example) | {"weight": round(example.weight, 4)}
            for example in _of_roles([*of_pronouns.get((layer, head), []), *found])
        ]
        for (layer, head), found in of_words.items()
    }


def _of_roles(examples: list[Example]) -> list[Example]:
    """Those that show a role; any where none does."""
    return [example for example in examples if example.role is not None] or examples


def _word_examples(
    model: LoadedModel, material: Material, findings: Findings
) -> dict[HeadId, list[Example]]:
    claims: dict[HeadId, list[Claim]] = {}
    for role in findings.roles:
        relation, _, direction = role.id.rpartition(":")
        for head in role.heads if role.group == "syntax" else ():
            wanted = Claim(relation, "head" if direction == "head" else "dependent")
            claims.setdefault((head.layer, head.head), []).append(wanted)
    search = ExampleSearch(claims)
    causal = model.architecture.kind == "decoder"
    for batch in same_length_batches(material.test[:SEARCHED], TOKENS_IN_BATCH):
        pooling = Pooling.of(batch, model.device)
        arcs = Arcs.of(batch, material.relations, causal=causal, device=model.device)

        def on_pattern(
            capture: LayerCapture,
            pattern: Tensor,
            seen: tuple[Pooling, Sequence[WordText], Arcs] = (pooling, batch, arcs),
        ) -> None:
            search.see(capture.site.layer, word_map(pattern, seen[0]), seen[1], seen[2])

        model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
    return search.examples()


def _pronoun_examples(
    model: LoadedModel, material: Material, findings: Findings
) -> dict[HeadId, list[Example]]:
    passing = [head for role in findings.roles if role.id == ROLE for head in role.heads]
    if not passing:
        return {}
    search = PronounSearch([(head.layer, head.head) for head in passing])
    for batch in same_length_batches(material.gap[:SEARCHED], TOKENS_IN_BATCH):
        mentions = Mentions.of(batch, model.device)

        def on_pattern(
            capture: LayerCapture,
            pattern: Tensor,
            seen: tuple[Sequence[GapText], Mentions] = (batch, mentions),
        ) -> None:
            search.see(capture.site.layer, pattern, *seen)

        model.forward_all([text.tokenized for text in batch], Tap(on_pattern))
    return search.examples()


def _similar(distances: np.ndarray[Any, Any], n_heads: int) -> dict[str, list[list[Any]]]:
    """The nearest other heads of each: layer, head, distance."""
    found = {}
    for place, row in enumerate(distances):
        nearest = [int(other) for other in np.argsort(row, kind="stable") if other != place]
        found[f"{place // n_heads}.{place % n_heads}"] = [
            [*divmod(other, n_heads), round(float(row[other]), 4)] for other in nearest[:SIMILAR]
        ]
    return found


def _model(model: LoadedModel) -> dict[str, Any]:
    architecture = model.architecture
    return {
        "id": model.entry.id,
        "name": model.entry.name,
        "revision": model.revision,
        "family": architecture.family,
        "kind": architecture.kind,
        "n_layers": architecture.n_layers,
        "n_heads": architecture.n_heads,
        "dtype": str(model.dtype).removeprefix("torch."),
    }
