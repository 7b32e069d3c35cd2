"""Input files: how uploaded videos are recognised, limited, and decoded in a sandbox.

`probe` and `source` load a decoder and are imported only by work that runs in the sandbox.
"""

from sightline.media.input.errors import MediaUnreadable, ObjectMissing
from sightline.media.input.limits import MediaLimits
from sightline.media.input.sandbox import open_input, process_limits, run_in_sandbox
from sightline.media.input.sniff import demuxer_of

__all__ = [
    "MediaLimits",
    "MediaUnreadable",
    "ObjectMissing",
    "demuxer_of",
    "open_input",
    "process_limits",
    "run_in_sandbox",
]
