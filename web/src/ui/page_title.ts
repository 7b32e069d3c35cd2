// The title of the tab: the page's, with the progress of uploads in front of it.

import { percent } from "../core/format";
import { totalProgress } from "../upload/total_progress";

let title = "Sightline";

export function setPageTitle(text: string): void {
  title = text;
  show();
}

function show(): void {
  const progress = totalProgress.value;
  // Rounded down: 100 % is said only when it is.
  const share = progress === null ? "" : `${percent(Math.floor(progress.share * 100) / 100)} · `;
  document.title = `${share}${title} · Sightline`;
}

totalProgress.subscribe(show);
