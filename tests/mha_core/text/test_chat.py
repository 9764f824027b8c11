"""A text as a message: the ids of the model's own template, markers, offsets of what was typed."""

from collections.abc import Iterator

import pytest
from transformers import PreTrainedTokenizerFast

from mha_core.errors import EmptyText, NoChatTemplate, PairNotSupported, TextTooLong
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import analysis_id
from mha_core.runs.generation import Generation
from mha_core.text.chat import write_prompt
from mha_core.text.tokenization import drop_end_token, tokenize

TEXT = "Why did the animal sleep?"
IM_START, IM_END = "<|im_start|>", "<|im_end|>"


@pytest.fixture
def tokenizer(smollm2: LoadedModel) -> Iterator[PreTrainedTokenizerFast]:
    """Whose template a test may replace."""
    own = smollm2.tokenizer.chat_template
    yield smollm2.tokenizer
    smollm2.tokenizer.chat_template = own


@pytest.mark.parametrize("text", [TEXT, " padded \n", "\n\nlines\n\n", "😀 é", "AI", f"a{IM_END}b"])
def test_the_ids_are_those_that_transformers_gives(
    text: str, tokenizer: PreTrainedTokenizerFast
) -> None:
    messages = [{"role": "user", "content": text}]
    theirs = tokenizer.apply_chat_template(messages, add_generation_prompt=True)
    ours = tokenize(tokenizer, text, chat=True)
    assert ours.inputs["input_ids"] == list(theirs["input_ids"])
    assert [token.id for token in ours.tokens] == ours.inputs["input_ids"]
    assert ours.text == text


def test_markers_are_special_tokens_that_can_be_read(tokenizer: PreTrainedTokenizerFast) -> None:
    tokens = tokenize(tokenizer, TEXT, chat=True).tokens
    markers = [token for token in tokens if token.kind == "special"]
    assert [token.text for token in markers] == [IM_START, IM_END, IM_START, IM_END, IM_START]
    assert {(token.start, token.end, token.word) for token in markers} == {(None, None, None)}
    assert tokens[0].text == IM_START
    assert [token.text for token in tokens[-3:]] == ["ass", "istant", "↵"]


@pytest.mark.parametrize("text", [TEXT, "AI", "user", "padded  words ", "a 😀 b"])
def test_offsets_are_those_of_the_typed_text_and_of_nothing_else(
    text: str, tokenizer: PreTrainedTokenizerFast
) -> None:
    """Also where the template itself holds the same words."""
    wrapped, alone = tokenize(tokenizer, text, chat=True), tokenize(tokenizer, text)
    typed = [token for token in wrapped.tokens if token.start is not None]
    offsets = [(token.id, token.start, token.end) for token in typed]
    assert offsets == [(token.id, token.start, token.end) for token in alone.tokens]
    indices = [token.index for token in typed]
    assert indices == list(range(indices[0], indices[0] + len(typed))), "they are neighbours"


def test_a_template_that_strips_a_message_keeps_its_offsets(
    tokenizer: PreTrainedTokenizerFast,
) -> None:
    tokenizer.chat_template = "{% for m in messages %}[{{ m.content | trim }}]{% endfor %}"
    tokens = tokenize(tokenizer, "  cat sat ", chat=True).tokens
    typed = [(token.text, token.start, token.end) for token in tokens if token.start is not None]
    assert typed == [("cat", 2, 5), ("sat", 6, 9)]


def test_a_template_that_changes_a_message_has_no_offsets(
    tokenizer: PreTrainedTokenizerFast,
) -> None:
    tokenizer.chat_template = "{% for m in messages %}{{ m.content | upper }}{% endfor %}"
    tokens = tokenize(tokenizer, "cat sat", chat=True).tokens
    assert {token.start for token in tokens} == {None}
    assert write_prompt(tokenizer, "cat sat").text == "CAT SAT"


def test_a_template_that_fails_is_an_error_in_words(tokenizer: PreTrainedTokenizerFast) -> None:
    tokenizer.chat_template = "{{ raise_exception('a system message first') }}"
    with pytest.raises(NoChatTemplate, match=r"a system message first.*Leave out `chat`"):
        tokenize(tokenizer, TEXT, chat=True)


def test_a_model_without_a_template_says_so(minilm: LoadedModel, smollm2: LoadedModel) -> None:
    assert (minilm.has_chat_template, smollm2.has_chat_template) == (False, True)
    with pytest.raises(NoChatTemplate, match="has no chat template: leave out `chat`") as error:
        minilm.tokenize(TEXT, chat=True)
    assert error.value.details == {"model": "minilm"}
    with pytest.raises(NoChatTemplate):
        tokenize(minilm.tokenizer, TEXT, chat=True)


def test_a_message_is_one_text_with_words_and_within_the_limit(smollm2: LoadedModel) -> None:
    with pytest.raises(PairNotSupported, match="leave out `text_pair` or `chat`"):
        smollm2.tokenize(TEXT, "two", chat=True)
    with pytest.raises(EmptyText):
        smollm2.tokenize(" ", chat=True)
    n_tokens = len(smollm2.tokenize(TEXT, chat=True).tokens)
    assert len(smollm2.tokenize(TEXT, chat=True, max_tokens=n_tokens).tokens) == n_tokens
    with pytest.raises(TextTooLong) as error:
        smollm2.tokenize(TEXT, chat=True, max_tokens=n_tokens - 1)
    cut = error.value.details.pop("cut")
    assert error.value.details == {"n_tokens": n_tokens, "max_tokens": n_tokens - 1}
    shorter = TEXT[: cut["n_characters"]]
    assert len(smollm2.tokenize(shorter, chat=True).tokens) == n_tokens - 1, "of what was typed"


def test_a_wrapped_text_is_another_analysis(smollm2: LoadedModel) -> None:
    bare, wrapped = (smollm2.tokenize(TEXT, chat=chat) for chat in (False, True))
    assert bare.prompt is None
    assert analysis_id(smollm2, bare) != analysis_id(smollm2, wrapped)
    assert analysis_id(smollm2, wrapped) == analysis_id(smollm2, smollm2.tokenize(TEXT, chat=True))


def test_a_reply_follows_the_whole_prompt(smollm2: LoadedModel) -> None:
    wrapped = smollm2.tokenize(TEXT, chat=True)
    assert drop_end_token(wrapped) is wrapped
    text = Generation(smollm2, wrapped)
    n_prompt = text.n_tokens
    for _ in range(3):
        text.take(int(text.guess().logits.argmax()))
    assert text.tokenized.tokens[:n_prompt] == wrapped.tokens
    again = smollm2.tokenize(TEXT, continuation=text.tokenized.continuation, chat=True)
    assert again == text.tokenized
    reply = again.tokens[n_prompt:]
    assert len(reply) == 3
    assert {token.start for token in reply} == {None}
    assert reply[0].kind == "word_start"
