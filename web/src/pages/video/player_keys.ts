// Keyboard shortcuts of the player, the same as in other players.

import { useShortcuts } from "../../core/shortcuts";
import type { Playhead } from "./playhead";
import { useVideoPageWords } from "./words";

export function usePlayerKeys(playhead: Playhead): void {
  const words = useVideoPageWords();
  const by = (ms: number) => () => playhead.seek(playhead.now.value + ms);
  useShortcuts([
    { keys: " ", help: words.play, run: () => playhead.toggle() },
    { keys: "k", help: words.play, run: () => playhead.toggle() },
    { keys: "j", help: words.back, run: by(-10_000) },
    { keys: "l", help: words.forth, run: by(10_000) },
    { keys: "ArrowLeft", help: words.seekBack, run: by(-5000) },
    { keys: "ArrowRight", help: words.seekForth, run: by(5000) },
    { keys: ",", help: words.frameBack, run: () => playhead.step(-1) },
    { keys: ".", help: words.frameForth, run: () => playhead.step(1) },
  ]);
}
