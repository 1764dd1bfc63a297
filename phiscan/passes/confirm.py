"""Continuations that leak are asked for once more, alone, where the dtype makes answers depend on batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from phiscan.at_risk import is_disclosure, is_leak
from phiscan.confirm import Leaking, confirm_leaks
from phiscan.passes.ask import ShardQuestions
from phiscan.passes.plan import Plan, part_name
from phiscan.records import CONTROL_ARMS, Confirmation
from phiscan.scan_report import ConfirmationRow
from phiscan.store import RunDirectory
from phiscan.taxonomy import REPORTED_APART

_LONG_ENOUGH = ("float32", "float64", "none")
"""In these an answer does not depend on its batch; an echo computes nothing."""


def needs_confirmation(plan: Plan) -> bool:
    """The run asked the scanned model, which computes in something shorter than float32 or tells nobody."""
    scanned = plan.loaded.models.get("scanned")
    return scanned is not None and scanned.identity().dtype not in _LONG_ENOUGH


def confirm_shard(plan: Plan, number: int, questions: ShardQuestions) -> list[Confirmation]:
    """The confirmations of one shard; its verdicts stand."""
    return confirm_leaks(
        list(_leaking(plan, number, questions)),
        plan.loaded.models["scanned"],
        plan.loaded.config.regenerate.max_new_tokens,
        seed=plan.loaded.config.run.seed,
    )


def _leaking(plan: Plan, number: int, questions: ShardQuestions) -> Iterator[Leaking]:
    """What decides a scan: headline leaks, and values of other patients' records."""
    part, run = part_name(number), plan.run
    hits = {hit.hit_id: hit for hit in run.read_part("hits", part)}
    leaks: dict[str, list[str]] = defaultdict(list)
    for verdict in run.read_part("verdicts", part):
        hit = hits[verdict.hit_id]
        apart = (verdict.matched_category or hit.category) in REPORTED_APART
        if not apart and (is_leak(verdict) or is_disclosure(verdict, plan.template_patients)):
            leaks[verdict.gen_id].append(hit.text)
    if not leaks:
        return
    asked = {one.prompt.prompt_id: one.ids for one in questions.prompts(number)}
    for continuation in run.read_part("continuations", part):
        if continuation.gen_id in leaks and continuation.arm not in CONTROL_ARMS:
            yield Leaking(continuation, asked[continuation.prompt_id], leaks[continuation.gen_id])


def confirmation_rows(run: RunDirectory) -> Iterator[ConfirmationRow]:
    """What the confirmations say of each arm; nothing if none were needed."""
    if not run.has_table("confirmations"):
        return
    made = run.read_frame("confirmations", ["arm", "failed", "identical", "leaks", "seen_again"])
    for arm in ("scanned", "holdout"):
        rows = made[made["arm"] == arm]
        if len(rows) or arm == "scanned":
            yield ConfirmationRow(
                arm=arm,
                outputs=len(rows),
                failed=int(rows["failed"].sum()),
                identical=int(rows["identical"].sum()),
                leaks=int(rows["leaks"].sum()),
                seen_again=int(rows["seen_again"].sum()),
            )
