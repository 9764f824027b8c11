"""What the docs claim about trained models, from the shipped runs and experiments."""

from pathlib import Path
from statistics import mean

from mha_core.learn.record import LossPoint, Point
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import find_run
from mha_core.learn.shipped_runs import RUNS
from mha_core.learn.sweep_record import read_sweeps

FELL = 1.5
"""Nats below which the loss of repeats counts as fallen."""


def _events(run: RunDirectory) -> tuple[Point, list[LossPoint]]:
    events = run.events()
    last = [it for it in events if isinstance(it, Point)][-1]
    return last, [it for it in events if isinstance(it, LossPoint)]


def _best(point: Point, metric: str) -> str:
    """The head with the largest value."""
    heads = [
        (value or 0.0, layer, head)
        for layer, row in enumerate(point.metrics[metric].value)
        for head, value in enumerate(row)
    ]
    value, layer, head = max(heads)
    return f"L{layer} H{head} {value:.2f}"


def trained() -> str:
    """Every shipped run at its end."""
    lines = [
        "| run | parameters | loss at the end | theory | previous token, best head | induction, "
        "best head (uniform attention) |",
        "|---|---|---|---|---|---|",
    ]
    for id in RUNS:
        run = find_run(id, Path("nothing is trained here"))
        point, _ = _events(run)
        description = run.description
        theory = ", ".join(f"{it.label} {it.value:.3f}" for it in description.lines) or "none"
        induction = point.metrics["induction"].baseline or 0.0
        lines.append(
            f"| `{id}` | {description.n_parameters:,} | {point.loss:.3f} | {theory} | "
            f"{_best(point, 'previous')} | {_best(point, 'induction')} ({induction:.2f}) |"
        )
    return "\n".join(lines)


def falls() -> str:
    """When the loss of the twins falls."""
    sentences = []
    for id in ("repeats", "repeats-previous-only", "repeats-shifted-keys", "repeats-one-layer"):
        _, losses = _events(find_run(id, Path("nothing is trained here")))
        step = next((it.step for it in losses if it.loss < FELL), None)
        when = "never" if step is None else f"at step {step}"
        sentences.append(f"`{id}` {when}")
    return f"The training loss first falls below {FELL} nats: {', '.join(sentences)}."


def learned() -> str:
    """The relations of the language, and the heads above every rule."""
    point, _ = _events(find_run("language", Path("nothing is trained here")))
    lines = [
        "| relation | predictions that fit | best rule that does not read | best head finds |",
        "|---|---|---|---|",
    ]
    roles = {(it.role, it.layer, it.head) for it in point.roles}
    for id, values in point.relations.items():
        share, layer, head = max(
            (share, layer, head)
            for layer, row in enumerate(values.heads)
            for head, share in enumerate(row)
        )
        role = " (role)" if (id, layer, head) in roles else ""
        lines.append(
            f"| {values.label} | {values.accuracy:.3f} of {values.n:,} | {values.rule}: "
            f"{values.rule_accuracy:.2f} | L{layer} H{head}: {share:.2f}{role} |"
        )
    return "\n".join(lines)


def heads() -> str:
    """The same model with more and more heads."""
    sweep = read_sweeps().heads
    relations = [*sweep.labels]
    header = "".join(f"{sweep.labels[it]}, learned at step | " for it in relations)
    lines = [
        f"| heads | loss | {header}heads apart | heads with a role |",
        "|---" * (4 + len(relations)) + "|",
    ]
    for n_heads in dict.fromkeys(run.n_heads for run in sweep.runs):
        runs = [run for run in sweep.runs if run.n_heads == n_heads]
        steps = (", ".join(str(run.learned_at[it] or "never") for run in runs) for it in relations)
        apart = [run.apart for run in runs if run.apart is not None]
        lines.append(
            f"| {n_heads} | {mean(run.loss for run in runs):.3f} | {' | '.join(steps)} | "
            f"{f'{mean(apart):.2f}' if apart else ''} | "
            f"{', '.join(str(run.roles) for run in runs)} |"
        )
    return "\n".join(lines)


def seeds() -> str:
    """Which roles appear in which seed."""
    sweep = read_sweeps().roles
    lines = [
        f"| role | {' | '.join(f'seed {seed}' for seed in sweep.seeds)} | matched head has it "
        f"| random matching |",
        "|---" * (3 + len(sweep.seeds)) + "|",
    ]
    for role in sweep.roles:
        places = (
            ", ".join(f"L{layer} H{head}" for layer, head in placed.heads) for placed in role.placed
        )
        matched = "" if role.matched is None else f"{role.matched:.2f} of {role.n_pairs}"
        chance = ""
        if role.shuffled is not None and role.shuffled_high is not None:
            chance = f"{role.shuffled:.2f}, up to {role.shuffled_high:.2f}"
        lines.append(f"| {role.label} | {' | '.join(places)} | {matched} | {chance} |")
    return "\n".join(lines)
