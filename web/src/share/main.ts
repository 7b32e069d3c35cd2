// The player behind a share link: starts the stream, stays in the shared part, lists the text.

import { startStream } from "../ui/hls_stream";
import { clockTime, corrected, rangeOf } from "./range";

const MAX_LISTED = 2000;

const player = document.querySelector("video");
if (player !== null) {
  play(player);
  listText(player);
}

function play(video: HTMLVideoElement): void {
  const { stream, start, end, failed } = video.dataset;
  if (stream === undefined) return;
  const range = rangeOf(start, end);
  startStream(video, stream, { failed: () => showProblem(failed ?? "") });
  if (range === null) return;
  video.addEventListener("loadedmetadata", () => {
    video.currentTime = range.start;
  });
  const stayInside = () => {
    const target = corrected(range, video.currentTime);
    if (target !== null) video.currentTime = target;
    if (video.currentTime >= range.end && !video.paused) video.pause();
  };
  video.addEventListener("timeupdate", stayInside);
  video.addEventListener("seeking", stayInside);
  video.addEventListener("play", () => {
    if (video.currentTime >= range.end - 0.05) video.currentTime = range.start;
  });
}

function showProblem(text: string): void {
  const note = document.getElementById("problem");
  if (note === null) return;
  note.textContent = text;
  note.hidden = false;
}

/** Cues of both tracks below the player, in the order of time; a click jumps there. */
function listText(video: HTMLVideoElement): void {
  const section = document.getElementById("text");
  const list = section?.querySelector("ul");
  if (!section || !list) return;
  for (const track of video.querySelectorAll("track")) {
    track.track.mode = "hidden"; // Loads the cues; the player's own menu shows them.
    track.addEventListener("load", () => fill(video, section, list));
  }
}

function fill(video: HTMLVideoElement, section: HTMLElement, list: HTMLElement): void {
  const cues = [...video.textTracks].flatMap((track) => [...(track.cues ?? [])]) as VTTCue[];
  cues.sort((one, other) => one.startTime - other.startTime);
  const rows = cues.slice(0, MAX_LISTED).map((cue) => rowOf(video, cue));
  list.replaceChildren(...rows);
  section.hidden = rows.length === 0;
}

function rowOf(video: HTMLVideoElement, cue: VTTCue): HTMLElement {
  const row = document.createElement("li");
  const button = document.createElement("button");
  const time = document.createElement("time");
  const text = document.createElement("span");
  const range = rangeOf(video.dataset.start, video.dataset.end);
  const begins = Math.max(cue.startTime, range?.start ?? 0);
  button.type = "button";
  time.textContent = clockTime(begins - (range?.start ?? 0));
  text.textContent = plainText(cue);
  button.append(time, text);
  button.addEventListener("click", () => {
    video.currentTime = begins;
  });
  cue.addEventListener("enter", () => button.setAttribute("aria-current", "true"));
  cue.addEventListener("exit", () => button.removeAttribute("aria-current"));
  row.append(button);
  return row;
}

function plainText(cue: VTTCue): string {
  return cue.getCueAsHTML().textContent ?? "";
}
