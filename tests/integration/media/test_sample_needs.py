"""Resources of sampling: threads and memory do not grow with the number of frames."""

import gc

import psutil
import pytest

from sightline.media.sampling.sample_work import sample_range
from support.coded_clip import make_clip
from support.media_rig import MEDIA_LIMITS

FRAMES = 200
MOST_MIB = 40
"""200 frames of 960 x 540 would be 150 MiB if they gathered, and 200 converters as many threads."""


@pytest.fixture
def resting_collector():
    """As in a process whose collector of cycles comes by rarely."""
    before = gc.get_threshold()
    gc.set_threshold(1_000_000, 1000, 1000)
    yield
    gc.set_threshold(*before)


def test_neither_threads_nor_memory_grow_with_the_frames(tmp_path, monkeypatch, resting_collector):
    make_clip(tmp_path / "long.mp4", frames=FRAMES, fps=10, width=960, height=540)
    monkeypatch.chdir(tmp_path)
    process = psutil.Process()
    seen: list[tuple[int, int]] = []
    argument = {
        "readable": str(tmp_path / "long.mp4"),
        "media_limits": {name: getattr(MEDIA_LIMITS, name) for name in MEDIA_LIMITS.__dataclass_fields__},
        "target_fps": 10.0,
        "threshold": 0.95,
        "duration_s": FRAMES / 10,
        "range": [0, None],
        "threads": 1,
    }
    found = sample_range(argument, lambda *_: seen.append((process.num_threads(), process.memory_info().rss >> 20)))
    assert len(found["kept"]) > 0.8 * FRAMES
    threads, memory = zip(*seen[1:], strict=True)
    assert max(threads) - threads[0] <= 2
    assert max(memory) - memory[0] <= MOST_MIB
