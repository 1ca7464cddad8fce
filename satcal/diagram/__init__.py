"""The tiling diagram: all tilings of a puzzle as one small acyclic graph.

It is a zero-suppressed decision diagram (Minato, DAC 1993) of an exact cover (Knuth, TAOCP
7.2.2.1), built without a search (Nishino, Yasuda, Minato, Nagata: Dancing with Decision Diagrams,
AAAI 2017).

Words of the room: a *frontier* is the set of covered cells beyond the first uncovered one. A
*state* is a frontier and what is used of the items; a *layer* has the states with the same first
uncovered cell. A *node* is a state that some tiling passes, and an *arc* an option that leads from
one node to another. Every path from the first node to the last is a tiling.

===============  ===================================================================
``model``        the exact cover, memory and progress, arrays of bit sets
``expansion``    the one step: place each option of a cell on each state of its layer
``frontiers``    the first user of the step: keeps every frontier and arc
``build``        the graph: states along the arcs between frontiers, from both ends
``layers``       the second user of the step: lets go of each layer, and sums
``graph``        questions to the graph: counts, all reveals, the k-th tiling
``uncovered``    the counts of all sets of uncovered cells
``puzzle``       the graph in the puzzle's words
``counts``       counts of reveals: by a graph, by several, or by layers
``classes``      counts up to symmetry, by Burnside's lemma
``cache``        graphs in files
===============  ===================================================================
"""
