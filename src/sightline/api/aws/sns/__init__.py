"""SNS: topics, subscriptions and publishing."""

from collections.abc import Mapping

from sightline.api.aws.call import Action
from sightline.api.aws.sns import permissions, publishing, subscribing, subscriptions, tags, topics

ACTIONS: Mapping[str, Action] = {
    "CreateTopic": topics.create_topic,
    "DeleteTopic": topics.delete_topic,
    "ListTopics": topics.list_topics,
    "GetTopicAttributes": topics.get_topic_attributes,
    "SetTopicAttributes": topics.set_topic_attributes,
    "AddPermission": permissions.add_permission,
    "RemovePermission": permissions.remove_permission,
    "TagResource": tags.tag_resource,
    "UntagResource": tags.untag_resource,
    "ListTagsForResource": tags.list_tags_for_resource,
    "Subscribe": subscribing.subscribe,
    "ConfirmSubscription": subscribing.confirm_subscription,
    "Unsubscribe": subscribing.unsubscribe,
    "GetSubscriptionAttributes": subscriptions.get_subscription_attributes,
    "SetSubscriptionAttributes": subscriptions.set_subscription_attributes,
    "ListSubscriptions": subscriptions.list_subscriptions,
    "ListSubscriptionsByTopic": subscriptions.list_subscriptions_by_topic,
    "Publish": publishing.publish,
    "PublishBatch": publishing.publish_batch,
}

__all__ = ["ACTIONS"]
