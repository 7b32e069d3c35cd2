// Name and captions of a clip that is about to be created.

import { Field } from "../../../ui/basics";
import type { ClipChoices } from "./clip_choices";
import { useClipWords } from "./clip_words";

interface Props {
  value: ClipChoices;
  change: (value: ClipChoices) => void;
  hasCaptions: boolean;
}

export function ClipOptions({ value, change, hasCaptions }: Props) {
  const words = useClipWords();
  return (
    <div class="line clip-options">
      <Field label={words.name}>
        <input
          maxLength={100}
          value={value.name}
          onInput={(event) => change({ ...value, name: event.currentTarget.value })}
        />
      </Field>
      {hasCaptions && (
        <Field label={words.captions}>
          <select
            value={value.captions}
            onChange={(event) => change({ ...value, captions: event.currentTarget.value as ClipChoices["captions"] })}
          >
            <option value="none">{words.none}</option>
            <option value="soft">{words.soft}</option>
            <option value="burned">{words.burned}</option>
          </select>
        </Field>
      )}
      {hasCaptions && value.captions !== "none" && (
        <Field label={words.kind}>
          <select
            value={value.captionKind}
            onChange={(event) =>
              change({ ...value, captionKind: event.currentTarget.value as ClipChoices["captionKind"] })
            }
          >
            <option value="both">{words.both}</option>
            <option value="speech">{words.speech}</option>
            <option value="text">{words.text}</option>
          </select>
        </Field>
      )}
    </div>
  );
}
