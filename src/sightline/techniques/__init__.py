"""Owns technique analysis: the job, the N+1 messages, their consumer, finalization."""
