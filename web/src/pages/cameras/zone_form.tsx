// Name, type and points of the shape that is being drawn, and the buttons that keep or drop it.

import { post, put } from "../../api/client";
import type { ZoneAnswer } from "../../api/types";
import { Button, Choices } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { cameraPath } from "./live_picture";
import { type DraftChange, isComplete, type ShapeDraft } from "./shape_draft";
import { crossesItself } from "./shape_points";
import {
  AREA_KINDS,
  bodyOf,
  DIRECTIONS,
  type Direction,
  type ShapeKind,
  withKind,
  type ZoneValues,
} from "./zone_values";
import { useZoneWords } from "./zone_words";

interface Props {
  cameraId: string;
  /** Null: a new one. */
  zone: ZoneAnswer | null;
  values: ZoneValues;
  setValues: (values: ZoneValues) => void;
  draft: ShapeDraft;
  change: (change: DraftChange) => void;
  saved: () => void;
  cancel: () => void;
}

export function ZoneForm({ cameraId, zone, values, setValues, draft, change, saved, cancel }: Props) {
  const words = useZoneWords();
  const { name, kind } = values;
  const form = useForm(["name", "kind", "polygon", "loiter_s", "direction"], async () => {
    const path = `${cameraPath(cameraId)}/zones`;
    const body = bodyOf(values, draft.points);
    await (zone === null ? post(path, { body }) : put(`${path}/${zone.zone_id}`, { body }));
    notify(words.saved(name));
    saved();
  });
  const problem = problemOf(draft, words);
  const pointsError = form.errorOf("polygon") ?? (draft.isOpen ? undefined : problem);
  return (
    <form class="stack" onSubmit={form.submit}>
      {form.note}
      <p class="soft" role="status">
        {hintOf(draft, words)}
        {draft.isOpen && <span class="keys-hint"> {words.drawKeys}</span>}
      </p>
      <div class="line">
        {draft.isOpen && !draft.isLine && (
          <Button disabled={!isComplete(draft)} onClick={() => change({ type: "close" })}>
            {words.finish}
          </Button>
        )}
        <Button icon="undo" disabled={draft.undo.length === 0} onClick={() => change({ type: "undo" })}>
          {words.undo}
        </Button>
        {draft.chosen !== null && !draft.isLine && (
          <Button icon="trash" onClick={() => change({ type: "remove", index: draft.chosen ?? 0 })}>
            {words.removePoint}
          </Button>
        )}
      </div>
      {pointsError !== undefined && (
        <small class="field-error" role="alert">
          {pointsError}
        </small>
      )}
      <FormField label={words.name} error={form.errorOf("name")}>
        {(attributes) => (
          <input
            {...attributes}
            required
            maxLength={100}
            value={name}
            onInput={(event) => setValues({ ...values, name: event.currentTarget.value })}
          />
        )}
      </FormField>
      {draft.isLine ? (
        <div class="field">
          <span class="label">{words.direction}</span>
          <Choices<Direction>
            label={words.direction}
            value={values.direction}
            options={DIRECTIONS.map((value) => ({ value, label: words[value] }))}
            choose={(direction) => setValues({ ...values, direction })}
          />
          <small>{words.lineHint}</small>
        </div>
      ) : (
        <FormField label={words.kind} hint={words[`${kind}Hint`]} error={form.errorOf("kind")}>
          {(attributes) => (
            <select
              {...attributes}
              value={kind}
              onChange={(event) => setValues(withKind(values, event.currentTarget.value as ShapeKind))}
            >
              {AREA_KINDS.map((item) => (
                <option key={item} value={item}>
                  {words[item]}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
      {kind !== "line" && kind !== "mask" && (
        <FormField label={words.loiter} hint={words.loiterHint} error={form.errorOf("loiter_s")}>
          {(attributes) => (
            <input
              {...attributes}
              class="short"
              type="number"
              min={5}
              max={86_400}
              value={values.loiterS}
              onInput={(event) => setValues({ ...values, loiterS: event.currentTarget.value })}
            />
          )}
        </FormField>
      )}
      <div class="line">
        <Button type="submit" kind="primary" disabled={form.isSending || problem !== undefined}>
          {words.save}
        </Button>
        <Button onClick={cancel}>{words.cancel}</Button>
      </div>
    </form>
  );
}

function hintOf({ isLine, isOpen }: ShapeDraft, words: ReturnType<typeof useZoneWords>): string {
  if (isLine) return isOpen ? words.drawHintLine : words.editHintLine;
  return isOpen ? words.drawHint : words.editHint;
}

/** Why the points cannot be saved yet. */
function problemOf(draft: ShapeDraft, words: ReturnType<typeof useZoneWords>): string | undefined {
  if (!isComplete(draft)) return draft.isLine ? words.tooFewLine : words.tooFew;
  if (!draft.isLine && crossesItself(draft.points)) return words.crosses;
  return undefined;
}
