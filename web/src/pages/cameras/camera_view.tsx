// The view of a camera: its live picture or a recording, and the controls below it.

import { useRef, useState } from "preact/hooks";
import type { WatchedCameraAnswer } from "../../api/types";
import { useLanguage } from "../../core/language";
import { useShortcuts } from "../../core/shortcuts";
import { useOnScreen } from "../../core/visibility";
import { Button } from "../../ui/basics";
import { notifyError } from "../../ui/toasts";
import { CameraState, feedOf } from "./camera_state";
import { timeText } from "./day_timeline";
import { DetectedPicture } from "./detected_picture";
import { LivePicture } from "./live_picture";
import { RecordingPlayer, togglePlay } from "./recording_player";
import { useViewWords } from "./view_words";
import type { Watching } from "./watching";
import { useCameraWords } from "./words";

const STEP_MS = 10_000;

export function CameraView({ camera, watching }: { camera: WatchedCameraAnswer; watching: Watching }) {
  const words = useViewWords();
  const cameraWords = useCameraWords();
  useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const isOnScreen = useOnScreen(frame);
  const [player, setPlayer] = useState<HTMLVideoElement | null>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [size, setSize] = useState<[number, number] | null>(null);
  const { now, seek } = watching;
  const isLive = watching.at === null;
  const feed = feedOf(camera);
  const toggle = () => player !== null && togglePlay(player);
  useShortcuts([
    { keys: " ", help: words.playOrPause, run: toggle },
    { keys: "ArrowLeft", help: words.back, run: () => seek(now - STEP_MS) },
    { keys: "ArrowRight", help: words.forward, run: () => seek(now + STEP_MS) },
    { keys: "p", help: words.previousEvent, run: () => watching.toEvent(-1) },
    { keys: "n", help: words.nextEvent, run: () => watching.toEvent(1) },
    { keys: "l", help: words.goLive, run: watching.goLive },
  ]);
  const [width, height] = size ?? [camera.state?.width ?? 16, camera.state?.height ?? 9];
  return (
    <section class="view" aria-label={camera.name}>
      <div
        ref={frame}
        class="view-picture"
        style={{ aspectRatio: `${width} / ${height}`, maxWidth: `calc(56vh * ${width / height})` }}
      >
        {isLive && camera.source === null && (
          <DetectedPicture
            cameraId={camera.camera_id}
            alt={cameraWords.pictureOf(camera.name)}
            sized={(width, height) => setSize([width, height])}
          />
        )}
        {isLive && camera.source !== null && (
          <LivePicture
            cameraId={camera.camera_id}
            mode={isOnScreen ? (feed === "follow" ? "stream" : feed) : null}
            feedKey={camera.state?.since ?? ""}
            alt={cameraWords.pictureOf(camera.name)}
            sized={(width, height) => setSize([width, height])}
          />
        )}
        {!isLive && (
          <RecordingPlayer
            cameraId={camera.camera_id}
            name={camera.name}
            at={watching.at ?? 0}
            showTime={watching.showTime}
            ended={watching.ended}
            attach={setPlayer}
            playing={setIsPlaying}
          />
        )}
      </div>
      <div class="controls">
        {isLive ? (
          <CameraState camera={camera} />
        ) : (
          <>
            <Button icon={isPlaying ? "pause" : "play"} kind="quiet" iconOnly onClick={toggle}>
              {isPlaying ? words.pause : words.play}
            </Button>
            <span class="number">{timeText(now)}</span>
          </>
        )}
        <span class="space" />
        {!isLive && (
          <Button icon="live" kind="primary" onClick={watching.goLive}>
            {words.live}
          </Button>
        )}
        {document.fullscreenEnabled && (
          <Button
            icon="full"
            kind="quiet"
            iconOnly
            onClick={() => void frame.current?.requestFullscreen().catch(notifyError)}
          >
            {words.fullScreen}
          </Button>
        )}
      </div>
    </section>
  );
}
