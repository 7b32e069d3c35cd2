// Connection status, with the number of the last live message.

import { number } from "../../core/format";
import { useStore } from "../../core/store";
import { eventStream } from "../../live/streams";
import { Icon } from "../../ui/icons";
import { useEventWords } from "./words";

export function ConnectionLine() {
  const words = useEventWords();
  const state = useStore(eventStream.connection);
  const sequence = useStore(eventStream.sequence);
  return (
    <p class={`live-line ${state}`}>
      <Icon name={state === "offline" ? "alarm" : "overview"} />
      <span>
        {words[state]}
        {state === "offline" ? " " : " · "}
        <span class="soft number" data-sequence={sequence} title={words.lastMessage}>
          {words.lastNumber(number(sequence))}
        </span>
      </span>
    </p>
  );
}
