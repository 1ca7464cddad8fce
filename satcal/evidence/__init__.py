"""What checks the methods: verifier and claims. It shares no code with what it checks."""
