"""The AWS backend of the bus: SNS, SQS and EventBridge behind an outbox."""
