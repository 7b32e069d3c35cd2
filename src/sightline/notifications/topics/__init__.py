"""Deliveries of topics to web addresses and mailboxes."""

from sightline.notifications.topics.build import open_topic_senders
from sightline.notifications.topics.web_sender import TopicWebSender

__all__ = ["TopicWebSender", "open_topic_senders"]
