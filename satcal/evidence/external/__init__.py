"""External programs: somebody else's solver, counter or exact-cover search on our exports.

``programs`` lists them; each is asked by one function of ``solvers`` or ``packages``, which
benchmarks use as well. Nobody here counts: what is compared comes from outside.
"""
