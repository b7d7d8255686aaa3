"""The scripts and styles of a page, each kind in one file: ``joined/main+forms.js``, ``joined/base+player.css``.

The address names them, so that every server knows what it means. The separate files stay where they are, too: source
maps lead to them.
"""

import re

from markupsafe import Markup

from app.compact_json import compact
from app.paths import STATIC
from app.web.base.module_linker import link

_JOINED = re.compile(r"joined/([\w/-]+(?:\+[\w/-]+){0,15})\.(js|js\.map|css)")
_STYLE = Markup('<link rel="stylesheet" href="{}">')
_LIBRARY = Markup('<script src="{}" defer></script>')
_MODULE = Markup('<script type="module" src="{}"></script>')


class PageFiles:
    """What a page needs: styles, libraries and modules, each once, in the order in which its templates name them."""

    def __init__(self, base: str) -> None:
        """Start empty; ``base`` is the address of the static files, with the slash at its end."""
        self._base = base
        self._paths: dict[str, None] = {}
        self._written = False

    def use(self, *paths: str) -> str:
        """Add files; return nothing to write. Raises ValueError when the page has been told its files."""
        if self._written:
            raise ValueError(f"the head of the page is written; it cannot use {', '.join(paths)}")
        self._paths |= dict.fromkeys(paths)
        return ""

    def tags(self) -> Markup:
        """Return the elements for the head of the page. Modules and deferred scripts run in this order."""
        self._written = True
        libraries = [path for path in self._paths if path.startswith("vendor/")]
        lines = [_STYLE.format(self._base + path) for path in self._joined("css")]
        lines += [_LIBRARY.format(self._base + path) for path in libraries]
        lines += [_MODULE.format(self._base + path) for path in self._joined("js")]
        return Markup("\n").join(lines)

    def _joined(self, kind: str) -> list[str]:
        """Return the path of the file with everything of a kind, if there is anything."""
        head, tail = f"{kind}/", f".{kind}"
        names = [path.removeprefix(head).removesuffix(tail) for path in self._paths if path.startswith(head)]
        return [f"joined/{'+'.join(names)}{tail}"] if names else []


def joined(path: str, base: str) -> bytes | None:
    """Return what ``path``, which begins with ``joined/``, contains; None if it names no file or a missing one.

    ``base`` is the address of the static files, to which a source map leads.
    """
    named = _JOINED.fullmatch(path)
    if not named:
        return None
    kind = named[2].removesuffix(".map")
    paths = list(dict.fromkeys(f"{kind}/{name}.{kind}" for name in named[1].split("+")))
    if not all((STATIC / each).is_file() for each in paths):
        return None
    if kind == "css":
        return "\n".join(f"/* {each} */\n{_read(each)}" for each in paths).encode()
    linked = link(paths, _read)
    if named[2] == kind:
        return f"{linked.text}\n//# sourceMappingURL={path.rpartition('/')[2]}.map\n".encode()
    about = {"version": 3, "sourceRoot": base, "sources": linked.sources, "names": [], "mappings": linked.mappings}
    return compact(about).encode()


def _read(path: str) -> str:
    return (STATIC / path).read_text("utf-8")
