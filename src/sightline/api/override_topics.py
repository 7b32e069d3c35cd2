"""Which topics a job may publish to instead of the default one, and whether they exist."""

from sightline.bootstrap import Platform
from sightline.bus import TECHNIQUE_TOPIC, Names, TopicRefused, topic_arn_of
from sightline.contracts import Caller
from sightline.errors import InvalidInput

MAX_LISTED = 20


async def check_override_topic(platform: Platform, caller: Caller, topic: str) -> None:
    """Raises `InvalidInput` that names the topic and those that may be used, with the reason of the bus if it has one."""
    bus = platform.settings.bus
    names = Names(bus.region, bus.account_id)
    own = await _own_topics(platform, caller, names)
    allowed = [topic_arn_of(one, names) for one in (TECHNIQUE_TOPIC, *platform.settings.techniques.topics)]
    usable = ", ".join([*allowed, *own[:MAX_LISTED]])
    arn = topic_arn_of(topic, names)
    if not (arn in own or _is_allowed(platform, arn, allowed, names)):
        raise InvalidInput(
            f"sns_topic_arn: {topic} is not allowed here. Use your own topics or those of SIGHTLINE_TECHNIQUES_TOPICS: {usable}",
            details={"topic": topic, "allowed": [*allowed, *own[:MAX_LISTED]]},
        )
    try:
        await platform.bus.check_topic(topic)
    except TopicRefused as error:
        raise InvalidInput(
            f"sns_topic_arn: {topic} cannot be used: {error.message}. Topics that jobs may use: {usable}",
            details={"topic": topic, "reason": error.message, "allowed": [*allowed, *own[:MAX_LISTED]]},
        ) from error


async def _own_topics(platform: Platform, caller: Caller, names: Names) -> list[str]:
    """The topics that the caller created on the embedded bus; AWS does not know our callers."""
    registry = platform.open_bus.registry
    if registry is None:
        return []
    account = await registry.account(caller.user_id, is_operator=caller.is_operator)
    await registry.refresh()  # another process may have created one a moment ago
    topics = registry.snapshot.topics.values()
    return [
        names.topic_arn(one.name)
        for one in topics
        if one.account_id == account.account_id and not one.is_declared and not one.is_fifo
    ]


def _is_allowed(platform: Platform, arn: str, allowed: list[str], names: Names) -> bool:
    if arn in allowed:
        return True
    # A pattern never opens the topics of the platform's other parts, whose consumers expect other messages.
    if arn in {names.topic_arn(topic) for topic in platform.bus.topology.topics}:
        return False
    return any(one.endswith("*") and arn.startswith(one[:-1]) for one in allowed)
