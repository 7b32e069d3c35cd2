"""Owns the queue of slow work: claims, leases, retries, dependencies, periodic jobs, workers."""
