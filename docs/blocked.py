"""Do the last N clauses of a formula exclude N different models of the others? It uses no satcal.

    python3 blocked.py FORMULA.cnf N

LRAT shows that the formula has no model. With this, the formula without its last N clauses, which
is the plain encoding, has exactly N: each tiling is one, and there is no other. The exit code is 0
for yes, 1 for no, and 2 for a file that cannot be read.
"""

import itertools
import sys


def need(holds, reason):
    """Say no, unless it holds."""
    if not holds:
        sys.exit(f"{sys.argv[1]}: {reason}")


def read(path):
    """Return the clauses of a DIMACS file."""
    with open(path) as lines:
        return [frozenset(map(int, line.split()[:-1])) for line in lines if line[0] not in "cp"]


def check(clauses, number):
    """Exit unless the last clauses exclude as many models of the others."""
    first, last = clauses[: len(clauses) - number], clauses[len(clauses) - number :]
    need(len(set(last)) == number, f"it has not {number} different clauses at its end")
    negative = {clause for clause in first if max(clause, default=0) < 0}
    sizes = {len(clause) for clause in negative}
    positive = [clause for clause in first if clause not in negative]
    for clause in last:
        need(max(clause, default=0) < 0, "not a blocking clause")
        model = {-literal for literal in clause}
        need(all(each & model for each in positive), "a cell or a piece is left")
        for size in sizes:
            combinations = map(frozenset, itertools.combinations(clause, size))
            need(negative.isdisjoint(combinations), "an overlap")


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[2].isdecimal():
        print(__doc__)
        sys.exit(2)
    path, number = sys.argv[1], int(sys.argv[2])
    try:
        check(read(path), number)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{path}: its last {number} clauses exclude {number} different models of the others")
