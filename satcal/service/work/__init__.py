"""The functions that the workers run for the routes of the same name.

They do not load the web framework, which would take 20 MB in each worker.
"""
