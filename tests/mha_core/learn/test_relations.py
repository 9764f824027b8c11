"""Relations: which head finds the word that decides, against rules that do not read."""

import pytest
import torch
from torch import Tensor

from mha_core.learn.measure import measure_point
from mha_core.learn.probe import Probe
from mha_core.learn.relations import measure_relations
from mha_core.learn.rules import choose_by_rules
from mha_core.learn.tasks.catalogue import make_config
from mha_core.learn.tasks.language import Language
from mha_core.learn.tasks.task import Batch, Cases
from mha_core.tap import Tap
from mha_core.transformer import Transformer
from tests.mha_core.learn.conftest import SMALL


class Knowing(Transformer):
    """A model that is told the answers: L1 H0 looks where it should, and it predicts so."""

    def __init__(self, probe: Probe) -> None:
        super().__init__(make_config(SMALL))
        self.answers = probe.batch.cases["subject"]

    def forward(self, input_ids: Tensor, tap: Tap | None = None) -> Tensor:
        hidden = super().forward(input_ids, tap and Tap(on_pattern=self._with_answers(tap)))
        self.asked = hidden.shape
        return hidden

    def _with_answers(self, tap: Tap):  # type: ignore[no-untyped-def] # noqa: ANN202
        cases = self.answers

        def on_pattern(capture, pattern: Tensor) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
            edited = pattern.clone()
            if capture.site.layer == 1 and len(pattern) > cases.text.max():
                edited[cases.text, 0, cases.query] = 0
                edited[cases.text, 0, cases.query, cases.key] = 1
            assert tap.on_pattern is not None
            tap.on_pattern(capture, edited)

        return on_pattern

    def logits(self, hidden: Tensor) -> Tensor:
        logits = super().logits(hidden)
        cases = self.answers
        if len(logits) > cases.text.max():
            logits = logits.clone()
            logits[cases.text, cases.query, cases.right] = 99.0
        return logits


@pytest.fixture(scope="module")
def probe() -> Probe:
    return Probe.of(Language())


def test_a_head_that_always_finds_the_subject_has_the_role(probe: Probe) -> None:
    with torch.no_grad():
        values, roles = measure_relations(Knowing(probe), probe)
    subject = values["subject"]
    assert subject.accuracy == 1
    assert subject.hard_accuracy == 1
    assert subject.heads[1][0] == 1
    assert subject.rule_accuracy < 0.6, "no rule finds most subjects"
    [role] = [it for it in roles if (it.layer, it.head, it.role) == (1, 0, "subject")]
    assert role.value == 1
    assert role.low > 0.3, "the lower end of the lead"
    assert role.baseline == pytest.approx(subject.rule_accuracy, abs=0.05)


def test_an_untrained_model_has_no_role_in_any_relation(probe: Probe) -> None:
    for seed in range(3):
        torch.manual_seed(seed)
        model = Transformer(make_config(SMALL)).eval()
        point = measure_point(model, probe, step=0)
        assert [it for it in point.roles if it.role in probe.batch.cases] == []
        for name in ("subject", "pronoun", "adjective"):
            assert 0.2 < point.relations[name].accuracy < 0.8


def test_rules_choose_by_place_and_by_class_of_word() -> None:
    task = Language()
    words = ["<bos>", "near", "the", "dog", "the", "old", "kings", "sleep", "."]
    row = torch.tensor([[task.vocabulary.index(word) for word in words]])
    lengths, scored = torch.tensor([len(words)]), torch.ones(1, len(words) - 1, dtype=torch.bool)
    one = torch.tensor([0])
    # "sleep" is predicted at "kings" (6), by itself; the dog (3) is the second nearest noun.
    for key, names in ((6, {"itself", "the nearest noun", "the second noun"}),
                       (3, {"3 back", "the first noun", "the second nearest noun"})):  # fmt: skip
        cases = Cases(one, torch.tensor([6]), torch.tensor([key]), one, one, one.bool())
        rules = choose_by_rules(Batch(row, lengths, scored), task, cases)
        right = {name for name, hit in zip(rules.names, rules.right[0], strict=True) if hit}
        assert {it for it in right if "pronoun" not in it} == names
