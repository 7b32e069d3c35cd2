"""The DynamoDB backend of the message store."""

from sightline.messages.dynamodb.store import DynamoDbMessageStore, open_dynamodb_store
from sightline.messages.dynamodb.table import TIME_TO_LIVE_ATTRIBUTE, table_definition

__all__ = [
    "TIME_TO_LIVE_ATTRIBUTE",
    "DynamoDbMessageStore",
    "open_dynamodb_store",
    "table_definition",
]
