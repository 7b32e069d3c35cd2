// Settings of the installation as a form: what the environment pins is shown read-only, everything else can be changed.

import { useState } from "preact/hooks";
import { get, put } from "../../api/client";
import type { SettingAnswer, SettingsAnswer, SettingsBody } from "../../api/types";
import { useData } from "../../api/use_data";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { SettingField } from "./setting_field";
import { useSettingsWords } from "./words";

const PATH = "/api/settings";

export type Draft = SettingsBody["values"];

interface Props {
  groups: SettingAnswer["group"][];
  intro?: string;
  /** After a change is in force. */
  changed?: () => void;
}

export function SettingsForm({ groups, intro, changed }: Props) {
  const data = useData("settings", (signal) => get<SettingsAnswer>(PATH, { signal }));
  if (data.value === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  const shown = data.value.settings.filter((item) => groups.includes(item.group));
  const saved = (answer: SettingsAnswer) => {
    data.set(() => answer);
    changed?.();
  };
  return <Form key={groups.join()} settings={shown} intro={intro} saved={saved} />;
}

interface FormProps {
  settings: SettingAnswer[];
  intro: string | undefined;
  saved: (answer: SettingsAnswer) => void;
}

function Form({ settings, intro, saved }: FormProps) {
  const words = useSettingsWords();
  const [draft, setDraft] = useState<Draft>({});
  const form = useForm(
    settings.map((item) => item.name),
    async () => {
      saved(await put<SettingsAnswer>(PATH, { body: { values: draft } }));
      setDraft({});
      notify(words.saved);
    },
  );
  const change = (setting: SettingAnswer, value: Draft[string]) => setDraft((old) => changedDraft(old, setting, value));
  const isChanged = Object.keys(draft).length > 0;
  return (
    <form class="card stack settings-form" noValidate onSubmit={form.submit}>
      {intro !== undefined && <p class="soft">{intro}</p>}
      {form.note}
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          value={setting.name in draft ? (draft[setting.name] ?? null) : undefined}
          error={form.errorOf(setting.name)}
          change={(value) => change(setting, value)}
        />
      ))}
      <div class="line">
        <Button type="submit" kind="primary" disabled={!isChanged || form.isSending}>
          {words.save}
        </Button>
        {isChanged && (
          <>
            <Button onClick={() => setDraft({})}>{words.undo}</Button>
            <span class="soft">{words.unsaved}</span>
          </>
        )}
      </div>
    </form>
  );
}

/** A value that is in force already is no change. */
export function changedDraft(draft: Draft, setting: SettingAnswer, value: Draft[string]): Draft {
  const { [setting.name]: _, ...others } = draft;
  const isAsBefore = setting.kind !== "secret" && JSON.stringify(value) === JSON.stringify(setting.value);
  return isAsBefore ? others : { ...others, [setting.name]: value };
}
