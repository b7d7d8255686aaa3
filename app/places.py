"""Where the files are that are not Python: in the checkout, or inside the installed wheel."""

import shutil
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def place(name: str, here: Path = HERE) -> Path:
    """The folder ``name``: under ``app/_data`` where a wheel put it, otherwise at the top of the checkout.

    Where Python imports ``app`` out of an archive, as Spark's workers do, the folder is unpacked beside the archive.
    """
    if here.parent.is_file():
        return unpacked(here.parent, f"{here.name}/_data/{name}/")
    packed = here / "_data" / name
    return packed if packed.is_dir() else here.parent / name


def unpacked(archive: Path, prefix: str) -> Path:
    """What an archive has below ``prefix``, as a folder, whole or not there at all: other processes may unpack it, too.

    A folder that the archive lacks is one that there is not.
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
            if not folder.is_dir():  # otherwise another process was quicker
                raise
    return folder / prefix


SCENARIOS = place("scenarios")
STATIC = place("static")
TEMPLATES = place("templates")
