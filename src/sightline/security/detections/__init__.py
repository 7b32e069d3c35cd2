"""Detections and the batches that they are grouped into."""
