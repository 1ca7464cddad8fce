"""The service: an HTTP API and the page on which a puzzle is solved, explored and proved.

:mod:`.app` puts it together. The server's own process answers what takes a millisecond; every
heavy computation runs in a process of its own (:mod:`.children`), which can be killed: one per
puzzle for its diagram (:mod:`.diagrams`, :mod:`.answers`), one per job (:mod:`.queue`,
:mod:`.tasks`), and, where there is a cluster, one per task on its worker. An
error of satcal's is the answer to its request (:mod:`.problems`), or the end of its job.
"""
