"""Key frames: sampling, similarity and the frame archive."""
