"""The methods: each turns a cover into its tilings. None knows of the others, or of a store."""
