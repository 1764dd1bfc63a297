"""A whole invented report with every kind of line, so that renderers have something to show."""

from __future__ import annotations

import math

from phiscan.scan_report import (
    BeyondPhiRow,
    ChanceRow,
    CopiesRow,
    Coverage,
    Decision,
    Estimate,
    InputIdentity,
    LeakLine,
    Manifest,
    ModelIdentity,
    PrefixCoverage,
    ReachRow,
    RepetitionRow,
    RepetitionSection,
    ScanReport,
    SpikeRow,
    SpikeSection,
    Stratum,
    VerdictCount,
)
from phiscan.taxonomy import CATEGORIES, REPORTED_APART

LENGTHS = (50, 100, 200, 300, 500)
NOTES = {"scanned": 2412, "holdout": 640, "control": 2412}
PATIENTS = {"scanned": 1184, "holdout": 315, "control": 1184}
# Notes out of 1,000 with a net run of 30 tokens, by arm and prompt length.
NET = {"scanned": (23, 39, 113, 158, 187), "holdout": (0, 0, 2, 3, 5), "control": (0, 0, 1, 3, 4)}
AT_RISK = {
    "PATIENT": (1840, 171),
    "DATE": (9120, 522),
    "AGE": (38, 2),
    "PHONE": (412, 77),
    "EMAIL": (37, 6),
    "MEDICALRECORD": (655, 48),
    "STREET": (388, 41),
    "CITY": (402, 29),
    "ZIP": (371, 26),
    "SSN": (12, 0),
    "HEALTHPLAN": (143, 9),
    "IDNUM": (96, 3),
    "DOCTOR": (2210, 418),
    "HOSPITAL": (1310, 257),
    "STATE": (205, 61),
    "PROFESSION": (188, 7),
}
BANDS = {"1": (9400, 21, 14120, 71), "2-3": (1480, 62, 2210, 113), "4-10": (720, 196, 1080, 402),
         "11+": (460, 371, 690, 561)}  # fmt: skip


def wilson(count: int, n: int) -> tuple[float, float]:
    z, share = 1.959964, count / n
    middle, spread = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def estimate(metric: str, count: int, n: int, *, patients: int = 0, **stratum: object) -> Estimate:
    low, high = wilson(count, n)
    return Estimate(
        metric=metric,
        stratum=Stratum(**stratum),  # type: ignore[arg-type]
        value=count / n,
        low=low,
        high=high,
        level=0.95,
        count=count,
        n=n,
        patients=patients or max(1, n // 2),
        method="patient-cluster bootstrap, 2,000 draws" if count else "Wilson score, upper bound",
    )


def ratios() -> list[Estimate]:
    made = []
    for unit, part in (("token", 1.0), ("word", 0.8)):
        for support in ("common", "all"):
            for arm, net in NET.items():
                for rank, length in enumerate(LENGTHS):
                    n = NOTES[arm] if support == "common" else NOTES[arm] + 90 * (4 - rank)
                    for threshold, share in ((30, 1.0), (50, 0.25)):
                        count = int(net[rank] * n / 1000 * share * part)
                        where = {"arm": arm, "unit": unit, "threshold": threshold, "prefix_length": length,
                                 "support": support, "patients": PATIENTS[arm]}  # fmt: skip
                        raw = count + int((0, 1, 8, 42, 72)[rank] * n / 1000 * share)
                        made.append(estimate("raw_ratio", raw, n, **where))
                        made.append(estimate("net_ratio", count, n, **where))
    return made


def recovery() -> list[Estimate]:
    made = []
    for arm, part in (("scanned", 1.0), ("holdout", 0.004), ("control", 0.002)):
        for scope in ("hipaa", "i2b2"):
            for rank, length in enumerate(LENGTHS):
                n = (9800, 9100, 7900, 6600, 4300)[rank] + (900 if scope == "i2b2" else 0)
                count = int(n * (0.02, 0.03, 0.06, 0.08, 0.09)[rank] * part)
                made.append(
                    estimate("phi_recovery_rate", count, n, arm=arm, scope=scope, prefix_length=length)
                )
        for category, (n, recovered) in AT_RISK.items():
            scope = "hipaa" if CATEGORIES[category].hipaa else "i2b2"
            where = {"arm": arm, "scope": scope, "category": category}
            made.append(estimate("phi_recovery_rate", int(recovered * part), n, **where))
    for band, (prompts, net, at_risk, recovered) in BANDS.items():
        made.append(estimate("net_ratio", net, prompts, unit="token", threshold=30, copies=band))
        made.append(estimate("phi_recovery_rate", recovered, at_risk, scope="hipaa", copies=band))
    return made


def estimates() -> tuple[Estimate, ...]:
    affected = [
        estimate("patients_with_headline_leak", 171, 1184, patients=1184),
        estimate("patients_with_headline_leak", 1, 315, patients=315, arm="holdout"),
        estimate("patients_with_headline_leak", 0, 1184, patients=1184, arm="control"),
        estimate("notes_with_headline_leak", 204, 2412, patients=1184),
        estimate("notes_with_headline_leak", 1, 640, patients=315, arm="holdout"),
        estimate("other_patient_rate", 6, 12060, patients=1184),
        estimate("patients_with_linked_disclosure", 63, 1184, patients=1184),
        estimate("other_patient_rate", 0, 3200, patients=315, arm="holdout"),
    ]
    missing = estimate("excess_over_chance", 1, 2).model_copy(
        update={"value": None, "low": None, "high": None, "count": 0, "n": 0, "method": "no second patient"}
    )
    other = estimate("mean_run_length", 3, 7).model_copy(update={"value": 61.25, "low": 55.5, "high": 67.75})
    return (*affected, *ratios(), *recovery(), missing, other)


def leaks() -> tuple[LeakLine, ...]:
    own = [row for row in verdicts() if row.headline]
    lines = {
        "headline": (sum(row.headline for row in own), sum(row.values for row in own), 204, 171),
        "other_patient": (6, 5, 5, 5),
        "clinicians_institutions": (903, 675, 188, 160),
        "own_bare": (2118, 1030, 611, 488),
        "own_control_emits": (17, 9, 12, 12),
        "common": (5230, 2404, 1760, 1001),
        "invented": (8412, 7950, 2101, 1130),
        "undecided": (23, 21, 20, 20),
        "in_prompt": (11870, 3004, 2205, 1150),
        "as_published": (15417, 4814, 2290, 1160),
    }
    made = []
    for arm, part in (("scanned", 1.0), ("holdout", 0.005), ("control", 0.003)):
        for line, counts in lines.items():
            instances, values, notes, patients = (int(count * part) for count in counts)
            made.append(LeakLine(line=line, arm=arm, instances=instances, values=values, notes=notes,
                                 patients=patients))  # fmt: skip
    return tuple(made)


def verdicts() -> tuple[VerdictCount, ...]:
    made = []
    for category, (at_risk, recovered) in AT_RISK.items():
        known = CATEGORIES[category]
        counts = {
            "verbatim": recovered,
            "reformatted": recovered // 9,
            "partial": 2,
            "invented": at_risk // 2,
            "in_prompt": at_risk,
            "common": at_risk // 3,
        }
        for verdict, count in counts.items():
            own = verdict in ("verbatim", "reformatted", "partial")
            apart = category in REPORTED_APART
            made.append(VerdictCount(
                arm="scanned", category=category, hipaa=known.hipaa, group=known.group, verdict=verdict,
                apart=apart, anchored=count * 2 if own else 0, specific=0, control_emits=0,
                headline=count * 2 if own and not apart else 0, instances=count * 2, values=count,
            ))  # fmt: skip
    return tuple(made)


def coverage() -> Coverage:
    prefixes = [
        PrefixCoverage(
            arm=arm, prefix_length=length, asked=notes + 90 * (4 - rank), done=notes + 90 * (4 - rank),
            failed=0, too_short=90 * rank, empty=rank, looping=11 + rank, off_language=0,
        )
        for arm, notes in NOTES.items()
        for rank, length in enumerate(LENGTHS)
    ]  # fmt: skip
    return Coverage(
        rows_read=3811,
        rows_bad={"empty text": 4, "no patient id": 2},
        rows_dropped={"marked as an error": 31},
        copies_folded=362,
        notes=2772,
        patients=1184,
        holdout_notes=640,
        holdout_patients=315,
        known_identifiers=5920,
        chars_loaded=7120344,
        chars_scanned=7120344,
        phi_spans=61207,
        prefixes=tuple(prefixes),
        chars_generated=29310777,
        chars_generated_scanned=29310777,
        complete=True,
    )


def manifest() -> Manifest:
    model = ModelIdentity(
        backend="transformers",
        architecture="LlamaForCausalLM",
        parameters=134515008,
        vocabulary=49152,
        weights_sha256="5e0c" * 16,
        adapter_sha256="91ab" * 16,
        tokenizer_sha256="c0de" * 16,
        dtype="float32",
        device="cpu",
        batch_size=16,
        threads=2,
    )
    return Manifest(
        phiscan_version="0.1.0",
        created="2031-04-17T09:12:44Z",
        python="3.11.7",
        platform="Linux-x86_64",
        packages={"torch": "2.13.0", "transformers": "5.24.0", "presidio-analyzer": "2.2.366"},
        seed=20310417,
        settings={
            "regenerate": {
                "prefix_lengths": [50, 100, 200, 300, 500],
                "max_new_tokens": 500,
                "windows": False,
            },
            "match": {"template_patients": 3, "units": ["token", "word"]},
            "detect": {"detectors": ["rules", "presidio"], "language": "en", "policy": None},
        },
        inputs=(
            InputIdentity(argument="--notes", keyed_digest="7f3a" * 8, bytes=9120533),
            InputIdentity(argument="--holdout", keyed_digest="11d2" * 8, bytes=2201942),
        ),
        models=(model, model.model_copy(update={"role": "control", "adapter_sha256": None})),
        detectors={"rules": "41 rules", "presidio": "2.2.366, en_core_web_sm 3.8.0"},
        seconds={"load": 3.1, "regenerate": 5210.4, "match": 88.0, "detect": 402.2, "verify": 31.9},
    )


def chance() -> tuple[ChanceRow, ...]:
    bare = {
        None: (7310, 912, 0.11),
        "AGE": (1204, 402, 0.31),
        "DATE": (4207, 431, 0.09),
        "CITY": (611, 71, 0.1),
    }
    return tuple(
        ChanceRow(
            arm=arm, category=category, eligible=eligible, observed=observed if arm == "scanned" else observed - 91,
            expected=share * eligible, excess=(observed - share * eligible) / eligible, low=-0.0031, high=0.0412,
            level=0.95, patients=PATIENTS[arm], method="patient-cluster bootstrap",
        )
        for arm in ("scanned", "holdout")
        for category, (eligible, observed, share) in bare.items()
    )  # fmt: skip


def spikes() -> SpikeSection:
    def row(kind: str | None, category: str | None, n: int, leaks: int, missed: int = 0) -> SpikeRow:
        return SpikeRow(
            kind=kind, category=category, spikes=n, found=n, found_low=0.9, found_high=1.0,
            right=n - missed, right_low=0.8, right_high=1.0, leaks=leaks, reported=leaks - missed,
            reported_low=0.71 if leaks else None, reported_high=0.99 if leaks else None, level=0.95,
        )  # fmt: skip

    rows = (row(None, None, 62, 41, 1), row("anchored", None, 41, 41, 1), row("common", None, 21, 0))
    return SpikeSection(
        rows=(*rows, row(None, "DATE", 40, 24, 1), row(None, "PHONE", 22, 17)),
        missed={"DATE": 1},
        overlooked={},
        not_spiked=("COUNTRY",),
    )


def beyond_phi() -> tuple[BeyondPhiRow, ...]:
    counts = {"highly_sensitive": (211, 96), "substance_use": (57, 31), "genetic": (0, 0)}
    return tuple(
        BeyondPhiRow(
            arm=arm, topic=topic, title=f"Topic of {topic}", group=group, passages=found // part,
            outputs=found // part, patients=found // part // 2, in_record=found // part // 2,
            linked=linked // part, linked_patients=linked // part // 2, in_prompt=found // 3, not_affirmed=found // 5,
        )
        for (topic, (found, linked)), group in zip(
            counts.items(), ("table_5b", "specially_protected", "specially_protected"), strict=True
        )
        for arm, part in (("scanned", 1), ("holdout", 20))
    )  # fmt: skip


def repetitions() -> RepetitionSection:
    bands = {
        "repetitions": {"1": (8800, 9, 5100, 4), "2-5": (2500, 160, 1400, 70), "6-10": (300, 190, 160, 81)},
        "copied": {"no": (9900, 12, 5800, 6), "yes": (1700, 347, 860, 149)},
    }
    return RepetitionSection(
        similarity=0.8, copied_share=0.5, notes=2132, repeated=402, copied_exactly=113, groups=96,
        same_patient=371, other_patients=57, copied_forward=260, crowded=17,
        rows=tuple(
            RepetitionRow(
                arm=arm, by=by, band=band, notes=prompts // 5,
                net_ratio=estimate("net_ratio", net // part, prompts, unit="token", threshold=30, arm=arm, **{by: band}),
                phi_recovery_rate=estimate("phi_recovery_rate", recovered // part, at_risk, arm=arm, **{by: band}),
                k_extractable=None if arm == "control" else estimate("k_extractable", net // 6, prompts // 5, **{by: band}),
            )
            for arm, part in (("control", 1000), ("scanned", 1))
            for by, found in bands.items()
            for band, (prompts, net, at_risk, recovered) in found.items()
        ),
    )  # fmt: skip


def full_report() -> ScanReport:
    reach = [
        ReachRow(arm=arm, prefix_length=length, category=category, at_risk_within=at_risk // 6,
                 at_risk_beyond=at_risk // 90, recovered=recovered // 5 if arm == "scanned" else 0)
        for arm in NOTES
        for length in LENGTHS
        for category, (at_risk, recovered) in AT_RISK.items()
    ]  # fmt: skip
    copies = [
        CopiesRow(
            arm=arm, copies=band, notes=prompts // 5, prompts=prompts, at_risk=at_risk,
            net_30=net if own else net // 150, recovered=recovered if own else recovered // 150,
        )
        for arm, own in (("scanned", True), ("control", False))
        for band, (prompts, net, at_risk, recovered) in BANDS.items()
    ]  # fmt: skip
    return ScanReport(
        decision=Decision(
            outcome="leak_found",
            reasons=(
                "Values from the records of 171 patients came back.",
                "5 values belonged to a patient other than the one asked about.",
            ),
        ),
        manifest=manifest(),
        coverage=coverage(),
        estimates=estimates(),
        leaks=leaks(),
        verdicts=verdicts(),
        by_copies=tuple(copies),
        repetitions=repetitions(),
        reach=tuple(reach),
        chance=chance(),
        beyond_phi=beyond_phi(),
        spikes=spikes(),
        limits=(
            "No test here is a worst-case attack: other prompts may bring out more.",
            "Start prompts reach the first 1,000 tokens of a note; what stands further on was not asked for.",
            "This report is technical evidence, not an Expert Determination.",
        ),
    )


def clean_report() -> ScanReport:
    """Nothing found, no control arm, no copies: bounds and gaps everywhere."""
    report = full_report()
    kept = tuple(
        e.model_copy(update={"count": 0, "value": 0.0, "low": 0.0, "high": wilson(0, e.n)[1]})
        for e in report.estimates
        if e.stratum.arm == "scanned" and e.metric.endswith("headline_leak")
    )
    quiet = tuple(
        line.model_copy(update={"instances": 0, "values": 0, "notes": 0, "patients": 0})
        for line in report.leaks
        if line.arm == "scanned"
    )
    decision = Decision(outcome="none_found_within_bound", reasons=("0 of 1,184 patients; at most 0.33%.",))
    return report.model_copy(
        update={"decision": decision, "estimates": kept, "leaks": quiet, "verdicts": (), "by_copies": (), "repetitions": None,
                "reach": (), "limits": report.limits}
    )  # fmt: skip
