"""Modules joined into one file do what they did, and what goes wrong in them is found in their own lines."""

import json
from pathlib import Path

import pytest

from app.paths import STATIC
from app.web.base.module_linker import Unlinkable, link
from tests.js.tools import node

MODULES = {
    "js/first.js": """
import { a, told as said } from "./deep/shared.js";
import {
  C,
  later,
} from "./deep/other.js";

const $ = "mine";
said(`first ${a} ${new C().name} ${typeof later} ${$}`);
""",
    "js/second.js": """
import "./deep/other.js";
import { told } from "./deep/shared.js";

told("second");
throw new Error("second fails");
""",
    "js/third.js": """
import { told } from "./deep/shared.js";

/** What a student
 * reads. */
export function failing() {
  told("third");

  throw new Error("third fails");
}
export async function* never() {}
failing();
""",
    "js/deep/shared.js": """
/** @type {import("./types.js").Told[]} */ const all = [];
export const a = "A";
export function told(text) {
  all.push(text);
  console.log(all.length, text, this === undefined);
}
told("shared");
""",
    "js/deep/other.js": """
import { told } from "./shared.js";
export class C {
  name = "C";
}
export async function later() {}
told("other");
""",
}


def run(tmp_path: Path, *entries: str) -> str:
    """Return what Node prints when it runs these modules as one, with its source map."""
    linked = link(entries, lambda path: MODULES[path].removeprefix("\n"))
    told = "globalThis.reportError = (error) => console.log(error.stack);"
    (tmp_path / "told.mjs").write_text(told)
    (tmp_path / "all.mjs").write_text(f"{linked.text}\n//# sourceMappingURL=all.mjs.map\n")
    about = {"version": 3, "sourceRoot": "", "sources": linked.sources, "names": [], "mappings": linked.mappings}
    (tmp_path / "all.mjs.map").write_text(json.dumps(about))
    return node("--enable-source-maps", "--import", "./told.mjs", "all.mjs", cwd=tmp_path).stdout


def test_each_module_runs_once_after_those_that_it_imports(tmp_path: Path) -> None:
    said = run(tmp_path, "js/first.js", "js/third.js", "js/second.js").splitlines()
    assert [line for line in said if line[:1].isdigit()] == [
        "1 shared true",
        "2 other true",
        "3 first A C function mine true",
        "4 third true",
    ]


def test_an_entry_that_fails_does_not_stop_the_next_and_names_its_line(tmp_path: Path) -> None:
    said = run(tmp_path, "js/second.js", "js/first.js", "js/third.js")
    assert "first A C function mine" in said and "third true" in said
    assert "js/second.js:5" in said, "the failure that was reported"
    assert "js/third.js:8" in said and "js/third.js:11" in said, "the failure that ended the file"


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("export let a = 1;", "export let a"),
        ("export default 1;", "export default 1"),
        ('export * from "./b.js";', "export *"),
        ('import b from "./b.js";', "import b"),
        ("// not a comment alone\nconst b = () => import('./b.js');", "import('"),
        ("const here = import.meta.url;", "import.meta"),
        ("const other = new Worker('./b.js');", "new Worker("),
        ("const other = new Worker(new URL('b.js', location));", "new Worker("),
        ('import { c } from "./b.js";', "from js/b.js what it does not export: c"),
        ('import { b } from "./c.js";', "js/a.js → js/c.js → js/a.js"),
    ],
)
def test_what_one_file_cannot_do_is_refused(text: str, trouble: str) -> None:
    others = {"js/b.js": "export const b = 1;\n", "js/c.js": 'import "./a.js";\nexport const b = 1;\n'}
    with pytest.raises(Unlinkable) as refused:
        link(["js/a.js"], (others | {"js/a.js": f"{text}\n"}).__getitem__)
    assert trouble in str(refused.value)


def test_every_script_can_be_linked_and_is_there_once(tmp_path: Path) -> None:
    alone = STATIC / "js" / "write" / "worker.js"  # runs in a worker of its own, under another policy
    scripts = sorted(path.relative_to(STATIC).as_posix() for path in (STATIC / "js").rglob("*.js") if path != alone)
    linked = link(scripts, lambda path: (STATIC / path).read_text("utf-8"))
    assert sorted(linked.sources) == scripts
    (tmp_path / "all.mjs").write_text(linked.text)
    assert node("--check", "all.mjs", cwd=tmp_path).stdout == ""
