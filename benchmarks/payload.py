"""Bytes that carry all heads to the page, against BertViz's HTML for the same attention.

BertViz is fetched into a temporary directory and never becomes a part of the environment. This
file must not know time.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.analysis import analysis_of
from benchmarks.measure import Row
from benchmarks.models import N_HEADS, N_LAYERS, model_directory, text_of
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import load
from mha_core.runs.analysis import analyse
from mha_core.text.tokenization import tokenize

N_TOKENS = 128
MOST_BYTES = 2_500_000

BERTVIZ = "bertviz==1.4.1"
# Of what BertViz declares, only this is imported by its views; torch is here already.
NEEDED_BY_BERTVIZ = "ipython"

# Its model view is the one that shows every head at once.
MAKE_HTML = """
import sys
import numpy, torch
from bertviz import model_view
with numpy.load(sys.argv[1]) as saved:
    layers = [torch.from_numpy(layer)[None] for layer in saved["attention"]]
    tokens = saved["tokens"].tolist()
html = model_view(layers, tokens, html_action="return").data
print(len(html.encode()))
"""


def rows() -> Iterator[Row]:
    """The frames' size, and BertViz's as many times that."""
    with model_directory("bert") as directory:
        text = text_of(N_TOKENS)
        ours = sum(map(len, analysis_of(directory)(text).frames))
        try:
            theirs = bertviz_bytes(directory, text)
        except subprocess.CalledProcessError as error:
            peer = f"BertViz could not be had: {_last_line(error)}"
        else:
            peer = f"BertViz's HTML {theirs / 1e6:.0f} MB, {theirs / ours:.0f} times as much"
        yield Row(
            f"bytes for {N_LAYERS * N_HEADS} heads at {N_TOKENS} tokens",
            f"{ours / 1e6:.2f} MB ({peer})",
            f"at most {MOST_BYTES / 1e6:.1f} MB",
            ours <= MOST_BYTES,
        )


def bertviz_bytes(directory: Path, text: str) -> int:
    """Size of the page BertViz makes of the model's attention on the text."""
    model = load(entry_for(str(directory)), models_dir=directory.parent, hub=False)
    tokenized = tokenize(model.tokenizer, text)
    analysis = analyse(model, tokenized)
    attention = np.stack([analysis.patterns(layer).numpy() for layer in range(N_LAYERS)])
    with tempfile.TemporaryDirectory() as parent:
        packages, saved = Path(parent) / "packages", Path(parent) / "attention.npz"
        np.savez(saved, attention=attention, tokens=[token.piece for token in tokenized.tokens])
        for requirement in ([BERTVIZ, "--no-deps"], [NEEDED_BY_BERTVIZ]):
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(packages)]
            _run([*pip, "--disable-pip-version-check", *requirement])
        return int(_run([sys.executable, "-c", MAKE_HTML, str(saved)], PYTHONPATH=str(packages)))


def _run(command: list[str], **environment: str) -> str:
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=os.environ | environment
    )
    return done.stdout


def _last_line(error: subprocess.CalledProcessError) -> str:
    return (str(error.stderr).strip().splitlines() or ["it says nothing"])[-1]
