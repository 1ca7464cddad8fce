"""Do the last N clauses of a formula exclude N different models of the others? It uses no satcal.

    python3 blocked.py FORMULA.cnf N

LRAT shows that the formula has no model. With this, the formula without its last N clauses, which
is the plain encoding, has exactly N: each tiling is one, and there is no other.
"""

import itertools
import sys

path, number = sys.argv[1], int(sys.argv[2])
with open(path) as lines:
    clauses = [frozenset(map(int, line.split()[:-1])) for line in lines if line[0] not in "cp"]
first, last = clauses[: len(clauses) - number], clauses[len(clauses) - number :]
assert len(set(last)) == number, "a clause is written twice"
negative = {clause for clause in first if max(clause, default=0) < 0}
sizes = {len(clause) for clause in negative}
positive = [clause for clause in first if clause not in negative]
for clause in last:
    assert max(clause) < 0, "not a blocking clause"
    model = {-literal for literal in clause}
    assert all(each & model for each in positive), "a cell or a piece is left"
    for size in sizes:
        assert negative.isdisjoint(map(frozenset, itertools.combinations(clause, size))), "overlap"
print(f"{path}: its last {number} clauses exclude {number} different models of the others")
