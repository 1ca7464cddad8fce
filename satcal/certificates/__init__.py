"""Certificates: making them, checking them, and converting them to proofs for SAT checkers."""
