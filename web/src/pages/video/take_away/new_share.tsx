// The form for a new share link.

import { useState } from "preact/hooks";
import { post } from "../../../api/client";
import type { NewShareBody, ShareAnswer } from "../../../api/types";
import { clock } from "../../../core/format";
import { Button } from "../../../ui/basics";
import { copyText } from "../../../ui/clipboard";
import { FormField, useForm } from "../../../ui/form";
import { useShareWords } from "./share_words";
import type { ShareTarget } from "./targets";

const LIFETIMES_HOURS = [1, 24, 7 * 24, 30 * 24, 365 * 24];
const DEFAULT_HOURS = 7 * 24;

interface Props {
  videoId: string;
  targets: ShareTarget[];
  created: (share: ShareAnswer) => void;
}

export function NewShare({ videoId, targets, created }: Props) {
  const words = useShareWords();
  const [chosen, setChosen] = useState(0);
  const [title, setTitle] = useState("");
  const [hours, setHours] = useState(DEFAULT_HOURS);
  const [withText, setWithText] = useState(true);
  const [exact, setExact] = useState(false);
  const [canEmbed, setCanEmbed] = useState(false);
  const [origins, setOrigins] = useState("");
  const target = targets[chosen] ?? { what: "video" };
  const form = useForm(["title", "embed_origins", "expires_in_hours"], async () => {
    const body: NewShareBody = {
      video_id: videoId,
      ...(target.what === "clip" && { clip_id: target.clipId }),
      ...(target.what === "moment" && { start_ms: target.start, end_ms: target.end, exact }),
      title: title.trim() === "" ? null : title.trim(),
      expires_in_hours: hours,
      with_text: withText,
      embed_origins: canEmbed ? originsOf(origins) : [],
    };
    const share = await post<ShareAnswer>("/api/shares", { body });
    created(share);
    if (share.url !== null) await copyText(share.url, words.copied, `${words.copyThis} ${share.url}`);
  });
  return (
    <form class="stack" onSubmit={form.submit}>
      {form.note}
      <fieldset class="stack">
        <legend class="label">{words.what}</legend>
        {targets.map((one, index) => (
          <label key={nameOf(one, words)} class="check">
            <input type="radio" name="target" checked={index === chosen} onChange={() => setChosen(index)} />
            <span class="number">{nameOf(one, words)}</span>
          </label>
        ))}
      </fieldset>
      {target.what === "moment" && (
        <label class="check">
          <input type="checkbox" checked={exact} onChange={(event) => setExact(event.currentTarget.checked)} />
          <span>
            {words.exact} <small>{words.exactHint}</small>
          </span>
        </label>
      )}
      <FormField label={words.name} hint={words.nameHint} error={form.errorOf("title")}>
        {(attributes) => (
          <input
            {...attributes}
            maxLength={100}
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField label={words.expires} error={form.errorOf("expires_in_hours")}>
        {(attributes) => (
          <select
            {...attributes}
            value={String(hours)}
            onChange={(event) => setHours(Number(event.currentTarget.value))}
          >
            {LIFETIMES_HOURS.map((count) => (
              <option key={count} value={String(count)}>
                {words.lifetime(count)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <label class="check">
        <input type="checkbox" checked={withText} onChange={(event) => setWithText(event.currentTarget.checked)} />
        {words.withText}
      </label>
      <label class="check">
        <input type="checkbox" checked={canEmbed} onChange={(event) => setCanEmbed(event.currentTarget.checked)} />
        {words.canEmbed}
      </label>
      {canEmbed && (
        <FormField label={words.origins} hint={words.originsHint} error={form.errorOf("embed_origins")}>
          {(attributes) => (
            <input
              {...attributes}
              value={origins}
              placeholder="https://intranet.example"
              onInput={(event) => setOrigins(event.currentTarget.value)}
            />
          )}
        </FormField>
      )}
      <div class="actions">
        <Button type="submit" kind="primary" icon="link" disabled={form.isSending}>
          {words.create}
        </Button>
      </div>
    </form>
  );
}

function nameOf(target: ShareTarget, words: ReturnType<typeof useShareWords>): string {
  if (target.what === "clip") return words.clip(target.name);
  if (target.what === "video") return words.video;
  return words.moment(clock(target.start, { exact: true }), clock(target.end, { exact: true }));
}

/** Separated by spaces or commas; none is any page. */
function originsOf(text: string): string[] {
  const found = text.split(/[\s,]+/).filter((one) => one !== "");
  return found.length === 0 ? ["*"] : found;
}
