// Keys of the review: decide, edit, delete, undo, and go from candidate to candidate.

import { useEffect } from "preact/hooks";
import { useShortcuts } from "../../../core/shortcuts";
import { useMarkWords } from "./words";

export interface ReviewActions {
  accept: () => void;
  reject: () => void;
  edit: () => void;
  remove: () => void;
  undo: () => void;
  name: () => void;
  go: (step: 1 | -1) => void;
}

export function useReviewKeys(act: ReviewActions): void {
  const words = useMarkWords();
  useShortcuts([
    { keys: "a", help: words.accept, run: act.accept },
    { keys: "x", help: words.reject, run: act.reject },
    { keys: "e", help: words.edit, run: act.edit },
    { keys: "Delete", help: words.remove, run: act.remove },
    { keys: "u", help: words.undo, run: act.undo },
    { keys: "s", help: words.nameIt, run: act.name },
    { keys: "n", help: words.next, run: () => act.go(1) },
    { keys: "p", help: words.previous, run: () => act.go(-1) },
  ]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      const isTyping = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
      if (!isUndo || isTyping || event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      act.undo();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
