"""Building an atlas: survey a model and its control, find roles, put it all into one record."""

from collections import defaultdict
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path

import numpy as np

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.control import randomize_weights
from mha_core.atlas.coreference import Mentions
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.distances import Distances, lay_out, measure_distances
from mha_core.atlas.examples import PRONOUNS, ExampleSearch
from mha_core.atlas.findings import Findings
from mha_core.atlas.measure import Place
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.record import (
    DIGITS,
    FORMAT,
    Atlas,
    AtlasBuild,
    AtlasCheck,
    AtlasControl,
    AtlasExample,
    AtlasModel,
)
from mha_core.atlas.roles import GROUPS, Role
from mha_core.atlas.survey import COUNTING, Material, count_split, survey
from mha_core.atlas.syntax import ALL, Arcs
from mha_core.atlas.tally import Numbers
from mha_core.atlas.word_maps import Pooling
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent

CHECKED = 100
"""Sentences at the start of the test split that are counted apart, so that anybody can check."""
SEARCHED = 300
"""Sentences at the start of the test split, and of GAP, that examples are taken from."""
SIMILAR = 5


def build(
    model: LoadedModel,
    corpora: Corpora,
    *,
    partial_results: Path,
    seed: int = 0,
    progress: Progress = silent,
) -> Atlas:
    """The atlas of a model; a stopped run continues from the directory `partial_results`."""
    progress("reading", 0, 0)
    material, data = corpora.prepare(model, seed)
    run = {"counting": COUNTING, "revision": model.revision, "dtype": str(model.dtype)}
    run |= {"data": (data.treebank.version, data.gap and data.gap.version), "seed": seed}
    saved = PartialResults(partial_results, run)
    name = model.entry.id
    findings = Findings.of(survey(model, material, saved, name, progress))
    untrained = randomize_weights(model, seed)
    control = Findings.of(survey(untrained, material, saved, f"{name} control", progress))
    tokenized = [text.tokenized for text in material.dev]
    compute = partial(measure_distances, model, tokenized, seed, progress)
    distances = saved.compute("distances", Distances, compute).values
    layout, stress = lay_out(distances)
    progress("examples", 0, 0)
    atlas = Atlas(
        format=FORMAT,
        model=_describe_model(model),
        made=AtlasBuild(
            date=datetime.now(UTC).date().isoformat(),
            command=corpora.command(name, seed),
            seconds=round(saved.seconds, 1),
            seed=seed,
            versions={name: version(name) for name in ("headscope", "torch", "transformers")},
        ),
        data=data,
        groups=list(GROUPS),
        roles=findings.roles,
        specialisations=findings.specialisations(),
        relations=findings.relations,
        control=AtlasControl(
            what="the same model with random weights, as before its training",
            seed=seed,
            best_accuracy=control.best_accuracy,
            roles=control.roles,
            relations=control.relations,
        ),
        best_accuracy=findings.best_accuracy,
        measures={name: measure.record() for name, measure in findings.measures.items()},
        examples=_find_examples(model, material, findings.roles),
        examples_source=corpora.examples_source,
        similar=_find_similar(distances, model.architecture.n_heads),
        layout=np.round(layout, DIGITS).tolist(),
        stress=stress,
        check=check(model, material),
        distances=np.round(distances, DIGITS).tolist(),
    )
    saved.delete()
    return atlas


def check(model: LoadedModel, material: Material) -> AtlasCheck:
    """What every head finds of all heads of dependents in the first sentences of the test split."""
    hits = np.zeros(model.architecture.n_layers * model.architecture.n_heads, np.int64)
    n = 0
    for batch in batch_by_length(material.test[:CHECKED]):
        tally = count_split(model, batch, material, surface=False).syntax
        hits += tally.hits[0, 0].ravel()
        n += int(tally.opportunities[0, 0])
    return AtlasCheck(sentences=CHECKED, relation=f"{ALL}:dependent", n=n, hits=hits.tolist())


def _find_examples(
    model: LoadedModel, material: Material, roles: list[Role]
) -> dict[str, list[AtlasExample]]:
    """The strongest links of every head, by "layer.head": of its roles where it has any."""
    held: dict[Place, list[str]] = defaultdict(list)
    # Links of pronouns are shown before those of relations.
    for role in sorted(roles, key=lambda role: role.id != PRONOUNS):
        if role.id == PRONOUNS or role.group == "syntax":
            for head in role.heads:
                held[head.layer, head.head].append(role.id)
    search = ExampleSearch(held)
    causal = model.architecture.kind == "decoder"
    for batch in batch_by_length(material.test[:SEARCHED]):
        pooling = Pooling.of(batch, model.device)
        arcs = Arcs.of(batch, material.relations, causal=causal, device=model.device)
        run_batch(model, batch, partial(search.search_words, batch=batch, arcs=arcs), pooling)
    if any(role.id == PRONOUNS for role in roles):
        for items in batch_by_length(material.gap[:SEARCHED]):
            mentions = Mentions.of(items, model.device)
            run_batch(model, items, partial(search.search_pronouns, batch=items, mentions=mentions))
    heads = product(range(model.architecture.n_layers), range(model.architecture.n_heads))
    return {"{}.{}".format(*head): search.examples(head) for head in heads}


def _find_similar(distances: Numbers, n_heads: int) -> dict[str, list[tuple[int, int, float]]]:
    """The nearest other heads of each: layer, head, distance."""
    found = {}
    for place, row in enumerate(distances):
        nearest = [int(other) for other in np.argsort(row, kind="stable") if other != place]
        found[f"{place // n_heads}.{place % n_heads}"] = [
            (*divmod(other, n_heads), float(row[other])) for other in nearest[:SIMILAR]
        ]
    return found


def _describe_model(model: LoadedModel) -> AtlasModel:
    copied = ("family", "kind", "n_layers", "n_heads")
    return AtlasModel(
        id=model.entry.id,
        name=model.entry.name,
        revision=model.revision,
        dtype=str(model.dtype).removeprefix("torch."),
        **{name: getattr(model.architecture, name) for name in copied},
    )
