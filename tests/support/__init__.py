"""What tests share: processes, servers, rigs and ways to wait."""

from pathlib import Path

# Programs of this package run as `python -m support.NAME` in here.
TESTS = Path(__file__).resolve().parents[1]
