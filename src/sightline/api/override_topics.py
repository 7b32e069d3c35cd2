"""Which topics a job may publish to instead of the default one, and whether they exist."""

from sightline.bootstrap import Platform
from sightline.bus import TECHNIQUE_TOPIC, Names, TopicRefused, topic_arn_of
from sightline.errors import InvalidInput


async def check_override_topic(platform: Platform, topic: str) -> None:
    """Raises `InvalidInput` that names the topic and those that may be used, with the reason of the bus if it has one."""
    bus = platform.settings.bus
    names = Names(bus.region, bus.account_id)
    allowed = [topic_arn_of(one, names) for one in (TECHNIQUE_TOPIC, *platform.settings.techniques.topics)]
    if not _is_allowed(platform, topic_arn_of(topic, names), allowed, names):
        raise InvalidInput(
            f"sns_topic_arn: {topic} is not allowed here; SIGHTLINE_TECHNIQUES_TOPICS names those that are: {', '.join(allowed)}",
            details={"topic": topic, "allowed": allowed},
        )
    try:
        await platform.bus.check_topic(topic)
    except TopicRefused as error:
        raise InvalidInput(
            f"sns_topic_arn: {topic} cannot be used: {error.message}. Topics that jobs may use: {', '.join(allowed)}",
            details={"topic": topic, "reason": error.message, "allowed": allowed},
        ) from error


def _is_allowed(platform: Platform, arn: str, allowed: list[str], names: Names) -> bool:
    if arn in allowed:
        return True
    # A pattern never opens the topics of the platform's other parts, whose consumers expect other messages.
    if arn in {names.topic_arn(topic) for topic in platform.bus.topology.topics}:
        return False
    return any(one.endswith("*") and arn.startswith(one[:-1]) for one in allowed)
