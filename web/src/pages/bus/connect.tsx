// The box that shows how a client of an AWS SDK connects: endpoint, region, access key and an example.

import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { BusTopologyAnswer } from "../../api/types";
import { Button, Empty } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { notifyError } from "../../ui/toasts";
import { useConnectWords } from "./connect_words";
import { CopiedCode, CopiedValue } from "./copied_value";

const COMMAND = "sightline keys create --json";
const AWS_SCOPE = "bus:use";

type KeysDialog = ComponentType<{ close: () => void; scopes?: string[] }>;

const environment = (value: string, secret: string): string =>
  `export AWS_ACCESS_KEY_ID=${value}\nexport AWS_SECRET_ACCESS_KEY=${secret}`;

/** Sends a message and receives it; the credentials come from the environment. */
export const example = (endpoint: string, region: string): string =>
  [
    "import boto3",
    `sqs = boto3.client("sqs", endpoint_url="${endpoint}", region_name="${region}")`,
    'queue = sqs.create_queue(QueueName="hello")["QueueUrl"]',
    'sqs.send_message(QueueUrl=queue, MessageBody="Hello from boto3")',
    '[message] = sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=5)["Messages"]',
    'print(message["Body"])',
  ].join("\n");

export function Connect({ topology }: { topology: BusTopologyAnswer }) {
  const words = useConnectWords();
  const [Keys, setKeys] = useState<KeysDialog | null>(null);
  const { endpoint_url: endpoint, region } = topology;
  if (endpoint === null)
    return (
      <Empty title={words.onAws} icon="link">
        <p>{words.onAwsText}</p>
      </Empty>
    );
  // The dialog is loaded when it is first opened.
  const openKeys = () => import("../account/keys_panel").then((module) => setKeys(() => module.default), notifyError);
  return (
    <section class="stack connect" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="soft">{words.intro}</p>
      <dl class="fact-list">
        <Fact name={words.endpoint}>
          <CopiedValue what={words.endpoint} value={endpoint} />
        </Fact>
        <Fact name={words.region}>
          <CopiedValue what={words.region} value={region} />
        </Fact>
        <Fact name={words.key}>
          <div class="stack">
            <div>
              <Button kind="primary" onClick={() => void openKeys()}>
                {words.newKey}
              </Button>
            </div>
            <p class="soft">{words.keyText}</p>
            <CopiedValue what={words.command} value={COMMAND} />
            {topology.accepts_test_key && <p class="soft">{words.testKey}</p>}
          </div>
        </Fact>
      </dl>
      <h3>{words.environment}</h3>
      {topology.accepts_test_key ? (
        <CopiedCode what={words.environment} value={environment("test", "test")} />
      ) : (
        <pre>{environment("…", "…")}</pre>
      )}
      <h3>{words.example}</h3>
      <p class="soft">
        {words.install} <code>pip install boto3</code>
      </p>
      <CopiedCode what={words.example} value={example(endpoint, region)} />
      {Keys !== null && <Keys scopes={[AWS_SCOPE]} close={() => setKeys(null)} />}
    </section>
  );
}
