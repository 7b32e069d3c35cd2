// Video statuses (document 004) in the groups of the page.

import type { Tone } from "../../ui/basics";

/** Uploaded, not yet ready or failed. */
export const PROCESSING_STATUSES = ["UPLOADED", "PROCESSING", "SPLITTING", "PRINTING"];

export type StatusGroup = "uploading" | "processing" | "ready" | "failed";

export function groupOf(status: string): StatusGroup {
  if (PROCESSING_STATUSES.includes(status)) return "processing";
  if (status === "COMPLETED") return "ready";
  return status === "FAILED" ? "failed" : "uploading";
}

export const TONES: Record<StatusGroup, Tone> = { uploading: "busy", processing: "busy", ready: "good", failed: "bad" };
