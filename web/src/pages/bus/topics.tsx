// Topics with their subscriptions and filter policies.

import type { BusSubscriptionAnswer, BusTopicAnswer, BusTopologyAnswer } from "../../api/types";
import { Badge, Button } from "../../ui/basics";
import { CopiedValue } from "./copied_value";
import { indentedJson } from "./indented_json";
import { NextStep } from "./next_step";
import { EndpointName, ResourceName } from "./resource_name";
import { shortName } from "./topology";
import type { StartTrial } from "./try_policy";
import { useBusWords } from "./words";

interface Props {
  topology: BusTopologyAnswer;
  connect: () => void;
  tryPolicy: StartTrial;
}

export function Topics({ topology, connect, tryPolicy }: Props) {
  const words = useBusWords();
  return (
    <>
      <ul class="bus-cards">
        {topology.topics.map((topic) => (
          <li key={topic.arn} class="card stack">
            <div>
              <h2>
                <ResourceName resource={topic} />
              </h2>
              <CopiedValue what={`${words.arn} ${topic.name}`} value={topic.arn} />
            </div>
            {topic.subscriptions.length === 0 ? (
              <NextStep text={words.noSubscriptions} connect={connect} />
            ) : (
              <Subscriptions topic={topic} topology={topology} tryPolicy={tryPolicy} />
            )}
          </li>
        ))}
      </ul>
      {topology.endpoint_url !== null && topology.topics.every((topic) => topic.is_declared) && (
        <NextStep text={words.noClientTopics} connect={connect} />
      )}
    </>
  );
}

function Subscriptions({ topic, topology, tryPolicy }: Omit<Props, "connect"> & { topic: BusTopicAnswer }) {
  const words = useBusWords();
  return (
    <table class="subscriptions">
      <caption class="unseen">{words.subscriptions(topic.name)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.deliversTo}</th>
          <th scope="col" class="protocol">
            {words.protocol}
          </th>
          <th scope="col">{words.filter}</th>
        </tr>
      </thead>
      <tbody>
        {topic.subscriptions.map((subscription) => (
          <tr key={subscription.arn}>
            <td data-label={words.deliversTo}>
              <EndpointName endpoint={subscription.endpoint} topology={topology} />{" "}
              {subscription.is_pending && <Badge tone="warn">{words.pending}</Badge>}
            </td>
            <td data-label={words.protocol}>
              {subscription.protocol} {subscription.is_raw && <Badge>{words.raw}</Badge>}
            </td>
            <td data-label={words.filter}>
              <FilterPolicy subscription={subscription} tryPolicy={tryPolicy} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FilterPolicy({ subscription, tryPolicy }: { subscription: BusSubscriptionAnswer; tryPolicy: StartTrial }) {
  const words = useBusWords();
  const { filter_policy: policy, filter_scope: scope } = subscription;
  if (policy === null) return <span class="soft">{words.everything}</span>;
  return (
    <div class="policy">
      <code>{policy}</code>
      {scope === "MessageBody" && <small class="soft">{words.onBody}</small>}
      <Button
        aria-label={words.tryOf(shortName(subscription.endpoint))}
        onClick={() => tryPolicy({ scope, policy: indentedJson(policy) })}
      >
        {words.tryIt}
      </Button>
    </div>
  );
}
