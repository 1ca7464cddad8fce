"""Certificates: made, checked, and written as proofs that SAT checkers read."""
