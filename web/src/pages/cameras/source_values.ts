// The settings of a picture source while they are edited.

import type { SourceAnswer, SourceBody } from "../../api/types";
import { kindOf, takeCredentials } from "./source_address";

export type RecordMode = SourceAnswer["record_mode"];

export interface SourceValues {
  address: string;
  /** Empty: the camera has no stream of low resolution that is looked at. */
  subAddress: string;
  username: string;
  /** Empty: the stored one is kept. */
  password: string;
  /** Empty: detected from the address. */
  kind: SourceAnswer["kind"] | "";
  transport: SourceAnswer["transport"];
  verifiesCertificate: boolean;
  looksPerS: string;
  detects: boolean;
  onlyInZones: boolean;
  reportsMotion: boolean;
  recordMode: RecordMode;
  recordDays: string;
}

/** Kinds whose address can be tested for a picture; empty is one of them, and is detected from the address. */
export const isAddressKind = (kind: SourceValues["kind"]): boolean =>
  ["", "stream", "mjpeg", "snapshot"].includes(kind);

/** Files and events of other programs are no stream that could be recorded. */
export const canRecord = (kind: SourceValues["kind"]): boolean => kind !== "folder" && kind !== "mqtt";

export const NEW_SOURCE: SourceValues = {
  address: "",
  subAddress: "",
  username: "",
  password: "",
  kind: "",
  transport: "auto",
  verifiesCertificate: true,
  looksPerS: "5",
  detects: true,
  onlyInZones: false,
  reportsMotion: false,
  recordMode: "events",
  recordDays: "7",
};

export const valuesOf = (source: SourceAnswer): SourceValues => ({
  address: source.address,
  subAddress: source.sub_address,
  username: source.username ?? "",
  password: "",
  kind: source.kind,
  transport: source.transport,
  verifiesCertificate: source.verifies_certificate,
  looksPerS: String(source.looks_per_s),
  detects: source.detects,
  onlyInZones: source.detect_only_in_zones,
  reportsMotion: source.reports_motion,
  recordMode: source.record_mode,
  recordDays: source.record_days === null ? "" : String(source.record_days),
});

/** How the source is reached: all that a test needs. A password that was not typed is left out. */
export function connectionOf(typed: SourceValues): SourceBody {
  // Credentials in the address count at once, and not only when the field is left.
  const values = { ...typed, ...takeCredentials(typed.address) };
  const kind = values.kind === "" ? kindOf(values.address) : values.kind;
  return {
    kind,
    address: values.address.trim(),
    sub_address: kind === "stream" ? values.subAddress.trim() : "",
    username: values.username,
    ...(values.password !== "" && { password: values.password }),
    transport: values.transport,
    verifies_certificate: values.verifiesCertificate,
  };
}

/** How the source is looked at and recorded. */
export function watchBodyOf(values: SourceValues): SourceBody {
  return {
    looks_per_s: Number(values.looksPerS),
    detects: values.detects,
    detect_only_in_zones: values.onlyInZones,
    reports_motion: values.reportsMotion,
    record_mode: canRecord(values.kind) ? values.recordMode : "off",
    record_days: values.recordDays === "" ? null : Number(values.recordDays),
  };
}
