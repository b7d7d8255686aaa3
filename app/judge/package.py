"""Folders that make Gradescope and Autolab judge: everything that a teacher would have to write is in them.

Gradescope: ``setup.sh`` installs Bluecut once, and ``run_autograder`` judges the one Python file of a submission; zip
the files, not the folder. Autolab: ``NAME.yml``, ``autograde-Makefile`` and ``autograde.tar`` in a folder of the name;
import it as an assessment. Its image needs Bluecut, or the network to install it. Either takes a wheel from the folder
instead of the registry. What was tried when this was written: the scripts, without the two services.

Sources: gradescope-autograders.readthedocs.io ("specs", "manual_grading"); github.com/autolab/Autolab, examples/hello.
"""

import io
import json
import shlex
import tarfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import yaml

from app.core.model.values import Json
from app.judge.suite import TrialSystem

SERVICES = ("gradescope", "autolab")
HANDED_IN = "snapshot.py"
NAME = "snapshot"
SECONDS = 600

_INSTALL = """#!/usr/bin/env bash
# Install Bluecut: from a wheel in this folder, or, where there is none, from the registry of Python packages.
set -euo pipefail
cd "$(dirname "$0")"
into=${BLUECUT_ENV:-%(env)s}
[ ! -x "$into/bin/bluecut" ] || exit 0
%(apt)sshopt -s nullglob
wheels=(./*.whl)
python3 -m venv "$into.tool"
"$into.tool/bin/pip" install --quiet uv
"$into.tool/bin/uv" venv --quiet --python ">=3.11" "$into"
"$into.tool/bin/uv" pip install --quiet --python "$into/bin/python" "${wheels[@]:-bluecut==%(version)s}"
"""

_GRADESCOPE = """#!/usr/bin/env bash
# Judge the one Python file of a submission. What goes wrong here is told to the student, who tells the teacher.
set -uo pipefail
root=${AUTOGRADER:-/autograder}
bluecut=${BLUECUT_ENV:-/autograder/bluecut}/bin/bluecut
cd "$root/source"
shopt -s nullglob
files=("$root"/submission/*.py)
told=$root/results/results.json
if [ "${#files[@]}" -ne 1 ]; then
  printf '{"score": 0, "output": "Hand in exactly one Python file, not %%d."}\\n' "${#files[@]}" > "$told"
  exit 0
fi
"$bluecut" judge "${files[0]}" --format gradescope %(options)s > "$told.part"
if [ $? -gt 2 ] || [ ! -s "$told.part" ]; then
  echo '{"score": 0, "output": "The judge did not run. Please tell your teacher."}' > "$told.part"
fi
mv "$told.part" "$told"
"""

_GRADE = """#!/usr/bin/env bash
# Judge the file that was handed in. Autolab reads the scores in the last line.
set -uo pipefail
cd "$(dirname "$0")"
./install.sh 1>&2
"${BLUECUT_ENV:-$PWD/bluecut}/bin/bluecut" judge %(file)s --format autolab %(options)s || [ $? -le 2 ]
"""

_MAKEFILE = """all:
\ttar xf autograde.tar
\tcp %(file)s autograde/%(file)s
\t@autograde/grade.sh
"""


def package(service: str, folder: Path, level: int, systems: Sequence[TrialSystem], options: Sequence[str]) -> Path:
    """Write the folder of a service, and return it. ``options`` are those of ``bluecut judge``."""
    said = {"options": shlex.join(options), "version": version("bluecut"), "file": HANDED_IN}
    if service == "gradescope":
        folder.mkdir(parents=True, exist_ok=True)
        apt = "apt-get update -qq\napt-get install -y -qq --no-install-recommends python3 python3-venv\n"
        _write(folder / "setup.sh", _INSTALL % {**said, "env": "/autograder/bluecut", "apt": apt})
        _write(folder / "run_autograder", _GRADESCOPE % said)
        return folder
    into = folder / NAME
    into.mkdir(parents=True, exist_ok=True)
    (into / f"{NAME}.yml").write_text(_assessment(level, systems), encoding="utf-8")
    (into / "autograde-Makefile").write_text(_MAKEFILE % said, encoding="utf-8")
    install = _INSTALL % {**said, "env": "$PWD/bluecut", "apt": ""}
    _pack(into / "autograde.tar", {"install.sh": install, "grade.sh": _GRADE % said})
    return into


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)


def _pack(file: Path, scripts: dict[str, str]) -> None:
    """Write an archive of scripts in the folder ``autograde``; the same every time."""
    with tarfile.open(file, "w") as archive:
        for name, text in scripts.items():
            data = text.encode()
            entry = tarfile.TarInfo(f"autograde/{name}")
            entry.size, entry.mode = len(data), 0o755
            archive.addfile(entry, io.BytesIO(data))


def _assessment(level: int, systems: Sequence[TrialSystem]) -> str:
    """Return what Autolab imports: a problem for each system, and where markers are counted a scoreboard with them."""
    described: dict[str, Json] = {
        "general": {
            "name": NAME,
            "description": f"A snapshot algorithm, level {level}",
            "display_name": "Snapshot",
            "handin_filename": HANDED_IN,
            "handin_directory": "handin",
            "max_grace_days": 0,
            "max_submissions": -1,
            "disable_handins": False,
            "max_size": 2,
            "has_svn": False,
            "category_name": "Lab",
        },
        "problems": [
            {"name": one.name, "description": "", "max_score": float(one.weight), "optional": False} for one in systems
        ],
        "autograder": {
            "autograde_timeout": SECONDS,
            "autograde_image": "autograding_image",
            "release_score": True,
        },
    }
    if any(one.fewest for one in systems):
        columns = [{"hdr": "Points"}, {"hdr": "Markers", "asc": 1}]
        described["scoreboard"] = {"banner": "", "colspec": json.dumps({"scoreboard": columns})}
    return yaml.safe_dump(described, sort_keys=False, explicit_start=True)
