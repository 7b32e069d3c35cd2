"""The DynamoDB backend of the message store."""
