"""External programs on satcal's exports, compared with its diagram; ``programs`` lists them.

Each is asked by one function of ``solvers`` or ``packages``, which benchmarks use as well.
"""
