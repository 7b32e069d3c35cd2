// The form in which a technique is marked or corrected. Its times are the marks of the player, so that the i and o keys set them.

import { useState } from "preact/hooks";
import type { TechniqueMarkAnswer } from "../../../api/types";
import { clock } from "../../../core/format";
import { type Language, useLanguage } from "../../../core/language";
import { Button, Field } from "../../../ui/basics";
import type { Marks } from "../clip_editor";
import type { Playhead } from "../playhead";
import { CATEGORIES, type Category, useCategoryNames } from "./categories";
import type { MarkChanges, MarksData } from "./marks";
import { NameInput } from "./name_input";
import { useMarkWords } from "./words";

const ROLES: Partial<Record<Language, string[]>> & { en: string[] } = {
  en: ["athlete in white gi", "athlete in blue gi", "athlete in black gi"],
  pt: ["atleta de kimono branco", "atleta de kimono azul", "atleta de kimono preto"],
};
const OUTCOMES = { "": null, yes: true, no: false } as const;

interface Props {
  /** The mark that is corrected; null for a new one. */
  edited: TechniqueMarkAnswer | null;
  marks: MarksData;
  times: Marks;
  setTimes: (times: Marks) => void;
  playhead: Playhead;
  durationMs: number;
  close: () => void;
}

export function MarkForm({ edited, marks, times, setTimes, playhead, durationMs, close }: Props) {
  const words = useMarkWords();
  const categoryNames = useCategoryNames();
  const language = useLanguage();
  const known = marks.value?.marks ?? [];
  const roles = [...new Set([...known.map((item) => item.role), ...(ROLES[language] ?? ROLES.en)])];
  const lastRole = known.findLast((item) => item.state === "accepted")?.role;
  const [name, setName] = useState(edited?.name ?? "");
  const [category, setCategory] = useState<Category>(edited?.category ?? "STANDUP_GAME");
  const [role, setRole] = useState(edited?.role ?? lastRole ?? "");
  const [confidence, setConfidence] = useState(String(Math.round((edited?.confidence ?? 1) * 100)));
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>(outcomeOf(edited));
  const [note, setNote] = useState(edited?.note ?? "");
  const [isSending, setIsSending] = useState(false);
  const { start, end } = times;
  const isTimed = start !== null && end !== null && end > start;

  const save = async (event: Event) => {
    event.preventDefault();
    if (!isTimed || isSending) return;
    const values: MarkChanges & { t_start: number; t_end: number; state: "accepted" } = {
      t_start: Math.round(start),
      t_end: Math.min(Math.round(end), Math.ceil(durationMs / 1000) * 1000),
      category,
      name: name.trim(),
      role: role.trim(),
      confidence: Number(confidence) / 100,
      note: note.trim(),
      finished: OUTCOMES[outcome],
      state: "accepted",
    };
    setIsSending(true);
    const isDone =
      edited === null
        ? await marks.add({ ...values, category, name: name.trim(), role: role.trim() })
        : await marks.change(edited, values);
    setIsSending(false);
    if (isDone) close();
  };

  return (
    <form class="card mark-form" aria-label={edited === null ? words.newMark : words.editMark} onSubmit={save}>
      <div class="line times">
        <span class="number">
          <strong>{start === null ? "…" : clock(start, { exact: true })}</strong> –{" "}
          <strong>{end === null ? "…" : clock(end, { exact: true })}</strong>
        </span>
        <span class="space" />
        <Button onClick={() => setTimes(startAt(times, playhead.now.value))}>{words.setStart}</Button>
        <Button onClick={() => setTimes(endAt(times, playhead.now.value + playhead.frameMs))}>{words.setEnd}</Button>
      </div>
      {!isTimed && <p class="field-error">{words.noTimes}</p>}
      <NameInput
        value={name}
        category={category}
        type={setName}
        choose={(chosen, itsCategory) => {
          setName(chosen);
          setCategory(itsCategory);
        }}
      />
      <div class="form-pair">
        <Field label={words.category}>
          <select value={category} onChange={(event) => setCategory(event.currentTarget.value as Category)}>
            {CATEGORIES.map((item) => (
              <option key={item} value={item}>
                {categoryNames[item]}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.role}>
          <input
            list="technique-roles"
            required
            maxLength={200}
            value={role}
            onInput={(event) => setRole(event.currentTarget.value)}
          />
          <datalist id="technique-roles">
            {roles.map((item) => (
              <option key={item} value={item} />
            ))}
          </datalist>
        </Field>
        <Field label={words.outcome}>
          <select value={outcome} onChange={(event) => setOutcome(event.currentTarget.value as keyof typeof OUTCOMES)}>
            <option value="">{words.unsaid}</option>
            <option value="yes">{words.finished}</option>
            <option value="no">{words.tried}</option>
          </select>
        </Field>
        <Field label={words.confidence}>
          <input
            type="number"
            required
            min={0}
            max={100}
            step={1}
            value={confidence}
            onInput={(event) => setConfidence(event.currentTarget.value)}
          />
        </Field>
      </div>
      <Field label={words.note}>
        <input maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </Field>
      <div class="actions">
        <Button onClick={close}>{words.cancel}</Button>
        <Button type="submit" kind="primary" disabled={!isTimed || isSending}>
          {edited !== null && edited.state !== "accepted" ? words.saveAccept : words.save}
        </Button>
      </div>
    </form>
  );
}

const outcomeOf = (mark: TechniqueMarkAnswer | null): keyof typeof OUTCOMES =>
  mark?.finished === true ? "yes" : mark?.finished === false ? "no" : "";

const startAt = (times: Marks, now: number): Marks => ({
  start: now,
  end: times.end !== null && times.end > now ? times.end : null,
});

const endAt = (times: Marks, now: number): Marks => ({
  start: times.start !== null && times.start < now ? times.start : 0,
  end: Math.round(now),
});
