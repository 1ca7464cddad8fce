"""External programs that count satcal's exports, compared with its diagram.

``programs`` lists them. ``solvers`` runs those that are executables, ``packages`` those from PyPI.
"""
