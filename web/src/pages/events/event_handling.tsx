// Who handles an event and when: assignment, snooze and reopening.

import { get, patch } from "../../api/client";
import type { AssigneesAnswer, EventAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Button } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { notify, notifyError } from "../../ui/toasts";
import { isResolvable } from "./filter";
import { useHandlingWords } from "./handling_words";
import { SnoozeButtons } from "./snooze";

interface Props {
  event: EventAnswer;
  /** Receives the event after a change. */
  show: (event: EventAnswer) => void;
}

export function useHandling({ event, show }: Props) {
  return (what: "reopen" | "assign" | "snooze", body: Record<string, unknown>, done: string) =>
    void patch<EventAnswer>(`/api/events/${event.id}/${what}`, { body: { version: event.version, ...body } }).then(
      (changed) => {
        show(changed);
        notify(done);
      },
      notifyError,
    );
}

export function ReopenButton(props: Props) {
  const words = useHandlingWords();
  const change = useHandling(props);
  if (props.event.state !== "resolved") return null;
  return <Button onClick={() => change("reopen", {}, words.didReopen)}>{words.reopen}</Button>;
}

export function HandlingFacts(props: Props) {
  const words = useHandlingWords();
  const { event } = props;
  const change = useHandling(props);
  const people = useData(`assignees ${event.id}`, (signal) =>
    get<AssigneesAnswer>(`/api/events/${event.id}/assignees`, { signal }),
  );
  if (event.state === "archived") return null;
  const chosen = event.assignee?.user_id ?? "";
  const listed = people.value?.people ?? (event.assignee === null ? [] : [event.assignee]);
  const snooze = (until: string | null) =>
    change("snooze", { until }, until === null ? words.didEndSnooze : words.didSnooze);
  return (
    <>
      <Fact name={words.assignee}>
        <select
          aria-label={words.assignee}
          value={chosen}
          onChange={({ currentTarget: { value } }) => change("assign", { user_id: value || null }, words.assigned)}
        >
          <option value="">{words.nobody}</option>
          {listed.map((person) => (
            <option key={person.user_id} value={person.user_id}>
              {person.name ?? words.unnamed}
            </option>
          ))}
        </select>
      </Fact>
      {isResolvable(event) && (
        <Fact name={words.snooze}>
          <SnoozeButtons until={event.snoozed_until} snooze={snooze} />
        </Fact>
      )}
    </>
  );
}
