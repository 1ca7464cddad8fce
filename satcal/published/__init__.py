"""Published claims and tables of others, the verdicts on them, and the tables that satcal ships."""
