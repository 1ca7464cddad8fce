"""Evidence: certificates, claims and comparisons; nothing here has to be believed."""
