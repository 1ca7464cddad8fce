"""The HTTP service: counts, solutions and jobs for other programs, and the page."""
