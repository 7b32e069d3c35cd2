// Of what somebody wants to be told, by which ways, where, and when not.

import { useState } from "preact/hooks";
import { get, put } from "../../api/client";
import type { Preferences, PreferencesAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { say } from "../../ui/toasts";
import { ZoneInput, localZone } from "../../ui/zone_input";
import { EventChannels } from "./event_channels";
import { usePreferenceWords } from "./preference_words";

const PATH = "/api/notification-preferences";

export function PreferencesTab() {
  const data = useData("preferences", (signal) => get<PreferencesAnswer>(PATH, { signal }));
  if (data.value === undefined) return data.error ? <ErrorNote error={data.error} again={data.reload} /> : <Loading />;
  return <PreferencesForm kept={data.value} keep={(now) => data.set(() => now)} />;
}

function PreferencesForm({ kept, keep }: { kept: PreferencesAnswer; keep: (now: PreferencesAnswer) => void }) {
  const words = usePreferenceWords();
  const [said, setSaid] = useState<Preferences>(kept.preferences);
  const change = (part: Partial<Preferences>) => setSaid((old) => ({ ...old, ...part }));
  const isChanged = JSON.stringify(said) !== JSON.stringify(kept.preferences);
  const quiet = said.quiet_hours ?? null;
  const fields = ["events", "ntfy_topic", "webhook_url", "email", "quiet_hours", "quiet_hours.zone", "quiet_hours.start", "quiet_hours.end"];
  const form = useForm(fields, async () => {
    const now = await put<PreferencesAnswer>(PATH, { body: said });
    keep(now);
    setSaid(now.preferences);
    say(words.saved);
  });
  const input = (key: "ntfy_topic" | "webhook_url" | "email", label: string) => (
    <FormField label={label} error={form.errorOf(key)}>
      {(names) => <input {...names} value={said[key] ?? ""} onInput={(event) => change({ [key]: event.currentTarget.value.trim() || null })} />}
    </FormField>
  );
  const time = (key: "start" | "end", label: string) => (
    <FormField label={label} error={form.errorOf(`quiet_hours.${key}`) ?? (key === "start" ? form.errorOf("quiet_hours") : undefined)}>
      {(names) => (
        <input
          {...names}
          type="time"
          required
          value={quiet?.[key].slice(0, 5)}
          onInput={(event) => quiet && change({ quiet_hours: { ...quiet, [key]: event.currentTarget.value } })}
        />
      )}
    </FormField>
  );
  return (
    <form class="stack message-form" onSubmit={form.submit}>
      {form.note}
      <section class="card stack">
        <h2>{words.what}</h2>
        <EventChannels rules={kept.rules} chosen={said.events ?? {}} change={(events) => change({ events })} />
        {form.errorOf("events") && <p class="field-error">{form.errorOf("events")}</p>}
      </section>
      <section class="card stack">
        <h2>{words.where}</h2>
        {input("ntfy_topic", words.ntfyTopic)}
        {input("email", words.email)}
        {input("webhook_url", words.webhook)}
      </section>
      <section class="card stack">
        <h2>{words.quiet}</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={quiet !== null}
            onChange={(event) =>
              change({ quiet_hours: event.currentTarget.checked ? { start: "22:00", end: "07:00", zone: localZone() } : null })
            }
          />
          {words.quietOn}
        </label>
        {quiet !== null && (
          <>
            <div class="form-pair">
              {time("start", words.start)}
              {time("end", words.end)}
            </div>
            <FormField label={words.zone} hint={words.quietHint} error={form.errorOf("quiet_hours.zone")}>
              {(names) => <ZoneInput {...names} value={quiet.zone ?? "UTC"} change={(zone) => change({ quiet_hours: { ...quiet, zone } })} />}
            </FormField>
          </>
        )}
      </section>
      <div class="save-bar line">
        <Button type="submit" kind="primary" disabled={!isChanged || form.isSending}>
          {words.save}
        </Button>
        {isChanged && (
          <>
            <Button onClick={() => setSaid(kept.preferences)}>{words.undo}</Button>
            <span class="soft">{words.unsaved}</span>
          </>
        )}
      </div>
    </form>
  );
}
