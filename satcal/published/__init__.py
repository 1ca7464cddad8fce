"""What is published: others' claims, satcal's own tables and certificates, and what is true."""
