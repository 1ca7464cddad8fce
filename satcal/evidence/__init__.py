"""Evidence: what makes and checks certificates, compares counts, and judges claims.

What has to be believed of a certificate is in :mod:`satcal.proof`, and nothing of it here.
"""
