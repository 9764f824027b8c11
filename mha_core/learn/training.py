"""Trains HeadScope's own model on repeating text: `python -m mha_core.learn.training`.

To continue a repeated text a model must look up what followed last time. So heads specialise: some
look at the previous token, and heads above them use that to find the token after an earlier
occurrence of the current one (induction). The result is the checkpoint shipped with HeadScope.
"""

import argparse
import json
import random
import string
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from mha_core.tap import LayerCapture, Tap
from mha_core.text.byte_tokenizer import BOS_ID, VOCAB_SIZE
from mha_core.transformer import Transformer, save_transformer
from mha_core.transformer_config import TransformerConfig

FRESH_SEEDS = range(1000, 1008)  # for evaluation; training uses another seed
CHECKPOINT = Path(__file__).parents[1] / "checkpoints" / "headscope-tiny.safetensors"

PRINTABLE = (string.ascii_letters + string.digits + string.punctuation + " ").encode()

WORDS = """the of and to a in is was he for it with as his on be at by had not are but from or have
an they which one you were all her she there would their we him been has when who will no more if
out so up said what its about than into them can only other time new some could these two may first
then do any like my now over such our man me even most made after also did many off before must well
back through years where much your way down should because long each just state those people too
good very make world still see own work men here life get day house small large cat dog bird mat sat
animal street tired cross wide river old young tree king queen child book read wrote ran walks saw
found big red blue green white black night water hand eye door room city country""".split()  # noqa: SIM905 (as a list it is 160 lines)

Rng = random.Random
Unit = Callable[[Rng, int], bytes]  # draws what a text repeats, 4 bytes to about as many as given


@dataclass(frozen=True)
class Plan:
    """The hyperparameters of a training run."""

    seed: int = 0
    steps: int = 1800
    tokens_per_step: int = 4096
    learning_rate: float = 2e-3
    longest_at_first: int = 12  # bytes of a unit; short units repeat often and are learned first
    longest: int = 40  # bytes of a unit in the end
    learned: float = 0.85  # the accuracy at which the longest unit grows by a byte


def characters(rng: Rng, longest: int) -> bytes:
    """A random string over a random alphabet."""
    alphabet = rng.sample(PRINTABLE, rng.randint(16, len(PRINTABLE)))
    return bytes(rng.choices(alphabet, k=rng.randint(4, longest)))


def any_bytes(rng: Rng, longest: int) -> bytes:
    """Random bytes, so that every byte of UTF-8 occurs in training."""
    return rng.randbytes(rng.randint(4, longest))


def words(rng: Rng, longest: int) -> bytes:
    """A few words and a separator."""
    phrase = " ".join(rng.choices(WORDS, k=rng.randint(1, longest // 5)))
    phrase = phrase.capitalize() if rng.random() < 0.2 else phrase
    return (phrase + rng.choice([" ", " ", " ", ". ", ", ", "; ", "! ", "\n"])).encode()


def repeating_text(
    draw: Unit, rng: Rng, n_tokens: int, longest: int, strays: bool
) -> tuple[list[int], list[bool]]:
    """`<bos>` and a unit over and over, and which of the tokens are repetition.

    With `strays` new text comes between the repetitions, so that they have no fixed period.
    """
    unit = draw(rng, longest)
    tokens, repeated = [BOS_ID], [False]
    while len(tokens) < n_tokens:
        again = len(tokens) > 1
        new = draw(rng, longest)[: rng.randint(1, 20)] if strays else b""
        tokens += unit + new
        # The first byte of a repetition cannot be predicted, the others can.
        repeated += [False, *[again] * (len(unit) - 1), *[False] * len(new)]
    return tokens[:n_tokens], repeated[:n_tokens]


def train(model: Transformer, plan: Plan, report: Callable[[int, float, float], None]) -> None:
    """Train the model; `report` gets the step, and loss and accuracy on repeated tokens."""
    rng = Rng(plan.seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=plan.learning_rate, betas=(0.9, 0.98), weight_decay=0.01
    )
    longest, recent = plan.longest_at_first, 0.0
    for step in range(plan.steps):
        batch = _batch(rng, plan, longest, model.config.max_tokens)
        tokens, repeated, trained = (tensor.to(model.positions.device) for tensor in batch)

        logits = model.logits(model(tokens)[:, :-1])  # [B, T - 1, V]
        targets = tokens[:, 1:]  # [B, T - 1]
        losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")  # [B, T - 1]
        # The learning rate rises over 50 steps and falls over the last two fifths.
        schedule = min(1.0, (step + 1) / 50, (plan.steps - step) / (0.4 * plan.steps))
        for group in optimizer.param_groups:
            group["lr"] = plan.learning_rate * schedule
        optimizer.zero_grad()
        losses[trained[:, 1:]].mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

        again = repeated[:, 1:]
        accuracy = (logits.argmax(-1) == targets)[again].float().mean().item()
        report(step + 1, losses[again].mean().item(), accuracy)
        recent = 0.9 * recent + 0.1 * accuracy
        if recent > plan.learned and longest < plan.longest:
            longest += 1


def _batch(rng: Rng, plan: Plan, longest: int, limit: int) -> tuple[Tensor, Tensor, Tensor]:
    """One step's texts [B, T]: tokens, which of them are repetition, which count in the loss."""
    easy = longest < plan.longest // 2  # first short texts of plain characters, then everything
    n_tokens = limit // 4 if easy else rng.choice([limit // 4, limit // 2, limit])
    shares: dict[Unit, int] = {characters: 4, any_bytes: 0 if easy else 1, words: 0 if easy else 1}
    kinds = rng.choices([*shares], [*shares.values()], k=plan.tokens_per_step // n_tokens)
    share = 0.0 if easy else 0.3  # of texts that stray
    texts = [repeating_text(kind, rng, n_tokens, longest, rng.random() < share) for kind in kinds]
    tokens, repeated = (torch.tensor(column) for column in zip(*texts, strict=True))
    # Letters of words can be predicted from the letter before: this trains previous-token heads.
    spelled = torch.tensor([kind is words for kind in kinds])[:, None]
    return tokens, repeated, repeated | spelled


@dataclass(frozen=True)
class Measured:
    """Means over random strings repeated once."""

    accuracy: float  # on the repetition, from its second token on
    previous: list[list[float]]  # [layer][head]: attention to the previous token
    induction: list[list[float]]  # [layer][head]: attention to what followed the first time


@torch.inference_mode()
def measure(model: Transformer, seeds: Sequence[int], length: int = 32, each: int = 32) -> Measured:
    """Measure on `each` strings of `length` printable characters for every seed."""
    draws = [Rng(seed) for seed in seeds]
    strings = [rng.choices(PRINTABLE, k=length) for rng in draws for _ in range(each)]
    tokens = torch.tensor([[BOS_ID, *s, *s] for s in strings])  # [B, 1 + 2 length]
    tokens = tokens.to(model.positions.device)
    previous, induction = list[list[float]](), list[list[float]]()

    def on_pattern(_: LayerCapture, pattern: Tensor) -> None:
        # Row 1 is left out: before it is <bos>, an attention sink.
        previous.append(pattern.diagonal(-1, 2, 3)[:, :, 1:].mean((0, 2)).tolist())
        # Only rows of the repetition.
        induction.append(pattern.diagonal(1 - length, 2, 3)[:, :, -length:].mean((0, 2)).tolist())

    hidden = model(tokens, Tap(on_pattern=on_pattern))
    guesses = model.logits(hidden).argmax(-1)[:, length + 1 : -1]
    accuracy = (guesses == tokens[:, length + 2 :]).float().mean().item()
    return Measured(accuracy, previous, induction)


def main() -> None:
    """Train HeadScope's own model, measure it and write the checkpoint."""
    parser = argparse.ArgumentParser("python -m mha_core.learn.training", description=main.__doc__)
    parser.add_argument("--seed", type=int, default=Plan.seed, help="random seed")
    parser.add_argument("--steps", type=int, default=Plan.steps)
    parser.add_argument("--out", type=Path, default=CHECKPOINT, help="the file to write")
    arguments = parser.parse_args()
    plan = Plan(seed=arguments.seed, steps=arguments.steps)

    torch.manual_seed(plan.seed)
    model = Transformer(TransformerConfig(VOCAB_SIZE))

    def report(step: int, loss: float, accuracy: float) -> None:
        if step % 50 == 0:
            scores = f"loss {loss:.3f}  accuracy {accuracy:.3f}"
            print(f"step {step:5} of {plan.steps}  {scores}", flush=True)

    train(model, plan, report)
    measured = measure(model, FRESH_SEEDS)
    print(f"accuracy on fresh strings repeated once: {measured.accuracy:.3f}")
    for name, scores in (("previous", measured.previous), ("induction", measured.induction)):
        for layer, row in enumerate(scores):
            print(f"{name:9} L{layer}  " + "  ".join(f"H{h} {s:.2f}" for h, s in enumerate(row)))
    notes = {"plan": asdict(plan), "measured": {"seeds": [*FRESH_SEEDS], **asdict(measured)}}
    save_transformer(model, arguments.out, {name: json.dumps(note) for name, note in notes.items()})
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
