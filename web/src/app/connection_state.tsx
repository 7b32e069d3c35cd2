// Whether live updates arrive, and how many critical events wait for somebody.

import { useEffect } from "preact/hooks";
import { useStore } from "../core/store";
import { useOpenCriticals } from "../live/open_criticals";
import { eventStream } from "../live/streams";
import { useBadge } from "./badges";
import { useAppWords } from "./words";

export function ConnectionState() {
  const words = useAppWords();
  const state = useStore(eventStream.connection);
  useEffect(() => eventStream.subscribe({ message: () => {}, gap: () => {} }), []);
  const { events, isMore } = useOpenCriticals();
  const text = events.length === 0 ? "" : `${events.length}${isMore ? "+" : ""}`;
  useBadge("events", text === "" ? null : { text, name: `${words.events} ${words.openCriticals(text)}` });
  return (
    <span class={`connection ${state}`} role="status" title={words[state]}>
      <span class="dot" />
      <span class="word">{words[state]}</span>
    </span>
  );
}
