"""Records of a small invented review, for the tests of this folder."""

from phiscan.records import (
    Continuation,
    Hit,
    Note,
    Passage,
    Prompt,
    ReviewAnswer,
    ReviewItem,
    ReviewSpan,
)


def item(
    doc_id="d1", *, stratum="leak/names", size=8, drawn=4, blind_drawn=2, blind=False, annotators=(1, 2)
):
    return ReviewItem(
        doc_id=doc_id,
        gen_id=f"g-{doc_id}",
        stratum=stratum,
        stratum_size=size,
        drawn=drawn,
        blind_drawn=blind_drawn,
        probability=drawn / size,
        blind=blind,
        annotators=annotators,
    )


def note(text, note_id="n1", patient_id="p1", ordinal=0):
    return Note(
        note_id=note_id,
        patient_id=patient_id,
        split="member",
        note_type=None,
        date=None,
        n_chars=len(text),
        n_tokens=None,
        copies=1,
        text=text,
        ordinal=ordinal,
        row=1,
        copy_ids=(),
        crlf=(),
    )


def prompt(text, end=None):
    return Prompt(
        prompt_id="pr1",
        note_id="n1",
        scheme="bare",
        tier="prefix",
        prefix_tok=None,
        prefix_start=0 if end is not None else None,
        prefix_end=end,
        text=text,
    )


def continuation(text, gen_id="g-d1"):
    return Continuation(
        gen_id=gen_id,
        prompt_id="pr1",
        note_id="n1",
        arm="scanned",
        decoding="greedy",
        draw=0,
        token_ids=None,
        token_ends=None,
        text=text,
        stop="given",
        degenerate=None,
        mean_logprob=None,
    )


def hit(text, value, category, number=0, gen_id="g-d1"):
    start = text.index(value)
    return Hit(
        hit_id=f"{gen_id}#{number}",
        gen_id=gen_id,
        note_id="n1",
        category=category,
        hipaa=None,
        group="names",
        canonical=value,
        text=value,
        cont_start=start,
        cont_end=start + len(value),
        score=1.0,
        detector="rules",
        rule=None,
        severity="high",
    )


def passage(text, value, topic, number=0):
    start = text.index(value)
    return Passage(
        passage_id=f"g-d1~{number}",
        gen_id="g-d1",
        note_id="n1",
        topic=topic,
        status="affirmed",
        term="term",
        text=value,
        cont_start=start,
        cont_end=start + len(value),
        in_prompt=False,
        in_record=True,
        linked=False,
    )


def answer(doc_id="d1", author="ada@example.org", *, round_="review", time="2026-01-01", **given):
    return ReviewAnswer(
        answer_id=given.get("answer_id", f"{author}/{round_}/{doc_id}"),
        doc_id=doc_id,
        round=round_,
        author=author,
        time=time,
        skipped=given.get("skipped", False),
        memorization=given.get("memorization"),
        comment="",
    )


def span(text, value, label, *, doc_id="d1", author="ada@example.org", round_="review", **given):
    start = text.index(value)
    return ReviewSpan(
        answer_id=given.get("answer_id", f"{author}/{round_}/{doc_id}"),
        doc_id=doc_id,
        round=round_,
        author=author,
        region_id=given.get("region_id", "r"),
        source_id=given.get("source_id"),
        kind=given.get("kind", "phi"),
        label=label,
        start=start,
        end=start + len(value),
        verdict=given.get("verdict"),
        origin=given.get("origin", "manual"),
        problem=given.get("problem"),
        text=value,
    )


OUTPUT_LABELS = frozenset({"PATIENT", "DATE", "AGE", "GENDER"})


def sent(texts, regions=()):
    """What was sent: texts by doc_id, pre-annotated regions of d1."""
    from phiscan.records import ReviewRegion
    from phiscan.review.answers import Sent

    fields = ("region_id", "source_id", "kind", "label", "start", "end")
    made = [ReviewRegion(doc_id="d1", **dict(zip(fields, region, strict=True))) for region in regions]
    return Sent(
        texts=texts,
        regions={"d1": made},
        given=frozenset(texts),
        labels={"phi": OUTPUT_LABELS, "beyond": frozenset({"hiv_sti"})},
        memorization=frozenset({"harmful", "uninformative"}),
    )


def labels_entry(region_id, start, end, label, *, text="", name="phi"):
    """A region as an export holds it."""
    value = {"start": start, "end": end, "text": text, "labels": [label]}
    return {"id": region_id, "from_name": name, "to_name": "text", "type": "labels", "value": value}


def export(doc_id, text, *annotations):
    """One task as an export holds it; an annotation is a result or a dict with one."""
    made = [
        {"completed_by": {"email": "ada@example.org"}, "updated_at": "2026-01-01"}
        | (one if isinstance(one, dict) else {"result": one})
        for one in annotations
    ]
    return [{"id": 1, "data": {"doc_id": doc_id, "text": text}, "annotations": made}]
