"""Bytes sent to the page for all heads, against BertViz's HTML for the same attention.

BertViz is installed into a temporary directory, not into the environment.
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
MAX_BYTES = 2_500_000

BERTVIZ = "bertviz==1.4.1"
# The only declared dependency that its views import; torch is installed already.
NEEDED_BY_BERTVIZ = "ipython"

# Its model view shows all heads.
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
    """One row: the size of the frames, and that of BertViz."""
    with model_directory("bert") as directory:
        text = text_of(N_TOKENS)
        ours = sum(map(len, analysis_of(directory)(text).frames))
        try:
            theirs = bertviz_bytes(directory, text)
        except subprocess.CalledProcessError as error:
            peer = f"BertViz could not be installed: {_last_line(error)}"
        else:
            peer = f"BertViz's HTML {theirs / 1e6:.0f} MB, {theirs / ours:.0f} times as much"
        yield Row(
            f"bytes for {N_LAYERS * N_HEADS} heads at {N_TOKENS} tokens",
            f"{ours / 1e6:.2f} MB ({peer})",
            f"at most {MAX_BYTES / 1e6:.1f} MB",
            ours <= MAX_BYTES,
        )


def bertviz_bytes(directory: Path, text: str) -> int:
    """Size of BertViz's page for the model's attention on the text."""
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
    return (str(error.stderr).strip().splitlines() or ["no output"])[-1]
