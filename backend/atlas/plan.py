"""What can be measured of a model on this server: each section, or what it needs."""

from backend.atlas.schemas import SectionPlan
from backend.engine.session import Session
from backend.settings import Settings
from mha_core.atlas.build import plan_sections
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import SECTIONS, Atlas, SectionName
from mha_core.atlas.storage import read_atlas
from mha_core.atlas.treebank import find_splits
from mha_core.errors import InputError, ModelUnavailable, UnreadableAtlas
from mha_core.models.loading import availability
from mha_core.models.sources import find_here
from mha_core.text.word_tokenizer import known_words

WORDS: dict[SectionName, tuple[str, str]] = {
    "surface": (
        "Plain sentences",
        "Every metric of a sentence, averaged over many: neighbours, special tokens, repeated "
        "tokens, distance, entropy.",
    ),
    "sink": ("Sink", "Attention that rests on the first token, and what makes it attractive."),
    "copy": (
        "Copying",
        "On repeated random tokens: which heads find the first copy or what followed it, and "
        "whether they make it likelier.",
    ),
    "names": ("Names", "Which of two names the end of a prompt attends to."),
    "syntax": (
        "Grammar",
        "Which heads link words by grammatical relations better than any simple rule; the rarest "
        "word of a sentence.",
    ),
    "coreference": ("Pronouns", "Which heads find the name that a pronoun stands for."),
    "similarity": ("Similarity", "Which heads attend to the same tokens, and a map of all heads."),
}
"""Label of each section, and what it measures."""


def plan_build(session: Session, model_id: str) -> list[SectionPlan]:
    """Every section of a model's atlas; raises UnknownModel."""
    needs = _find_needs(session, model_id)
    atlas = find_earlier(session, model_id)
    dates = {} if atlas is None else {name: it.made.date for name, it in atlas.sections.items()}
    return [
        SectionPlan(
            section=name,
            label=WORDS[name][0],
            measures=WORDS[name][1],
            needs=needs[name],
            measured=dates.get(name),
        )
        for name in SECTIONS
    ]


def find_corpora(settings: Settings) -> Corpora:
    """The corpora of the settings; one that cannot be used is left out."""
    return Corpora(
        treebank=None if _check_treebank(settings) else settings.treebank,
        gap=None if _check_gap(settings) else settings.gap,
    )


def find_earlier(session: Session, model_id: str) -> Atlas | None:
    """The atlas whose sections a build keeps: one of the weights that are here."""
    try:
        atlas = read_atlas(session.models.find_entry(model_id).id, session.settings.models_dir)
    except UnreadableAtlas:
        return None  # a build replaces it
    revision = find_revision(session, model_id)
    return atlas if atlas is not None and revision in (None, atlas.model.revision) else None


def find_revision(session: Session, model_id: str) -> str | None:
    """Which weights a run would use; None where they are not here."""
    loaded = session.models.loaded_model(model_id)
    if loaded is not None:
        return loaded.revision
    try:
        here = find_here(session.models.find_entry(model_id), session.settings.models_dir)
    except ModelUnavailable:
        return None
    return None if here is None else here.revision


def _find_needs(session: Session, model_id: str) -> dict[SectionName, str | None]:
    """What each section needs that is not here; None for one that can be built."""
    entry, settings = session.models.find_entry(model_id), session.settings
    loaded = session.models.loaded_model(entry.id)
    if loaded is not None:
        architecture, words = loaded.architecture, bool(known_words(loaded.tokenizer))
    else:
        known = availability(entry, models_dir=settings.models_dir, hub=settings.hub)
        if not known.available or known.architecture is None:
            reason = known.reason or f"`headscope models get {entry.id}` fetches it."
            return dict.fromkeys(SECTIONS, f"needs the model: {reason.rstrip('.')}")
        architecture, words = known.architecture, bool(known.examples)
    if words:
        return dict.fromkeys(SECTIONS, "needs a model that reads any text")
    needs = plan_sections(architecture.kind, find_corpora(settings))
    remedies = {"syntax": _check_treebank(settings), "coreference": _check_gap(settings)}
    return {name: _join(need, remedies.get(name)) for name, need in needs.items()}


def _join(need: str | None, remedy: str | None) -> str | None:
    return f"{need}: {remedy}" if need and remedy else need


def _check_treebank(settings: Settings) -> str | None:
    """What to do for a treebank that can be used; None where there is one."""
    if settings.treebank is None:
        return "set HEADSCOPE_TREEBANK to its directory and start the server again"
    try:
        find_splits(settings.treebank)
    except InputError as error:
        return f"HEADSCOPE_TREEBANK is set, but {error.message.rstrip('.')}"
    return None


def _check_gap(settings: Settings) -> str | None:
    """The same for GAP."""
    if settings.gap is None:
        return "set HEADSCOPE_GAP to its .tsv file and start the server again"
    if not settings.gap.is_file():
        return f"HEADSCOPE_GAP is set, but {settings.gap} is no file"
    return None
