// The picture of a camera's last detection, for cameras whose detector sends what it sees.

import { useState } from "preact/hooks";
import { get } from "../../api/client";
import type { DetectionsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useCameraWords } from "./words";

interface Props {
  cameraId: string;
  alt: string;
  sized: (width: number, height: number) => void;
}

export function DetectedPicture({ cameraId, alt, sized }: Props) {
  const words = useCameraWords();
  const last = useData(`seen by ${cameraId}`, (signal) =>
    get<DetectionsAnswer>("/api/detections", { query: { camera_id: cameraId, limit: 1 }, signal }),
  );
  const [isMissing, setIsMissing] = useState(false);
  const address = last.value?.detections[0]?.image_url ?? null;
  if (address === null || isMissing) return last.isLoading ? null : <p class="no-picture">{words.noPicture}</p>;
  return (
    <img
      class="live-picture"
      src={address}
      alt={alt}
      onLoad={({ currentTarget: shown }) => sized(shown.naturalWidth, shown.naturalHeight)}
      onError={() => setIsMissing(true)}
    />
  );
}
