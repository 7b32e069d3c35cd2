// Toasts: short messages after an action. They disappear by themselves; errors stay until dismissed.

import { Store, useStore } from "../core/store";
import { Button, ErrorSentence } from "./basics";
import { useUiWords } from "./words";

interface Toast {
  id: number;
  content: string | { error: unknown };
  action?: ToastAction | undefined;
}

/** Something that can be done about what the toast says, such as undoing it. */
export interface ToastAction {
  label: string;
  run: () => void;
}

const SHOWN_MS = 6000;
const WITH_ACTION_MS = 12_000;
const toasts = new Store<Toast[]>([]);
let count = 0;

export function notify(text: string, action?: ToastAction): void {
  const id = add(text, action);
  setTimeout(() => dismiss(id), action === undefined ? SHOWN_MS : WITH_ACTION_MS);
}

/** Shows an error as a toast. */
export function notifyError(error: unknown): void {
  add({ error });
}

function add(content: Toast["content"], action?: ToastAction): number {
  count += 1;
  const id = count;
  toasts.update((all) => [...all.slice(-4), { id, content, action }]);
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
      {shown.map(({ id, content, action }) => {
        const isError = typeof content !== "string";
        return (
          <div key={id} class={`toast ${isError ? "bad" : ""}`} role={isError ? "alert" : undefined}>
            {isError ? <ErrorSentence error={content.error} /> : <span>{content}</span>}
            {action && (
              <Button
                kind="quiet"
                class="toast-action"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <Button icon="cross" kind="quiet" iconOnly onClick={() => dismiss(id)}>
              {words.dismiss}
            </Button>
          </div>
        );
      })}
    </div>
  );
}
