"""The peers, run side by side with satcal: ``python -m benchmarks.run --help``."""
