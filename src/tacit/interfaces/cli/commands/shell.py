"""`completion` and `bench`: what stands beside the memories."""

from __future__ import annotations

from tacit.errors import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from tacit.interfaces.cli.console import Console

COMPLETION_EXAMPLES = """\
examples:
  tacit completion bash > tacit.bash
  source <(tacit completion bash)"""
BENCH_EXAMPLES = """\
examples:
  tacit bench --help"""
_FILES = ("file", "other", "store", "project")


def add_completion(parser: ArgumentParser) -> None:
    """Add the arguments of `completion`."""
    parser.epilog = COMPLETION_EXAMPLES
    shells = ["bash", "zsh", "tcsh"]
    parser.add_argument("shell", metavar="SHELL", choices=shells, help=", ".join(shells))


def run_completion(given: Namespace, console: Console) -> int:
    """Print the completion script of a shell."""
    try:
        import shtab
    except ImportError as error:
        raise Unavailable("completion needs shtab; pip install shtab") from error
    from tacit.interfaces.cli.parser import whole_parser

    parser = whole_parser()
    for each in _parsers(parser):
        for action in each._actions:
            if action.dest in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # what shtab reads
    console.result(shtab.complete(parser, shell=given.shell))
    return 0


def add_bench(parser: ArgumentParser) -> None:
    """Say where the arguments of `bench` are described: it reads them itself."""
    parser.epilog = BENCH_EXAMPLES


def run_bench(_given: Namespace, _console: Console) -> int:
    """Run the benchmarks without arguments."""
    return run_bench_with([])


def run_bench_with(arguments: Sequence[str]) -> int:
    """Hand the arguments to the benchmarks, which the product itself never imports."""
    from importlib import import_module

    try:
        main = import_module("tacit.bench.run").main
    except ImportError as error:
        raise Unavailable(f"benchmarks need {error.name}; pip install 'tacit[bench]'") from error
    return int(main(list(arguments)) or 0)


def _parsers(parser: ArgumentParser) -> list[ArgumentParser]:
    from argparse import _SubParsersAction

    found = [parser]
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            found += action.choices.values()
    return found
