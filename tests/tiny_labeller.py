"""A two-layer token classifier whose every word has a label of its own: real files, made in a second."""

from collections.abc import Mapping
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast

CLINICAL = {
    "marguerite": "B-PATIENT",
    "anne": "B-PATIENT",
    "lindqvist": "I-PATIENT",
    "foley": "B-PATIENT",
    "okonkwo": "B-STAFF",
    "worcester": "B-LOC",
    "brightvale": "B-HOSP",
    "clinic": "I-HOSP",
    "617": "B-PHONE",
    "555": "I-PHONE",
    "0142": "I-PHONE",
    "219": "B-ID",
    "09": "I-ID",
    "4471": "I-ID",
    "quarterly": "B-DATE",
    "march": "B-DATE",
}
"""Words and their labels in the scheme of public clinical models; other words are O."""


def make_labeller(folder: Path, words: Mapping[str, str] = CLINICAL, *, length: int = 64) -> Path:
    """Save model and tokenizer to ``folder``: attention and layers add nothing, so a token's label hangs
    on the token alone."""
    labels = ["O", *dict.fromkeys(words.values())]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,:;-/@()#'"
    vocabulary = [*special, *words, *letters, *("##" + letter for letter in letters)]
    numbers = {word: number for number, word in enumerate(dict.fromkeys(vocabulary))}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])]
    )
    config = BertConfig(
        vocab_size=len(numbers),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=length,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    torch.manual_seed(0)
    model = BertForTokenClassification(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        for name, parameter in model.named_parameters():
            if name.endswith("LayerNorm.weight"):
                parameter.fill_(1.0)
        for word, number in numbers.items():
            label = labels.index(words.get(word, "O"))
            model.bert.embeddings.word_embeddings.weight[number, label] = 1.0
        model.classifier.weight[:] = 2.0 * torch.eye(len(labels), 32)
    model.save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)
    return folder
