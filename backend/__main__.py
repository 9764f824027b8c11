"""The `headscope` command: serve, models, attention, corpus, atlas, train, runs, doctor.

Defines the options; the commands themselves are in `backend.cli`, imported when one is run so that
`headscope --help` and `headscope models` answer at once.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError
from rich.console import Console
from typer import Argument, Option

from backend.cli.options import parse_numbers, parse_sections, with_settings
from backend.settings import Settings
from mha_core.atlas.record import SECTIONS
from mha_core.errors import HeadScopeError

app = typer.Typer(
    name="headscope",
    help="See what every attention head of a transformer does with a sentence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
models_app = typer.Typer(help="Which models are ready, which are not and why.")
app.add_typer(models_app, name="models")
atlas_app = typer.Typer(
    help="What every head of a model does, measured on a corpus.", no_args_is_help=True
)
app.add_typer(atlas_app, name="atlas")
runs_app = typer.Typer(help="Small models trained here: list, resume, delete, export.")
app.add_typer(runs_app, name="runs")


@app.command()
@with_settings
def serve(settings: Settings) -> None:
    """Start the server and open the page."""
    from backend.cli.serve import fetch_missing, serve

    serve(settings, before=fetch_missing)


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context) -> None:
    """List the models: which are ready, which are not and why."""
    if context.invoked_subcommand is None:
        from backend.cli.models import list_models, models_table

        settings = Settings()
        Console().print(models_table(list_models(settings), settings.max_tokens), highlight=False)


@models_app.command("get")
def get(
    names: Annotated[
        list[str] | None, Argument(help="Models to fetch; by default those a server starts with.")
    ] = None,
) -> None:
    """Fetch the weights of models; those that are damaged are fetched again."""
    from backend.cli.fetch import find_model, get_model

    settings = Settings()
    for entry, _ in [find_model(name, settings) for name in names or settings.fetch]:
        source = get_model(entry, settings, verify=True)
        Console().print(f"{entry.name}: {source.path}", highlight=False, soft_wrap=True)


@app.command()
def attention(
    text: Annotated[str, Argument(help="The text to analyse.")],
    out: Annotated[Path, Option(help="File to write: .npz, .safetensors, .json, .csv or .html.")],
    model: Annotated[
        str | None, Option(help="A model's name; by default that of the settings.")
    ] = None,
    text_pair: Annotated[
        str | None, Option(help="A second text, for encoders and encoder-decoders.")
    ] = None,
    stack: Annotated[
        Literal["encoder", "decoder", "cross"] | None,
        Option(help="Which attention of an encoder-decoder; others have one."),
    ] = None,
    layers: Annotated[str | None, Option(help="Layers, like 0,2,5; by default all.")] = None,
    heads: Annotated[str | None, Option(help="Heads, like 0,2,5; by default all.")] = None,
) -> None:
    """Write the attention maps of a text to a file."""
    from backend.cli.attention import write_attention

    chosen = {"layers": parse_numbers(layers), "heads": parse_numbers(heads)}
    write_attention(text, out, model=model, text_pair=text_pair, stack=stack, **chosen)


@app.command()
def corpus(
    model: Annotated[str, Argument(help="A model's name, a directory or a hub id.")],
    file: Annotated[Path, Argument(help="A text file in UTF-8, one text per line.")],
    from_word: Annotated[
        str | None, Option("--from", help="Rank heads by the link from this word ...")
    ] = None,
    to_word: Annotated[str | None, Option("--to", help="... to this one.")] = None,
    marked: Annotated[
        bool,
        Option("--marked", help="Rank heads by the link from {from:it} to {to:animal} in a line."),
    ] = False,
    values: Annotated[
        Literal["raw", "weighted"], Option(help="Attention, or value-weighted attention.")
    ] = "raw",
    out: Annotated[
        Path | None, Option(help="File for all numbers of all heads: .csv or .json.")
    ] = None,
) -> None:
    """Average every metric of every head over the lines of a file."""
    from backend.cli.corpus import run_corpus

    words = {"from_word": from_word, "to_word": to_word}
    run_corpus(model, file, **words, marked=marked, values=values, out=out)


@atlas_app.command("build")
def build(
    model: Annotated[str, Argument(help="A model's name, a directory or a hub id.")],
    treebank: Annotated[
        Path | None,
        Option(help="Directory with a dev and a test file of a treebank, .conllu or .jsonl."),
    ] = None,
    gap: Annotated[Path | None, Option(help="A .tsv file of the GAP coreference corpus.")] = None,
    treebank_source: Annotated[
        str | None, Option(help="Name, version and licence of the treebank, to be kept.")
    ] = None,
    gap_source: Annotated[str | None, Option(help="The same of the GAP file.")] = None,
    only: Annotated[
        list[str] | None,
        Option(
            help=f"Measure only this section, one of {', '.join(SECTIONS)}; may be repeated. By "
            f"default all that can be measured."
        ),
    ] = None,
    seed: Annotated[int, Option(help="For samples, random texts and null models.")] = 0,
    out: Annotated[
        Path | None, Option(help="File to write; by default where the server looks for it.")
    ] = None,
) -> None:
    """Find the roles of all heads of a model; an interrupted run is resumed.

    Without a treebank or GAP, what needs them is left out. Other sections of an atlas of the same
    weights are kept.
    """
    from backend.cli.atlas import build_atlas
    from mha_core.atlas.corpora import Corpora

    settings = Settings()
    files = (treebank or settings.treebank, gap or settings.gap)
    corpora = Corpora(*files, treebank_source, gap_source)
    build_atlas(model, corpora, settings, only=parse_sections(only or ()), seed=seed, out=out)


@app.command()
def train(
    task: Annotated[str, Argument(help="What to train on: markov, repeats or language.")],
    symbols: Annotated[int | None, Option(help="markov: 2 or 3 symbols.")] = None,
    layers: Annotated[int | None, Option(help="Layers; by default 2.")] = None,
    heads: Annotated[int | None, Option(help="Heads a layer; must divide d_model.")] = None,
    d_model: Annotated[int | None, Option(help="Width of the residual stream.")] = None,
    d_mlp: Annotated[int | None, Option(help="Width of the feed-forward part; 0: none.")] = None,
    first_layer: Annotated[
        Literal["free", "shifted_keys", "previous_only"] | None,
        Option(help="What the heads of layer 0 can do, for experiments."),
    ] = None,
    steps: Annotated[int | None, Option(help="Steps of training.")] = None,
    batch: Annotated[int | None, Option(help="Sequences a step; by default 64.")] = None,
    learning_rate: Annotated[float | None, Option(help="By default that of the task.")] = None,
    seed: Annotated[int | None, Option(help="For weights and sequences; by default 0.")] = None,
    points: Annotated[int | None, Option(help="How often heads are measured; default 24.")] = None,
    name: Annotated[str | None, Option(help="What the run is called in lists.")] = None,
    out: Annotated[
        Path | None, Option(help="Directory to write; by default where the page lists it.")
    ] = None,
) -> None:
    """Train a small model whose heads can be watched while they specialise.

    What is left out is as usual for the task. Ctrl+C stops after a step; `headscope runs resume`
    goes on from there.
    """
    from backend.cli.train import start_run
    from mha_core.learn.settings import RunSettings

    settings = RunSettings.model_validate(
        {
            "task": task,
            "n_symbols": symbols,
            "first_layer": first_layer,
            "n_layers": layers,
            "n_heads": heads,
            "d_model": d_model,
            "d_mlp": d_mlp,
            "steps": steps,
            "batch": batch,
            "learning_rate": learning_rate,
            "seed": seed,
            "points": points,
        }
    )
    start_run(settings, name=name, out=out)


@runs_app.callback(invoke_without_command=True)
def runs(context: typer.Context) -> None:
    """List the small models that were trained, and how far each is."""
    if context.invoked_subcommand is None:
        from backend.cli.train import list_runs

        Console().print(list_runs(), highlight=False)


RunName = Annotated[str, Argument(help="A run's name, as `headscope runs` lists it.")]


@runs_app.command("resume")
def resume(
    run: RunName,
    background: Annotated[
        bool, Option("--background", help="Print nothing, and let other work come first.")
    ] = False,
) -> None:
    """Go on with a run that was stopped."""
    from backend.cli.train import resume_run

    resume_run(run, background=background)


@runs_app.command("delete")
def delete(run: RunName) -> None:
    """Delete a run and its weights."""
    from backend.cli.train import remove_run

    remove_run(run)


@runs_app.command("export")
def export(run: RunName, directory: Annotated[Path, Argument(help="Directory to write.")]) -> None:
    """Write a run's last weights as a GPT-2 that transformers can load."""
    from backend.cli.train import export_run

    export_run(run, directory)


@app.command()
def doctor(
    check: Annotated[
        bool,
        Option(
            "--check",
            help="Compare every installed model's maps with transformers' own on this device.",
        ),
    ] = False,
) -> None:
    """Show device, memory and versions, and which models will run."""
    from backend.cli.doctor import report_health

    settings = Settings()
    report, healthy = report_health(settings)
    Console().print(report, highlight=False)
    if check and healthy:
        from backend.cli.check import check_models

        report, healthy = check_models(settings)
        Console().print("", report, sep="\n", highlight=False)
    raise typer.Exit(0 if healthy else 1)


def main() -> None:
    """Run the command; HeadScope's own errors are printed without a traceback."""
    try:
        app()
    except HeadScopeError as error:
        sys.exit(f"headscope: {error.message}")
    except ValidationError as error:
        wrong = (
            ": ".join(filter(None, (".".join(map(str, e["loc"])), e["msg"])))
            for e in error.errors()
        )
        sys.exit(f"headscope: {'; '.join(wrong).replace('Value error, ', '')}")


if __name__ == "__main__":
    main()
