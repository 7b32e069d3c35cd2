"""Learning from corrections: a small layer on top of the packaged classifier, kept only if it helps on held-out corrections."""

from sightline.techniques.pose.learning.learn import LearnReport, learn
from sightline.techniques.pose.learning.lessons import Lesson, lessons_of

__all__ = ["LearnReport", "Lesson", "learn", "lessons_of"]
