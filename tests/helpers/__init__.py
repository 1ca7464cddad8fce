"""What tests of several rooms share; what is slow to import stands in a module of its own."""
