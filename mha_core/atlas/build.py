"""Building an atlas, section by section: each is saved when it is done, and can be made again."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from mha_core.atlas.corpora import Corpora, Material
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.record import (
    FORMAT,
    SECTIONS,
    Atlas,
    AtlasModel,
    Findings,
    Section,
    SectionBuild,
    SectionName,
)
from mha_core.atlas.sections.copy import find_copy
from mha_core.atlas.sections.coreference import find_coreference
from mha_core.atlas.sections.names import find_names
from mha_core.atlas.sections.run import SectionRun
from mha_core.atlas.sections.similarity import find_similarity
from mha_core.atlas.sections.sink import find_sink
from mha_core.atlas.sections.surface import find_surface
from mha_core.atlas.sections.syntax import find_syntax
from mha_core.errors import InputError
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress, silent

COUNTING = 7
"""Raised with every change of what is counted: partial results of another version are no use."""

_FIND: Mapping[SectionName, Callable[[SectionRun], Findings]] = {
    "surface": find_surface,
    "sink": find_sink,
    "copy": find_copy,
    "names": find_names,
    "syntax": find_syntax,
    "coreference": find_coreference,
    "similarity": find_similarity,
}


def plan_sections(kind: str, corpora: Corpora) -> dict[SectionName, str | None]:
    """For each section None if it can be built, else what it needs; `kind` is the model's."""
    needs: dict[SectionName, str | None] = dict.fromkeys(SECTIONS)
    if kind != "decoder":
        needs["copy"] = needs["names"] = "needs a causal model"
    if corpora.treebank is None:
        needs["syntax"] = "needs a treebank in the format of Universal Dependencies"
    if corpora.gap is None:
        needs["coreference"] = "needs a file of the GAP corpus"
    return needs


def build(
    model: LoadedModel,
    corpora: Corpora,
    *,
    directory: Path,
    only: Sequence[SectionName] = (),
    earlier: Atlas | None = None,
    seed: int = 0,
    progress: Progress = silent,
    on_section: Callable[[Atlas], None] | None = None,
) -> Atlas:
    """Build the sections named, or all that can be built; a stopped build continues.

    Partial results are saved in `directory`. Other sections of an `earlier` atlas of the same
    weights are kept. `on_section` gets the atlas so far after each section. Raises InputError for
    a section named that cannot be built.
    """
    plan = plan_sections(model.architecture.kind, corpora)
    for name in only:
        if plan[name] is not None:
            raise InputError(f"The section {name} cannot be built: it {plan[name]}.")
    progress("reading texts", 0, 0)
    material = corpora.prepare(model)
    chosen = [name for name in SECTIONS if (name in only if only else plan[name] is None)]
    kept = earlier is not None and earlier.model.revision == model.revision
    atlas = Atlas(
        format=FORMAT,
        model=_describe_model(model),
        sections=dict(earlier.sections) if earlier is not None and kept else {},
    )
    for name in chosen:
        section = _build_section(name, model, corpora, material, directory / name, seed, progress)
        sections = atlas.sections | {name: section}
        ordered = {name: sections[name] for name in SECTIONS if name in sections}
        atlas = atlas.model_copy(update={"sections": ordered})
        if on_section is not None:
            on_section(atlas)
    shutil.rmtree(directory, ignore_errors=True)
    return atlas


def _build_section(
    name: SectionName,
    model: LoadedModel,
    corpora: Corpora,
    material: Material,
    directory: Path,
    seed: int,
    progress: Progress,
) -> Section:
    run = {"counting": COUNTING, "revision": model.revision, "dtype": str(model.dtype)}
    saved = PartialResults(directory, run | {"data": material.versions, "seed": seed})
    done = directory / "section.json"
    if done.is_file():  # of a build that was stopped in a later section
        return Section.model_validate_json(done.read_bytes())
    findings = _FIND[name](SectionRun(name, model, material, saved, seed, progress))
    section = Section(
        **dict(findings),
        made=SectionBuild(
            date=datetime.now(UTC).date().isoformat(),
            command=corpora.command(model.entry.id, name, seed),
            seconds=round(saved.seconds, 1),
            seed=seed,
            versions={name: version(name) for name in ("headscope", "torch", "transformers")},
        ),
    )
    partial = done.with_suffix(".partial")
    partial.write_text(section.model_dump_json())
    partial.replace(done)
    return section


def _describe_model(model: LoadedModel) -> AtlasModel:
    copied = ("family", "kind", "n_layers", "n_heads")
    return AtlasModel(
        id=model.entry.id,
        name=model.entry.name,
        revision=model.revision,
        dtype=str(model.dtype).removeprefix("torch."),
        **{name: getattr(model.architecture, name) for name in copied},
    )
