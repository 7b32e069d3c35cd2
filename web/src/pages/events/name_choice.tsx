// A condition of a rule that names things: the usual names as boxes to tick, and any other in a text field.

import { FormField } from "../../ui/form";
import { namesIn } from "./rule_draft";

interface Props {
  label: string;
  hint: string;
  error?: string | undefined;
  /** The label of the text field for other names; without one there is no field. */
  others?: string | undefined;
  /** Names separated by commas. */
  value: string;
  /** What can be ticked: names with their words. */
  usual: [name: string, words: string][];
  change: (value: string) => void;
}

export function NameChoice({ label, hint, error, others, value, usual, change }: Props) {
  const chosen = namesIn(value);
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const isUsual = (name: string) => usual.some(([one]) => isSame(one, name));
  // A rule that names what is not offered here, such as a zone that was removed, keeps it until it is unticked.
  const unknown = others === undefined ? chosen.filter((name) => !isUsual(name)) : [];
  const offered = [...usual, ...unknown.map((name): [string, string] => [name, name])];
  const ticked = chosen.filter(isUsual);
  return (
    <fieldset>
      <legend class="label">{label}</legend>
      <div class="line">
        {offered.map(([name, words]) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={chosen.some((one) => isSame(one, name))}
              onChange={(event) => {
                const rest = chosen.filter((one) => !isSame(one, name));
                change((event.currentTarget.checked ? [...rest, name] : rest).join(", "));
              }}
            />
            {words}
          </label>
        ))}
      </div>
      {others !== undefined && (
        <FormField label={others} error={error}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              value={chosen.filter((name) => !isUsual(name)).join(", ")}
              onChange={(event) => change([...ticked, ...namesIn(event.currentTarget.value)].join(", "))}
            />
          )}
        </FormField>
      )}
      <small class="soft">{hint}</small>
    </fieldset>
  );
}
