"""Building an atlas: survey a model and its control, find roles, put it all into one record."""

import importlib.metadata
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.control import randomize_weights
from mha_core.atlas.coreference import Mentions
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.distances import Distances, lay_out, measure_distances
from mha_core.atlas.examples import Example, ExampleSearch
from mha_core.atlas.findings import Findings
from mha_core.atlas.measure import Place
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.pronoun_examples import ROLE, PronounSearch
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
from mha_core.atlas.roles import GROUPS
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
    prepared = corpora.prepare(model, seed)
    material = prepared.material
    run = {"counting": COUNTING, "revision": model.revision, "dtype": str(model.dtype)}
    run |= {"data": prepared.versions, "seed": seed}
    saved = PartialResults(partial_results, run)
    name = model.entry.id
    findings = Findings.of(survey(model, material, saved, name, progress))
    untrained = randomize_weights(model, seed)
    control = Findings.of(survey(untrained, material, saved, f"{name} control", progress))
    tokenized = [text.tokenized for text in material.dev]
    distances = saved.compute(
        "distances",
        Distances,
        lambda: measure_distances(model, tokenized, seed=seed, progress=progress),
    ).values
    layout = lay_out(distances)
    progress("examples", 0, 0)
    atlas = Atlas(
        format=FORMAT,
        model=_describe_model(model),
        made=AtlasBuild(
            date=datetime.now(UTC).date().isoformat(),
            command=corpora.command(name, seed),
            seconds=round(saved.seconds, 1),
            seed=seed,
            versions={
                package: importlib.metadata.version(package)
                for package in ("headscope", "torch", "transformers")
            },
        ),
        data=prepared.record,
        groups=list(GROUPS),
        roles=findings.roles,
        specialisations=findings.specialisations(),
        relations=findings.relation_records(),
        control=AtlasControl(
            what="the same model with random weights, as before its training",
            seed=seed,
            best_accuracy=control.best_accuracy,
            roles=control.roles,
            relations=control.relation_records(),
        ),
        best_accuracy=findings.best_accuracy,
        measures=findings.measure_records(),
        examples=_find_examples(model, material, findings),
        examples_source=corpora.examples_source,
        similar=_find_similar(distances, model.architecture.n_heads),
        layout=np.round(layout.points, DIGITS).tolist(),
        stress=layout.stress,
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
    model: LoadedModel, material: Material, findings: Findings
) -> dict[str, list[AtlasExample]]:
    """The strongest links of every head, by "layer.head": of its roles where it has any."""
    pronouns = _find_pronoun_examples(model, material, findings)
    records = {}
    for place, links in _find_word_examples(model, material, findings).items():
        found = [*pronouns.get(place, []), *links]
        shown = [example for example in found if example.role is not None] or found
        records["{}.{}".format(*place)] = [AtlasExample(**asdict(example)) for example in shown]
    return records


def _find_word_examples(
    model: LoadedModel, material: Material, findings: Findings
) -> dict[Place, list[Example]]:
    roles: dict[Place, list[str]] = {}
    for role in findings.roles:
        for head in role.heads if role.group == "syntax" else ():
            roles.setdefault((head.layer, head.head), []).append(role.id)
    search = ExampleSearch(roles)
    causal = model.architecture.kind == "decoder"
    for batch in batch_by_length(material.test[:SEARCHED]):
        pooling = Pooling.of(batch, model.device)
        arcs = Arcs.of(batch, material.relations, causal=causal, device=model.device)
        run_batch(model, batch, partial(search.search, batch=batch, arcs=arcs), pooling)
    return search.examples()


def _find_pronoun_examples(
    model: LoadedModel, material: Material, findings: Findings
) -> dict[Place, list[Example]]:
    passing = [head for role in findings.roles if role.id == ROLE for head in role.heads]
    search = PronounSearch([(head.layer, head.head) for head in passing])
    for batch in batch_by_length(material.gap[:SEARCHED]) if passing else ():
        mentions = Mentions.of(batch, model.device)
        run_batch(model, batch, partial(search.search, batch=batch, mentions=mentions))
    return search.examples()


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
