// The picture that zones are drawn on: the newest of the camera, or that of its last detection.

import type { WatchedCameraAnswer } from "../../api/types";
import { feedOf } from "./camera_state";
import { DetectedPicture } from "./detected_picture";
import { LivePicture } from "./live_picture";

interface Props {
  camera: WatchedCameraAnswer;
  /** Width divided by height. */
  sized: (aspect: number) => void;
}

export function ZonePicture({ camera, sized }: Props) {
  const sizedBy = (width: number, height: number) => sized(width / height);
  if (camera.source === null) return <DetectedPicture cameraId={camera.camera_id} alt="" sized={sizedBy} />;
  return (
    <LivePicture
      cameraId={camera.camera_id}
      mode={feedOf(camera) === null ? null : "still"}
      feedKey={camera.state?.since ?? ""}
      alt=""
      sized={sizedBy}
    />
  );
}
