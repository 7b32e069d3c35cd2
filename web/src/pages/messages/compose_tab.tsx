// Form that composes and sends a message.

import { useState } from "preact/hooks";
import { ApiError, get, post } from "../../api/client";
import type { CreatedAnswer, NewMessageBody, PreferencesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { ROOT } from "../../core/addresses";
import { navigate } from "../../core/router";
import { Button } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { ChannelHints } from "./channel_hints";
import { useComposeWords } from "./compose_words";
import { STAGES } from "./log_filter";
import { type Channel, ChannelSelect, type Priority, PrioritySelect } from "./selects";
import { useMessageWords } from "./words";

const FIELDS = ["message_type", "payload", "stage", "channel", "target", "priority"];
const GUESSES = [
  [/\bstage\b/, "stage"],
  [/nowhere to send|destination|by (ntfy|email|webhook)/i, "channel"],
  [/\btarget\b|\brecipient\b|only operators/i, "target"],
] as const;

const EMPTY = {
  type: "manual_notification",
  title: "",
  text: "",
  tags: "",
  click: "",
  target: "",
  stage: "",
  more: "",
  channel: null as Channel | null,
  priority: null as Priority | null,
};

export function ComposeTab() {
  const words = useComposeWords();
  const shared = useMessageWords();
  const [draft, setDraft] = useState(EMPTY);
  const preferences = useData("preferences", (signal) =>
    get<PreferencesAnswer>("/api/notification-preferences", { signal }),
  );
  const change = (part: Partial<typeof EMPTY>) => setDraft((old) => ({ ...old, ...part }));
  const form = useForm(
    FIELDS,
    async () => {
      const made = await post<CreatedAnswer>("/api/messages", { body: bodyOf(draft, words.notJson) });
      notify(words.sent);
      navigate(`${ROOT}/messages/log/${encodeURIComponent(made.message_id)}`);
    },
    GUESSES,
  );
  const input = (key: "type" | "title" | "tags" | "click" | "target", label: string, field: string, hint?: string) => (
    <FormField label={label} hint={hint} error={form.errorOf(field)}>
      {(attributes) => (
        <input
          {...attributes}
          required={key === "type"}
          value={draft[key]}
          onInput={(event) => change({ [key]: event.currentTarget.value })}
        />
      )}
    </FormField>
  );
  return (
    <form class="card stack message-form" onSubmit={form.submit}>
      {form.note}
      {input("title", words.subject, "payload.title")}
      <FormField label={words.text}>
        {(attributes) => (
          <textarea
            {...attributes}
            value={draft.text}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        )}
      </FormField>
      <div class="form-pair">
        <FormField label={words.channel} hint={words.channelHint} error={form.errorOf("channel")}>
          {(attributes) => (
            <ChannelSelect {...attributes} value={draft.channel} change={(channel) => change({ channel })} />
          )}
        </FormField>
        <FormField label={words.priority} error={form.errorOf("priority")}>
          {(attributes) => (
            <PrioritySelect {...attributes} value={draft.priority} change={(priority) => change({ priority })} />
          )}
        </FormField>
      </div>
      {draft.channel !== null && draft.target === "" && preferences.value !== undefined && (
        <ChannelHints channels={preferences.value.channels} only={draft.channel} />
      )}
      {input("type", words.type, "message_type", words.typeHint)}
      <details
        open={
          form.errorOf("stage") !== undefined ||
          form.errorOf("target") !== undefined ||
          form.errorOf("payload") !== undefined
        }
      >
        <summary>{words.further}</summary>
        <div class="stack">
          {input("tags", words.tags, "payload.tags", words.tagsHint)}
          {input("click", words.click, "payload.click", words.clickHint)}
          {input("target", words.target, "target", words.targetHint)}
          <FormField label={words.stage} error={form.errorOf("stage")}>
            {(attributes) => (
              <select
                {...attributes}
                value={draft.stage}
                onChange={(event) => change({ stage: event.currentTarget.value })}
              >
                <option value="">{shared.ownStage}</option>
                {STAGES.map((stage) => (
                  <option key={stage} value={stage}>
                    {stage}
                  </option>
                ))}
              </select>
            )}
          </FormField>
          <FormField label={words.more} hint={words.moreHint} error={form.errorOf("payload")}>
            {(attributes) => (
              <textarea
                {...attributes}
                spellcheck={false}
                value={draft.more}
                onInput={(event) => change({ more: event.currentTarget.value })}
              />
            )}
          </FormField>
        </div>
      </details>
      <p>
        <Button type="submit" kind="primary" icon="message" disabled={form.isSending}>
          {words.send}
        </Button>
      </p>
    </form>
  );
}

function bodyOf(draft: typeof EMPTY, notJson: string): NewMessageBody {
  const tags = draft.tags
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const payload: Record<string, unknown> = { ...parseObject(draft.more, notJson) };
  if (draft.title.trim() !== "") payload.title = draft.title.trim();
  if (draft.text.trim() !== "") payload.message = draft.text;
  if (tags.length > 0) payload.tags = tags;
  if (draft.click.trim() !== "") payload.click = draft.click.trim();
  return {
    message_type: draft.type.trim(),
    payload,
    stage: (draft.stage || null) as NewMessageBody["stage"] & (string | null),
    channel: draft.channel,
    priority: draft.priority,
    target: draft.target.trim() || null,
  };
}

function parseObject(text: string, notJson: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const refuse = () =>
    new ApiError(0, "VALIDATION_ERROR", notJson, { errors: [{ field: "payload", message: notJson }] });
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null || Array.isArray(found)) throw refuse();
    return found as Record<string, unknown>;
  } catch {
    throw refuse();
  }
}
