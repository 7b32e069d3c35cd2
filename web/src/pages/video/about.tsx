// What people wrote about a video: its description and tags, edited where they are shown.

import { useRef, useState } from "preact/hooks";
import { patch } from "../../api/client";
import type { VideoAnswer, WholeVideoAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { Link } from "../../core/router";
import { Button } from "../../ui/basics";
import { FormField, useForm } from "../../ui/form";
import { notify } from "../../ui/toasts";
import { useAboutWords } from "./about_words";
import { TagsInput } from "./tags_input";

const MAX_DESCRIPTION_LENGTH = 5000;
const FIELDS = ["description", "tags"] as const;
/** Errors without a field name begin with it. */
const GUESSES = FIELDS.map((name) => [new RegExp(`^${name}:`), name] as const);

interface Props {
  video: WholeVideoAnswer;
  saved: () => void;
}

export function About({ video, saved }: Props) {
  const words = useAboutWords();
  const section = useRef<HTMLElement>(null);
  const [isEditing, setIsEditing] = useState(false);
  const canChange = video.canChange ?? true;
  const isEmpty = video.description === null && video.tags.length === 0;
  if (isEmpty && !canChange) return null;
  const close = () => {
    setIsEditing(false);
    // The button is there again once the form is gone; without it the focus would be lost.
    setTimeout(() => section.current?.querySelector("button")?.focus());
  };
  return (
    <section ref={section} class="about" aria-label={words.about}>
      {isEditing ? (
        <AboutForm
          video={video}
          close={close}
          saved={() => {
            saved();
            notify(words.saved);
            close();
          }}
        />
      ) : (
        <>
          {video.tags.length > 0 && (
            <ul class="chips" aria-label={words.tags}>
              {video.tags.map((tag) => (
                <li key={tag}>
                  <Link class="chip" to={`${addressOf("search")}?q=${encodeURIComponent(searchOf(tag))}`}>
                    {tag}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {video.description !== null && <p class="description">{video.description}</p>}
          {canChange && (
            <Button icon="pencil" kind="quiet" onClick={() => setIsEditing(true)}>
              {isEmpty ? words.add : words.edit}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function AboutForm({ video, close, saved }: Props & { close: () => void }) {
  const words = useAboutWords();
  const [description, setDescription] = useState(video.description ?? "");
  const [tags, setTags] = useState(video.tags);
  // What was typed and not confirmed is a tag too: saving must not lose it.
  const [typed, setTyped] = useState("");
  const form = useForm(
    FIELDS,
    async () => {
      const body = {
        description: description.trim() || null,
        tags: typed.trim() === "" ? tags : [...tags, typed.trim()],
      };
      await patch<VideoAnswer>(`/videos/${video.videoId}`, { body });
      saved();
    },
    GUESSES,
  );
  return (
    <form
      class="stack"
      onSubmit={form.submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      <FormField label={words.description} error={form.errorOf("description")}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={4}
            maxLength={MAX_DESCRIPTION_LENGTH}
            value={description}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField label={words.tags} hint={words.tagsHint} error={form.errorOf("tags")}>
        {(attributes) => (
          <TagsInput attributes={attributes} tags={tags} change={setTags} typed={typed} setTyped={setTyped} />
        )}
      </FormField>
      {form.note}
      <div class="line">
        <Button type="submit" kind="primary" disabled={form.isSending}>
          {words.save}
        </Button>
        <Button onClick={close}>{words.cancel}</Button>
      </div>
    </form>
  );
}

function searchOf(tag: string): string {
  return tag.includes(" ") ? `tag:"${tag}"` : `tag:${tag}`;
}
