"""Input files: probing, limits and the sandbox that reads them."""
