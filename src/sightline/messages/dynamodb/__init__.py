"""The DynamoDB backend of the message store."""

from sightline.messages.dynamodb.store import DynamoDbMessageStore, open_dynamodb_store

__all__ = [
    "DynamoDbMessageStore",
    "open_dynamodb_store",
]
