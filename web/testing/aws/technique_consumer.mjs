// The SQS consumer of document 000 with the AWS SDK for JavaScript v3: technique_consumer.mjs TOPIC_ARN QUEUE.
// The endpoint and the credentials come from the environment. It prints "ready" when it is subscribed, and its results
// when it has finalized one video.
import { SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";

const [TopicArn, QueueName] = process.argv.slice(2);
const sqs = new SQSClient();
const sns = new SNSClient();
const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName }));
const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }));
const FilterPolicy = JSON.stringify({
  event_type: ["bjj_event_detected", "analysis_complete"],
  category: [{ exists: false }, "SUBMISSION_OFFENSE", "STANDUP_GAME"],
});
await sns.send(
  new SubscribeCommand({ TopicArn, Protocol: "sqs", Endpoint: Attributes.QueueArn, Attributes: { FilterPolicy } }),
);
console.log("ready");

const events = new Map();
const completions = new Map();
while (completions.size === 0 || events.size === 0) {
  const received = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 }));
  for (const { Body, ReceiptHandle } of received.Messages ?? []) {
    const body = JSON.parse(Body);
    const payload = JSON.parse(body.Message);
    const eventType = body.MessageAttributes.event_type.Value;
    if (eventType === "bjj_event_detected")
      events.set(payload.id, { ...payload, total: Number(body.MessageAttributes.total_events.Value) });
    else completions.set(payload.video_id, payload);
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}
console.log(JSON.stringify({ events: [...events.values()], completions: [...completions.values()] }));
