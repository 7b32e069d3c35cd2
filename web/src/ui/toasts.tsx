// Short notes of what came of an action: read out, gone after a while; failures stay until they are dismissed.

import { ApiError } from "../api/client";
import { Store, useStore } from "../app/store";
import { Button } from "./basics";
import { useUiWords } from "./words";

interface Toast {
  id: number;
  text: string;
  isBad: boolean;
}

const SHOWN_MS = 6000;
const toasts = new Store<Toast[]>([]);
let count = 0;

export function say(text: string): void {
  const id = add(text, false);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** For whatever an action was refused with. */
export function complain(error: unknown): void {
  add(error instanceof ApiError || error instanceof Error ? error.message : String(error), true);
}

function add(text: string, isBad: boolean): number {
  count += 1;
  const id = count;
  toasts.update((all) => [...all.slice(-4), { id, text, isBad }]);
  return id;
}

function dismiss(id: number): void {
  toasts.update((all) => all.filter((one) => one.id !== id));
}

export function Toasts() {
  const shown = useStore(toasts);
  const words = useUiWords();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map((one) => (
        <div key={one.id} class={`toast ${one.isBad ? "bad" : ""}`} role={one.isBad ? "alert" : undefined}>
          <span>{one.text}</span>
          <Button icon="cross" kind="quiet" iconOnly onClick={() => dismiss(one.id)}>
            {words.dismiss}
          </Button>
        </div>
      ))}
    </div>
  );
}
