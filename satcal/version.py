"""The version of satcal."""

__version__ = "0.1.0"
