"""The tiling diagram: all tilings of a puzzle as one small acyclic graph.

It is a zero-suppressed decision diagram for exact covers (Nishino, Yasuda, Minato, Nagata:
Dancing with Decision Diagrams, AAAI 2017). :mod:`.puzzle` speaks the
puzzle's words, the other modules know only cells, items and options.
"""
