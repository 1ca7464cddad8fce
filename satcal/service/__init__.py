"""The service: an HTTP API and the page on which a puzzle is solved, explored and proved.

:mod:`.app` puts it together. The server's own process answers what takes a millisecond; every
heavy computation runs in a process of its own (:mod:`.process`), which can be killed: one per
puzzle for its diagram (:mod:`.diagrams`), one per job (:mod:`.jobs`), and, where there is a
cluster, one per task on its worker (:mod:`.clustered`).
"""
