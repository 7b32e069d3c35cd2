// History of an event: who did what, and when.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { get } from "../../api/client";
import type { EventAnswer, HistoryAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { moment, number } from "../../core/format";
import { ErrorNote } from "../../ui/basics";
import { type HandlingWords, useHandlingWords } from "./handling_words";
import { useEventWords } from "./words";

type Entry = HistoryAnswer["history"][number];

interface Props {
  event: EventAnswer;
  /** Counts what happened to the event: an escalation leaves its version as it is. */
  happened: number;
}

export function History({ event, happened }: Props) {
  const words = useEventWords();
  const handling = useHandlingWords();
  const data = useData(`history ${event.id}`, (signal) =>
    get<HistoryAnswer>(`/api/events/${event.id}/history`, { signal }),
  );
  // Every change of an event has a new version; comments are counted apart.
  const changes = `${event.version} ${event.comment_count} ${happened}`;
  const loaded = useRef(changes);
  useEffect(() => {
    if (loaded.current !== changes) data.reload();
    loaded.current = changes;
  }, [changes]);
  const steps = (data.value?.history ?? []).map((entry) => ({
    at: entry.at,
    text: actionOf(entry, handling),
    notes: typeof entry.details.notes === "string" ? entry.details.notes : "",
  }));
  if (event.broadcasted_at !== null) {
    const text = words.broadcast(event.sequence === null ? "–" : number(event.sequence));
    steps.push({ at: event.broadcasted_at, text, notes: "" });
    steps.sort((one, other) => one.at.localeCompare(other.at));
  }
  return (
    <>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      <ol class="timeline">
        <Step at={event.started_at}>{words.begun}</Step>
        {steps.map((step) => (
          <Step key={`${step.at} ${step.text}`} at={step.at}>
            {step.text}
            {step.notes !== "" && <q>{step.notes}</q>}
          </Step>
        ))}
        {event.archived_at !== null && <Step at={event.archived_at}>{words.wasArchived}</Step>}
      </ol>
    </>
  );
}

function actionOf(entry: Entry, words: HandlingWords): string {
  const known = words[`did_${entry.action}` as keyof HandlingWords];
  const action = typeof known === "string" ? known : entry.action;
  return entry.by === null ? action : `${action}${words.by(entry.by)}`;
}

function Step({ at, children }: { at: string; children: ComponentChildren }) {
  return (
    <li>
      <span>{children}</span>
      <time dateTime={at} class="soft">
        {moment(at)}
      </time>
    </li>
  );
}
