"""Trains HeadScope's own model on text that repeats itself: `python -m mha_core.learn.training`.

Who must continue a repeated text can only look up what followed last time. So heads specialise:
some look at the previous token, and heads above them use that to find the token after an earlier
occurrence of the present one (induction). The result, with what was measured on fresh strings, is
the checkpoint that ships with HeadScope. This file must not know how maps are shown.
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
from mha_core.transformer import Transformer, TransformerConfig, save_transformer

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
Unit = Callable[[Rng, int], bytes]
"""Makes what a text repeats, from 4 bytes to about as many as are asked for."""


@dataclass(frozen=True)
class Plan:
    """All that decides how a training run goes."""

    seed: int = 0
    steps: int = 1800
    tokens_per_step: int = 4096
    learning_rate: float = 2e-3
    longest_at_first: int = 12  # bytes of a unit; what is met often is learned first
    longest: int = 40  # bytes of a unit in the end
    learned: float = 0.85  # the accuracy at which lessons grow by a byte


# What is read -------------------------------------------------------------------------------------


def characters(rng: Rng, longest: int) -> bytes:
    """A string over an alphabet of its own, of few characters or many."""
    alphabet = rng.sample(PRINTABLE, rng.randint(16, len(PRINTABLE)))
    return bytes(rng.choices(alphabet, k=rng.randint(4, longest)))


def any_bytes(rng: Rng, longest: int) -> bytes:
    """Bytes of any value, so that every byte of UTF-8 learns to be looked up."""
    return rng.randbytes(rng.randint(4, longest))


def words(rng: Rng, longest: int) -> bytes:
    """A few words, with what people type around them."""
    phrase = " ".join(rng.choices(WORDS, k=rng.randint(1, longest // 5)))
    phrase = phrase.capitalize() if rng.random() < 0.2 else phrase
    return (phrase + rng.choice([" ", " ", " ", ". ", ", ", "; ", "! ", "\n"])).encode()


def text(
    make: Unit, rng: Rng, n_tokens: int, longest: int, strays: bool
) -> tuple[list[int], list[bool]]:
    """`<bos>` and a text that repeats itself, and which of its tokens are repetition.

    A unit over and over; a text that `strays` says something new between, as people do, so that
    counting the period is no way to find what comes next.
    """
    unit = make(rng, longest)
    tokens, repeated = [BOS_ID], [False]
    while len(tokens) < n_tokens:
        again = len(tokens) > 1
        new = make(rng, longest)[: rng.randint(1, 20)] if strays else b""
        tokens += unit + new
        # Its first byte tells that the unit is back: that it comes back now cannot be foreseen.
        repeated += [False, *[again] * (len(unit) - 1), *[False] * len(new)]
    return tokens[:n_tokens], repeated[:n_tokens]


# Learning -----------------------------------------------------------------------------------------


def train(model: Transformer, plan: Plan, report: Callable[[int, float, float], None]) -> None:
    """Teach the model; `report` hears of each step: its number, loss and accuracy on repetition."""
    rng = Rng(plan.seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=plan.learning_rate, betas=(0.9, 0.98), weight_decay=0.01
    )
    longest, recent = plan.longest_at_first, 0.0
    for step in range(plan.steps):
        tokens, repeated, asked = _lesson(rng, plan, longest, model.config.max_tokens)
        tokens, repeated, asked = (t.to(model.positions.device) for t in (tokens, repeated, asked))

        logits = model.logits(model(tokens)[:, :-1])  # [B, T - 1, V]
        answers = tokens[:, 1:]  # [B, T - 1]
        losses = F.cross_entropy(logits.transpose(1, 2), answers, reduction="none")  # [B, T - 1]
        for group in optimizer.param_groups:
            group["lr"] = plan.learning_rate * _pace(step, plan.steps)
        optimizer.zero_grad()
        losses[asked[:, 1:]].mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

        again = repeated[:, 1:]
        accuracy = (logits.argmax(-1) == answers)[again].float().mean().item()
        report(step + 1, losses[again].mean().item(), accuracy)
        recent = 0.9 * recent + 0.1 * accuracy
        if recent > plan.learned and longest < plan.longest:
            longest += 1


def _lesson(rng: Rng, plan: Plan, longest: int, limit: int) -> tuple[Tensor, Tensor, Tensor]:
    """Texts for one step [B, T]: tokens, where they repeat, and where a guess is asked for."""
    easy = longest < plan.longest // 2  # first short texts of plain characters, then everything
    n_tokens = limit // 4 if easy else rng.choice([limit // 4, limit // 2, limit])
    shares: dict[Unit, int] = {characters: 4, any_bytes: 0 if easy else 1, words: 0 if easy else 1}
    kinds = rng.choices([*shares], [*shares.values()], k=plan.tokens_per_step // n_tokens)
    strays = 0.0 if easy else 0.3
    texts = [text(kind, rng, n_tokens, longest, rng.random() < strays) for kind in kinds]
    tokens, repeated = (torch.tensor(column) for column in zip(*texts, strict=True))
    # Letters of words can be foreseen at first sight; to do so heads learn to look one back.
    spelled = torch.tensor([kind is words for kind in kinds])[:, None]
    return tokens, repeated, repeated | spelled


def _pace(step: int, steps: int) -> float:
    """The share of the learning rate: rises over 50 steps, falls over the last two fifths."""
    return min(1.0, (step + 1) / 50, (steps - step) / (0.4 * steps))


# What came of it ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What a model does with random strings said twice, means over all of them.

    The two head scores are [layer][head]: attention of every token to the one before it, and of
    every token of the second saying to the one that followed it in the first.
    """

    accuracy: float  # of the second saying, from its second token on
    previous: list[list[float]]
    induction: list[list[float]]


@torch.inference_mode()
def measure(model: Transformer, seeds: Sequence[int], length: int = 32, each: int = 32) -> Measured:
    """Measure on `each` strings of `length` printable characters for every seed."""
    draws = [Rng(seed) for seed in seeds]
    strings = [rng.choices(PRINTABLE, k=length) for rng in draws for _ in range(each)]
    tokens = torch.tensor([[BOS_ID, *s, *s] for s in strings])  # [B, 1 + 2 length]
    tokens = tokens.to(model.positions.device)
    previous: list[list[float]] = []
    induction: list[list[float]] = []

    def on_pattern(_: LayerCapture, pattern: Tensor) -> None:
        diagonals = pattern.diagonal(-1, 2, 3), pattern.diagonal(1 - length, 2, 3)
        # Before the first character is <bos>, where idle heads rest: that row tells nothing.
        previous.append(diagonals[0][:, :, 1:].mean((0, 2)).tolist())
        # This diagonal starts in the first saying, where nothing has been said before.
        induction.append(diagonals[1][:, :, -length:].mean((0, 2)).tolist())

    hidden = model(tokens, Tap(on_pattern=on_pattern))
    guesses = model.logits(hidden).argmax(-1)[:, length + 1 : -1]
    accuracy = (guesses == tokens[:, length + 2 :]).float().mean().item()
    return Measured(accuracy, previous, induction)


FRESH_SEEDS = range(1000, 1008)
"""Strings for measuring; training draws from one other seed."""


def main() -> None:
    """Train, measure and write the checkpoint, as the command line asks."""
    parser = argparse.ArgumentParser(
        prog="python -m mha_core.learn.training", description=main.__doc__
    )
    parser.add_argument("--seed", type=int, default=Plan.seed, help="of weights and texts")
    parser.add_argument("--steps", type=int, default=Plan.steps)
    parser.add_argument("--out", type=Path, default=CHECKPOINT, help="the file to write")
    arguments = parser.parse_args()
    plan = Plan(seed=arguments.seed, steps=arguments.steps)

    torch.manual_seed(plan.seed)
    model = Transformer(TransformerConfig(VOCAB_SIZE))

    def report(step: int, loss: float, accuracy: float) -> None:
        if step % 50 == 0:
            figures = f"loss {loss:.3f}  accuracy {accuracy:.3f}"
            print(f"step {step:5} of {plan.steps}  {figures}", flush=True)

    train(model, plan, report)
    measured = measure(model, FRESH_SEEDS)
    print(f"accuracy on fresh strings said twice: {measured.accuracy:.3f}")
    for name, scores in (("previous", measured.previous), ("induction", measured.induction)):
        for layer, row in enumerate(scores):
            print(f"{name:9} L{layer}  " + "  ".join(f"H{h} {s:.2f}" for h, s in enumerate(row)))
    notes = {"plan": asdict(plan), "measured": {"seeds": [*FRESH_SEEDS], **asdict(measured)}}
    save_transformer(model, arguments.out, {name: json.dumps(note) for name, note in notes.items()})
    print(f"wrote {arguments.out}")


if __name__ == "__main__":
    main()
