"""The step of hatchling's that puts the compiled build into a wheel.

It is taken only where somebody asks for it, with HATCH_BUILD_HOOK_ENABLE_CUSTOM=true: the wheel is then for one Python
and one kind of machine. Where nothing can be compiled, the wheel is the one for all, and the log says why.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledBuild(BuildHookInterface):  # type: ignore[type-arg]
    """Adds ``app/_compiled`` to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and list what the wheel gets in addition."""
        if version == "editable":
            return
        self._scratch = tempfile.TemporaryDirectory()
        into = Path(self._scratch.name, "_compiled")
        command = [sys.executable, "-m", "app.compiled", "--into", str(into)]
        done = subprocess.run(command, cwd=self.root, capture_output=True, encoding="utf-8", errors="replace")
        if done.returncode:
            self.app.display_warning(f"this wheel is not compiled: {done.stderr.strip()}")
            return
        build_data["force_include"][str(into)] = "app/_compiled"
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, object], artifact_path: str) -> None:
        """Remove what was compiled: it is in the wheel."""
        if version != "editable":
            self._scratch.cleanup()
