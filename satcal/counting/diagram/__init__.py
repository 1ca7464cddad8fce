"""The tiling diagram: all tilings of an exact-cover puzzle as one small acyclic graph, built with numpy."""
