"""Writes what README and docs claim about heads, from what is shipped, so that it cannot drift.

A block between `<!-- atlas: name -->` or `<!-- runs: name -->` and `<!-- end -->` is replaced by
what the function of that name says. Run as `make claims`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from mha_core.atlas.claims import describe_points
from mha_core.atlas.evidence import NotAbove, RelationRow
from mha_core.atlas.nulls import poisson_upper
from mha_core.atlas.storage import read_atlas
from mha_core.atlas.summary import AtlasSummary, summarize
from tests.training_claims import falls, heads, learned, seeds, trained

ROOT = Path(__file__).parent.parent
FILES = (ROOT / "README.md", ROOT / "docs" / "roles.md", ROOT / "docs" / "training.md")
MODELS = ("minilm", "smollm2", "headscope-tiny")
_BLOCK = re.compile(r"(<!-- (?:atlas|runs): (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def shipped(model: str) -> AtlasSummary:
    atlas = read_atlas(model, Path("nothing is built here"))
    assert atlas is not None
    return summarize(atlas)


def roles() -> str:
    """How many heads have a role, in each group, and what the nulls found."""
    lines = [
        "| model | heads with a role | not counting sinks and delimiters | in each group | "
        "false roles in the nulls |",
        "|---|---|---|---|---|",
    ]
    for model in MODELS:
        atlas = shipped(model)
        counts = atlas.counts
        labels = {group.id: group.label.lower() for group in atlas.groups}
        groups = ", ".join(f"{labels[group]} {n}" for group, n in counts.groups.items())
        false = [null for null in atlas.nulls if null.counts_as_false]
        found, runs = sum(null.roles for null in false), sum(null.runs for null in false)
        lines.append(
            f"| `{model}` | {counts.with_role} of {counts.heads} | {counts.beyond_idle} | {groups} "
            f"| {found} in {runs} runs |"
        )
    return "\n".join(lines)


def pronouns() -> str:
    """What the head of the README's example does on GAP."""
    return " ".join(
        _describe_pronouns(model, name, *place)
        for model, name, place in (("minilm", "MiniLM", (3, 1)), ("smollm2", "SmolLM2", (16, 5)))
    )


def _describe_pronouns(model: str, name: str, layer: int, head: int) -> str:
    atlas = shipped(model)
    row = next((it for it in atlas.relations if it.id == "gap"), None)
    fallen: list[RelationRow | NotAbove] = [it for it in atlas.not_above if it.id == "gap"]
    known = [it for it in (row, *fallen) if it and (it.layer, it.head) == (layer, head)]
    assert known, f"L{layer} H{head} of {model} is not in the atlas"
    found = known[0]
    holds = isinstance(found, RelationRow) and found.holds
    dev, test, *_ = found.leads
    return (
        f"On {test.n:,} pronouns of GAP L{layer} H{head} of {name} picks the right name "
        f"{_percent(test.accuracy)} of the time; the best rule that does not read ({found.rule}) "
        f"{_percent(test.rule_accuracy)}. Head minus rule is {describe_points(test)}, and "
        f"{describe_points(dev)} on the half that chose: {'a role' if holds else 'no role'}."
    )


def relations() -> str:
    """Every task of MiniLM's atlas: the best rule and the best head."""
    lines = [
        "| task | n | best simple rule | it finds | best head | it finds | head minus rule |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in shipped("minilm").relations:
        test = row.leads[1]
        head = f"L{row.layer} H{row.head}" + (" (role)" if row.holds else "")
        lines.append(
            f"| {row.claim} | {row.n:,} | {row.rule} | {_percent(test.rule_accuracy)} | {head} | "
            f"{_percent(test.accuracy)} | {describe_points(test)} |"
        )
    return "\n".join(lines)


def winners() -> str:
    """All syntax and coreference roles of the shipped atlases."""
    lines: list[str] = []
    for model in MODELS:
        lines += [
            f"- `{model}` L{head.layer} H{head.head}: {head.evidence}"
            for role in shipped(model).roles
            if role.group in ("syntax", "coreference")
            for head in role.heads
        ]
    return "\n".join(lines)


def nulls() -> str:
    """What every null found."""
    lines = [
        "| null | what it is | model: roles found in its runs, false roles to expect at most |",
        "|---|---|---|",
    ]
    found: dict[str, tuple[str, list[str]]] = {}
    for model in MODELS:
        atlas = shipped(model)
        for id in dict.fromkeys(null.id for null in atlas.nulls):
            same = [null for null in atlas.nulls if null.id == id]
            roles, runs = sum(null.roles for null in same), max(null.runs for null in same)
            cell = f"`{model}`: {roles} in {runs}"
            most = poisson_upper(roles) / runs
            cell += f", at most {most:.2g} a run" if same[0].counts_as_false else ", may be real"
            found.setdefault(id, (same[0].what, []))[1].append(cell)
    lines += [f"| {id} | {what} | {'; '.join(cells)} |" for id, (what, cells) in found.items()]
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


CLAIMS: dict[str, Callable[[], str]] = {
    claim.__name__: claim
    for claim in (
        *(roles, pronouns, relations, winners, nulls),
        *(trained, falls, learned, heads, seeds),
    )
}


def fill(text: str) -> str:
    """A document with its blocks as the atlases have them now."""
    return _BLOCK.sub(lambda block: f"{block[1]}{CLAIMS[block[2]]()}\n{block[3]}", text)


if __name__ == "__main__":
    for path in FILES:
        path.write_text(fill(path.read_text()))
