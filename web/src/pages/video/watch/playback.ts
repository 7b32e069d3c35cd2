// How a video is played: its source, captions, speed and loop. Shared by controls and keys.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../../api/client";
import type { DownloadAnswer, WholeVideoAnswer } from "../../../api/types";
import { useStore } from "../../../core/store";
import type { Marks } from "../clip_editor";
import type { Playhead } from "../playhead";

export const RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4];

/** "text" is what is shown, "speech" what is said. */
export type Captions = "off" | "text" | "speech";
export type Quality = "stream" | "original";

const KINDS: Record<Captions, TextTrackKind | null> = { off: null, text: "captions", speech: "subtitles" };
const CHANGES = ["play", "pause", "ended", "volumechange", "ratechange", "loadedmetadata", "resize"];

export interface Playback {
  captions: Captions;
  setCaptions: (captions: Captions) => void;
  isLooping: boolean;
  setIsLooping: (isLooping: boolean) => void;
  quality: Quality;
  setQuality: (quality: Quality) => void;
}

/** What can be played: the stream always, the original where it has a larger picture and is there. */
export function qualitiesOf(
  video: Pick<WholeVideoAnswer, "height">,
  streamHeight: number,
  hasOriginal: boolean,
): Quality[] {
  const isLarger = video.height !== null && streamHeight > 0 && video.height > streamHeight;
  return hasOriginal && isLarger ? ["stream", "original"] : ["stream"];
}

/** The next speed in the list, up or down. */
export function nextRate(rate: number, step: 1 | -1): number {
  const at = RATES.findIndex((one) => one >= rate);
  const place = Math.min(RATES.length - 1, Math.max(0, (at < 0 ? RATES.length - 1 : at) + step));
  return RATES[place] ?? 1;
}

export async function originalAddress(videoId: string): Promise<string> {
  return (await get<DownloadAnswer>(`/videos/${videoId}/download`)).url;
}

/** Draws a component again when the player starts, stops, or changes. */
export function usePlayerChanges(player: HTMLVideoElement | null): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (player === null) return;
    const note = () => setTick((n) => n + 1);
    for (const name of CHANGES) player.addEventListener(name, note);
    note();
    return () => {
      for (const name of CHANGES) player.removeEventListener(name, note);
    };
  }, [player]);
}

export function useCaptions(player: HTMLVideoElement | null, captions: Captions): void {
  useEffect(() => {
    for (const track of player?.textTracks ?? []) track.mode = track.kind === KINDS[captions] ? "showing" : "disabled";
  }, [player, captions]);
}

/** Plays from start to end again and again: between the marks, or else the whole video. */
export function useLoop(
  playhead: Playhead,
  player: HTMLVideoElement | null,
  isLooping: boolean,
  { start, end }: Marks,
): void {
  const now = useStore(playhead.now);
  const from = start ?? 0;
  useEffect(() => {
    if (isLooping && end !== null && now >= end - playhead.frameMs / 2) playhead.seek(from);
  }, [now, isLooping, from, end, playhead]);
  useEffect(() => {
    if (player === null || !isLooping) return;
    const again = () => {
      playhead.seek(from);
      playhead.play();
    };
    player.addEventListener("ended", again);
    return () => player.removeEventListener("ended", again);
  }, [player, isLooping, from, playhead]);
}
