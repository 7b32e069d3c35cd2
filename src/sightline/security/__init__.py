"""Owns detections, batches, risk, the life of a security event, alert rules, retention."""
