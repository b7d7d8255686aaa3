"""Make extension modules of sources: ``python -m app.compiled.extensions SCRATCH LEVEL FILE …``.

Paths begin with ``app``. ``SCRATCH/out`` gets one small module for each source, and one with all of the machine code.
"""

import os
import sys
from pathlib import Path


def _main(scratch: Path, level: str, files: list[str]) -> None:
    from setuptools import Distribution  # first: mypyc asks which of setuptools and distutils is there
    from setuptools.command.build_ext import build_ext

    from mypyc.build import mypycify  # isort: skip

    options = ["--config-file=", f"--cache-dir={os.devnull}", "--ignore-missing-imports", "--follow-imports=silent"]
    made = mypycify(
        [*options, *files], opt_level=level, debug_level="0", group_name="bluecut", target_dir=str(scratch / "c")
    )
    if os.name != "nt":
        for each in made:  # the modules call each other directly: nobody else can replace what they call
            each.extra_compile_args += ["-fvisibility=hidden", "-fno-semantic-interposition"]
    command = build_ext(Distribution({"name": "bluecut", "ext_modules": made}))
    command.build_lib, command.build_temp = str(scratch / "out"), str(scratch / "temp")
    command.parallel = os.cpu_count()
    command.finalize_options()
    command.run()


if __name__ == "__main__":
    _main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
