"""Commands that take care of the database and the stored data."""
