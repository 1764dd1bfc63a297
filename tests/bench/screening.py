"""Screening: prompts that the pass spares on the demo's notes, and what would have been missed."""

import tempfile
from pathlib import Path

from phiscan.commands.demo_corpus import make_corpus, write_corpus
from phiscan.config import load_config
from phiscan.greedy_runs import K
from phiscan.measures.scan import judge
from phiscan.passes.plan import ScanInputs
from phiscan.passes.tables import read_tables
from phiscan.pipeline import scan
from phiscan.runs import MIN_RUN
from phiscan.scan_report import ScanReport
from phiscan.store import RunDirectory
from tests.bench.demo import CACHE, demo_model


def scanned(folder: Path, name: str, **settings: dict[str, object]) -> tuple[ScanReport, RunDirectory]:
    """A scan of the demo with the rules and the known identifiers alone."""
    flags = {"detect": {"detectors": ["rules", "known_identifiers"]}, "expose": {"decoys": 0}, **settings}
    inputs = ScanInputs(
        notes=folder / "notes.jsonl", known=folder / "known.csv", model=str(CACHE / "500"), out=folder / name
    )
    return scan(inputs, load_config(flags=flags, environment={})), RunDirectory(folder / name)


def main() -> None:
    """Scan whole and screened; count what the cleared notes of the whole scan gave away."""
    demo_model()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_corpus(make_corpus(seed=7), folder)
        whole, run = scanned(folder, "whole", expose={"decoys": 0, "enabled": True})
        screened, _ = scanned(folder, "screened", screen={"enabled": True, "sample": 0.1})
        for name, report in (("whole", whole), ("screened", screened)):
            seconds = report.manifest.seconds
            print(f"  {name:9} pass {seconds['expose']:5.1f} s, generation {seconds['regenerate']:5.1f} s")
        _misses(run)
        for row in screened.screening:
            print(
                f"  {row.arm}: {row.saved} of {row.saved + row.prompts_asked} prompts spared (sample of 10%)"
            )


def _misses(run: RunDirectory) -> None:
    shortest = min(row.prefix_tok for row in run.read_table("audits") if row.prefix_tok != K)
    cleared = {
        row.note_id
        for row in run.read_table("audits")
        if row.prefix_tok == shortest and row.longest_tok < MIN_RUN
    }
    gens, judged, _ = judge(read_tables(run), template_patients=3)
    told = {
        "a run of 30": set(gens.loc[gens["raw_token"] >= MIN_RUN, "gen_id"]),
        "a headline leak": set(judged.loc[judged["headline"], "gen_id"]),
        "another patient's value": set(judged.loc[judged["other"] & ~judged["apart"], "gen_id"]),
    }
    for arm, rows in gens.groupby("arm"):
        spared = set(rows.loc[rows["note_id"].isin(cleared), "gen_id"])
        print(f"  {arm}: {len(spared)} of {len(rows)} prompts are of cleared notes; of outputs with")
        for what, found in told.items():
            mine = found & set(rows["gen_id"])
            print(f"    {what:24} {len(mine & spared):3} of {len(mine):3} would have been missed")
