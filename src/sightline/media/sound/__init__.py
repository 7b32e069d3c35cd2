"""The sound of a video, as speech recognition hears it."""

from sightline.media.sound.form import BYTES_PER_SAMPLE, SAMPLES_PER_S
from sightline.media.sound.video_sound import SoundPiece, VideoSound, open_sound

__all__ = ["BYTES_PER_SAMPLE", "SAMPLES_PER_S", "SoundPiece", "VideoSound", "open_sound"]
