// Toasts: short messages after an action. They disappear by themselves; errors stay until dismissed.

import { Store, useStore } from "../core/store";
import { Button } from "./basics";
import { errorText } from "./error_text";
import { useUiWords } from "./words";

interface Toast {
  id: number;
  content: string | { error: unknown };
}

const SHOWN_MS = 6000;
const toasts = new Store<Toast[]>([]);
let count = 0;

export function notify(text: string): void {
  const id = add(text);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Shows an error as a toast. */
export function notifyError(error: unknown): void {
  add({ error });
}

function add(content: Toast["content"]): number {
  count += 1;
  const id = count;
  toasts.update((all) => [...all.slice(-4), { id, content }]);
  return id;
}

function dismiss(id: number): void {
  toasts.update((all) => all.filter((item) => item.id !== id));
}

export function Toasts() {
  const shown = useStore(toasts);
  const words = useUiWords();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, content }) => {
        const isError = typeof content !== "string";
        return (
          <div key={id} class={`toast ${isError ? "bad" : ""}`} role={isError ? "alert" : undefined}>
            <span>{isError ? errorText(content.error, words) : content}</span>
            <Button icon="cross" kind="quiet" iconOnly onClick={() => dismiss(id)}>
              {words.dismiss}
            </Button>
          </div>
        );
      })}
    </div>
  );
}
