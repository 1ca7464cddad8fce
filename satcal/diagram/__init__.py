"""The tiling diagram: all tilings of a puzzle as one small acyclic graph, built with numpy.

The diagram belongs to the family of zero-suppressed decision diagrams for exact covers
(Nishino, Yasuda, Minato, Nagata: Dancing with Decision Diagrams, AAAI 2017; exact covers and
their words, item and option: Knuth, TAOCP 7.2.2.1). :mod:`.puzzle` speaks the puzzle's words,
the other modules know only cells, items and options.
"""
