// A reel of chosen techniques: one video with them, one after another.

import { useState } from "preact/hooks";
import { post } from "../../../api/client";
import type { ClipAnswer, TechniqueMarkAnswer } from "../../../api/types";
import { Button, Field } from "../../../ui/basics";
import { Dialog } from "../../../ui/dialog";
import { useForm } from "../../../ui/form";
import { notify } from "../../../ui/toasts";
import { useSummaryWords } from "./summary_words";

interface Props {
  videoId: string;
  chosen: TechniqueMarkAnswer[];
  close: () => void;
  created: () => void;
}

export function ReelDialog({ videoId, chosen, close, created }: Props) {
  const words = useSummaryWords();
  const [name, setName] = useState("");
  const [padding, setPadding] = useState("0.5");
  const [captions, setCaptions] = useState<ClipAnswer["captions"]>("burned");
  const form = useForm([], async () => {
    const parts = chosen.map((mark) => ({
      t_start: mark.t_start,
      t_end: Math.max(mark.t_end, mark.t_start + 1),
      caption: `${mark.name} · ${mark.role}`.slice(0, 300),
    }));
    const padding_ms = Math.round(Number(padding) * 1000);
    const body = { parts, padding_ms, captions, name: name.trim() === "" ? null : name.trim() };
    await post(`/videos/${videoId}/reels`, { body });
    notify(words.created);
    created();
    close();
  });
  return (
    <Dialog title={words.reelTitle} close={close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <p class="soft">{words.reelText}</p>
        <Field label={words.reelName}>
          <input maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
        <div class="form-pair">
          <Field label={words.captions}>
            <select
              value={captions}
              onChange={(event) => setCaptions(event.currentTarget.value as ClipAnswer["captions"])}
            >
              <option value="none">{words.none}</option>
              <option value="soft">{words.soft}</option>
              <option value="burned">{words.burned}</option>
            </select>
          </Field>
          <Field label={words.padding}>
            <input
              type="number"
              min={0}
              max={60}
              step={0.1}
              required
              value={padding}
              onInput={(event) => setPadding(event.currentTarget.value)}
            />
          </Field>
        </div>
        <div class="actions">
          <Button onClick={close}>{words.cancel}</Button>
          <Button type="submit" kind="primary" disabled={form.isSending}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
