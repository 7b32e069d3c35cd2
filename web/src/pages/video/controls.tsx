// Player controls, below the video: on-screen text at its lower edge stays visible.

import { useEffect, useState } from "preact/hooks";
import { clock } from "../../core/format";
import { useStore } from "../../core/store";
import { Button } from "../../ui/basics";
import { notifyError } from "../../ui/toasts";
import type { Playhead } from "./playhead";
import { useSpeechWords } from "./speech_words";
import { useVideoPageWords } from "./words";

const RATES = [0.25, 0.5, 1, 1.5, 2, 4];
const CHANGES = ["play", "pause", "ended", "volumechange", "ratechange"];

interface Props {
  player: HTMLVideoElement | null;
  playhead: Playhead;
  durationMs: number;
  hasText: boolean;
  hasSpeech: boolean;
}

export function Controls({ player, playhead, durationMs, hasText, hasSpeech }: Props) {
  const words = useVideoPageWords();
  const now = useStore(playhead.now);
  const [, setTick] = useState(0);
  const speechWords = useSpeechWords();
  const [captions, setCaptions] = useState<TextTrackKind | null>(null);
  useEffect(() => {
    if (player === null) return;
    const tell = () => setTick((n) => n + 1);
    for (const name of CHANGES) player.addEventListener(name, tell);
    return () => {
      for (const name of CHANGES) player.removeEventListener(name, tell);
    };
  }, [player]);
  useEffect(() => {
    for (const track of player?.textTracks ?? []) track.mode = track.kind === captions ? "showing" : "hidden";
  }, [player, captions]);
  const toggle = (kind: TextTrackKind) => setCaptions((shown) => (shown === kind ? null : kind));
  const isPlaying = player !== null && !player.paused && !player.ended;
  const isMuted = player?.muted ?? false;
  return (
    <div class="controls">
      <Button icon={isPlaying ? "pause" : "play"} kind="quiet" iconOnly onClick={() => playhead.toggle()}>
        {isPlaying ? words.pauseIt : words.playIt}
      </Button>
      <span class="number">
        {clock(now)} / {clock(durationMs)}
      </span>
      <span class="space" />
      <label>
        <span class="unseen">{words.speed}</span>
        <select
          value={String(player?.playbackRate ?? 1)}
          onChange={(event) => {
            if (player !== null) player.playbackRate = Number(event.currentTarget.value);
          }}
        >
          {RATES.map((rate) => (
            <option key={rate} value={rate}>
              {rate}×
            </option>
          ))}
        </select>
      </label>
      {hasSpeech && (
        <Button
          icon="message"
          kind="quiet"
          iconOnly
          aria-pressed={captions === "subtitles"}
          onClick={() => toggle("subtitles")}
        >
          {speechWords.speech}
        </Button>
      )}
      {hasText && (
        <Button
          icon="captions"
          kind="quiet"
          iconOnly
          aria-pressed={captions === "captions"}
          onClick={() => toggle("captions")}
        >
          {words.captions}
        </Button>
      )}
      <Button
        icon={isMuted ? "mute" : "sound"}
        kind="quiet"
        iconOnly
        aria-pressed={isMuted}
        onClick={() => {
          if (player !== null) player.muted = !player.muted;
        }}
      >
        {words.mute}
      </Button>
      {document.fullscreenEnabled && (
        <Button
          icon="full"
          kind="quiet"
          iconOnly
          onClick={() => void player?.parentElement?.requestFullscreen().catch(notifyError)}
        >
          {words.fullScreen}
        </Button>
      )}
    </div>
  );
}
