// SQS, SNS and STS by the AWS SDK for JavaScript v3: bus.mjs, endpoint and credentials from the environment. Prints its results.
import {
  CreateTopicCommand,
  NotFoundException,
  PublishBatchCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";

const sqs = new SQSClient();
const sns = new SNSClient();
const seen = {};

async function createQueue(QueueName, Attributes) {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  const found = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }));
  return { QueueUrl, arn: found.Attributes.QueueArn };
}

async function receive(QueueUrl, count) {
  const messages = [];
  while (messages.length < count) {
    const received = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 5,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
      }),
    );
    const batch = received.Messages ?? [];
    messages.push(...batch);
    const Entries = batch.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
    if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  }
  return messages;
}

seen.identity = (await new STSClient().send(new GetCallerIdentityCommand())).Account;

// The SDK compares the digests of bodies and attributes with its own, and fails where they differ.
const standard = await createQueue("js-standard");
const colour = { DataType: "String", StringValue: "ção" };
await sqs.send(
  new SendMessageCommand({ QueueUrl: standard.QueueUrl, MessageBody: "Olá", MessageAttributes: { colour } }),
);
const [message] = await receive(standard.QueueUrl, 1);
seen.message = [message.Body, message.MessageAttributes.colour.StringValue];

const fifo = await createQueue("js.fifo", { FifoQueue: "true", ContentBasedDeduplication: "true" });
const Entries = ["1", "2", "2", "3"].map((body, index) => ({
  Id: String(index),
  MessageBody: body,
  MessageGroupId: "group",
}));
await sqs.send(new SendMessageBatchCommand({ QueueUrl: fifo.QueueUrl, Entries }));
seen.order = (await receive(fifo.QueueUrl, 3)).map((one) => one.Body);

const { TopicArn } = await sns.send(new CreateTopicCommand({ Name: "js-topic" }));
const raw = {
  RawMessageDelivery: "true",
  FilterPolicyScope: "MessageBody",
  FilterPolicy: '{"total": [{"numeric": [">", 10]}]}',
};
await sns.send(new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint: standard.arn, Attributes: raw }));
await sns.send(new PublishCommand({ TopicArn, Message: JSON.stringify({ total: 5 }) }));
const batch = [11, 12].map((total) => ({ Id: `n${total}`, Message: JSON.stringify({ total }) }));
seen.published = (
  await sns.send(new PublishBatchCommand({ TopicArn, PublishBatchRequestEntries: batch }))
).Successful.map((one) => one.Id);
seen.filtered = (await receive(standard.QueueUrl, 2)).map((one) => JSON.parse(one.Body).total).sort();

try {
  await sqs.send(new GetQueueUrlCommand({ QueueName: "js-missing" }));
} catch (error) {
  seen.missingQueue = [error instanceof QueueDoesNotExist, error.name, Boolean(error.$metadata.requestId)];
}
try {
  await sns.send(new PublishCommand({ TopicArn: `${TopicArn}-missing`, Message: "x" }));
} catch (error) {
  seen.missingTopic = [error instanceof NotFoundException, error.$metadata.httpStatusCode, error.$metadata.attempts];
}
console.log(JSON.stringify(seen));
