"""The trusted base: from the bytes of a certificate to what they prove.

A certified count rests on these modules, the errors and Python, and on nothing else of satcal. A
test checks their imports. Read the modules in this order::

    normal     the text of a puzzle, parsed strictly
    board      the placements of a puzzle, from the drawings, and what each of them excludes
    walk       the walk through a search tree, which proves a number of tilings
    check      the check of a certificate from its first byte to its last
    verifier   the test whether placements are a tiling; methods use it, certificates do not

docs/reference/certificates.md describes the format.
"""
