"""A text as one message of a user, wrapped by the model's own chat template."""

from dataclasses import dataclass

from transformers import PreTrainedTokenizerFast

from mha_core.errors import NoChatTemplate

PLACEHOLDER = "\ue000"  # for private use: no template writes it


@dataclass(frozen=True)
class ChatPrompt:
    """What the model reads, up to where its reply begins."""

    text: str
    first: int = 0  # the typed text is text[first:end], where the template left it as it is
    end: int = 0
    shift: int = 0  # from an offset here to the same character as typed

    def typed_offsets(self, start: int | None, end: int | None) -> tuple[int | None, int | None]:
        """Offsets in the typed text; None for what the template added, even in part."""
        if start is None or end is None or not self.first <= start < end <= self.end:
            return None, None
        return start + self.shift, end + self.shift


def write_prompt(tokenizer: PreTrainedTokenizerFast, text: str) -> ChatPrompt:
    """The prompt for one message of a user; raises NoChatTemplate where it cannot be written."""
    if not tokenizer.chat_template:
        raise NoChatTemplate("This model's tokenizer has no chat template.")
    prompt, frame = _render(tokenizer, text), _render(tokenizer, PLACEHOLDER)
    before, found, after = frame.partition(PLACEHOLDER)
    # Many templates strip a message; one that changes it otherwise has no offsets to give.
    for typed in (text, text.strip()):
        if found and prompt == before + typed + after:
            first = len(before)
            return ChatPrompt(prompt, first, first + len(typed), text.index(typed) - first)
    return ChatPrompt(prompt)


def _render(tokenizer: PreTrainedTokenizerFast, message: str) -> str:
    messages = [{"role": "user", "content": message}]
    try:
        prompt = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    except Exception as error:  # a template is a program, and may fail in any way
        raise NoChatTemplate(
            f"The model's chat template cannot wrap a single message of a user: {error}. Leave "
            f"out `chat`."
        ) from error
    return str(prompt)
