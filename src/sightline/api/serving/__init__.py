"""The application server: middleware, error forms, documentation and page files."""
