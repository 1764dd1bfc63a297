"""Where each token ends, by decoding every beginning from the prompt's first token on."""

import random

import pytest
from tiny_model import TEXTS, make_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from phiscan.tokenizer import ends_of_tokens, load_tokenizer

BROKEN = "\ufffd"


def byte_level(folder):
    return load_tokenizer(str(make_model(folder)), "--tokenizer")


def metaspace(folder):
    """As sentencepiece models are: blanks go with the word after them, and none before a text's first."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    specials = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=500, special_tokens=specials, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


def one_by_one(tokenizer, prompt, ids):
    def decode(some):
        return tokenizer.decode(some, skip_special_tokens=True, clean_up_tokenization_spaces=False)

    before = decode(prompt).rstrip(BROKEN)
    text = decode([*prompt, *ids])[len(before) :]
    ends = [0]
    for count in range(1, len(ids) + 1):
        shown = len(decode([*prompt, *ids[:count]]).rstrip(BROKEN)) - len(before)
        ends.append(min(len(text), max(ends[-1], shown)))
    return text, [*ends[1:-1], len(text)]


@pytest.mark.parametrize("make", [byte_level, metaspace])
def test_tokens_that_no_encoder_would_give_end_where_their_beginnings_do(make, tmp_path):
    tokenizer, rng = make(tmp_path), random.Random(3)
    for number in range(120):
        # Every other text is of bytes mostly: characters in pieces, and pieces of none.
        ids = range(3, 260) if number % 2 else range(3, len(tokenizer))
        prompt, made = (rng.choices(ids, k=rng.randrange(1, 70)) for _ in range(2))
        assert ends_of_tokens(tokenizer, prompt, made) == one_by_one(tokenizer, prompt, made)


def test_text_of_many_bytes_a_character_across_the_seam(tmp_path):
    tokenizer = byte_level(tmp_path)
    ids = tokenizer("Zoë 🙂 and 🙂🙂 again, " * 4, add_special_tokens=False)["input_ids"]
    for cut in range(1, 40):
        # "and" is one token when encoded: the encoder's own offsets do not serve.
        made = [*ids[cut:], *tokenizer.convert_tokens_to_ids(["a", "n", "d"])]
        assert tokenizer(tokenizer.decode(made), add_special_tokens=False)["input_ids"] != made
        assert ends_of_tokens(tokenizer, ids[:cut], made) == one_by_one(tokenizer, ids[:cut], made)
