"""External programs on our exports: ``programs`` lists them; nothing of satcal counts here.

Each is asked by one function of ``solvers`` or ``packages``, which benchmarks use as well.
"""
