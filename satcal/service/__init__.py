"""The HTTP service: counts, solutions and jobs for other programs, and the page.

A request passes :mod:`.guard` (sizes and times), :func:`.access.admit` (who may ask), and a route
of :mod:`.routes`, which asks a question of :mod:`.models`. Whatever counts does so in a process of
:mod:`.workers`, which runs the functions of :mod:`.work`; :mod:`.jobs` are longer work.
"""
