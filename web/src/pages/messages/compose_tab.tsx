// Writes a message and sends it on its way; its record in the log tells what becomes of it.

import { useState } from "preact/hooks";
import { ApiError, post } from "../../api/client";
import type { CreatedAnswer, NewMessageBody } from "../../api/types";
import { ROOT, navigate } from "../../app/router";
import { Button } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { say } from "../../ui/toasts";
import { type Channel, ChannelSelect, type Priority, PrioritySelect } from "./choosers";
import { useComposeWords } from "./compose_words";
import { STAGES } from "./log_filter";
import { useMessageWords } from "./words";

const FIELDS = ["message_type", "payload", "stage", "channel", "target", "priority"];
const GUESSES = [
  [/\bstage\b/, "stage"],
  [/nowhere to send/, "channel"],
  [/\btarget\b|where a message goes/, "target"],
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
  const [said, setSaid] = useState(EMPTY);
  const change = (part: Partial<typeof EMPTY>) => setSaid((old) => ({ ...old, ...part }));
  const form = useForm(
    FIELDS,
    async () => {
      const made = await post<CreatedAnswer>("/api/messages", { body: bodyOf(said, words.notJson) });
      say(words.sent);
      navigate(`${ROOT}/messages/log/${encodeURIComponent(made.message_id)}`);
    },
    GUESSES,
  );
  const input = (key: "type" | "title" | "tags" | "click" | "target", label: string, field: string, hint?: string) => (
    <FormField label={label} hint={hint} error={form.errorOf(field)}>
      {(names) => <input {...names} required={key === "type"} value={said[key]} onInput={(event) => change({ [key]: event.currentTarget.value })} />}
    </FormField>
  );
  return (
    <form class="card stack message-form" onSubmit={form.submit}>
      {form.note}
      {input("title", words.subject, "payload.title")}
      <FormField label={words.text}>
        {(names) => <textarea {...names} value={said.text} onInput={(event) => change({ text: event.currentTarget.value })} />}
      </FormField>
      <div class="form-pair">
        <FormField label={words.channel} hint={words.channelHint} error={form.errorOf("channel")}>
          {(names) => <ChannelSelect {...names} value={said.channel} change={(channel) => change({ channel })} />}
        </FormField>
        <FormField label={words.priority} error={form.errorOf("priority")}>
          {(names) => <PrioritySelect {...names} value={said.priority} change={(priority) => change({ priority })} />}
        </FormField>
      </div>
      {input("type", words.type, "message_type", words.typeHint)}
      <details open={form.errorOf("stage") !== undefined || form.errorOf("target") !== undefined || form.errorOf("payload") !== undefined}>
        <summary>{words.further}</summary>
        <div class="stack">
          {input("tags", words.tags, "payload.tags", words.tagsHint)}
          {input("click", words.click, "payload.click", words.clickHint)}
          {input("target", words.target, "target", words.targetHint)}
          <FormField label={words.stage} error={form.errorOf("stage")}>
            {(names) => (
              <select {...names} value={said.stage} onChange={(event) => change({ stage: event.currentTarget.value })}>
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
            {(names) => <textarea {...names} spellcheck={false} value={said.more} onInput={(event) => change({ more: event.currentTarget.value })} />}
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

function bodyOf(said: typeof EMPTY, notJson: string): NewMessageBody {
  const tags = said.tags.split(",").map((one) => one.trim()).filter((one) => one !== "");
  const payload: Record<string, unknown> = { ...parseObject(said.more, notJson) };
  if (said.title.trim() !== "") payload.title = said.title.trim();
  if (said.text.trim() !== "") payload.message = said.text;
  if (tags.length > 0) payload.tags = tags;
  if (said.click.trim() !== "") payload.click = said.click.trim();
  return {
    message_type: said.type.trim(),
    payload,
    stage: (said.stage || null) as NewMessageBody["stage"] & (string | null),
    channel: said.channel,
    priority: said.priority,
    target: said.target.trim() || null,
  };
}

function parseObject(text: string, notJson: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const refuse = () => new ApiError(0, "VALIDATION_ERROR", notJson, { errors: [{ field: "payload", message: notJson }] });
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null || Array.isArray(found)) throw refuse();
    return found as Record<string, unknown>;
  } catch {
    throw refuse();
  }
}
