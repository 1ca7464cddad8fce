"""A stand-in for drat-trim: a shell script on a PATH of the test's own."""

from external import fake

__all__ = ["fake"]
