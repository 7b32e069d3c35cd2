"""Set two: written after the rules were frozen."""

from search_questions import Question, Video

VIDEOS: list[Video] = []
QUESTIONS: list[Question] = []
