"""The store: finished counts and the service's jobs, in SQLite or PostgreSQL."""
