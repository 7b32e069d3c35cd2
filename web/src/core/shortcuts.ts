// Keyboard shortcuts: components register theirs while they are mounted, and the help sheet lists them.

import { useEffect, useRef } from "preact/hooks";
import { Store } from "./store";

export interface Shortcut {
  /** The value of `KeyboardEvent.key`, such as "?" or "Enter", or two in sequence: "g v". */
  keys: string;
  /** The action, for the help sheet; empty if another line of it says it. */
  help: string;
  run: (event: KeyboardEvent) => void;
}

const SEQUENCE_MS = 1200;

/** The one shortcut with a modifier; it works while typing, too. On a Mac it is Cmd+K. */
export const PALETTE_KEYS = "Ctrl+K";

const KEY_NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
};

/** The keys of a shortcut as they are printed on a keyboard: "g v" is g, then v. */
export function keyNames(keys: string, space: string): string[] {
  if (keys === " ") return [space];
  return keys.split(" ").map((key) => KEY_NAMES[key] ?? key);
}

export const shortcuts = new Store<readonly Shortcut[]>([]);

let first = "";
let firstAt = 0;

/** Registers shortcuts while the component is mounted. The list may be a new array on every render. */
export function useShortcuts(list: Shortcut[]): void {
  const latest = useRef(list);
  latest.current = list;
  const names = list.map((item) => `${item.keys}\n${item.help}`).join("\n");
  useEffect(() => {
    const own = latest.current.map((item, index) => ({
      keys: item.keys,
      help: item.help,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event),
    }));
    shortcuts.update((all) => [...all, ...own]);
    return () => shortcuts.update((all) => all.filter((item) => !own.includes(item)));
  }, [names]);
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented) return; // The focused element has used the key itself.
  const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  if (isPalette) return run(PALETTE_KEYS, event);
  // Shortcuts are off while the user types, and for the browser's own shortcuts.
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]") !== null) return;
  const now = performance.now();
  const pair = now - firstAt < SEQUENCE_MS ? `${first} ${event.key}` : "";
  if (pair !== "" && find(pair)) {
    first = "";
    return run(pair, event);
  }
  if (find(event.key) && !isPressing(event)) return run(event.key, event);
  first = event.key;
  firstAt = now;
});

function find(keys: string): Shortcut | undefined {
  return shortcuts.value.findLast((item) => item.keys === keys);
}

function run(keys: string, event: KeyboardEvent): void {
  const found = find(keys);
  if (found === undefined) return;
  event.preventDefault();
  found.run(event);
}

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (element?.isContentEditable) return true;
  if (element instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(element.type);
  return element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
}

/** Enter and Space on a button or link belong to that element. */
function isPressing(event: KeyboardEvent): boolean {
  const isButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
  return isButton && (event.key === "Enter" || event.key === " ");
}
