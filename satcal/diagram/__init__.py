"""The tiling diagram: all tilings of a puzzle as one small acyclic graph.

It is a zero-suppressed decision diagram (Minato, DAC 1993) of an exact cover (Knuth, TAOCP
7.2.2.1), built without a search (Nishino, Yasuda, Minato, Nagata: Dancing with Decision Diagrams,
AAAI 2017).

A *frontier* is the set of covered cells beyond the first uncovered one. A *state* is a frontier
with the copies left of each item. A *layer* is the set of states with the same first uncovered
cell. A *node* is a state on the path of a tiling. An *arc* is an option that leads from one node to
another. Every path from the first node to the last is a tiling.

===============  ===================================================================
``model``        the exact cover, memory and progress, arrays of bit sets
``expansion``    the one step: place each option of a cell on each state of its layer
``frontiers``    all frontiers and the arcs between them, by that step
``halves``       the states along the arcs between frontiers, from both ends
``build``        the graph: all states and arcs of these halves
``layers``       counts without a graph: each layer is discarded after use
``graph``        answers from the graph: counts, the k-th tiling, how often an option occurs
``reveals``      the counts of all reveals, or of all sets of uncovered cells
``puzzle``       the graph of a puzzle, with placements and reveals instead of options
``counts``       counts of reveals: by a graph, by several, or by layers
``cache``        graphs in files
===============  ===================================================================
"""
