// Toolbar for the selected events.

import type { EventAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { isOpen, isResolvable } from "./filter";
import { useEventWords } from "./words";

interface Props {
  selected: EventAnswer[];
  /** Progress of a bulk update; null when none is running. */
  progress: { done: number; of: number } | null;
  isAll: boolean;
  toggleAll: () => void;
  acknowledge: (events: EventAnswer[]) => void;
  resolve: (events: EventAnswer[]) => void;
  clear: () => void;
}

export function BulkBar(props: Props) {
  const words = useEventWords();
  const open = props.selected.filter(isOpen);
  const resolvable = props.selected.filter(isResolvable);
  const isBusy = props.progress !== null;
  return (
    <div class="bulk-bar" role="group" aria-label={words.selected(props.selected.length)}>
      <label class="line">
        <input type="checkbox" checked={props.isAll} onChange={props.toggleAll} aria-label={words.selectAll} />
        <span role="status">
          {props.progress === null
            ? words.selected(props.selected.length)
            : words.working(props.progress.done, props.progress.of)}
        </span>
      </label>
      <Button
        icon="check"
        kind="primary"
        disabled={isBusy || open.length === 0}
        onClick={() => props.acknowledge(open)}
      >
        {words.acknowledgeMany(open.length)}
      </Button>
      <Button disabled={isBusy || resolvable.length === 0} onClick={() => props.resolve(resolvable)}>
        {words.resolveMany(resolvable.length)}
      </Button>
      <Button kind="quiet" icon="cross" iconOnly onClick={props.clear}>
        {words.clearSelection}
      </Button>
    </div>
  );
}
