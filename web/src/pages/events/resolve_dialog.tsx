// Dialog that asks for a resolution note.

import { useState } from "preact/hooks";
import type { EventAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { useEventSummary } from "../../ui/event_summary";
import { FormField } from "../../ui/form";
import { isOpen } from "./filter";
import { useEventWords } from "./words";

const MAX_NOTE_LENGTH = 4000;

interface Props {
  events: EventAnswer[];
  resolve: (notes: string) => void;
  close: () => void;
}

export function ResolveDialog({ events, resolve, close }: Props) {
  const words = useEventWords();
  const summary = useEventSummary();
  const [notes, setNotes] = useState("");
  const open = events.filter(isOpen).length;
  return (
    <Dialog title={words.resolveTitle(events.length)} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          resolve(notes);
          close();
        }}
      >
        {events.length === 1 && events[0] && <p>{summary(events[0])}</p>}
        {open > 0 && <p class="soft">{words.willAcknowledge(open)}</p>}
        <FormField label={words.note} hint={words.noteHint}>
          {(attributes) => (
            <textarea
              {...attributes}
              autofocus
              maxLength={MAX_NOTE_LENGTH}
              value={notes}
              onInput={(event) => setNotes(event.currentTarget.value)}
            />
          )}
        </FormField>
        <div class="actions">
          <Button type="submit" kind="primary">
            {words.resolveNow}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
