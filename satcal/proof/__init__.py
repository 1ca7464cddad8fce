"""The trusted base: from the bytes of a certificate to what they prove.

To believe a certified count one has to believe these modules, the errors and Python, and nothing
else of satcal; a test holds their imports to that. Read them in this order::

    normal     the text of a puzzle, parsed strictly
    board      its placements, from the drawings, and what each of them excludes
    walk       the walk through a search tree: how many tilings does it prove?
    check      a certificate from its first byte to its last
    verifier   is this list of placements a tiling? It serves the methods; no certificate needs it

docs/reference/certificates.md describes the format.
"""
