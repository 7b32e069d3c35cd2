// The state of the connection, and the number of the last message that came over it.

import { number } from "../../app/format";
import { useStore } from "../../app/store";
import { eventStream } from "../../live/streams";
import { Icon } from "../../ui/icons";
import { useEventWords } from "./words";

export function LiveLine() {
  const words = useEventWords();
  const state = useStore(eventStream.connection);
  const sequence = useStore(eventStream.sequence);
  return (
    <p class={`live-line ${state}`}>
      <Icon name={state === "away" ? "alarm" : "overview"} />
      <span>
        {words[state]}
        {state === "away" ? " " : " · "}
        <span class="soft number" data-sequence={sequence}>
          {words.lastNumber(number(sequence))}
        </span>
      </span>
    </p>
  );
}
