"""Mails about videos: rules, templates, the record of each mail, and the channels that send it."""
