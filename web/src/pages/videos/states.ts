// The states of a video (document 004), as the page groups them.

import type { Tone } from "../../ui/basics";

/** Arrived, and not at its end. */
export const IN_WORK = ["UPLOADED", "PROCESSING", "SPLITTING", "PRINTING"];

export type Group = "uploading" | "processing" | "ready" | "failed";

export function groupOf(status: string): Group {
  if (IN_WORK.includes(status)) return "processing";
  if (status === "COMPLETED") return "ready";
  return status === "FAILED" ? "failed" : "uploading";
}

export const TONES: Record<Group, Tone> = { uploading: "busy", processing: "busy", ready: "good", failed: "bad" };
