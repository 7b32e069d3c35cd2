// The dialog that saves a search, or changes a saved one.

import { useState } from "preact/hooks";
import { patch, post } from "../../api/client";
import type { SavedSearchAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { useSearchWords } from "./words";

interface Props {
  q: string;
  saved?: SavedSearchAnswer;
  close: () => void;
  done?: () => void;
}

export function SaveSearch({ q, saved, close, done }: Props) {
  const words = useSearchWords();
  const [name, setName] = useState(saved?.name ?? q.slice(0, 100));
  const [text, setText] = useState(saved?.q ?? q);
  const [hasAlerts, setHasAlerts] = useState(saved?.has_alerts ?? false);
  const form = useForm(["name", "q"], async () => {
    const body = { name: name.trim(), q: text.trim(), has_alerts: hasAlerts };
    if (saved === undefined) await post("/api/saved-searches", { body });
    else await patch(`/api/saved-searches/${saved.search_id}`, { body });
    notify(words.savedAs(body.name));
    done?.();
    close();
  });
  return (
    <Dialog title={saved === undefined ? words.save : words.change} close={close}>
      <form class="stacked" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.name} error={form.errorOf("name")}>
          {(attributes) => (
            <input
              {...attributes}
              value={name}
              maxLength={100}
              required
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField label={words.query} error={form.errorOf("q")}>
          {(attributes) => (
            <input
              {...attributes}
              value={text}
              maxLength={500}
              required
              spellcheck={false}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </FormField>
        <label class="line">
          <input type="checkbox" checked={hasAlerts} onChange={(event) => setHasAlerts(event.currentTarget.checked)} />
          <span>{words.alertMe}</span>
        </label>
        <p class="soft">{words.alertHint}</p>
        <div class="actions">
          <Button onClick={close}>{words.cancel}</Button>
          <Button kind="primary" type="submit" disabled={form.isSending}>
            {words.saveIt}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
