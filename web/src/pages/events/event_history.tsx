// History of an event: who did what, and when.

import type { ComponentChildren } from "preact";
import type { EventAnswer } from "../../api/types";
import { moment, number } from "../../core/format";
import { useEventWords } from "./words";

export function History({ event }: { event: EventAnswer }) {
  const words = useEventWords();
  return (
    <ol class="timeline">
      <Step at={event.started_at}>{words.begun}</Step>
      <Step at={event.created_at}>{words.created}</Step>
      <Step at={event.broadcasted_at}>{words.broadcast(event.sequence === null ? "–" : number(event.sequence))}</Step>
      <Step at={event.acknowledged_at}>{words.ackBy(event.acknowledged_by ?? "–")}</Step>
      <Step at={event.resolved_at}>
        {event.resolved_by === null ? words.didResolveHistory : words.resolvedBy(event.resolved_by)}
        {event.resolution_notes !== null && <q>{event.resolution_notes}</q>}
      </Step>
      <Step at={event.archived_at}>{words.wasArchived}</Step>
    </ol>
  );
}

function Step({ at, children }: { at: string | null; children: ComponentChildren }) {
  if (at === null) return null;
  return (
    <li>
      <span>{children}</span>
      <time dateTime={at} class="soft">
        {moment(at)}
      </time>
    </li>
  );
}
