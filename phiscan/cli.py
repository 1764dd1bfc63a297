"""The command line: one thin function a verb. It parses, calls a plain function and prints."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from phiscan.errors import PhiscanError

app = typer.Typer(
    name="phiscan",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    help="Asks a language model for its clinical training notes back and reports whose health "
    "information came out.",
)
rules_app = typer.Typer(no_args_is_help=True, help="The PHI rules.")
app.add_typer(rules_app, name="rules")
review_app = typer.Typer(no_args_is_help=True, help="People's review of a run in Label Studio.")
app.add_typer(review_app, name="review")

_Notes = Annotated[
    Path,
    typer.Option(
        "--notes", help="Notes: a file (.jsonl, .csv, .xml, ...) or a folder of .xml or brat files."
    ),
]
_Out = Annotated[Path, typer.Option("--out", help="Run directory; an interrupted run there goes on.")]
_Json = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
_Config = Annotated[Path | None, typer.Option("--config", help="Settings file (see phiscan init).")]
_Run = Annotated[Path, typer.Argument(help="Run directory of a finished scan.")]
_Url = Annotated[str, typer.Option("--url", help="Label Studio's address. Its token is never a flag.")]
_AllowHttp = Annotated[bool, typer.Option("--allow-http", help="Send over plain http to another machine.")]
_Set = Annotated[list[str] | None, typer.Option("--set", help="One setting: section.key=value.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from phiscan import __version__

        typer.echo(f"phiscan {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and leave.", is_eager=True, callback=_show_version),
    ] = False,
) -> None: ...


@app.command()
def demo(
    out: _Out = Path("runs/demo"),
    seed: Annotated[int, typer.Option(help="Seed of notes and training.")] = 7,
    as_json: _Json = False,
) -> None:
    """Run the whole job on synthetic notes: train a small model on them, scan it, report."""
    from phiscan.commands.demo import known_answer_table, run_demo

    with _progress() as progress:
        result = run_demo(out, seed=seed, progress=progress)
    if as_json:
        typer.echo(result.report.model_dump_json(indent=2))
        return
    from phiscan.renderers import console

    terminal = console.terminal()
    console.print_report(result.report, terminal)
    console.print_table(*known_answer_table(result.known_answer), console=terminal)
    typer.echo(f"Report: {result.html}")


@app.command()
def scan(
    notes: _Notes,
    out: _Out,
    model: Annotated[
        str | None, typer.Option(help="Model, adapter or training output directory, or hub id.")
    ] = None,
    adapter: Annotated[str | None, typer.Option(help="PEFT adapter directory, left unmerged.")] = None,
    control: Annotated[
        str | None, typer.Option(help="Model that never saw the notes (with --replay: its name).")
    ] = None,
    holdout: Annotated[Path | None, typer.Option(help="Notes of patients the model never saw.")] = None,
    known: Annotated[Path | None, typer.Option(help="CSV patient_id, category, value.")] = None,
    replay: Annotated[Path | None, typer.Option(help="Outputs made elsewhere instead of a model.")] = None,
    tokenizer: Annotated[str | None, typer.Option(help="Tokenizer directory for --replay.")] = None,
    gold: Annotated[
        Path | None, typer.Option(help="Annotated notes of the house, to measure the detectors on.")
    ] = None,
    config: _Config = None,
    settings: _Set = None,
    as_json: _Json = False,
) -> None:
    """Scan a model, or outputs made elsewhere, and write report.json and report.html."""
    from phiscan.commands.scan import scan_and_render
    from phiscan.config import assignments, load_config
    from phiscan.passes.plan import ScanInputs

    inputs = ScanInputs(
        notes=notes,
        out=out,
        model=model,
        adapter=adapter,
        control=control,
        holdout=holdout,
        known=known,
        replay=replay,
        tokenizer=tokenizer,
        gold=gold,
    )
    with _progress() as progress:
        report, html = scan_and_render(inputs, load_config(config, assignments(settings or ())), progress)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
        return
    from phiscan.renderers import console

    console.print_report(report, console.terminal())
    typer.echo(f"Report: {html}")


@app.command()
def expose(
    notes: _Notes,
    model: Annotated[str, typer.Option(help="Model, adapter or training output directory, or hub id.")],
    out: _Out,
    adapter: Annotated[str | None, typer.Option(help="PEFT adapter directory, left unmerged.")] = None,
    control: Annotated[str | None, typer.Option(help="Model that never saw the notes.")] = None,
    holdout: Annotated[Path | None, typer.Option(help="Notes of patients the model never saw.")] = None,
    known: Annotated[Path | None, typer.Option(help="CSV patient_id, category, value.")] = None,
    config: _Config = None,
    settings: _Set = None,
    as_json: _Json = False,
) -> None:
    """Audit every identifier of every note in one pass of the model, generating nothing."""
    from phiscan.commands.report import render_run
    from phiscan.config import assignments, load_config
    from phiscan.passes.plan import ScanInputs
    from phiscan.pipeline import expose as expose_run

    inputs = ScanInputs(
        notes=notes, out=out, model=model, adapter=adapter, control=control, holdout=holdout, known=known
    )
    with _progress() as progress:
        section = expose_run(inputs, load_config(config, assignments(settings or ())), progress)
    renewed = render_run(out, ["html"]) if (out / "report.json").is_file() else []
    if as_json:
        typer.echo(section.model_dump_json(indent=2))
        return
    from phiscan.renderers import console
    from phiscan.reporting.plants import read_sentences

    terminal = console.terminal()
    console.print_exposure(section, terminal)
    if said := read_sentences(section):
        console.print_sentences("Plants and twins", said, console=terminal)
    for written in renewed:
        typer.echo(f"Report with these figures: {written}")
    typer.echo(f"Most exposed of each patient (restricted): {out / 'most_exposed.jsonl'}")


@app.command()
def plant(
    out: Annotated[Path, typer.Option("--out", help="Folder for training.jsonl, scan.jsonl and known.csv.")],
    notes: Annotated[
        Path | None, typer.Option("--notes", help="Notes to mix plants into; not given: plants alone.")
    ] = None,
    patients: Annotated[int, typer.Option(help="Plants for each number of repetitions.")] = 30,
    repetitions: Annotated[
        str, typer.Option(help="How often a plant's note stands in the training.")
    ] = "1,3,6",
    twins: Annotated[int, typer.Option(help="Made-up patients who are left out of the training.")] = 30,
    seed: Annotated[int, typer.Option(help="Seed of everything drawn.")] = 0,
    config: _Config = None,
    settings: _Set = None,
) -> None:
    """Make up patients to mix into a training (plants) and to leave out of it (twins).

    Train on training.jsonl, then scan with --notes scan.jsonl --known known.csv.
    """
    from phiscan.commands.plant import PlantInputs, parse_repetitions
    from phiscan.commands.plant import plant as make_plants
    from phiscan.config import assignments, load_config
    from phiscan.reporting.figures import how_many

    inputs = PlantInputs(out, notes, patients, parse_repetitions(repetitions), twins, seed)
    made = make_plants(inputs, load_config(config, assignments(settings or ())).load)
    trained, others = made.notes_trained + made.plant_rows, made.notes_left_out + made.twins
    of_plants = f"{how_many(made.plants, 'plant')} ({how_many(made.plant_rows, 'note')})"
    typer.echo(f"{of_plants} and {how_many(made.twins, 'twin')}, all of them nobody.")
    typer.echo(f"To train on: {out / 'training.jsonl'} ({trained:,} notes)")
    typer.echo(f"To scan with: {out / 'scan.jsonl'} ({trained + others:,} notes), {out / 'known.csv'}")


@app.command()
def options(
    questions: Annotated[
        Path, typer.Option("--questions", help="Multiple-choice set or cases (MedQA, MedMCQA, columns).")
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for prompts, answers and options.json.")],
    model: Annotated[
        str | None, typer.Option(help="Model, adapter or training output directory, or hub id.")
    ] = None,
    adapter: Annotated[str | None, typer.Option(help="PEFT adapter directory, left unmerged.")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Answers made elsewhere: question_id, answer[, task].")
    ] = None,
    synonyms: Annotated[Path | None, typer.Option(help="TOML table of names of one diagnosis.")] = None,
    config: _Config = None,
    settings: _Set = None,
    as_json: _Json = False,
) -> None:
    """Ask for answer options that were taken away: how many come back, beyond chance.

    Without --model and --replay only the prompts are written, for a model that runs elsewhere.
    """
    from phiscan.commands.options import OptionInputs, run_options
    from phiscan.config import assignments, load_config

    inputs = OptionInputs(questions, out, model, adapter, replay, synonyms)
    with _progress() as progress:
        result = run_options(inputs, load_config(config, assignments(settings or ())), progress)
    if result is None:
        typer.echo(f"Prompts: {out / 'prompts.jsonl'}")
    elif as_json:
        typer.echo(result.model_dump_json(indent=2))
    else:
        from phiscan.commands.option_tables import tables
        from phiscan.renderers import console

        terminal = console.terminal()
        for table in tables(result):
            if table.rows:
                console.print_table(table.title, table.columns, table.rows, console=terminal, left=table.left)
        typer.echo(f"Report: {out / 'options.json'}")


@app.command()
def adapt(
    model: Annotated[str, typer.Option(help="Model directory or hub id to fine-tune.")],
    out: Annotated[Path, typer.Option("--out", help="Folder; an interrupted adaptation there goes on.")],
    notes: Annotated[Path | None, typer.Option(help="Notes to continue, as for scan.")] = None,
    records: Annotated[
        Path | None, typer.Option(help="Rows instruction, input, output[, patient_id] to answer.")
    ] = None,
    known: Annotated[Path | None, typer.Option(help="CSV patient_id, category, value.")] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Questions whose right answers are counted at every epoch.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Settings of the study: study-clinical or study-qa.")
    ] = None,
    config: _Config = None,
    settings: _Set = None,
    as_json: _Json = False,
) -> None:
    """Fine-tune a model, measuring at every epoch what it gives away; names the checkpoint to use."""
    from phiscan.adapt_settings import preset_named
    from phiscan.config import assignments, load_config

    resolved = load_config(config, assignments(settings or ()), preset=preset_named(preset))
    from phiscan.commands.adapt import AdaptInputs, run_adapt
    from phiscan.commands.adapt_view import sentences, tables, write_files

    with _progress() as progress:
        result = run_adapt(AdaptInputs(model, out, notes, records, known, questions), resolved, progress)
    write_files(result, out)
    if as_json:
        typer.echo(result.model_dump_json(indent=2))
        return
    from phiscan.renderers import console

    terminal = console.terminal()
    for table in tables(result):
        console.print_table(table.title, table.columns, table.rows, console=terminal, left=table.left)
    console.print_sentences("What to use", sentences(result), console=terminal)
    typer.echo(f"Every figure: {out / 'epochs.csv'}; chart: {out / 'epochs.svg'}")


@app.command()
def forecast(
    suite: Annotated[Path, typer.Argument(help="TOML file: the models with sizes, tokens and scores.")],
    chart: Annotated[Path | None, typer.Option(help="Write recall against cost there, as .svg.")] = None,
    as_json: _Json = False,
) -> None:
    """Say how well cheap runs foretell which sequences the full run memorises."""
    import json

    from phiscan.commands.forecast import as_json as machine_form
    from phiscan.commands.forecast import forecast_suite, write_chart
    from phiscan.renderers import console
    from phiscan.reporting.forecast_words import SUBJECTS, forecast_chart, forecast_tables, forecast_words

    result = forecast_suite(suite)
    words = forecast_words(result.forecast, result.wanted_recall)
    if chart is not None:
        write_chart(chart, forecast_chart(result.forecast))
    if as_json:
        typer.echo(json.dumps(machine_form(result, words), indent=2))
        return
    terminal = console.terminal()
    for table in forecast_tables(result.forecast):
        console.print_table(table.title, table.columns, table.rows, console=terminal)
    for subject, sentences in words.items():
        console.print_sentences(SUBJECTS[subject], sentences, console=terminal)
    if result.too_short:
        typer.echo(f"phiscan: notes of fewer than 64 tokens, left out: {result.too_short:,}", err=True)


@app.command()
def plan(
    rate: Annotated[float, typer.Option(help="Share of patients who leak that is to be ruled out.")] = 0.01,
    level: Annotated[float, typer.Option(help="Confidence of the bound.")] = 0.95,
    patients: Annotated[
        int | None, typer.Option(help="Patients there are; not given: as many as needed.")
    ] = None,
    notes_per_patient: Annotated[float, typer.Option(help="Notes of a patient, on average.")] = 3.0,
    note_tokens: Annotated[int, typer.Option(help="Tokens of a note, on average.")] = 600,
    note_words: Annotated[int, typer.Option(help="Words of a note, on average.")] = 400,
    billions: Annotated[float, typer.Option(help="Parameters of the model, in billions.")] = 8.0,
    control: Annotated[bool, typer.Option(help="A control model of that size is asked too.")] = True,
    hardware: Annotated[Path | None, typer.Option(help="TOML table of machines and prices.")] = None,
    config: _Config = None,
    settings: _Set = None,
    as_json: _Json = False,
) -> None:
    """Say how many patients a clean result needs, and what asking for their notes costs."""
    import json

    from phiscan.commands.plan import as_json as machine_form
    from phiscan.commands.plan import plan_scan, plan_settings, plan_tables
    from phiscan.config import assignments, load_config
    from phiscan.renderers import console

    wanted = plan_settings(
        rate=rate,
        level=level,
        patients=patients,
        notes_per_patient=notes_per_patient,
        note_tokens=note_tokens,
        note_words=note_words,
        billions=billions,
        control=control,
    )
    made = plan_scan(wanted, load_config(config, assignments(settings or ())), hardware)
    if as_json:
        typer.echo(json.dumps(machine_form(made), indent=2))
        return
    terminal = console.terminal()
    for table in plan_tables(made):
        console.print_table(table.title, table.columns, table.rows, console=terminal)
    for name, source in made.sources.items():
        typer.echo(f"{name}: {source}")


@app.command()
def detect(
    path: Annotated[str, typer.Argument(help='Notes, file or folder, or "-" for text on standard input.')],
    gold: Annotated[
        Path | None, typer.Option(help="Annotations to score against; may be PATH itself.")
    ] = None,
    known: Annotated[Path | None, typer.Option(help="CSV patient_id, category, value.")] = None,
    config: _Config = None,
    settings: _Set = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --gold: print the scores as JSON.")] = False,
    show_text: Annotated[
        bool, typer.Option("--show-text", help="With --gold: print the values of differences. PHI!")
    ] = False,
) -> None:
    """Find PHI only: one JSON object a line, {note_id, start, end, category, ...}; no values.

    With --gold, compare it with annotations: precision, recall and F1 by category, and every
    difference by its place.
    """
    import json

    from phiscan.commands.detect import detect_file, unused_rows
    from phiscan.config import assignments, load_config
    from phiscan.errors import ConfigError
    from phiscan.input_rows import Tally

    resolved = load_config(config, assignments(settings or ()))
    if gold is not None:
        _score(path, gold, known, resolved, as_json=as_json, show_text=show_text)
        return
    if as_json or show_text:
        raise ConfigError("--json and --show-text are for --gold; without it every line is JSON already")
    tally = Tally()
    for row in detect_file(path, known, resolved, tally):
        typer.echo(json.dumps(row))
    if unused := unused_rows("PATH", tally):
        typer.echo(f"phiscan: {unused}", err=True)


def _score(path: str, gold: Path, known: Path | None, config: Any, *, as_json: bool, show_text: bool) -> None:
    import json

    from phiscan.commands.score import as_json as machine_form
    from phiscan.commands.score import score_file
    from phiscan.commands.score_tables import tables
    from phiscan.errors import ConfigError
    from phiscan.renderers import console

    if path == "-":
        raise ConfigError("--gold: PATH must be a file or a folder, not standard input")
    with _progress() as progress:
        scored = score_file(Path(path), gold, known, config, progress)
    if as_json:
        typer.echo(json.dumps(machine_form(scored, show_text=show_text), indent=2))
    else:
        terminal = console.terminal()
        for table in tables(scored, show_text=show_text):
            if table.rows:
                console.print_table(table.title, table.columns, table.rows, console=terminal, left=table.left)
    for remark in scored.remarks:
        typer.echo(f"phiscan: {remark}", err=True)


@app.command()
def report(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN]...", help="Finished scan; several, or an adaptation: their trend."),
    ] = None,
    formats: Annotated[
        str, typer.Option("--format", help="Comma-separated renderers: console, html, pdf, csv, json.")
    ] = "console",
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Of several runs: folder for trend.html, trend.json and CSV files."),
    ] = None,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="Of several runs: a run's name; repeat, in order.")
    ] = None,
    forecast: Annotated[
        Path | None,
        typer.Option("--forecast", help="Of several runs: a file of `phiscan forecast --json`, as a chart."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="Settings whose \\[release] (protocol, purpose ...) goes into RUN's report."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Is all as it was written and signed? Exit code 1 if not.")
    ] = False,
    public_key: Annotated[
        Path | None, typer.Option(help="With --verify: PEM file of the key that must have signed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --verify: print the checks as JSON.")] = False,
    sign: Annotated[
        Path | None, typer.Option("--sign", help="PEM file of an Ed25519 private key: sign the report.")
    ] = None,
    signed_by: Annotated[str | None, typer.Option(help="With --sign: who signs; stands in the list.")] = None,
    key_password_env: Annotated[
        str | None, typer.Option(help="With --sign: variable with the password of the key.")
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of report.json.")] = False,
    trend_schema: Annotated[
        bool, typer.Option("--trend-schema", help="Print the JSON schema of trend.json.")
    ] = False,
    annex: Annotated[
        Path | None,
        typer.Option("--annex", help="New file outside RUN: values and passages side by side. PHI! Logged."),
    ] = None,
    annex_all: Annotated[
        bool, typer.Option("--annex-all", help="In the annex every hit on the own record, not only leaks.")
    ] = False,
    annex_for: Annotated[
        str | None, typer.Option("--annex-for", help="For whom the annex is; stands in it and in the log.")
    ] = None,
    annex_password_env: Annotated[
        str | None,
        typer.Option("--annex-password-env", help="Variable with the password that encrypts the annex."),
    ] = None,
    open_annex: Annotated[
        Path | None,
        typer.Option("--open-annex", help="Encrypted annex whose page to write to --annex; no RUN. PHI!"),
    ] = None,
) -> None:
    """Render, sign or verify a run's report: console on standard output, others as RUN/report.<suffix>.

    Of several runs, or of an adaptation's epochs: the trend over them, its files in --out.
    """
    asked = locals()
    from phiscan.commands.report_wish import ReportWish, answer

    lines, code = answer(ReportWish(**asked))
    for line in lines:
        typer.echo(line)
    raise typer.Exit(code)


@app.command()
def compare(
    runs: Annotated[
        list[Path], typer.Argument(help="Run directories: the first, and what to compare with it.")
    ],
    as_published: Annotated[
        bool,
        typer.Option("--as-published", help="Add the test of published studies, and how often it is wrong."),
    ] = False,
    csv: Annotated[Path | None, typer.Option("--csv", help="Folder to write the tables to.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Compare two or more models on the same notes: difference, test and persistence, prompt by prompt."""
    from phiscan.commands.compare import compare_runs, write_csv

    found = compare_runs(runs, as_published=as_published)
    if csv is not None:
        write_csv(found, csv)
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    from phiscan.commands.compare_tables import sentences, tables
    from phiscan.renderers import console

    terminal = console.terminal()
    for table in tables(found):
        console.print_table(table.title, table.columns, table.rows, console=terminal, left=table.left)
    for line in sentences(found):
        typer.echo(line)


@app.command()
def study(
    out: Annotated[Path, typer.Option("--out", help="Folder to write the tables to.")],
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Run directories of finished scans of the same notes: A, B, ..."),
    ] = None,
    options: Annotated[
        list[Path] | None, typer.Option("--options", help="options.json of `phiscan options`; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON too.")] = False,
) -> None:
    """Write the study's Tables 1 to 5 as CSV, each published figure beside the one to report."""
    from phiscan.commands.study import study_of, write_study

    found = study_of(runs or [], options or [])
    written = write_study(found, out)
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    from phiscan.commands.study_view import tables
    from phiscan.renderers import console

    terminal = console.terminal()
    for table in tables(found):
        console.print_table(table.title, table.columns, table.rows, console=terminal, left=table.left)
    for path in written:
        typer.echo(f"Wrote {path}: {len(getattr(found, path.stem)):,} rows")
    for line in found.remarks:
        typer.echo(line)


@app.command()
def gate(
    run: _Run,
    policy: Annotated[
        str, typer.Option("--policy", help="Shipped policy (strict, research, exploratory) or a TOML file.")
    ],
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML there.")] = None,
    sarif: Annotated[Path | None, typer.Option(help="Write SARIF 2.1.0 there.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Hold the report of a run against a policy: exit code 0 if it passed, 1 if a rule failed."""
    from phiscan.commands.gate import (
        COLUMNS,
        gate_run,
        refuse_one_file,
        rows,
        sentence,
        write_junit,
        write_sarif,
    )

    refuse_one_file(junit, sarif)
    result = gate_run(run, policy)
    if junit is not None:
        write_junit(result, junit)
    if sarif is not None:
        write_sarif(result, sarif)
    if as_json:
        typer.echo(result.model_dump_json(indent=2))
    else:
        from phiscan.renderers import console

        terminal = console.terminal()
        console.print_table("Gate", COLUMNS, rows(result), console=terminal, left=len(COLUMNS))
        typer.echo(sentence(result))
    raise typer.Exit(0 if result.passed else 1)


@app.command()
def init(
    path: Annotated[Path, typer.Argument(help="File to write.")] = Path("scan.toml"),
) -> None:
    """Write a settings file with every setting at its default."""
    from phiscan.config import config_template
    from phiscan.errors import ConfigError

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(config_template())
    except FileExistsError:
        raise ConfigError("init: the file is there already") from None
    except OSError as error:
        raise ConfigError(f"init: cannot be written ({type(error).__name__})") from None
    typer.echo(f"Wrote {path}")


@app.command(name="list")
def list_plugins(
    family: Annotated[str, typer.Argument(help="formats, backends, detectors, metrics or renderers.")],
) -> None:
    """List the plug-ins of a family."""
    from phiscan.registry import plugin_names

    for name in plugin_names(family):
        typer.echo(name)


@rules_app.command(name="test")
def rules_test() -> None:
    """Run every rule on its own examples."""
    from phiscan.commands.rules import test_rules

    lines, failed = test_rules()
    for line in lines:
        typer.echo(line)
    raise typer.Exit(1 if failed else 0)


@review_app.command(name="export")
def review_export(
    run: _Run,
    n: Annotated[int | None, typer.Option("--n", min=1, help="Outputs to read; 200 if not said.")] = None,
    width: Annotated[
        float | None,
        typer.Option(min=0.01, max=1, help="Instead of --n: widest 95% interval wanted, such as 0.1."),
    ] = None,
    blind: Annotated[
        float, typer.Option(min=0.1, max=1, help="Share of outputs with hits shown without them.")
    ] = 0.5,
    overlap: Annotated[float, typer.Option(min=0, max=1, help="Share of outputs read by both people.")] = 0.3,
    annotators: Annotated[int, typer.Option(min=1, max=2, help="People, one project each.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Write what two people answered differently, for a third.")
    ] = False,
) -> None:
    """Draw the outputs to read and write them as Label Studio tasks. PHI!"""
    from phiscan.commands.review import export_adjudication, export_review

    if adjudicate:
        done = export_adjudication(run)
        typer.echo(f"{done.items} of {done.outputs} outputs were answered differently.")
    else:
        done = export_review(
            run, n=n, width=width, blind=blind, overlap=overlap, annotators=annotators, seed=seed
        )
        typer.echo(
            f"Drew {done.items} of {done.outputs} outputs in {done.strata} strata; {done.blind} are shown "
            "without pre-annotations."
        )
    for name, tasks in done.files.items():
        typer.echo(f"Wrote {run / 'review' / name}: {tasks} tasks")


@review_app.command(name="push")
def review_push(run: _Run, url: _Url = "http://localhost:8080", allow_http: _AllowHttp = False) -> None:
    """Send the tasks to a Label Studio server, one project a person; again sends only what is missing."""
    from phiscan.commands.review_exchange import push_review

    with _progress() as progress:
        pushed = push_review(run, url, allow_http=allow_http, progress=progress)
    for title, sent, there in pushed:
        typer.echo(f"{title}: {sent} tasks sent, {there} were there")


@review_app.command(name="pull")
def review_pull(
    run: _Run,
    url: _Url = "http://localhost:8080",
    allow_http: _AllowHttp = False,
    from_: Annotated[
        Path | None, typer.Option("--from", help="A JSON export made by hand instead of a server.")
    ] = None,
    annotator: Annotated[
        str | None, typer.Option(help="With --from: whose tasks they are: 1, 2 or adjudication.")
    ] = None,
) -> None:
    """Fetch the answers and check every region; those that cannot be used are listed, none is dropped."""
    from phiscan.commands.review_exchange import pull_file, pull_review, report_of_pull

    if from_ is not None:
        received = {annotator or "1": pull_file(run, annotator, from_)}
    else:
        received = pull_review(run, url, allow_http=allow_http)
    for name, answers in received.items():
        for line in report_of_pull(name, answers):
            typer.echo(line)


@review_app.command(name="score")
def review_score(run: _Run, as_json: _Json = False) -> None:
    """Reckon with people's answers: agreement, precision, miss rate, corrected totals; renew the report."""
    from phiscan.commands.review import score_review

    report = score_review(run)
    if as_json:
        typer.echo(report.review.model_dump_json(indent=2) if report.review else "{}")
        return
    from phiscan.renderers import console

    console.print_review(report, console.terminal())
    typer.echo(f"Report: {run / 'report.html'}")


def _progress() -> Any:
    from phiscan.renderers.console import progress_bar

    return progress_bar()


def _interrupt(number: int, frame: object) -> None:
    """End at once: every file is written whole, and an exception could be lost in a destructor."""
    os.write(2, b"phiscan: interrupted; the same command goes on where it stopped\n")
    os._exit(130)


def main() -> None:
    """Entry point: an expected error is one line on standard error and exit code 2."""
    signal.signal(signal.SIGINT, _interrupt)
    try:
        app(standalone_mode=True)
    except PhiscanError as error:
        _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        # A traceback may quote a record; it is shown only where the user asks for it.
        if os.environ.get("PHISCAN_DEBUG") == "1":
            raise
        _fail(f"internal error ({type(error).__name__}); PHISCAN_DEBUG=1 shows it, patient text included", 70)


def _fail(message: str, code: int = 2) -> None:
    typer.echo(f"phiscan: {message}", err=True)
    sys.exit(code)
