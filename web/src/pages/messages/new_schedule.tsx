// Form for a new schedule.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { NewScheduleBody, ScheduleAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { localTimeZone, TimeZoneInput } from "../../ui/time_zone_input";
import { notify } from "../../ui/toasts";
import { useScheduleWords } from "./schedule_words";
import { type Channel, ChannelSelect, type Priority, PrioritySelect } from "./selects";

const FIELDS = ["name", "expression", "zone", "message_type", "channel", "priority"];
const GUESSES = [
  [/time zone/, "zone"],
  [/nowhere to send|destination|by (ntfy|email|webhook)/i, "channel"],
  [/rate|cron|\bat\(|tick|expression|field|minute|hour|day|month|year/i, "expression"],
  [/schedule .* (there|exists)|already/, "name"],
] as const;

export function NewSchedule({ close, made }: { close: () => void; made: () => void }) {
  const words = useScheduleWords();
  const [name, setName] = useState("");
  const [expression, setExpression] = useState("rate(24 hours)");
  const [zone, setZone] = useState(localTimeZone);
  const [type, setType] = useState("manual_notification");
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const [channel, setChannel] = useState<Channel | null>(null);
  const [priority, setPriority] = useState<Priority | null>(null);
  const form = useForm(
    FIELDS,
    async () => {
      const payload: Record<string, string> = {};
      if (title.trim() !== "") payload.title = title.trim();
      if (text.trim() !== "") payload.message = text;
      const body: NewScheduleBody = {
        name,
        expression: expression.trim(),
        zone,
        message_type: type.trim(),
        payload,
        channel,
        priority,
      };
      const schedule = await post<ScheduleAnswer>("/api/schedules", { body });
      notify(words.made(schedule.name));
      made();
      close();
    },
    GUESSES,
  );
  const examples = [
    [words.hourly, "rate(1 hour)"],
    [words.workdays, "cron(0 9 ? * MON-FRI *)"],
    [words.monthly, "cron(0 8 1 * ? *)"],
  ] as const;
  return (
    <Dialog title={words.add} close={close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.name} hint={words.nameHint} error={form.errorOf("name")}>
          {(attributes) => (
            <input
              {...attributes}
              autofocus
              required
              maxLength={64}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField label={words.expression} hint={words.expressionHint} error={form.errorOf("expression")}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={256}
              value={expression}
              onInput={(event) => setExpression(event.currentTarget.value)}
            />
          )}
        </FormField>
        <div class="choices" role="group" aria-label={words.example}>
          {examples.map(([label, value]) => (
            <button key={value} type="button" aria-pressed={expression === value} onClick={() => setExpression(value)}>
              {label}
            </button>
          ))}
        </div>
        <FormField label={words.zone} error={form.errorOf("zone")}>
          {(attributes) => <TimeZoneInput {...attributes} value={zone} change={setZone} />}
        </FormField>
        <FormField label={words.title}>
          {(attributes) => (
            <input {...attributes} value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
          )}
        </FormField>
        <FormField label={words.text}>
          {(attributes) => (
            <textarea {...attributes} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          )}
        </FormField>
        <div class="form-pair">
          <FormField label={words.channel} error={form.errorOf("channel")}>
            {(attributes) => <ChannelSelect {...attributes} value={channel} change={setChannel} />}
          </FormField>
          <FormField label={words.priority} error={form.errorOf("priority")}>
            {(attributes) => <PrioritySelect {...attributes} value={priority} change={setPriority} />}
          </FormField>
        </div>
        <FormField label={words.type} error={form.errorOf("message_type")}>
          {(attributes) => (
            <input {...attributes} required value={type} onInput={(event) => setType(event.currentTarget.value)} />
          )}
        </FormField>
        <div class="actions">
          <Button type="submit" kind="primary" disabled={form.isSending}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
