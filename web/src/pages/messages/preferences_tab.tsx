// Notification preferences: channels per event, destinations and quiet hours.

import { useState } from "preact/hooks";
import { get, put } from "../../api/client";
import type { Preferences, PreferencesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { LANGUAGES, type Language } from "../../core/language";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { localTimeZone, TimeZoneInput } from "../../ui/time_zone_input";
import { notify } from "../../ui/toasts";
import { AddressStates } from "./address_states";
import { ChannelStates } from "./channel_states";
import { EventChannels } from "./event_channels";
import { usePreferenceWords } from "./preference_words";

const PATH = "/api/notification-preferences";

export function PreferencesTab() {
  const data = useData("preferences", (signal) => get<PreferencesAnswer>(PATH, { signal }));
  if (data.value === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  return <PreferencesForm saved={data.value} onSaved={(now) => data.set(() => now)} />;
}

function PreferencesForm({ saved, onSaved }: { saved: PreferencesAnswer; onSaved: (now: PreferencesAnswer) => void }) {
  const words = usePreferenceWords();
  const [draft, setDraft] = useState<Preferences>(saved.preferences);
  const change = (part: Partial<Preferences>) => setDraft((old) => ({ ...old, ...part }));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved.preferences);
  const quiet = draft.quiet_hours ?? null;
  const fields = [
    "events",
    "ntfy_topic",
    "webhook_url",
    "email",
    "language",
    "quiet_hours",
    "quiet_hours.zone",
    "quiet_hours.start",
    "quiet_hours.end",
  ];
  const form = useForm(fields, async () => {
    const now = await put<PreferencesAnswer>(PATH, { body: draft });
    onSaved(now);
    setDraft(now.preferences);
    notify(words.saved);
  });
  const input = (key: "ntfy_topic" | "webhook_url" | "email", label: string) => (
    <FormField label={label} error={form.errorOf(key)}>
      {(attributes) => (
        <input
          {...attributes}
          value={draft[key] ?? ""}
          onInput={(event) => change({ [key]: event.currentTarget.value.trim() || null })}
        />
      )}
    </FormField>
  );
  const time = (key: "start" | "end", label: string) => (
    <FormField
      label={label}
      error={form.errorOf(`quiet_hours.${key}`) ?? (key === "start" ? form.errorOf("quiet_hours") : undefined)}
    >
      {(attributes) => (
        <input
          {...attributes}
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
        <EventChannels
          rules={saved.rules}
          chosen={draft.events ?? {}}
          change={(events) => change({ events })}
          channels={saved.channels}
          typed={{ ntfy: draft.ntfy_topic, webhook: draft.webhook_url, email: draft.email }}
        />
        {form.errorOf("events") && <p class="field-error">{form.errorOf("events")}</p>}
      </section>
      <section class="card stack">
        <h2>{words.channels}</h2>
        <ChannelStates channels={saved.channels} />
        {isChanged && <p class="soft">{words.testSavedOnly}</p>}
      </section>
      <section class="card stack">
        <h2>{words.where}</h2>
        {input("ntfy_topic", words.ntfyTopic)}
        {input("email", words.email)}
        {input("webhook_url", words.webhook)}
        <AddressStates version={JSON.stringify(saved.preferences)} />
      </section>
      <section class="card stack">
        <h2>{words.language}</h2>
        <FormField label={words.languageOf} hint={words.languageHint} error={form.errorOf("language")}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.language ?? ""}
              onChange={(event) => change({ language: (event.currentTarget.value || null) as Language | null })}
            >
              <option value="">{words.defaultLanguage(LANGUAGES[saved.default_language])}</option>
              {Object.entries(LANGUAGES).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FormField>
      </section>
      <section class="card stack">
        <h2>{words.quiet}</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={quiet !== null}
            onChange={(event) =>
              change({
                quiet_hours: event.currentTarget.checked
                  ? { start: "22:00", end: "07:00", zone: localTimeZone() }
                  : null,
              })
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
              {(attributes) => (
                <TimeZoneInput
                  {...attributes}
                  value={quiet.zone ?? "UTC"}
                  change={(zone) => change({ quiet_hours: { ...quiet, zone } })}
                />
              )}
            </FormField>
            <label class="check">
              <input
                type="checkbox"
                checked={quiet.lets_critical ?? true}
                onChange={(event) => change({ quiet_hours: { ...quiet, lets_critical: event.currentTarget.checked } })}
              />
              {words.letsCritical}
            </label>
          </>
        )}
      </section>
      <div class="save-bar line">
        <Button type="submit" kind="primary" disabled={!isChanged || form.isSending}>
          {words.save}
        </Button>
        {isChanged && (
          <>
            <Button onClick={() => setDraft(saved.preferences)}>{words.undo}</Button>
            <span class="soft">{words.unsaved}</span>
          </>
        )}
      </div>
    </form>
  );
}
