"""GGUF to safetensors, once: transformers takes some 20 s to read a GGUF, and half one afterwards.

Run as `python -m mha_core.models.gguf FILE FOLDER`, which is what `convert` does.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from mha_core.errors import ModelFailed
from mha_core.progress import Progress, silent

_STEPS = 4


def convert(gguf: Path, folder: Path, name: str, progress: Progress = silent) -> None:
    """Write the model and the tokenizer of a GGUF file to `folder`, as transformers saves them.

    In a process of its own, because a minute of Python would slow the other threads of this one,
    and because transformers draws a bar that cannot be turned off otherwise. Raising in `progress`
    stops it.
    """
    command = [sys.executable, "-m", __name__, str(gguf.resolve()), str(folder.resolve())]
    message = f"Converting {name}, once (about a minute)"
    progress(message, 0, _STEPS)
    log = gguf.with_suffix(".log")
    with (
        log.open("wb") as errors,
        subprocess.Popen(  # noqa: S603 (nothing in it comes from a request)
            command,
            cwd=Path(__file__).parents[2],  # where `-m` finds this package, installed or not
            env={**os.environ, "TQDM_DISABLE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            for step in process.stdout or ():
                progress(message, int(step), _STEPS)
            process.wait()
        finally:
            process.kill()
    if process.returncode != 0:
        words = log.read_text(errors="replace").strip().split("\n")[-1]
        raise ModelFailed(f"{gguf.name} could not be turned into safetensors: {words}")


def _convert_in_this_process(gguf: Path, folder: Path) -> None:
    """Convert, printing the number of each finished step.

    Dequantised weights are saved as float32, which loses nothing, with the language-model head.
    """
    # Imported here because the process that waits does not need them.
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    from mha_core.models.reading import quiet

    quiet()
    config = AutoConfig.from_pretrained(gguf.parent, gguf_file=gguf.name)
    # On the meta device no memory is taken and no random weights are drawn.
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    print(1, flush=True)
    # Not with from_pretrained: a model that it loads from a GGUF refuses to be saved.
    read = load_gguf_checkpoint(gguf, return_tensors=True, model_to_load=model)
    model.load_state_dict(read["tensors"], strict=False, assign=True)
    model.tie_weights()
    missing = [key for key, weight in model.state_dict().items() if weight.is_meta]
    if missing:
        raise ModelFailed(f"it has no weights for {', '.join(missing[:3])}")
    print(2, flush=True)
    tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    print(3, flush=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    # Written readable by its owner only, but a models directory may be shared.
    shutil.copymode(folder / "config.json", folder / "model.safetensors")
    print(4, flush=True)


if __name__ == "__main__":
    _convert_in_this_process(Path(sys.argv[1]), Path(sys.argv[2]))
