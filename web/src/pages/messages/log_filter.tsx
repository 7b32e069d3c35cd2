// Filters of the message log, kept in the address.

import { useEffect, useId, useState } from "preact/hooks";
import { setQuery, useLocation } from "../../core/router";
import { useDebounced } from "../../core/timing";
import { Choices } from "../../ui/basics";
import { STATUSES, type Status } from "./status_badge";
import { useMessageWords } from "./words";

export const STAGES = ["dev", "stage", "prod"] as const;
const USUAL_TYPES = ["manual_notification", "scheduled_hello", "alert_notification"];
const DEBOUNCE_MS = 300;

export interface LogFilter {
  status: Status | "all";
  stage: string;
  type: string;
}

export function useLogFilter(): LogFilter {
  const { query } = useLocation();
  return {
    status: STATUSES.find((item) => item === query.get("status")) ?? "all",
    stage: STAGES.find((item) => item === query.get("stage")) ?? "",
    type: query.get("type") ?? "",
  };
}

export const clearLogFilter = (): void => setQuery({ status: null, stage: null, type: null });

export function LogFilterBar({ filter, seenTypes }: { filter: LogFilter; seenTypes: string[] }) {
  const words = useMessageWords();
  return (
    <div class="message-filters">
      <Choices
        label={words.status}
        value={filter.status}
        options={(["all", ...STATUSES] as const).map((value) => ({ value, label: words[value] }))}
        choose={(status) => setQuery({ status: status === "all" ? null : status })}
      />
      <select
        aria-label={words.stage}
        value={filter.stage}
        onChange={(event) => setQuery({ stage: event.currentTarget.value })}
      >
        <option value="">{words.anyStage}</option>
        {STAGES.map((stage) => (
          <option key={stage} value={stage}>
            {stage}
          </option>
        ))}
      </select>
      <TypeInput type={filter.type} known={[...new Set([...USUAL_TYPES, ...seenTypes])]} />
    </div>
  );
}

function TypeInput({ type, known }: { type: string; known: string[] }) {
  const words = useMessageWords();
  const id = useId();
  const [text, setText] = useState(type);
  const debounced = useDebounced(text, DEBOUNCE_MS);
  useEffect(() => setQuery({ type: debounced.trim() }), [debounced]);
  useEffect(() => setText((old) => (old.trim() === type ? old : type)), [type]);
  return (
    <>
      <input
        type="search"
        list={id}
        aria-label={words.type}
        placeholder={words.type}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <datalist id={id}>
        {known.map((item) => (
          <option key={item} value={item} />
        ))}
      </datalist>
    </>
  );
}
