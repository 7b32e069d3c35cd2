// What the fields of a picture source have in common.

import type { FormState } from "../../ui/form";
import type { SourceValues } from "./source_values";

export interface FieldsProps {
  values: SourceValues;
  change: (change: Partial<SourceValues>) => void;
  form: FormState;
  /** The camera that is changed; null: a new one. */
  cameraId: string | null;
  /** A stored password is kept if none is typed. */
  hasPassword: boolean;
}

/** Names of the fields in the API. */
export const SOURCE_FIELDS = [
  "address",
  "sub_address",
  "username",
  "password",
  "kind",
  "transport",
  "looks_per_s",
  "record_mode",
  "record_days",
].flatMap((name) => [name, `source.${name}`]);

/** Errors that name no field. */
export const SOURCE_GUESSES = [
  [/sub-stream/i, "sub_address"],
  [/address/i, "address"],
] as const;

/** The error of a field of the source, whether the body is the source itself or holds it. */
export const sourceError = (form: FormState, name: string): string | undefined =>
  form.errorOf(`source.${name}`) ?? form.errorOf(name);
