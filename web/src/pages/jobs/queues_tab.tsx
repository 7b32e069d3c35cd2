// The queues tab: waiting, processing, delayed and dead messages per queue.

import { ROOT } from "../../core/addresses";
import { duration, number } from "../../core/format";
import { Link } from "../../core/router";
import { ErrorNote, Loading } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { QueueName } from "../../ui/queue_name";
import { DeadLetters } from "./dead_letters";
import { useQueueWords } from "./queue_words";
import type { Queues } from "./queues";

interface Props {
  /** The queue whose dead letters are shown; empty for all queues. */
  queue: string;
  letterId: string | null;
  queues: Queues;
}

export function QueuesTab({ queue, letterId, queues }: Props) {
  const words = useQueueWords();
  if (queue !== "")
    return <DeadLetters key={queue} queue={queue} letterId={letterId} changed={queues.reload} queues={queues} />;
  const { value, error, reload } = queues;
  if (value === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Loading />;
  return (
    <>
      {error && <ErrorNote error={error} retry={reload} />}
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
          </tr>
        </thead>
        <tbody>
          {value.map((row) => (
            <tr key={row.queue}>
              <th scope="row">
                <QueueName name={row.queue} />
              </th>
              <td class="count">{number(row.visible)}</td>
              <td class="count wide">{number(row.in_flight)}</td>
              <td class="count wide">{number(row.delayed)}</td>
              <td class="count wide">{row.oldest_age_s === null ? "–" : duration(row.oldest_age_s)}</td>
              <td class="count">
                {row.dead_letters === 0 ? (
                  <span class="soft">{words.none}</span>
                ) : (
                  <Link
                    class="dead-count"
                    to={`${ROOT}/jobs/queues/${encodeURIComponent(row.queue)}`}
                    aria-label={words.openDead(row.dead_letters, row.queue)}
                  >
                    <Icon name="alarm" />
                    {number(row.dead_letters)}
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
