"""Texts of puzzle files that ask for more than any puzzle has, or hide orders for a terminal."""

from __future__ import annotations

import re

KEYS = [".".join("a" * 17), " . ".join("a" * 17), ".".join(['"a"'] * 17), ".".join(["'a.b'"] * 17)]
PLACES = ("{} = 1", "[{}]", "[[{}]]", "a = {{ {} = 1 }}", "a.b = \n{} = 1")
QUOTED = """
"name" = "good"
"title" = "good"
"source" = "somebody"
"flip" = "all"
"board" = "a *"
"categories" = { "c" = ["a"] }
"calendar" = { "month" = ["Jan"] }
"pieces" = { "D" = "#", "E" = { "shape" = "#", "copies" = 1 } }
"""
ORDERS = [  # to clear a terminal, to turn a line round
    f'{QUOTED[: text.start()]}"{order}"{QUOTED[text.end() :]}'
    for text in re.finditer('"[^"]*"', QUOTED)
    for order in ("\\u001b[2J", "\\u202e")
]
DRAWN = "\n".join(["#" * 480] * 480)
LARGE = "'''" + "\n".join(["#" * 30] * 30) + "'''"
LABELS = [str(number) for number in range(10_000)]
FEWER = LABELS[:1000]
HOSTILE = [
    *((text, "") for text in [*ORDERS, 'board = "a\x9b2J"']),
    *((place.format(key), "16 parts") for key in KEYS for place in PLACES),
    ("a." * 130_000 + "a = 1", "16 parts"),
    ("x = [" * 40_000, "20,000"),
    ("[a]\n" * 20_001, "20,000"),
    ('"""' * 80_000, "TOML"),
    ("board = '*'\n[pieces]\n" + "A = 1\n" * 4_000, "TOML"),
    ("x" * 60_000 + "\x1b[2J = 1", "TOML"),
    (f"board = '*'\n[pieces]\nA = '''\n{DRAWN}\n'''", "piece A"),
    (f"board = '*'\n[pieces]\nA = {LARGE}\nB = {LARGE}", "piece B"),
    (f"[categories]\nc = {LABELS}", "1024 labels"),
    (f"board = '*'\n[categories]\nc = {FEWER}", "[categories] c"),
    (f"board = '{'* ' * 130_000}'", "64"),
    (f"board = '{'a' * 260_000}'", "row 0, column 0: label 'aaaaaa"),
]
"""Texts, each with a word of its refusal."""
