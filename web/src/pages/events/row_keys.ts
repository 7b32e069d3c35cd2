// The keys of the list: where one is, and what is done there.

import { useShortcuts } from "../../app/keys";
import { useEventWords } from "./words";

interface Does {
  go: (step: number) => void;
  open: () => void;
  select: (isRange: boolean) => void;
  acknowledge: () => void;
  resolve: () => void;
  showNew: () => void;
  close: () => void;
}

export function useRowKeys(does: Does): void {
  const words = useEventWords();
  useShortcuts([
    { keys: "j", help: words.keyNext, run: () => does.go(1) },
    { keys: "k", help: words.keyPrevious, run: () => does.go(-1) },
    { keys: "Enter", help: words.keyOpen, run: does.open },
    { keys: "x", help: words.keySelect, run: () => does.select(false) },
    { keys: "X", help: words.keyRange, run: () => does.select(true) },
    { keys: "a", help: words.keyAcknowledge, run: does.acknowledge },
    { keys: "r", help: words.keyResolve, run: does.resolve },
    { keys: "n", help: words.keyNew, run: does.showNew },
    { keys: "Escape", help: words.keyClose, run: does.close },
  ]);
}
