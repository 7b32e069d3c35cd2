// Uploads that continue while another page is open: how far they are, and the way back to them.

import { addressOf } from "../core/addresses";
import { percent } from "../core/format";
import { Link, useLocation } from "../core/router";
import { useStore } from "../core/store";
import { totalProgress } from "../upload/total_progress";
import { Icon } from "./icons";
import { useUiWords } from "./words";

export function UploadDock() {
  const words = useUiWords();
  const progress = useStore(totalProgress);
  const { path } = useLocation();
  // The page of videos shows each of them.
  if (progress === null || path === addressOf("videos")) return null;
  return (
    <Link class="upload-dock" to={addressOf("videos")}>
      <Icon name="upload" />
      <span>{words.uploading(progress.active)}</span>
      <progress max={1} value={progress.share} aria-label={words.uploading(progress.active)} />
      <span class="number">{percent(Math.floor(progress.share * 100) / 100)}</span>
    </Link>
  );
}
