// An input for a time zone, with all that the browser knows to choose from.

import { useId } from "preact/hooks";
import type { InputNames } from "./form";

export const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function ZoneInput({ value, change, ...names }: InputNames & { value: string; change: (zone: string) => void }) {
  const id = useId();
  return (
    <>
      <input {...names} list={`${id}-zones`} required maxLength={64} value={value} onInput={(event) => change(event.currentTarget.value)} />
      <datalist id={`${id}-zones`}>
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
