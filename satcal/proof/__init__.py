"""The trusted base: from the bytes of a certificate to what they prove.

To believe a certified count one has to believe these modules, the parser of puzzle files and
Python, and nothing else of satcal; a test holds their imports to that. Read them in this order::

    verifier      is this list of placements a tiling?
    formula       the task of a reveal, its placements and clauses, built from the drawings
    replay        does this proof refute the formula?
    archive       the container: a tar file that can be written in one way only
    certificate   what a file states, and its parts
    check         all of it together

docs/certificates.md describes the format for strangers.
"""
