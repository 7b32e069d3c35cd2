// Queues with their counts; a row opens to show ARN, URL and settings.

import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { BusQueueAnswer, BusTopologyAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { duration, moment, number } from "../../core/format";
import { Link } from "../../core/router";
import { Button } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { Icon } from "../../ui/icons";
import { CopiedValue } from "./copied_value";
import { NextStep } from "./next_step";
import { EndpointName, ResourceName } from "./resource_name";
import { useBusWords } from "./words";

const COLUMNS = 7;

export function QueuesTable({ topology, connect }: { topology: BusTopologyAnswer; connect: () => void }) {
  const words = useBusWords();
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <>
      <table class="queues">
        <caption class="unseen">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.queue}</th>
            <th scope="col" class="count">
              {words.waiting}
            </th>
            <th scope="col" class="count wide">
              {words.inFlight}
            </th>
            <th scope="col" class="count wide">
              {words.delayed}
            </th>
            <th scope="col" class="count wide">
              {words.oldest}
            </th>
            <th scope="col" class="count">
              {words.dead}
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {topology.queues.map((queue) => (
            <Fragment key={queue.arn}>
              <tr class={opened === queue.arn ? "opened" : ""}>
                <th scope="row">
                  <ResourceName resource={queue} />
                </th>
                <td class="count">{number(queue.visible)}</td>
                <td class="count wide">{number(queue.in_flight)}</td>
                <td class="count wide">{number(queue.delayed)}</td>
                <td class="count wide">{queue.oldest_age_s === null ? "–" : duration(queue.oldest_age_s)}</td>
                <td class="count">
                  <DeadCount queue={queue} />
                </td>
                <td class="count">
                  <Button
                    icon="info"
                    kind="quiet"
                    iconOnly
                    aria-expanded={opened === queue.arn}
                    onClick={() => setOpened(opened === queue.arn ? null : queue.arn)}
                  >
                    {words.details(queue.name)}
                  </Button>
                </td>
              </tr>
              {opened === queue.arn && (
                <tr class="queue-details">
                  <td colSpan={COLUMNS}>
                    <QueueFacts queue={queue} topology={topology} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {topology.endpoint_url !== null && topology.queues.every((queue) => queue.is_declared) && (
        <NextStep text={words.noClientQueues} connect={connect} />
      )}
    </>
  );
}

/** Dead letters of the platform's own queues can be opened; those of clients are in a queue of theirs. */
function DeadCount({ queue }: { queue: BusQueueAnswer }) {
  const words = useBusWords();
  if (queue.dead_letter_queue === null) return <span class="soft">–</span>;
  if (queue.dead_letters === 0) return <span class="soft">{words.none}</span>;
  const shown = (
    <>
      <Icon name="alarm" />
      {number(queue.dead_letters)}
    </>
  );
  if (!queue.is_declared) return <span class="dead-count">{shown}</span>;
  return (
    <Link
      class="dead-count"
      to={`${ROOT}/jobs/queues/${encodeURIComponent(queue.queue)}`}
      aria-label={words.openDead(queue.dead_letters, queue.queue)}
    >
      {shown}
    </Link>
  );
}

function QueueFacts({ queue, topology }: { queue: BusQueueAnswer; topology: BusTopologyAnswer }) {
  const words = useBusWords();
  const tags = Object.entries(queue.tags).map(([name, value]) => `${name}=${value}`);
  return (
    <dl class="fact-list">
      <Fact name={words.arn}>
        <CopiedValue what={words.arn} value={queue.arn} />
      </Fact>
      <Fact name={words.url}>{queue.url === null ? null : <CopiedValue what={words.url} value={queue.url} />}</Fact>
      <Fact name={words.deadTarget}>
        {queue.dead_letter_arn === null || queue.max_receives === null ? null : (
          <>
            <EndpointName endpoint={queue.dead_letter_arn} topology={topology} />{" "}
            {words.afterReceives(queue.max_receives)}
          </>
        )}
      </Fact>
      <Fact name={words.visibility}>{duration(queue.visibility_timeout_s)}</Fact>
      <Fact name={words.retention}>{duration(queue.retention_s)}</Fact>
      <Fact name={words.delay}>{queue.delay_s === 0 ? null : duration(queue.delay_s)}</Fact>
      <Fact name={words.owner}>{queue.owner_id}</Fact>
      <Fact name={words.created}>
        {queue.is_declared || queue.created_at === null ? null : moment(queue.created_at)}
      </Fact>
      <Fact name={words.tags}>{tags.join(", ")}</Fact>
    </dl>
  );
}
