// Keyboard shortcuts of the player, the same as in other players.

import { useShortcuts } from "../../../core/shortcuts";
import type { Playhead } from "../playhead";
import { useVideoPageWords } from "../words";
import { type Chapter, chapterAt } from "./chapters";
import { type Captions, nextRate, type Playback } from "./playback";
import { useWatchWords } from "./watch_words";

interface Options {
  playhead: Playhead;
  player: HTMLVideoElement | null;
  playback: Playback;
  captions: Captions[];
  chapters: Chapter[];
  durationMs: number;
  toggleTheatre: () => void;
  toggleFullScreen: () => void;
}

export function usePlayerKeys(options: Options): void {
  const { playhead, player, playback, captions, chapters, durationMs } = options;
  const words = useVideoPageWords();
  const watchWords = useWatchWords();
  const by = (ms: number) => () => playhead.seek(Math.min(durationMs, playhead.wanted + ms));
  const speed = (step: 1 | -1) => () => {
    if (player !== null) player.playbackRate = nextRate(player.playbackRate, step);
  };
  const chapter = (step: 1 | -1) => () => {
    const next = chapters[Math.max(0, chapterAt(chapters, playhead.wanted) + step)];
    if (next !== undefined) playhead.seek(next.startMs);
  };
  useShortcuts([
    { keys: " ", help: words.play, run: () => playhead.toggle() },
    { keys: "k", help: words.play, run: () => playhead.toggle() },
    { keys: "j", help: words.back, run: by(-10_000) },
    { keys: "l", help: words.forth, run: by(10_000) },
    { keys: "ArrowLeft", help: words.seekBack, run: by(-5000) },
    { keys: "ArrowRight", help: words.seekForth, run: by(5000) },
    { keys: ",", help: words.frameBack, run: () => playhead.step(-1) },
    { keys: ".", help: words.frameForth, run: () => playhead.step(1) },
    { keys: "Home", help: watchWords.toStart, run: () => playhead.seek(0) },
    { keys: "End", help: watchWords.toEnd, run: () => playhead.seek(durationMs - playhead.frameMs) },
    ...(chapters.length === 0
      ? []
      : [
          { keys: "]", help: watchWords.nextChapter, run: chapter(1) },
          { keys: "[", help: watchWords.previousChapter, run: chapter(-1) },
        ]),
    { keys: ">", help: watchWords.faster, run: speed(1) },
    { keys: "<", help: watchWords.slower, run: speed(-1) },
    ...(captions.length < 2
      ? []
      : [
          {
            keys: "c",
            help: watchWords.captions,
            run: () => {
              const next = captions[(captions.indexOf(playback.captions) + 1) % captions.length];
              if (next !== undefined) playback.setCaptions(next);
            },
          },
        ]),
    { keys: "b", help: watchWords.loop, run: () => playback.setIsLooping(!playback.isLooping) },
    {
      keys: "m",
      help: watchWords.mute,
      run: () => {
        if (player !== null) player.muted = !player.muted;
      },
    },
    { keys: "t", help: watchWords.theatre, run: options.toggleTheatre },
    { keys: "f", help: watchWords.fullScreen, run: options.toggleFullScreen },
    ...Array.from({ length: 10 }, (_, tenth) => ({
      keys: String(tenth),
      // One line of the sheet of keys says it for all ten.
      help: tenth === 0 ? watchWords.toPart : "",
      run: () => playhead.seek((durationMs * tenth) / 10),
    })),
  ]);
}
