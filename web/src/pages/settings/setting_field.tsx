// One setting: an input for its kind of value, the variable that pins it, and the way back to the default.

import type { SettingAnswer, SettingsBody } from "../../api/types";
import { day } from "../../core/format";
import { Badge, Button } from "../../ui/basics";
import { FormField, type InputAttributes } from "../../ui/form";
import { useSettingNames } from "./setting_words";
import { useSettingsWords } from "./words";

type Value = SettingsBody["values"][string];

interface Props {
  setting: SettingAnswer;
  /** The changed value; undefined: not changed; null: back to the default. */
  value: Value | undefined;
  error: string | undefined;
  change: (value: Value) => void;
}

export function SettingField({ setting, value, error, change }: Props) {
  const words = useSettingsWords();
  const names = useSettingNames();
  const label = names.label(setting.name) ?? setting.name;
  const isPinned = setting.source === "environment";
  const shown = value === undefined ? setting.value : value === null ? setting.default : value;
  return (
    <div class="setting">
      <FormField label={label} hint={names.hint(setting.name) ?? setting.description} error={error}>
        {(attributes) => <Input {...{ setting, isPinned, shown, value, change, attributes }} />}
      </FormField>
      <p class="line soft setting-source">
        <code>{setting.name}</code>
        {isPinned && <Badge icon="info">{words.pinned}</Badge>}
        {setting.source === "stored" && setting.changed_at !== null && value === undefined && (
          <span>{words.changedBy(setting.changed_by ?? "", day(setting.changed_at))}</span>
        )}
        {setting.source === "default" && value === undefined && <span>{words.isDefault}</span>}
        {!isPinned && setting.source === "stored" && value !== null && (
          <Button kind="quiet" icon="retry" onClick={() => change(null)}>
            {words.toDefault}
          </Button>
        )}
        {value === null && <span>{words.becomesDefault}</span>}
      </p>
    </div>
  );
}

interface InputProps {
  setting: SettingAnswer;
  isPinned: boolean;
  shown: Value;
  value: Value | undefined;
  change: (value: Value) => void;
  attributes: InputAttributes;
}

function Input({ setting, isPinned, shown, value, change, attributes }: InputProps) {
  const words = useSettingsWords();
  const names = useSettingNames();
  switch (setting.kind) {
    case "choice":
      return (
        <select
          {...attributes}
          disabled={isPinned}
          value={String(shown)}
          onChange={(event) => change(event.currentTarget.value)}
        >
          {setting.choices.map((choice) => (
            <option key={choice} value={choice}>
              {names.choice(choice) ?? choice}
            </option>
          ))}
        </select>
      );
    case "switch":
      return (
        <input
          {...attributes}
          type="checkbox"
          disabled={isPinned}
          checked={shown === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      );
    case "number":
      return (
        <input
          {...attributes}
          type="number"
          min={0}
          step="any"
          readOnly={isPinned}
          value={shown === null ? "" : String(shown)}
          onInput={(event) => change(event.currentTarget.value === "" ? null : event.currentTarget.valueAsNumber)}
        />
      );
    case "secret":
      return (
        <input
          {...attributes}
          type="password"
          autocomplete="new-password"
          readOnly={isPinned}
          placeholder={setting.is_set ? words.secretSet : ""}
          value={typeof value === "string" ? value : ""}
          onInput={(event) => change(event.currentTarget.value === "" ? null : event.currentTarget.value)}
        />
      );
    case "list":
      return (
        <input
          {...attributes}
          readOnly={isPinned}
          value={Array.isArray(shown) ? shown.join(", ") : String(shown ?? "")}
          onChange={(event) => change(listOf(event.currentTarget.value))}
        />
      );
    default:
      return (
        <input
          {...attributes}
          readOnly={isPinned}
          value={shown === null ? "" : String(shown)}
          onInput={(event) => change(event.currentTarget.value.trim() === "" ? null : event.currentTarget.value)}
        />
      );
  }
}

/** "eng, por" as a list; nothing at all is the default. */
export function listOf(text: string): string[] | null {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length === 0 ? null : parts;
}
