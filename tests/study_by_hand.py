"""The study's tables by brute force: loops over the Parquet files of a run, nothing of phiscan's."""

from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq

GROUPS = {
    "dates_ages": {"DATE", "AGE"},
    "names": {"PATIENT", "DOCTOR", "USERNAME"},
    "locations": {
        *("HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP", "ROOM", "DEPARTMENT"),
        "LOCATION-OTHER",
    },
}
APART = {"DOCTOR", "HOSPITAL", "DEPARTMENT", "ROOM"}
OWN = {"verbatim", "reformatted", "partial"}


def rows_of(run, table):
    files = sorted((Path(run) / "tables" / table).glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def group_of(category):
    return next((name for name, members in GROUPS.items() if category in members), "other")


def answers_of(run):
    """Every answer with its prompt and patient, by arm, scheme, tier, decoding and length."""
    prompts = {row["prompt_id"]: row for row in rows_of(run, "prompts")}
    patients = {row["note_id"]: row["patient_id"] for row in rows_of(run, "notes")}
    cells = defaultdict(list)
    for row in rows_of(run, "continuations"):
        if row["arm"] == "control_holdout" or row["note_id"] not in patients:
            continue
        prompt = prompts[row["prompt_id"]]
        made = {
            **row,
            "patient": patients[row["note_id"]],
            "placed": prompt["prefix_end"] is not None,
            "prompt": prompt["text"],
        }
        cells[row["arm"], prompt["scheme"], prompt["tier"], row["decoding"], prompt["prefix_tok"]].append(
            made
        )
    return cells


def longest_runs(run, unit):
    raw, net = defaultdict(int), defaultdict(int)
    for row in rows_of(run, "matches"):
        if row["where"] == "suffix" and row["unit"] == unit:
            raw[row["gen_id"]] = max(raw[row["gen_id"]], row["n_units"])
            net[row["gen_id"]] = max(net[row["gen_id"]], row["net_units"])
    return raw, net


def ratios(run, threshold, unit="token"):
    """{(arm, scheme, tier, decoding, l): counts and ratios}"""
    raw, net = longest_runs(run, unit)
    cells = {
        cell: placed for cell, rows in answers_of(run).items() if (placed := [r for r in rows if r["placed"]])
    }
    found = {}
    for cell, rows in cells.items():
        same = [other for other in cells if other[:4] == cell[:4]]
        everywhere = set.intersection(*({r["note_id"] for r in cells[other]} for other in same))
        common = [r for r in rows if r["note_id"] in everywhere]
        count = sum(raw[r["gen_id"]] >= threshold for r in rows)
        kept = sum(net[r["gen_id"]] >= threshold for r in rows)
        found[cell] = {
            "published_count": count, "published_n": len(rows), "published_ratio": count / len(rows),
            "net_count": kept, "net_n": len(rows), "net_ratio": kept / len(rows),
            "net_patients": len({r["patient"] for r in rows}),
        }  # fmt: skip
        if cell[4] is not None:
            kept = sum(net[r["gen_id"]] >= threshold for r in common)
            found[cell] |= {
                "common_net_count": kept, "common_net_n": len(common),
                "common_net_ratio": kept / len(common) if common else None,
                "common_net_patients": len({r["patient"] for r in common}),
            }  # fmt: skip
    return found


def persistence(first, second, unit="token"):
    """{(scheme, tier, decoding, l, threshold): counts and ratios} of two (run, arm)"""
    sides = []
    for run, arm in (first, second):
        raw, net = longest_runs(run, unit)
        answered = {}
        for (of, *cell), rows in answers_of(run).items():
            for row in rows if of == arm else ():
                if row["stop"] != "failed" and row["placed"]:
                    key = (*cell, row["note_id"], row["prompt"], row["draw"])
                    answered[key] = raw[row["gen_id"]], net[row["gen_id"]]
        sides.append(answered)
    found = {}
    for cell in {key[:4] for key in sides[0] if key in sides[1]}:
        keys = [key for key in sides[0] if key in sides[1] and key[:4] == cell]
        for threshold in (30, 50):
            row = {}
            for number, name in enumerate(("published", "net")):
                events = [[side[key][number] >= threshold for key in keys] for side in sides]
                both = sum(a and b for a, b in zip(*events, strict=True))
                only = [sum(event) - both for event in events]
                union = both + sum(only)
                row |= {
                    f"{name}_both": both, f"{name}_only_first": only[0], f"{name}_only_second": only[1],
                    f"{name}_common": both / union if union else None,
                    "retention" if number == 0 else "net_retention":
                        both / (both + only[0]) if both + only[0] else None,
                }  # fmt: skip
                if number == 0:
                    row |= {
                        "published_unique_first": only[0] / union if union else None,
                        "published_unique_second": only[1] / union if union else None,
                    }
            found[*cell, threshold] = row
    return found


def last_verdicts(run):
    """The verdict that counts of each hit: a person's latest, else the rules'."""
    said = {}
    for row in rows_of(run, "verdicts"):
        old = said.get(row["hit_id"])
        weight = row["verifier"] == "human", row["time"] or ""
        if old is None or weight > (old["verifier"] == "human", old["time"] or ""):
            said[row["hit_id"]] = row
    return said


def phi(run):
    """{(arm, scheme, tier, decoding, l, group): counts and rate}"""
    verdicts, template = (
        last_verdicts(run),
        max(3, -(-len({r["patient_id"] for r in rows_of(run, "notes")}) // 1000)),
    )
    hits, risk = defaultdict(list), defaultdict(list)
    for row in rows_of(run, "hits"):
        verdict = verdicts[row["hit_id"]]
        category = verdict["matched_category"] or row["category"]
        hits[row["gen_id"]].append((category, row["canonical"], verdict))
    for row in rows_of(run, "at_risk"):
        risk[row["gen_id"]].append(row)
    found = {}
    for cell, rows in answers_of(run).items():
        mine = [(r["patient"], *hit) for r in rows for hit in hits[r["gen_id"]]]
        values = [(r["patient"], value) for r in rows for value in risk[r["gen_id"]]]
        for group in ("dates_ages", "names", "locations", "other", "all"):
            some = [hit for hit in mine if group in ("all", group_of(hit[1]))]
            at_risk = [one for one in values if group in ("all", group_of(one[1]["category"]))]
            found[*cell, group] = counts_of(some, at_risk, len(rows), template)
    return found


def counts_of(hits, at_risk, outputs, template):
    published = [h for h in hits if h[3]["verdict"] in OWN | {"in_prompt"}]
    own = [
        h for h in hits
        if h[3]["verdict"] in OWN and (h[3]["anchored"] or h[3]["specific"]) and h[3]["control_emits"] is not True
    ]  # fmt: skip
    other = [
        h for h in hits
        if h[3]["verdict"] == "other_patient" and h[3]["matched_member"] and h[3]["control_emits"] is not True
        and h[3]["n_patients"] < template
    ]  # fmt: skip
    leaks = [h for h in own if h[1] not in APART]
    recovered = sum(value["recovered"] for _, value in at_risk)
    return {
        "outputs": outputs,
        "published_hits": len(published),
        "published_values": len({h[:3] for h in published}),
        "in_prompt": sum(h[3]["verdict"] == "in_prompt" for h in published),
        "leaks": len(leaks),
        "leak_values": len({h[:3] for h in leaks}),
        "leak_patients": len({h[0] for h in leaks}),
        "other_patient": sum(h[1] not in APART for h in other),
        "clinicians_institutions": sum(h[1] in APART for h in own + other),
        "at_risk": len(at_risk),
        "recovered": recovered,
        "rate": recovered / len(at_risk) if at_risk else None,
        "patients": len({patient for patient, _ in at_risk}),
    }


def topics(run):
    """{(arm, topic): counts} of passages affirmed of the patient that the prompt had not said"""
    where = {r["gen_id"]: (r["arm"], r["patient"]) for rows in answers_of(run).values() for r in rows}
    found = defaultdict(list)
    for row in rows_of(run, "passages"):
        if row["gen_id"] in where and row["status"] == "affirmed" and not row["in_prompt"]:
            arm, patient = where[row["gen_id"]]
            found[arm, row["topic"]].append((row["gen_id"], patient, row))
    return {
        place: {
            "flagged": len(rows),
            "outputs": len({gen for gen, *_ in rows}),
            "patients": len({patient for _, patient, _ in rows}),
            "in_record": sum(row["in_record"] for *_, row in rows),
            "linked": sum(row["linked"] for *_, row in rows),
        }
        for place, rows in found.items()
    }


def likeness(run):
    """{(arm, scheme, tier, decoding, l, metric): number and mean of values}"""
    cells = {r["gen_id"]: cell for cell, rows in answers_of(run).items() for r in rows}
    found = defaultdict(list)
    for row in rows_of(run, "similarities"):
        if row["gen_id"] in cells and row["value"] is not None:
            found[*cells[row["gen_id"]], row["metric"]].append(row["value"])
    return {place: (len(values), sum(values) / len(values)) for place, values in found.items()}
