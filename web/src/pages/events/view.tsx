// How events are shown: cards with large pictures, or a list. The browser remembers it.

import { useState } from "preact/hooks";
import { readStored, writeStored } from "../../core/browser_storage";
import { Button } from "../../ui/basics";
import { useReviewWords } from "./review_words";

const VIEWS = ["grid", "list"] as const;
type Name = (typeof VIEWS)[number];

export interface EventView {
  value: Name;
  choose: (value: Name) => void;
}

export function useEventView(): EventView {
  const [value, setValue] = useState<Name>(() => (readStored("event-view") === "list" ? "list" : "grid"));
  return {
    value,
    choose: (next) => {
      writeStored("event-view", next === "grid" ? null : next);
      setValue(next);
    },
  };
}

export function ViewChoice({ view }: { view: EventView }) {
  const words = useReviewWords();
  return (
    <div class="view-choice" role="group" aria-label={words.view}>
      {VIEWS.map((name) => (
        <Button
          key={name}
          icon={name}
          kind="quiet"
          iconOnly
          aria-pressed={view.value === name}
          onClick={() => view.choose(name)}
        >
          {words[name]}
        </Button>
      ))}
    </div>
  );
}
