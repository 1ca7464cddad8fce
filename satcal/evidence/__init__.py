"""What checks the methods: verifier, certificates and claims.

``verifier``, ``rebuild`` and ``checker`` share no code with what they check, but for the parser
of puzzle files and the format of certificates. What makes certificates and tables, and what
judges claims, calls the methods.
"""
