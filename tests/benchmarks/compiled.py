"""The compiled build of this tree, in a copy of it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.compiled_tree import ROOT, NothingCompiled, compile_into, tree_with


@dataclass(frozen=True)
class Compiled:
    """A tree with the compiled build, and the environment in which Python imports it."""

    tree: Path
    variables: dict[str, str]


@contextmanager
def compiled() -> Iterator[Compiled | None]:
    """Yield the compiled build of this tree, which is removed afterwards; None, in words, where nothing can be
    compiled."""
    with tempfile.TemporaryDirectory() as folder:
        built, tree = Path(folder, "built"), Path(folder, "tree")
        try:
            compile_into(built)
        except NothingCompiled as reason:
            print(reason, flush=True)
            yield None
            return
        variables = tree_with(built, tree)
        (tree / "tests").symlink_to(ROOT / "tests")  # each tree is measured by its own lanes
        yield Compiled(tree, variables)
