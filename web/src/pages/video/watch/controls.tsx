// Player controls, below the video: on-screen text at its lower edge stays visible.

import type { WholeVideoAnswer } from "../../../api/types";
import { clock } from "../../../core/format";
import { useStore } from "../../../core/store";
import { Button } from "../../../ui/basics";
import { Menu } from "../../../ui/menu";
import { notifyError } from "../../../ui/toasts";
import type { Playhead } from "../playhead";
import { useVideoPageWords } from "../words";
import { type Chapter, chapterAt } from "./chapters";
import { ChoiceGroup } from "./choice_menu";
import { type Captions, type Playback, qualitiesOf, RATES, usePlayerChanges } from "./playback";
import { useWatchWords } from "./watch_words";

interface Props {
  video: WholeVideoAnswer;
  player: HTMLVideoElement | null;
  playhead: Playhead;
  playback: Playback;
  captions: Captions[];
  chapters: Chapter[];
  hasOriginal: boolean;
  hasMarks: boolean;
  isTheatre: boolean;
  toggleTheatre: () => void;
  toggleFullScreen: () => void;
}

export function Controls(props: Props) {
  const { video, player, playhead, playback, chapters } = props;
  const words = useVideoPageWords();
  const watchWords = useWatchWords();
  const now = useStore(playhead.now);
  usePlayerChanges(player);
  const isPlaying = player !== null && !player.paused && !player.ended;
  const isMuted = player?.muted ?? false;
  const chapter = chapters[chapterAt(chapters, now)];
  const captionWords: Record<Captions, string> = {
    off: watchWords.captionsOff,
    text: watchWords.captionsShown,
    speech: watchWords.captionsSaid,
  };
  const streamHeight = player?.videoHeight ?? 0;
  const qualities = qualitiesOf(video, playback.quality === "stream" ? streamHeight : 1, props.hasOriginal);
  return (
    <div class="controls" role="group" aria-label={watchWords.player}>
      <Button icon={isPlaying ? "pause" : "play"} kind="quiet" iconOnly onClick={() => playhead.toggle()}>
        {isPlaying ? words.pauseIt : words.playIt}
      </Button>
      <Button
        icon={isMuted ? "mute" : "sound"}
        kind="quiet"
        iconOnly
        aria-pressed={isMuted}
        onClick={() => {
          if (player !== null) player.muted = !player.muted;
        }}
      >
        {watchWords.mute}
      </Button>
      <input
        class="volume"
        type="range"
        min={0}
        max={1}
        step={0.05}
        aria-label={watchWords.volume}
        value={isMuted ? 0 : (player?.volume ?? 1)}
        onInput={(event) => {
          if (player === null) return;
          player.volume = Number(event.currentTarget.value);
          player.muted = player.volume === 0;
        }}
      />
      <span class="number time">
        {clock(now)} / {clock(video.durationMs ?? 0)}
      </span>
      {chapter !== undefined && (
        <span class="chapter-now" title={chapter.title}>
          {chapter.title}
        </span>
      )}
      <span class="space" />
      {chapters.length > 0 && (
        <Menu label={watchWords.chapters} icon="chapters" isIconOnly>
          <ol class="chapter-list" aria-label={watchWords.chapters}>
            {chapters.map((item) => (
              <li key={item.startMs}>
                <button
                  type="button"
                  aria-current={item === chapter ? "true" : undefined}
                  onClick={() => playhead.seek(item.startMs)}
                >
                  <span class="number soft">{clock(item.startMs)}</span>
                  <span>{item.title}</span>
                </button>
              </li>
            ))}
          </ol>
        </Menu>
      )}
      {props.captions.length > 1 && (
        <Menu label={watchWords.captions} icon="captions" isIconOnly isOn={playback.captions !== "off"}>
          <ChoiceGroup
            label={watchWords.captions}
            name="captions"
            value={playback.captions}
            options={props.captions.map((value) => ({ value, label: captionWords[value] }))}
            choose={playback.setCaptions}
          />
        </Menu>
      )}
      <Menu label={watchWords.settings} icon="settings" isIconOnly>
        <ChoiceGroup
          label={watchWords.speed}
          name="speed"
          value={player?.playbackRate ?? 1}
          options={RATES.map((value) => ({ value, label: `${value}×` }))}
          choose={(rate) => {
            if (player !== null) player.playbackRate = rate;
          }}
        />
        <ChoiceGroup
          label={watchWords.quality}
          name="quality"
          value={playback.quality}
          options={qualities.map((value) => ({
            value,
            label:
              value === "stream"
                ? watchWords.qualityStream(playback.quality === "stream" ? streamHeight : 0)
                : watchWords.qualityOriginal(video.height ?? 0),
          }))}
          choose={playback.setQuality}
        />
      </Menu>
      <Button
        icon="loop"
        kind="quiet"
        iconOnly
        aria-pressed={playback.isLooping}
        onClick={() => playback.setIsLooping(!playback.isLooping)}
      >
        {props.hasMarks ? watchWords.loopMarks : watchWords.loop}
      </Button>
      {document.pictureInPictureEnabled && (
        <Button icon="picture" kind="quiet" iconOnly onClick={() => void togglePicture(player)}>
          {watchWords.picture}
        </Button>
      )}
      <Button
        class="theatre-button"
        icon="theatre"
        kind="quiet"
        iconOnly
        aria-pressed={props.isTheatre}
        onClick={props.toggleTheatre}
      >
        {watchWords.theatre}
      </Button>
      {document.fullscreenEnabled && (
        <Button icon="full" kind="quiet" iconOnly onClick={props.toggleFullScreen}>
          {watchWords.fullScreen}
        </Button>
      )}
    </div>
  );
}

export async function togglePicture(player: HTMLVideoElement | null): Promise<void> {
  try {
    if (document.pictureInPictureElement !== null) await document.exitPictureInPicture();
    else await player?.requestPictureInPicture();
  } catch (error) {
    notifyError(error);
  }
}
