// Details of one dead letter: reason, body and attributes.

import { get } from "../../api/client";
import type { WholeDeadLetterAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { moment } from "../../core/format";
import { Ago, Button, ErrorNote, Loading } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { QueueName } from "../../ui/queue_name";
import type { DeadLetterActions } from "./dead_letter_actions";
import { useQueueWords } from "./queue_words";
import { deadLettersPath } from "./queues";

export function DeadLetterDetail({ queue, id, actions }: { queue: string; id: string; actions: DeadLetterActions }) {
  const words = useQueueWords();
  const { value, error, reload } = useData(`letter ${queue} ${id}`, (signal) =>
    get<WholeDeadLetterAnswer>(`${deadLettersPath(queue)}/${encodeURIComponent(id)}`, { signal }),
  );
  if (value === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Loading />;
  const attributes = Object.entries(value.attributes);
  const context = Object.entries(value.context);
  return (
    <article class="work-detail">
      <header>
        <h2>{value.type ?? words.noType}</h2>
      </header>
      <div class="line">
        <Button icon="retry" kind="primary" disabled={actions.isBusy} onClick={() => actions.redrive([id])}>
          {words.redrive}
        </Button>
        <Button icon="trash" kind="danger" disabled={actions.isBusy} onClick={() => actions.confirmDiscard([id])}>
          {words.discard}
        </Button>
      </div>
      <section class="failure-box">
        <h3>{words.reason}</h3>
        <p>{value.reason ?? words.noReason}</p>
      </section>
      <dl class="fact-list">
        <Fact name={words.id}>
          <code>{value.message_id}</code>
        </Fact>
        <Fact name={words.source}>{value.source_queue && <QueueName name={value.source_queue} />}</Fact>
        <Fact name={words.topic}>{value.topic_arn && <QueueName name={value.topic_arn} />}</Fact>
        <Fact name={words.sent}>{value.sent_at === null ? words.unknown : moment(value.sent_at)}</Fact>
        <Fact name={words.firstReceived}>
          {value.first_received_at === null ? words.unknown : moment(value.first_received_at)}
        </Fact>
        <Fact name={words.deadSince}>
          {value.dead_since === null ? (
            words.unknown
          ) : (
            <>
              {moment(value.dead_since)}{" "}
              <span class="soft">
                (<Ago at={value.dead_since} />)
              </span>
            </>
          )}
        </Fact>
        <Fact name={words.receives}>{value.receive_count ?? words.unknown}</Fact>
        <Fact name={words.redrives}>{value.redrives}</Fact>
        {attributes.length > 0 && (
          <Fact name={words.attributes}>{attributes.map(([name, item]) => `${name} = ${item.Value}`).join(", ")}</Fact>
        )}
        {context.length > 0 && (
          <Fact name={words.context}>{context.map(([name, item]) => `${name} = ${item}`).join(", ")}</Fact>
        )}
      </dl>
      <section>
        <h3>{words.body}</h3>
        <pre tabIndex={0} aria-label={words.body}>
          {readable(value.body)}
        </pre>
      </section>
    </article>
  );
}

/** Formats JSON; any other body is returned unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
