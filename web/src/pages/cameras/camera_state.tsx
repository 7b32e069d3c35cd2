// How a camera is doing, in plain words.

import type { WatchedCameraAnswer } from "../../api/types";
import { Ago, Badge, type Tone } from "../../ui/basics";
import type { IconName } from "../../ui/icons";
import { problemText, useProblemWords } from "./problem_words";
import { useCameraWords } from "./words";

const LOOKS: Record<string, { tone: Tone; icon: IconName }> = {
  live: { tone: "good", icon: "play" },
  connecting: { tone: "busy", icon: "clock" },
  lost: { tone: "bad", icon: "alarm" },
  refused: { tone: "bad", icon: "stop" },
  off: { tone: "neutral", icon: "pause" },
  push: { tone: "neutral", icon: "download" },
};

type StateName = "live" | "connecting" | "lost" | "refused" | "off" | "push";

/** A camera without a source sends its detections itself. */
export function stateOf({ state, source }: WatchedCameraAnswer): StateName {
  if (state === null || source === null) return "push";
  return source.is_enabled ? (state.state as StateName) : "off";
}

/** What there is to see: pictures as they come, the last one, or none yet. */
export function feedOf(camera: WatchedCameraAnswer): "follow" | "still" | null {
  if (stateOf(camera) === "live") return "follow";
  return (camera.state?.last_picture_at ?? null) === null ? null : "still";
}

export function CameraState({ camera }: { camera: WatchedCameraAnswer }) {
  const words = useCameraWords();
  const problems = useProblemWords();
  const name = stateOf(camera);
  const { tone, icon } = LOOKS[name] ?? { tone: "neutral" as const, icon: "help" as const };
  const isDown = name === "lost" || name === "refused";
  return (
    <span class="camera-state">
      <Badge tone={tone} icon={icon}>
        {words[name]}
        {isDown && camera.state !== null && (
          <>
            {" "}
            <Ago at={camera.state.since} />
          </>
        )}
      </Badge>
      {isDown && camera.state?.reason && (
        <span class="camera-reason">{problemText(problems, camera.state.code, camera.state.reason)}</span>
      )}
    </span>
  );
}
