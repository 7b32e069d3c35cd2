// A time zone input with suggestions from the browser.

import { useId } from "preact/hooks";
import type { InputAttributes } from "./form";

export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function TimeZoneInput({
  value,
  change,
  ...attributes
}: InputAttributes & { value: string; change: (zone: string) => void }) {
  const id = useId();
  return (
    <>
      <input
        {...attributes}
        list={`${id}-zones`}
        required
        maxLength={64}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <datalist id={`${id}-zones`}>
        {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
