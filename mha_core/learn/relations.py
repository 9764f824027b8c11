"""Relations of a task: does the model predict by them, and which heads find what decides?"""

import torch
from torch import Tensor

from mha_core.atlas.contest import Answers, Contest
from mha_core.atlas.tally import Numbers
from mha_core.atlas.wilson import wilson_interval
from mha_core.learn.probe import Probe
from mha_core.learn.record import HeadRole, RelationValues
from mha_core.learn.rules import Rules
from mha_core.learn.tasks.task import BOS, Cases
from mha_core.tap import LayerCapture, Tap
from mha_core.transformer import Transformer


def measure_relations(
    model: Transformer, probe: Probe
) -> tuple[dict[str, RelationValues], list[HeadRole]]:
    """Every relation of the task, and the heads that are ahead of every rule."""
    if not probe.batch.cases:
        return {}, []
    chosen, logits = _run(model, probe)
    values, roles = dict[str, RelationValues](), list[HeadRole]()
    labels = {relation.id: relation.label for relation in probe.task.relations}
    for name, cases in probe.batch.cases.items():
        rules = probe.rules[name]
        hits = (chosen[cases.text, :, cases.query] == cases.key[:, None]).numpy()  # [N, L * H]
        contest = _contest(cases, hits, rules, n_texts=len(probe.batch.tokens))
        values[name] = _relation_values(labels[name], model, cases, logits, hits, contest, rules)
        if contest.has_cases:
            roles += _roles(name, labels[name], contest, model.config.n_heads)
    return values, roles


def _run(model: Transformer, probe: Probe) -> tuple[Tensor, Tensor]:
    """The strongest key of each head at each query, [B, L * H, T], and all logits [B, T, V]."""
    special = torch.tensor([word == BOS for word in probe.task.vocabulary])
    tokens = probe.batch.tokens
    hidden_keys = special[tokens][:, None, None]  # [B, 1, 1, T]
    layers: list[Tensor] = []

    def on_pattern(_: LayerCapture, pattern: Tensor) -> None:
        layers.append(pattern.masked_fill(hidden_keys, -1.0).argmax(-1))  # [B, H, T]

    logits = model.logits(model(tokens, Tap(on_pattern=on_pattern)))
    return torch.cat(layers, dim=1), logits


def _contest(cases: Cases, hits: Numbers, rules: Rules, n_texts: int) -> Contest:
    """The first half of the texts chooses heads and rules, the second tests them."""
    first = (cases.text < n_texts // 2).numpy()
    splits = (
        Answers(heads=hits[half], rules=rules.right[half], group=cases.text.numpy()[half])
        for half in (first, ~first)
    )
    return Contest(*splits)


def _relation_values(
    label: str,
    model: Transformer,
    cases: Cases,
    logits: Tensor,
    hits: Numbers,
    contest: Contest,
    rules: Rules,
) -> RelationValues:
    here = logits[cases.text, cases.query]  # [N, V]
    right, wrong = (here.gather(1, it[:, None])[:, 0] for it in (cases.right, cases.wrong))
    fits = (right > wrong).numpy()
    low, high = wilson_interval(fits.sum(), len(fits))
    hard = cases.hard.numpy()
    shape = model.config.n_layers, model.config.n_heads
    return RelationValues(
        label=label,
        n=len(fits),
        accuracy=fits.mean(),
        low=float(low),
        high=float(high),
        n_hard=int(hard.sum()),
        hard_accuracy=float(fits[hard].mean()) if hard.any() else None,
        heads=hits.mean(0).reshape(shape).tolist(),
        rule=rules.names[contest.rule],
        rule_accuracy=float(rules.right[:, contest.rule].mean()),
    )


def _roles(name: str, label: str, contest: Contest, n_heads: int) -> list[HeadRole]:
    roles = []
    for place in contest.winners:
        lead = contest.lead(place, contest.test)
        layer, head = divmod(place, n_heads)
        roles.append(
            HeadRole(
                layer=layer,
                head=head,
                role=name,
                label=label,
                n=lead.n,
                value=lead.accuracy,
                low=lead.low,
                baseline=lead.rule_accuracy,
            )
        )
    return roles
