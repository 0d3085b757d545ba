"""Byte-level BPE, as GPT-2's: no text is unknown to it, and a vocabulary is the only thing that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equiglot.errors import InputError

__all__ = ["END_OF_TEXT", "train_tokenizer"]

END_OF_TEXT = "<|endoftext|>"
"""Stands before and after every sentence in training, and before every sentence that is scored."""


def train_tokenizer(texts: Sequence[str], vocabulary: int, *, language: str, context: int) -> Any:
    """A ``PreTrainedTokenizerFast`` of exactly ``vocabulary`` tokens, learnt from the texts.

    Raises:
        InputError: the texts have too few different words for so large a vocabulary.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    learnt = tokenizer.get_vocab_size()
    if learnt < vocabulary:
        raise InputError(
            f"the {language} texts yield only {learnt:,} of {vocabulary:,} tokens",
            fix="give more text, or smaller vocabularies",
        )
    end = tokenizer.token_to_id(END_OF_TEXT)
    tokenizer.post_processor = processors.TemplateProcessing(f"{END_OF_TEXT} $A", special_tokens=[(END_OF_TEXT, end)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=END_OF_TEXT, eos_token=END_OF_TEXT, model_max_length=context,
        clean_up_tokenization_spaces=False,
    )  # fmt: skip
