"""Where files other than Python are: in the checkout, or inside the installed wheel."""

import shutil
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def _place(name: str, here: Path = HERE) -> Path:
    """Return the folder ``name``: under ``app/_data`` where a wheel put it, otherwise at the top of the checkout.

    If Python imports ``app`` from an archive, as Spark's workers do, unpack the folder beside the archive.
    """
    if here.parent.is_file():
        return _unpacked(here.parent, f"{here.name}/_data/{name}/")
    packed = here / "_data" / name
    return packed if packed.is_dir() else here.parent / name


def _unpacked(archive: Path, prefix: str) -> Path:
    """Return what an archive has below ``prefix`` as a folder, complete or absent: other processes may unpack it, too.

    If the archive lacks the folder, the path does not exist.
    """
    folder = archive.with_name(f"{archive.name}.unpacked")
    if not folder.is_dir():
        made = Path(tempfile.mkdtemp(dir=archive.parent, prefix=f"{archive.name}."))
        with zipfile.ZipFile(archive) as file:
            file.extractall(made, [name for name in file.namelist() if "/_data/" in name])
        try:
            made.rename(folder)
        except OSError:
            shutil.rmtree(made)
            if not folder.is_dir():  # otherwise another process was faster
                raise
    return folder / prefix


SCENARIOS = _place("scenarios")
STATIC = _place("static")
TEMPLATES = _place("templates")
