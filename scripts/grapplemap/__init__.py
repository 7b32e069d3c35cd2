"""GrappleMap as training data: the file, labels, families, cameras, and the figures of a classifier."""
