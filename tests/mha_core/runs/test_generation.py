"""A text goes on as transformers would go on with it, and shows what every head looked at."""

import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoConfig, AutoModelForCausalLM

from mha_core.errors import Cancelled, NoContinuation, TextTooLong
from mha_core.models.catalogue import entry_for, find
from mha_core.models.loading import LoadedModel, load
from mha_core.models.sources import obtain
from mha_core.progress import silent
from mha_core.runs.analysis import analyse
from mha_core.runs.generation import Generation, Guess, Sampling, check_causal, check_continuation
from mha_core.text.tokenization import tokenize

SENTENCE = "The animal didn't cross the street because"
CAUSAL = ("gpt2", "gpt_neox", "llama", "qwen2", "mistral")
WINDOW = 4


@pytest.fixture(scope="module")
def causal_directory(
    model_directory: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """A function family -> folder with a small random model of it, its output layer included."""

    @cache
    def build(family: str, n_unused: int = 0) -> Path:
        like = model_directory("llama" if family == "mistral" else family)
        folder = Path(shutil.copytree(like, tmp_path_factory.mktemp(family) / "causal"))
        config = AutoConfig.from_pretrained(like)
        if family == "mistral":  # few enough keys in sight that some are out of it
            sizes = {name: getattr(config, name) for name in ("num_hidden_layers", "hidden_size")}
            sizes |= {"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 64}
            sizes |= {"vocab_size": config.vocab_size, "sliding_window": WINDOW}
            config = AutoConfig.for_model("mistral", **sizes)
        config.vocab_size += n_unused
        config.eos_token_id = None
        torch.manual_seed(0)
        AutoModelForCausalLM.from_config(config).save_pretrained(folder)
        return folder

    return build


@pytest.fixture(scope="module")
def model_of(
    causal_directory: Callable[..., Path],
    smollm2: LoadedModel,
    models_dir: Path,
    device: torch.device,
) -> Callable[[str], LoadedModel]:
    """A function name -> causal model: a real one, HeadScope's own, or a small one of a family."""

    @cache
    def build(name: str) -> LoadedModel:
        if name == "smollm2":
            return smollm2
        own = name == "headscope-tiny"
        entry = find(name) if own else entry_for(str(causal_directory(name)))
        return load(entry, models_dir=models_dir, device=str(device), hub=False)

    return build


def generated(
    model: LoadedModel, n: int, sampling: Sampling | None = None, start: Sequence[int] = ()
) -> tuple[Generation, list[Guess]]:
    sampling = sampling or Sampling()
    text, guesses = Generation(model, model.tokenize(SENTENCE, continuation=start)), []
    for _ in range(n):
        guesses.append(text.guess())
        text.take(sampling.choose(guesses[-1], text.n_tokens))
    return text, guesses


@pytest.mark.parametrize("name", ["smollm2", "headscope-tiny", *CAUSAL])
def test_each_row_is_the_last_row_of_the_whole_map_of_the_text_so_far(
    name: str, model_of: Callable[[str], LoadedModel]
) -> None:
    model = model_of(name)
    text = Generation(model, model.tokenize(SENTENCE))
    for _ in range(5):
        analysis = analyse(model, text.tokenized)
        guess = text.guess()
        whole = torch.stack(
            [analysis.patterns(i)[:, -1] for i in range(model.architecture.n_layers)]
        )
        assert guess.rows.shape == (
            model.architecture.n_layers,
            model.architecture.n_heads,
            text.n_tokens,
        )
        torch.testing.assert_close(guess.rows, whole, atol=1e-5, rtol=0)
        text.take(Sampling().choose(guess, text.n_tokens))


def test_a_sliding_window_leaves_every_key_in_its_place(
    model_of: Callable[[str], LoadedModel],
) -> None:
    _, guesses = generated(model_of("mistral"), 4)
    assert guesses[-1].rows.shape[-1] == guesses[0].rows.shape[-1] + 3
    assert guesses[-1].rows[..., :-WINDOW].count_nonzero() == 0
    assert guesses[-1].rows[..., -WINDOW:].min() > 0


@pytest.mark.parametrize("name", ["smollm2", "headscope-tiny", *CAUSAL])
def test_what_is_expected_next_is_what_the_whole_text_run_at_once_expects(
    name: str, model_of: Callable[[str], LoadedModel]
) -> None:
    model = model_of(name)
    text, guesses = generated(model, 4)
    at_once = model.unembed(model.forward(text.tokenized))
    assert at_once is not None
    stepped = torch.stack([guess.logits for guess in guesses])
    expected = at_once[0, -5:-1].double().cpu()
    torch.testing.assert_close(stepped, expected, atol=1e-3, rtol=1e-4)


def theirs(directory: Path, ids: list[int], n: int, device: torch.device) -> list[int]:
    """The tokens that transformers adds by itself."""
    reference = AutoModelForCausalLM.from_pretrained(directory).to(device).eval()
    inputs = torch.tensor([ids], device=device)
    written = reference.generate(
        inputs,
        attention_mask=torch.ones_like(inputs),
        do_sample=False,
        max_new_tokens=n,
        pad_token_id=0,
    )
    new: list[int] = written[0, len(ids) :].tolist()
    return new


def test_the_most_probable_tokens_are_those_transformers_generates(
    smollm2: LoadedModel, models_dir: Path, device: torch.device
) -> None:
    text, _ = generated(smollm2, 24)
    directory = obtain(find("smollm2"), models_dir, allow_hub=False, progress=silent).path
    ids = smollm2.tokenize(SENTENCE).inputs["input_ids"]
    assert list(text.tokenized.continuation) == theirs(directory, ids, 24, device)


@pytest.mark.parametrize("family", CAUSAL)
def test_every_family_goes_on_as_transformers_would(
    family: str,
    model_of: Callable[[str], LoadedModel],
    causal_directory: Callable[..., Path],
    device: torch.device,
) -> None:
    model = model_of(family)
    text, _ = generated(model, 12)
    ids = model.tokenize(SENTENCE).inputs["input_ids"]
    expected = theirs(causal_directory(family), ids, 12, device)
    assert list(text.tokenized.continuation) == expected


@pytest.mark.parametrize("name", ["smollm2", "headscope-tiny", "gpt2"])
def test_probabilities_sum_to_one_and_fall_among_the_candidates(
    name: str, model_of: Callable[[str], LoadedModel]
) -> None:
    for guess in generated(model_of(name), 3)[1]:
        assert float(guess.probabilities.sum()) == pytest.approx(1, abs=1e-12)
        candidates = guess.top(10)
        falling = [probability for _, probability in candidates]
        assert falling == sorted(falling, reverse=True)
        assert [float(guess.probabilities[id]) for id, _ in candidates] == falling
        assert 0 <= guess.entropy <= torch.tensor(float(len(guess.logits))).log()


def test_of_a_small_vocabulary_all_tokens_may_be_asked_for(
    model_of: Callable[[str], LoadedModel],
) -> None:
    _, [guess] = generated(model_of("headscope-tiny"), 1)
    assert sorted(id for id, _ in guess.top(1000)) == list(range(257))


def guess_of(logits: list[float]) -> Guess:
    return Guess(torch.tensor(logits, dtype=torch.float64), torch.zeros(1, 1, 1))


def test_entropy_is_nothing_for_one_sure_token_and_largest_where_all_are_alike() -> None:
    assert guess_of([0, -torch.inf, -torch.inf]).entropy == 0
    assert guess_of([1.0] * 8).entropy == pytest.approx(torch.tensor(8.0).log())


logit_lists = st.lists(st.floats(-30, 30), min_size=1, max_size=40)
seeds, places = st.integers(0, 2**53 - 1), st.integers(0, 5000)


@given(logit_lists, seeds, places, st.integers(1, 50), st.floats(1e-300, 10))
def test_only_the_best_k_are_ever_drawn(
    logits: list[float], seed: int, index: int, top_k: int, temperature: float
) -> None:
    guess = guess_of(logits)
    drawn = Sampling(temperature, top_k, seed).choose(guess, index)
    assert logits[drawn] >= sorted(logits, reverse=True)[:top_k][-1]
    assert Sampling(temperature, top_k, seed).choose(guess, index) == drawn
    assert Sampling(temperature, 1, seed).choose(guess, index) == logits.index(max(logits))
    assert Sampling(0, top_k, seed).choose(guess, index) == logits.index(max(logits))


def test_what_is_no_token_is_never_drawn_however_hot() -> None:
    guess = guess_of([0.0, -torch.inf, 0.0, -torch.inf])
    drawn = {Sampling(10, None, seed).choose(guess, index=3) for seed in range(200)}
    assert drawn == {0, 2}


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_tokens_are_drawn_as_often_as_their_probability_at_the_temperature(
    temperature: float,
) -> None:
    logits = [1.0, 3.0, 2.0, -1.0]
    n = 4000
    drawn = [Sampling(temperature, None, seed=7).choose(guess_of(logits), i) for i in range(n)]
    expected = (torch.tensor(logits) / temperature).softmax(-1)
    shares = torch.bincount(torch.tensor(drawn), minlength=4) / n
    torch.testing.assert_close(shares, expected, atol=0.03, rtol=0)  # four standard errors


@pytest.mark.parametrize("name", ["smollm2", "headscope-tiny"])
def test_a_seed_gives_its_text_again_at_once_or_in_parts(
    name: str, model_of: Callable[[str], LoadedModel]
) -> None:
    model, sampling = model_of(name), Sampling(1.5, None, seed=3)
    whole = generated(model, 8, sampling)[0].tokenized
    assert generated(model, 8, sampling)[0].tokenized == whole
    half = generated(model, 4, sampling)[0].tokenized.continuation
    assert generated(model, 4, sampling, start=half)[0].tokenized == whole
    assert generated(model, 8, Sampling(1.5, None, seed=4))[0].tokenized != whole


def test_a_continuation_is_read_as_the_tokens_it_is(smollm2: LoadedModel) -> None:
    """Retyped, the three would be one token."""
    pieces = [smollm2.tokenizer.convert_tokens_to_ids(piece) for piece in ("Ġs", "tre", "et")]
    text = Generation(smollm2, smollm2.tokenize("in the", continuation=pieces))
    assert text.guess().rows.shape[-1] == 5
    retyped = Generation(smollm2, smollm2.tokenize("in the street"))
    assert retyped.guess().rows.shape[-1] == 3


@pytest.mark.parametrize("name", ["smollm2", "headscope-tiny"])
def test_a_guess_holds_until_a_token_is_taken(
    name: str, model_of: Callable[[str], LoadedModel]
) -> None:
    text, [first] = generated(model_of(name), 1)
    second = text.guess()
    assert text.guess() is second
    assert second.rows.shape[-1] == first.rows.shape[-1] + 1


def test_a_text_of_one_token_has_a_next_one(smollm2: LoadedModel) -> None:
    text = Generation(smollm2, smollm2.tokenize("Once"))
    assert text.n_tokens == 1
    guess = text.guess()
    assert torch.equal(guess.rows, torch.ones(30, 9, 1))
    assert guess.top(1)[0][1] > 0.1


def test_an_end_token_ends_the_text(smollm2: LoadedModel) -> None:
    text = Generation(smollm2, smollm2.tokenize(SENTENCE))
    assert not text.ended
    text.take(smollm2.tokenizer.convert_tokens_to_ids("Ġit"))
    assert not text.ended
    text.take(smollm2.tokenizer.eos_token_id)
    assert text.ended


def test_headscopes_own_model_never_ends_a_text(model_of: Callable[[str], LoadedModel]) -> None:
    text = Generation(model_of("headscope-tiny"), model_of("headscope-tiny").tokenize("a"))
    for id in (0, 10, 256):
        text.take(id)
        assert not text.ended


def test_rows_that_only_fill_the_matrix_up_are_no_candidates(
    causal_directory: Callable[..., Path], device: torch.device
) -> None:
    entry = entry_for(str(causal_directory("gpt2", n_unused=47)))
    model = load(entry, models_dir=Path(), device=str(device), hub=False)
    guess = Generation(model, model.tokenize(SENTENCE)).guess()
    n_tokens = len(model.tokenizer)
    assert len(guess.logits) == n_tokens + 47
    assert guess.probabilities[n_tokens:].count_nonzero() == 0
    assert float(guess.probabilities.sum()) == pytest.approx(1, abs=1e-12)


def test_a_run_can_be_given_up_at_each_layer(smollm2: LoadedModel) -> None:
    calls = 0

    def give_up() -> None:
        nonlocal calls
        calls += 1
        if calls > patience:
            raise Cancelled("enough")

    for patience in (0, 3, 40):  # in the text before, and while the last token is read
        calls = 0
        text = Generation(smollm2, smollm2.tokenize(SENTENCE))
        with pytest.raises(Cancelled):
            text.guess(give_up)
        assert calls == patience + 1


def test_a_model_that_looks_both_ways_goes_on_with_nothing(minilm: LoadedModel) -> None:
    with pytest.raises(NoContinuation, match=r"MiniLM.* choose a causal model, such as smollm2\.$"):
        check_causal(minilm)
    with pytest.raises(NoContinuation):
        Generation(minilm, tokenize(minilm.tokenizer, SENTENCE))


def test_a_continuation_of_the_whole_limit_is_refused_before_it_is_read(
    smollm2: LoadedModel, minilm: LoadedModel
) -> None:
    check_continuation(smollm2, [1] * 9, 10)
    with pytest.raises(TextTooLong) as told:
        check_continuation(smollm2, [1] * 10, 10)
    assert told.value.details == {"n_tokens": 10, "max_tokens": 10}
    with pytest.raises(NoContinuation, match=r"smollm2, or leave out `continuation`\.$"):
        check_continuation(minilm, [1], 10)


def test_files_without_an_output_layer_are_told_of(
    model_directory: Callable[[str], Path], device: torch.device
) -> None:
    entry = entry_for(str(model_directory("llama")))
    model = load(entry, models_dir=Path(), device=str(device), hub=False)
    with pytest.raises(NoContinuation, match="no output layer"):
        Generation(model, model.tokenize(SENTENCE))
