"""The store: finished counts in a database, so that no run has to count them twice."""
