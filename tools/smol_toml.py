"""Write the reader of TOML that the page loads: the modules of the npm package smol-toml as one.

Run ``python -m tools.smol_toml`` after ``npm install`` in ``satcal/site``.
"""

from __future__ import annotations

import re
from pathlib import Path

SITE = Path(__file__).parent.parent / "satcal" / "site"
PACKAGE = SITE / "node_modules" / "smol-toml"
MODULES = ("error", "util", "date", "primitive", "extract", "struct", "parse")
PUBLIC = ("class TomlError", "function parse(")


def bundle(package: Path = PACKAGE) -> str:
    """Return one module with the exports ``parse`` and ``TomlError``."""
    texts = [(package / "dist" / f"{name}.js").read_text("utf-8") for name in MODULES]
    comment, code = re.compile(r"\A/\*!.*?\*/\n", re.DOTALL), []
    for text in texts:
        body = re.sub(r"^import .*\n", "", comment.sub("", text), flags=re.MULTILINE)
        body = re.sub(rf"^export (?!{'|'.join(map(re.escape, PUBLIC))})", "", body, flags=re.M)
        code.append(body.strip())
    licence = comment.match(texts[0])
    assert licence, "the licence stands at the top of each module"
    head = "// @ts-nocheck: smol-toml of npm, made by tools/smol_toml.py\n"
    return head + licence[0] + "\n\n".join(code) + "\n"


if __name__ == "__main__":
    (SITE / "static" / "smol-toml.js").write_text(bundle(), "utf-8")
