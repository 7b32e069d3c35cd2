"""Owns technique analysis (document 000): the `analyze` job, the N+1 messages, their consumer, finalization."""

from sightline.techniques.analyze import AnalyzeJob
from sightline.techniques.consumer import Intake, sees_every_event, technique_consumer
from sightline.techniques.publish import Publisher
from sightline.techniques.settings import TechniquesSettings

__all__ = ["AnalyzeJob", "Intake", "Publisher", "TechniquesSettings", "sees_every_event", "technique_consumer"]
