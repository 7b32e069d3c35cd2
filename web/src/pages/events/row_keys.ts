// Keyboard shortcuts of the event list.

import { useShortcuts } from "../../core/shortcuts";
import { useEventWords } from "./words";

interface RowActions {
  go: (step: number) => void;
  open: () => void;
  select: (isRange: boolean) => void;
  acknowledge: () => void;
  resolve: () => void;
  showNew: () => void;
  close: () => void;
}

export function useRowKeys(actions: RowActions): void {
  const words = useEventWords();
  useShortcuts([
    { keys: "j", help: words.keyNext, run: () => actions.go(1) },
    { keys: "k", help: words.keyPrevious, run: () => actions.go(-1) },
    { keys: "Enter", help: words.keyOpen, run: actions.open },
    { keys: "x", help: words.keySelect, run: () => actions.select(false) },
    { keys: "X", help: words.keyRange, run: () => actions.select(true) },
    { keys: "a", help: words.keyAcknowledge, run: actions.acknowledge },
    { keys: "r", help: words.keyResolve, run: actions.resolve },
    { keys: "n", help: words.keyNew, run: actions.showNew },
    { keys: "Escape", help: words.keyClose, run: actions.close },
  ]);
}
