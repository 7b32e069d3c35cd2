// Cameras page: the wall of all cameras, or one camera.

import type { PageProps } from "../../core/addresses";
import { CameraPage } from "./camera_page";
import { Wall } from "./wall";

export default function CamerasPage({ rest }: PageProps) {
  return rest === "" ? <Wall /> : <CameraPage key={rest} cameraId={decodeURIComponent(rest)} />;
}
